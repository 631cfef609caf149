"""Each family of Chinese orders is found in several wordings, and its look-alikes are left alone."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path

import pytest
import yaml
from hypothesis import given
from hypothesis import strategies as st

from memory.guard.guard import attack_in

Families = Mapping[str, list[str]]

SAID: Mapping[str, Families] = yaml.safe_load(Path(__file__).with_name("said_zh_families.yaml").read_text("utf-8"))


def _texts(kind: str) -> Iterator[str]:
    for texts in SAID[kind].values():
        yield from texts


ATTACKS, HARMLESS = tuple(_texts("attacks")), tuple(_texts("harmless"))


@pytest.mark.parametrize("text", ATTACKS)
def test_each_wording_of_a_family_is_found_whoever_wrote_it(text: str) -> None:
    assert attack_in(text) is not None
    assert attack_in(text, source="web") is not None


@pytest.mark.parametrize("text", HARMLESS)
def test_what_only_sounds_like_a_family_is_left_alone(text: str) -> None:
    assert attack_in(text) is None


@given(st.sampled_from(HARMLESS), st.sampled_from(HARMLESS))
def test_two_look_alikes_together_make_no_order(one: str, other: str) -> None:
    assert attack_in(f"{one}\n\n{other}") is None


@pytest.mark.parametrize("family", sorted(SAID["attacks"]))
def test_a_family_is_told_in_at_least_five_ways_and_has_look_alikes(family: str) -> None:
    assert len(set(SAID["attacks"][family])) >= 5
    assert len(set(SAID["harmless"][family])) >= 5
