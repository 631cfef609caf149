"""Secrets: keys, tokens, passwords; what they look like is data (secrets.yaml)."""

from __future__ import annotations

from collections.abc import Iterator
from typing import cast

from memory.detectors.detector import Detector
from memory.plain_yaml import read_yaml


def secret_rows() -> list[dict[str, object]]:
    """Read secrets.yaml: the patterns and, for the tests, the samples they must and must not find."""
    return cast(list[dict[str, object]], read_yaml("memory.detectors", "secrets.yaml"))


def secrets() -> Iterator[Detector]:
    """Give a detector for each row."""
    for row in secret_rows():
        needs = tuple(cast(list[str], row["needs"]))
        yield Detector(kind="secret", pattern=str(row["pattern"]), needs=(needs,))
