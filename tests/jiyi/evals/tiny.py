"""Two tiny corpora, one in each language, and where the labelled files are."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from tests.jiyi.command_line import turn, written

BENCH = Path(__file__).resolve().parents[4] / "shared" / "bench"


def query(name: str, text: str, gold: list[str], category: str, at: str = "") -> dict[str, Any]:
    """Make a query of a recall file."""
    return {"id": name, "text": text, "at": at, "category": category, "gold": gold}


def english() -> dict[str, Any]:
    """Give a corpus of two speakers, with sessions and times."""
    said = [
        ("Ana", "My piano lesson is on Thursday evening"),
        ("Ben", "Mine is a violin, an old one from my aunt"),
        ("Ana", "We adopted a grey rabbit called Pebble"),
        ("Ben", "Does Pebble eat carrots?"),
        ("Ana", "Pebble prefers parsley and dandelion"),
        ("Ben", "I moved to Lisbon in spring"),
    ]
    turns = [
        turn(f"e{number}", text, session=f"s{number // 3}", at=f"2025-03-0{number + 1}T10:00:00", speaker=speaker)
        for number, (speaker, text) in enumerate(said)
    ]
    queries = [
        query("q0", "Which instrument does Ben have from his aunt?", ["e1"], "single"),
        query("q1", "What does Pebble the rabbit like?", ["e2", "e4"], "multi"),
        query("q2", "Where did Ben move?", ["e5"], "single"),
        query("q3", "Which helicopter was it?", [], "single"),
    ]
    return {"id": "tiny-en", "lang": "en", "speakers": ["Ana", "Ben"], "turns": turns, "queries": queries}


def chinese() -> dict[str, Any]:
    """Give a corpus of one speaker, without sessions and times."""
    said = ["周末和表妹去爬了香山", "我对芒果过敏", "下个月搬到成都的新家", "新家离地铁站很近", "表妹在医院做护士"]
    queries = [
        query("q0", "谁和我去爬香山？", ["z0"], "single", at="2026-02-01T08:00:00"),
        query("q1", "表妹做什么工作？", ["z4"], "single"),
        query("q2", "新家在哪里，附近有什么？", ["z2", "z3"], "multi"),
    ]
    return {"id": "tiny-zh", "turns": [turn(f"z{n}", text) for n, text in enumerate(said)], "queries": queries}


def tiny_file(folder: Path) -> Path:
    """Write both corpora into a file."""
    return written(folder / "tiny.recall.jsonl", english(), chinese())
