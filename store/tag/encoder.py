"""Encoder: what each piece of a text means in its place, by the layers of multilingual-e5-small; numbers only."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from store.tag.weights import Floats, Layer, Weights

_ERF = (0.254829592, -0.284496736, 1.421413741, -1.453152027, 1.061405429)
_ERF_SCALE = 0.3275911
"""Abramowitz and Stegun, Handbook of Mathematical Functions, 7.1.26; the error is below 1.5e-7."""


class Encoder:
    """Runs the first layers as the package brings them, and after those the ones that it is given."""

    def __init__(self, weights: Weights, *, first: int, then: Sequence[Layer]) -> None:
        self._weights = weights
        self._layers = (*(weights.layer(number) for number in range(first)), *then)
        self._places = (
            weights.vector("emb.pos").reshape(-1, weights.width) + weights.vector("emb.type")[: weights.width]
        )
        self._scale, self._shift = weights.vector("emb.ln.w"), weights.vector("emb.ln.b")

    def encoded(self, numbers: Sequence[int], *, edges: bool = False) -> Floats:
        """Give what pieces mean, (pieces, width), from their numbers in the vocabulary; at most 510 of them.

        With `edges` the signs of beginning and end come too, first and last.
        """
        known = self._weights
        framed = [known.first, *numbers, known.last]
        states = known.words(framed) + self._places[: len(framed)]
        states = _normal(states, self._scale, self._shift, known.epsilon)
        for layer in self._layers:
            states = self._through(layer, states)
        return states if edges else states[1:-1]

    def _through(self, layer: Layer, states: Floats) -> Floats:
        epsilon = self._weights.epsilon
        attended = self._attended(layer, states) @ layer.attended + layer.attended_bias
        states = _normal(states + attended, layer.attended_scale, layer.attended_shift, epsilon)
        outer = _gelu(states @ layer.inner + layer.inner_bias) @ layer.outer + layer.outer_bias
        return _normal(states + outer, layer.outer_scale, layer.outer_shift, epsilon)

    def _attended(self, layer: Layer, states: Floats) -> Floats:
        heads, count = self._weights.heads, len(states)
        query, key, value = (
            (states @ matrix + bias).reshape(count, heads, -1).transpose(1, 0, 2)
            for matrix, bias in (
                (layer.query, layer.query_bias),
                (layer.key, layer.key_bias),
                (layer.value, layer.value_bias),
            )
        )
        weights = softmax(query @ key.transpose(0, 2, 1) * np.float32(query.shape[-1] ** -0.5))
        return (weights @ value).transpose(1, 0, 2).reshape(count, -1)


def softmax(values: Floats) -> Floats:
    """Give shares that add up to 1 along the last axis."""
    raised = np.exp(values - values.max(axis=-1, keepdims=True))
    shares: Floats = raised / raised.sum(axis=-1, keepdims=True)
    return shares


def _normal(states: Floats, scale: Floats, shift: Floats, epsilon: float) -> Floats:
    centred = states - states.mean(axis=-1, keepdims=True)
    spread = np.sqrt((centred**2).mean(axis=-1, keepdims=True) + np.float32(epsilon))
    normal: Floats = centred / spread * scale + shift
    return normal


def _gelu(values: Floats) -> Floats:
    return values * np.float32(0.5) * (1 + _erf(values * np.float32(np.sqrt(0.5))))


def _erf(values: Floats) -> Floats:
    size = np.abs(values)
    part = 1 / (1 + np.float32(_ERF_SCALE) * size)
    series = np.zeros_like(part)
    for factor in reversed(_ERF):
        series = (series + np.float32(factor)) * part
    erf: Floats = np.sign(values) * (1 - series * np.exp(-(size**2)))
    return erf
