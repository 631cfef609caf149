"""Lines: how the things that are remembered of a thread are written into its summary, and read again."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import groupby
from typing import Literal

from memory.summary_signs import BARE, rank
from memory.words import has_cjk

Speaker = Literal["user", "assistant", "identifiers", "other"]

MAX_PROSE_CHARS = 200
LABELS: dict[str, dict[Speaker, str]] = {
    "zh": {"user": "用户曾提到：", "assistant": "助手曾说：", "identifiers": "提到的编号：", "other": ""},
    "en": {
        "user": "The user mentioned: ",
        "assistant": "The assistant said: ",
        "identifiers": "Identifiers mentioned: ",
        "other": "",
    },
}
SEPARATORS = {"zh": "；", "en": "; "}
SENTENCES = re.compile(r"(?:[^。！？!?；;\n.]|\.(?=\S))+[。！？!?；;.\n]*")


@dataclass(frozen=True, kw_only=True)
class Item:
    """One thing that is remembered of a thread, and how much it matters (see memory/summary_signs.py)."""

    speaker: Speaker
    text: str
    rank: int
    label: str

    @property
    def language(self) -> str:
        """Say in which language its label is; without one, the text."""
        chinese = self.label in LABELS["zh"].values() if self.label else has_cjk(self.text)
        return "zh" if chinese else "en"


def written(items: Iterable[Item]) -> str:
    """Write items as lines: those that follow each other under one label share its line."""
    lines: list[str] = []
    for label, group in groupby(items, key=lambda item: item.label):
        texts = [item.text for item in group]
        lines.extend([label + _separator(label).join(texts)] if label else texts)
    return "\n".join(lines)


def items_of(summary: str) -> list[Item]:
    """Read a summary; a line of another form (a model's) is one thing, or its sentences where it is long."""
    return [item for line in summary.splitlines() if line.strip() for item in _read(line.strip())]


def named(names: Iterable[str], language: str) -> list[Item]:
    """Make an item of each identifier that stands alone."""
    label = LABELS[language]["identifiers"]
    return [Item(speaker="identifiers", text=name, rank=BARE, label=label) for name in names]


def _separator(label: str) -> str:
    return next(SEPARATORS[tongue] for tongue, labels in LABELS.items() if label in labels.values())


def _read(line: str) -> Iterator[Item]:
    for speaker, label in ((speaker, label) for labels in LABELS.values() for speaker, label in labels.items()):
        if label and line.startswith(label.strip()):
            for text in line.removeprefix(label.strip()).split(_separator(label).strip()):
                worth = BARE if speaker == "identifiers" else rank(text.strip())
                yield Item(speaker=speaker, text=text.strip(), rank=worth, label=label)
            return
    for match in SENTENCES.finditer(line) if len(line) > MAX_PROSE_CHARS else [line]:
        text = match if isinstance(match, str) else match.group().strip()
        yield Item(speaker="other", text=text, rank=max(1, rank(text)), label="")
