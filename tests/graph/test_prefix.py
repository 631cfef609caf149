"""The prefix: over 20 turns most of each prompt begins as the one before did."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import pytest

from bench.prefix import Language, measured, share_of
from graph.context import WindowStrategy


@pytest.mark.parametrize(
    ("strategy", "language", "least"),
    [
        ("summary", "zh", 60),
        ("summary", "en", 60),
        ("budget", "zh", 75),
        ("budget", "en", 80),
        ("fixed", "zh", 40),
        ("fixed", "en", 38),
    ],
)
async def test_over_twenty_turns_so_much_of_the_prompts_was_there_before(
    tmp_path: Path, strategy: WindowStrategy, language: Language, least: int
) -> None:
    compared = await measured(tmp_path, strategy, language, turns=20, window_tokens=8_000)

    assert len(compared) == 19
    assert share_of(compared) >= least
    changed = Counter(one.ended_in for one in compared)
    assert changed["system"] <= 2, "rules, persona and preferences change only when the user states a preference"
