from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
import yaml
from hypothesis import given
from hypothesis import strategies as st

from memory.guard.guard import attack_in

SAID: dict[str, Any] = yaml.safe_load(Path(__file__).with_name("said_zh_standing.yaml").read_text("utf-8"))
ATTACKS: list[str] = SAID["attacks"]
HARMLESS: list[str] = SAID["harmless"]


@pytest.mark.parametrize("text", ATTACKS)
def test_an_order_that_is_to_last_is_found_whoever_gives_it(text: str) -> None:
    assert attack_in(text) is not None
    assert attack_in(text, source="web") is not None


@pytest.mark.parametrize("text", HARMLESS)
def test_habits_wishes_and_talk_about_such_orders_are_none(text: str) -> None:
    assert attack_in(text) is None


UNQUOTED = [text for text in ATTACKS if not set(text) & set('"（(「“')]
"""Between quotation marks beside words that speak of attacks they are talked about (see memory/guard/framing.py)."""


@given(st.sampled_from(UNQUOTED), st.sampled_from(HARMLESS))
def test_an_order_that_is_to_last_does_not_hide_after_harmless_words(attack: str, harmless: str) -> None:
    assert attack_in(f"{harmless}\n\n{attack}") is not None


@given(st.sampled_from(HARMLESS), st.sampled_from(HARMLESS))
def test_two_harmless_texts_make_no_order(one: str, other: str) -> None:
    assert attack_in(f"{one}\n\n{other}") is None
