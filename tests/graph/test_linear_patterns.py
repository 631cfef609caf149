"""Patterns of users' own files: what they find, and that none takes for ever."""

from __future__ import annotations

import re
import time
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from graph.linear_patterns import linear
from graph.policies import PolicyFileError, policies_of
from memory.guard.guard import MOST_PLACES
from tests.graph.test_policies import chosen, file

HOSTILE = [
    ("(a+)+$", "a"),
    ("(a|aa)+$", "a"),
    ("(.*a){12}$", "a"),
    ("(?:(?:我|你)+)+$", "我你"),
    ("(嗯+)+$", "嗯"),
    ("(?:嗯.*好|嗯)", "嗯"),
]
PLAIN = ["a+b", "(?i)plum", "李.{0,2}子", r"\bab?\b", "^ab$", "[^a]b", "a|b", r"\w+ \d"]


@pytest.mark.parametrize(("pattern", "piece"), HOSTILE, ids=[pattern for pattern, _ in HOSTILE])
def test_no_pattern_of_a_guard_file_takes_for_ever(pattern: str, piece: str, tmp_path: Path) -> None:
    row = f"- family: standing_rule\n  pattern: '(?:plum|李){pattern}'\n  yes: ['plum{piece * 12}好', '李{piece * 12}好']\n  no: ['pear', '梨']"
    row = row.replace("好'", "'") if pattern.endswith("$") else row
    guard = policies_of(chosen(tmp_path, guard_files=file(tmp_path / "guard.yaml", row))).guard
    guard.attack_in("a first text compiles what is shipped")

    began = time.process_time()
    for start in ("plum", "李"):
        guard.attack_in((start + piece * 30) * 3_000 + "!")

    assert time.process_time() - began < 20


def test_a_row_that_matches_everywhere_finds_a_text_though_every_single_place_is_excused(tmp_path: Path) -> None:
    row = "- family: standing_rule\n  pattern: 'plum|李子'\n  unless: 'pie|饼'\n  yes: ['a plum', '李子']\n  no: ['plum pie', '李子饼']"
    guard = policies_of(chosen(tmp_path, guard_files=file(tmp_path / "guard.yaml", row))).guard

    for excused in ("plum pie. ", "李子饼。"):
        assert guard.attack_in(excused * MOST_PLACES) is None
        assert guard.attack_in(excused * (MOST_PLACES + 1)) is not None


def test_a_pattern_that_never_ended_finds_what_it_means_and_lets_the_rest_through(tmp_path: Path) -> None:
    row = "- family: standing_rule\n  firm: true\n  pattern: '(plum|李)+$'\n  yes: ['a plum', '吃李']\n  no: ['plum pie', '李子']"
    guard = policies_of(chosen(tmp_path, guard_files=file(tmp_path / "guard.yaml", row))).guard

    assert guard.attack_in("plumplum") is not None
    assert guard.attack_in("李李李") is not None
    assert guard.attack_in("李" * 5_000 + "子") is None
    assert guard.attack_in("plum" * 5_000 + " pie") is None


@pytest.mark.parametrize(
    "pattern", ["plum(?! pie)", "(?<!no )plum", r"(plum|李)\1", "(?>plum)", "plum++", "(李", "李{1001}"], ids=str
)
def test_what_the_engine_does_not_know_stops_the_start_and_says_what_to_write(pattern: str, tmp_path: Path) -> None:
    row = f"- family: standing_rule\n  pattern: '{pattern}'\n  yes: ['plum', '李']\n  no: ['pear']"

    with pytest.raises(PolicyFileError, match=r"guard\.yaml.*Row 1.*RE2 says.*`beside`.*`unless`"):
        policies_of(chosen(tmp_path, guard_files=file(tmp_path / "guard.yaml", row)))


def test_half_a_character_is_looked_over_and_what_stands_beside_it_found() -> None:
    found = linear("李子|plum").search("\ud83d plum")

    assert found is not None
    assert (found.start(), found.end(), found[0]) == (2, 6, "plum")


@given(st.sampled_from(PLAIN), st.text(alphabet="ab 李子plum1\n", max_size=20))
def test_a_plain_pattern_finds_the_same_places_as_a_shipped_one(pattern: str, text: str) -> None:
    shipped = re.compile(pattern, re.ASCII | re.MULTILINE)

    ours, theirs = linear(pattern).finditer(text), shipped.finditer(text)

    assert [(one.start(), one.end(), one[0]) for one in ours] == [(one.start(), one.end(), one[0]) for one in theirs]
