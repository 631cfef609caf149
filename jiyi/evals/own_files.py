"""Own files: the labelled data that comes with the project."""

from __future__ import annotations

from importlib.resources import files
from pathlib import Path


def own_files(*names: str) -> list[Path]:
    """Give the paths of files in `jiyi/evals/data`."""
    folder = Path(str(files("jiyi").joinpath("evals", "data")))
    return [folder / name for name in names]
