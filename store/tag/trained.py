"""Trained: the layers and heads that were trained for tagging, as they are kept in a file."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, fields
from pathlib import Path
from typing import Any

import numpy as np

from store.tag.weights import Floats, Layer

FILE = Path(__file__).parent / "trained.npz"
HEADS = ("part", "attribute", "owner", "ended")
"""What is told of each piece: whether it is outside a fact, begins one or goes on with it; which fact; whose; whether it ended."""


@dataclass(frozen=True, kw_only=True)
class Trained:
    """What training gave.

    `first` layers of the package's model run before `layers`. A head is a matrix (width, classes) and a vector (classes,).
    """

    first: int
    layers: tuple[Layer, ...]
    attributes: tuple[str, ...]
    heads: Mapping[str, tuple[Floats, Floats]]


def read_trained(path: Path = FILE) -> Trained:
    """Read what training gave."""
    with np.load(path, allow_pickle=False) as held:
        layers = (_layer(held, number) for number in range(int(held["layers"])))
        return Trained(
            first=int(held["first"]),
            layers=tuple(layers),
            attributes=tuple(str(name) for name in held["attributes"]),
            heads={name: (_matrix(held, f"head.{name}"), held[f"head.{name}_bias"]) for name in HEADS},
        )


def write_trained(trained: Trained, path: Path = FILE) -> None:
    """Keep what training gave: matrices as whole numbers of 8 bits, with a scale for each column."""
    held: dict[str, Any] = {
        "first": np.int32(trained.first),
        "layers": np.int32(len(trained.layers)),
        "attributes": np.array(trained.attributes),
    }
    for number, layer in enumerate(trained.layers):
        for each in fields(Layer):
            held |= _packed(f"{number}.{each.name}", getattr(layer, each.name))
    for name, (matrix, bias) in trained.heads.items():
        held |= _packed(f"head.{name}", matrix) | _packed(f"head.{name}_bias", bias)
    np.savez_compressed(path, **held)


def _packed(name: str, values: Floats) -> dict[str, Any]:
    if values.ndim == 1:
        return {name: values.astype(np.float32)}
    scale = np.maximum(np.abs(values).max(axis=0), 1e-12) / 127
    return {name: np.round(values / scale).astype(np.int8), f"{name}:columns": scale.astype(np.float32)}


def _layer(held: Any, number: int) -> Layer:
    return Layer(**{each.name: _matrix(held, f"{number}.{each.name}") for each in fields(Layer)})


def _matrix(held: Any, name: str) -> Floats:
    values = held[name]
    if values.ndim == 1:
        return np.asarray(values, dtype=np.float32)
    return np.ascontiguousarray(values.astype(np.float32) * held[f"{name}:columns"])
