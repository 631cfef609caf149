"""Train the tagger on marked messages, and write store/tag/trained.npz.

    make train-tagger            (installs jax and optax besides; half an hour on two cores)

The first eight of the twelve layers of multilingual-e5-small stay as they are, and what they give for each message is worked out
once. The next three are trained, with four heads on top: is a piece outside a fact, its beginning or within it; which fact;
whose; did it end. The loss is the cross-entropy of all four. The seed is fixed; one message in twenty is held out and
measured after each epoch. Each message is learned from in three versions in turn: as it is written, and twice with other values in
the places of its own (bench/varied.py).
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
import optax

from bench.marked import FOLDER, Marked, of_rules, read_marked, scored
from bench.varied import varied
from memory.tagging.marks import NAMES, Mark
from memory.tagging.whole import whole
from store.tag.decoding import BEGINS, GOES_ON, NAMING, OWNERS, marks_of
from store.tag.pieces import Piece, Pieces
from store.tag.trained import FILE, HEADS, Trained, write_trained
from store.tag.weights import Layer, Weights, read_weights

FIRST, TRAINED_LAYERS = 8, 3
EPOCHS, VERSIONS, TOGETHER, RATE, WARM_UP, DECAY = 6, 3, 32, 3e-4, 0.05, 0.01
KEPT, KEPT_AT_HEADS = 0.88, 0.8
"""What dropout leaves, between layers and before the heads."""
MOST_PIECES, ROUNDED = 126, 16
PART_WEIGHT, REST_WEIGHT = 3.0, 2.0
SEED = 0

Tree = dict[str, Any]


@dataclass(frozen=True, kw_only=True)
class Example:
    """A message cut into pieces, framed by the signs of beginning and end, and for each head what each piece is."""

    message: Marked
    pieces: tuple[Piece, ...]
    labels: Mapping[str, np.ndarray]
    counted: np.ndarray


@dataclass(frozen=True, kw_only=True)
class Version:
    """All examples, with the same messages' words or others in each place, and what the lower layers give for them."""

    examples: Sequence[Example]
    states: Sequence[np.ndarray]


def main(arguments: Sequence[str]) -> int:
    """Train and write; measure after each epoch."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("files", nargs="*", type=Path, default=sorted(FOLDER.glob("*.txt")))
    parser.add_argument("--epochs", type=int, default=EPOCHS)
    parser.add_argument("--out", type=Path, default=FILE)
    chosen = parser.parse_args(arguments)
    jax.config.update("jax_default_prng_impl", "unsafe_rbg")  # dropout takes a good part of a step otherwise
    weights = read_weights()
    marked = read_marked(chosen.files)
    attributes = sorted({mark.attribute or NAMING for message in marked for mark in message.marks})
    known = {*attributes, NAMES}
    messages = [*marked, *(one for one in of_rules() if all(mark.attribute in known for mark in one.marks))]
    pieces = Pieces(weights)
    versions = []
    for number in range(VERSIONS):
        said = varied(messages, seed=number) if number else messages
        examples = [example(message, pieces, weights, attributes) for message in said]
        versions.append(Version(examples=examples, states=lower_states(examples, weights)))
    trainer = Trainer(weights, versions, attributes, epochs=chosen.epochs)
    for epoch in range(chosen.epochs):
        loss = trainer.epoch(epoch)
        figures = ", ".join(f"{name} {value:.3f}" for name, value in scored(trainer.held_out()))
        print(f"epoch {epoch + 1}: loss {loss:.3f}; held out: {figures}", flush=True)  # noqa: T201
        write_trained(trainer.trained(), chosen.out)
    return 0


def example(message: Marked, pieces: Pieces, weights: Weights, attributes: Sequence[str]) -> Example:
    """Say what each piece of a message is; a piece that overlaps a mark by less than half of itself begins it, or is outside."""
    edge = Piece(number=weights.first, start=-1, end=-1)
    end = Piece(number=weights.last, start=-1, end=-1)
    cut = (edge, *pieces.of(message.text)[:MOST_PIECES], end)
    labels = {head: np.zeros(len(cut), np.int32) for head in HEADS}
    for mark in message.marks:
        begun = False
        for at, piece in enumerate(cut):
            overlap = min(piece.end, mark.end) - max(piece.start, mark.start)
            if piece.start < 0 or overlap <= 0 or (begun and overlap * 2 < piece.end - piece.start):
                continue
            labels["part"][at] = GOES_ON if begun else BEGINS
            labels["attribute"][at] = attributes.index(mark.attribute or NAMING)
            labels["owner"][at] = OWNERS.index(mark.owner)
            labels["ended"][at] = mark.ended
            begun = True
    counted = np.array([piece.start >= 0 for piece in cut], np.float32)
    return Example(message=message, pieces=cut, labels=labels, counted=counted)


def lower_states(examples: Sequence[Example], weights: Weights) -> list[np.ndarray]:
    """Work out once what the layers give that are not trained, for each example (pieces, width) in half precision."""
    layers = [asdict(weights.layer(number)) for number in range(FIRST)]
    places = weights.vector("emb.pos").reshape(-1, weights.width) + weights.vector("emb.type")[: weights.width]
    norm = {"scale": weights.vector("emb.ln.w"), "shift": weights.vector("emb.ln.b")}

    @jax.jit
    def through(words: jax.Array, there: jax.Array, layers: list[Tree]) -> jax.Array:
        states = normal(words, norm["scale"], norm["shift"], weights.epsilon)
        for layer in layers:
            states = encoded(states, there, layer, weights)
        return states

    states: list[np.ndarray] = [np.zeros(0)] * len(examples)
    order = sorted(range(len(examples)), key=lambda index: len(examples[index].pieces))
    for start in range(0, len(order), 2 * TOGETHER):
        chosen = order[start : start + 2 * TOGETHER]
        there = mask([len(examples[index].pieces) for index in chosen])
        words = np.zeros((*there.shape, weights.width), np.float32)
        for row, index in enumerate(chosen):
            numbers = [piece.number for piece in examples[index].pieces]
            words[row, : len(numbers)] = weights.words(numbers) + places[: len(numbers)]
        given = np.asarray(through(words, there, layers))
        for row, index in enumerate(chosen):
            states[index] = given[row, : len(examples[index].pieces)].astype(np.float16)
    return states


def mask(lengths: Sequence[int]) -> np.ndarray:
    """Say where pieces are, (messages, places); the number of places is rounded up, so that few shapes are compiled."""
    width = -(-max(lengths) // ROUNDED) * ROUNDED
    return (np.arange(width)[None, :] < np.array(lengths)[:, None]).astype(np.float32)


def normal(states: jax.Array, scale: jax.Array, shift: jax.Array, epsilon: float) -> jax.Array:
    """Normalise each vector."""
    centred = states - states.mean(-1, keepdims=True)
    return centred * jax.lax.rsqrt((centred**2).mean(-1, keepdims=True) + epsilon) * scale + shift


def encoded(
    states: jax.Array, there: jax.Array, layer: Tree, weights: Weights, key: jax.Array | None = None
) -> jax.Array:
    """Run one layer, (messages, places, width); with a key some of what it gives is dropped."""
    messages, places, width = states.shape

    def split(values: jax.Array) -> jax.Array:
        return values.reshape(messages, places, weights.heads, width // weights.heads).transpose(0, 2, 1, 3)

    query, key_, value = (split(states @ layer[name] + layer[f"{name}_bias"]) for name in ("query", "key", "value"))
    fits = jnp.einsum("mhie,mhje->mhij", query, key_) / np.sqrt(width // weights.heads)
    shares = jax.nn.softmax(fits + (there[:, None, None, :] - 1) * 1e9, -1)
    gathered = jnp.einsum("mhij,mhje->mhie", shares, value).transpose(0, 2, 1, 3).reshape(states.shape)
    attended = dropped(gathered @ layer["attended"] + layer["attended_bias"], key, 0, KEPT)
    states = normal(states + attended, layer["attended_scale"], layer["attended_shift"], weights.epsilon)
    inner = jax.nn.gelu(states @ layer["inner"] + layer["inner_bias"], approximate=False)
    outer = dropped(inner @ layer["outer"] + layer["outer_bias"], key, 1, KEPT)
    return normal(states + outer, layer["outer_scale"], layer["outer_shift"], weights.epsilon)


def dropped(values: jax.Array, key: jax.Array | None, number: int, kept: float) -> jax.Array:
    """Drop some of the values, and raise the others."""
    if key is None:
        return values
    return values * jax.random.bernoulli(jax.random.fold_in(key, number), kept, values.shape) / kept


class Trainer:
    """What is learned, and how far it has come."""

    def __init__(
        self,
        weights: Weights,
        versions: Sequence[Version],
        attributes: Sequence[str],
        *,
        epochs: int,
    ) -> None:
        self._versions, self._attributes = versions, tuple(attributes)
        self._weights = weights
        examples = versions[0].examples
        self._learning = [at for at, one in enumerate(examples) if not one.message.is_held_out]
        self._held_out = [at for at, one in enumerate(examples) if one.message.is_held_out]
        steps = epochs * (len(self._learning) // TOGETHER + 1)
        rate = optax.warmup_cosine_decay_schedule(0, RATE, int(steps * WARM_UP), steps)
        self._optimiser = optax.chain(optax.clip_by_global_norm(1.0), optax.adamw(rate, weight_decay=DECAY))
        self._learned = self._begun()
        self._progress = self._optimiser.init(self._learned)
        self._step = jax.jit(self._stepped)
        self._scores = jax.jit(self._scored)

    def epoch(self, number: int) -> float:
        """Go through all examples once, in an order of its own; give the mean loss."""
        random = np.random.default_rng([SEED, number])
        version = self._versions[number % len(self._versions)]
        order = sorted(random.permutation(self._learning), key=lambda at: len(version.examples[at].pieces) // ROUNDED)
        batches = [order[start : start + TOGETHER] for start in range(0, len(order), TOGETHER)]
        random.shuffle(batches)
        losses = []
        for step, batch in enumerate(batches):
            filled = [*batch, *random.choice(self._learning, TOGETHER - len(batch))]
            key = jax.random.key(number * 100_000 + step)
            self._learned, self._progress, loss = self._step(
                self._learned, self._progress, *batch_of(version, filled), key
            )
            losses.append(float(loss))
        return float(np.mean(losses))

    def held_out(self) -> Iterator[tuple[tuple[Mark, ...], Marked]]:
        """Tag what was kept from training."""
        for start in range(0, len(self._held_out), TOGETHER):
            batch = self._held_out[start : start + TOGETHER]
            states, there, _ = batch_of(self._versions[0], batch)
            scores = {head: np.asarray(values) for head, values in self._scores(self._learned, states, there).items()}
            for row, at in enumerate(batch):
                one = self._versions[0].examples[at]
                own = {head: values[row, : len(one.pieces)] for head, values in scores.items()}
                yield tuple(whole(one.message.text, marks_of(own, one.pieces, self._attributes))), one.message

    def trained(self) -> Trained:
        """Give what was learned."""
        learned = jax.tree.map(np.asarray, self._learned)
        return Trained(
            first=FIRST,
            layers=tuple(Layer(**layer) for layer in learned["layers"]),
            attributes=self._attributes,
            heads={head: (learned[head]["matrix"], learned[head]["bias"]) for head in HEADS},
        )

    def _begun(self) -> Tree:
        random = np.random.default_rng(SEED)
        classes = {"part": 3, "attribute": len(self._attributes), "owner": len(OWNERS), "ended": 2}
        heads = {
            head: {
                "matrix": (random.normal(size=(self._weights.width, count)) * 0.02).astype(np.float32),
                "bias": np.zeros(count, np.float32),
            }
            for head, count in classes.items()
        }
        layers = [asdict(self._weights.layer(number)) for number in range(FIRST, FIRST + TRAINED_LAYERS)]
        return {"layers": layers, **heads}

    def _scored(self, learned: Tree, states: jax.Array, there: jax.Array, key: jax.Array | None = None) -> Tree:
        for number, layer in enumerate(learned["layers"]):
            own = None if key is None else jax.random.fold_in(key, 10 * number)
            states = encoded(states, there, layer, self._weights, own)
        states = dropped(states, key, 999, KEPT_AT_HEADS)
        return {head: states @ learned[head]["matrix"] + learned[head]["bias"] for head in HEADS}

    def _loss(self, learned: Tree, states: jax.Array, there: jax.Array, labels: Tree, key: jax.Array) -> jax.Array:
        scores = self._scored(learned, states, there, key)
        counted = labels["counted"]
        within = (labels["part"] > 0) * counted

        def missed(head: str, where: jax.Array) -> jax.Array:
            return (optax.softmax_cross_entropy_with_integer_labels(scores[head], labels[head]) * where).sum()

        rest = sum(missed(head, within) for head in HEADS if head != "part")
        return (PART_WEIGHT * missed("part", counted) + REST_WEIGHT * rest) / counted.sum()

    def _stepped(
        self, learned: Tree, progress: Any, states: jax.Array, there: jax.Array, labels: Tree, key: jax.Array
    ) -> Any:
        loss, slope = jax.value_and_grad(self._loss)(learned, states, there, labels, key)
        change, progress = self._optimiser.update(slope, progress, learned)
        return optax.apply_updates(learned, change), progress, loss


def batch_of(version: Version, chosen: Sequence[int]) -> tuple[np.ndarray, np.ndarray, Tree]:
    """Put some examples together: states (messages, places, width), where there are pieces, and what each piece is."""
    there = mask([len(version.examples[at].pieces) for at in chosen])
    states = np.zeros((*there.shape, version.states[chosen[0]].shape[-1]), np.float32)
    labels: Tree = {head: np.zeros(there.shape, np.int32) for head in HEADS}
    labels["counted"] = np.zeros(there.shape, np.float32)
    for row, at in enumerate(chosen):
        one = version.examples[at]
        count = len(one.pieces)
        states[row, :count] = version.states[at]
        labels["counted"][row, :count] = one.counted
        for head in HEADS:
            labels[head][row, :count] = one.labels[head]
    return states, there, labels


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
