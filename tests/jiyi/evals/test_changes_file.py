"""Files of pairs and of junk: read whole, refused with the place of what is wrong."""

from __future__ import annotations

from collections import Counter
from pathlib import Path
from typing import Any

import pytest

from jiyi.evals.changes_file import Pair, read_changes_file, read_junk_file
from jiyi.evals.own_files import own_files
from jiyi.reading.said import FormatError
from memory.keys import default_keys
from tests.jiyi.command_line import written

PAIR: dict[str, Any] = {
    "id": "p1",
    "language": "en",
    "key": "user.lives_in",
    "first": "I live in Leeds.",
    "second": "I live in Porto now.",
    "old": "Leeds",
    "new": "Porto",
    "marked": False,
    "ask": "Where do I live?",
}
JUNK: dict[str, Any] = {"id": "j1", "language": "zh", "kind": "chatter", "text": "早啊"}


def test_a_pair_is_read_with_all_that_it_says(tmp_path: Path) -> None:
    ended = {**PAIR, "id": "p2", "new": "", "marked": True}
    first, second = read_changes_file(written(tmp_path / "x.changes.jsonl", PAIR, ended))
    assert first == Pair(**PAIR)
    assert (second.new, second.marked) == ("", True)


@pytest.mark.parametrize(
    "wrong", [{"old": " "}, {"first": None}, {"marked": "no"}, {"new": None}, {"id": ""}, {"key": 7}, {"ask": ""}]
)
def test_a_pair_that_lacks_something_is_told_with_its_line(tmp_path: Path, wrong: dict[str, Any]) -> None:
    path = written(tmp_path / "x.changes.jsonl", PAIR, {**PAIR, "id": "p2", **wrong})
    with pytest.raises(FormatError, match="line 2"):
        read_changes_file(path)


@pytest.mark.parametrize("wrong", [{"text": " "}, {"kind": None}, {"language": 3}, {"id": True}])
def test_junk_that_lacks_something_is_told_with_its_line(tmp_path: Path, wrong: dict[str, Any]) -> None:
    path = written(tmp_path / "x.junk.jsonl", JUNK, {**JUNK, "id": "j2", **wrong})
    with pytest.raises(FormatError, match="line 2"):
        read_junk_file(path)


def test_an_id_that_stands_twice_is_refused(tmp_path: Path) -> None:
    with pytest.raises(FormatError, match="line 2"):
        read_changes_file(written(tmp_path / "x.changes.jsonl", PAIR, PAIR))
    with pytest.raises(FormatError, match="line 2"):
        read_junk_file(written(tmp_path / "x.junk.jsonl", JUNK, JUNK))


@pytest.mark.parametrize("name", ["own-a", "own-b"])
def test_the_own_pairs_are_half_of_each_language_and_mostly_unmarked(name: str) -> None:
    pairs = read_changes_file(own_files(f"{name}.changes.jsonl")[0])
    assert Counter(one.language for one in pairs) == {"zh": 55, "en": 55}
    assert len({one.key for one in pairs}) >= 45
    assert sum(one.marked for one in pairs) <= len(pairs) / 5
    for one in pairs:
        assert default_keys().spec(one.key) is not None, one.id
        assert one.old in one.first, one.id
        assert one.new in one.second, one.id


def test_the_own_junk_is_half_of_each_language() -> None:
    messages = read_junk_file(own_files("own.junk.jsonl")[0])
    assert Counter(one.language for one in messages) == {"zh": 250, "en": 250}
