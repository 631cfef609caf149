"""Recall files: what is read of them, and how they are refused."""

from __future__ import annotations

from datetime import UTC, datetime
from pathlib import Path
from typing import Any
from zoneinfo import ZoneInfo

import pytest

from jiyi.evals.recall_file import WITHOUT_TIMES, read_recall_file, stem_of
from jiyi.reading.said import FormatError
from tests.jiyi.command_line import turn, written
from tests.jiyi.evals.tiny import BENCH, english, query, tiny_file


def refusal(path: Path) -> str:
    with pytest.raises(FormatError) as refused:
        read_recall_file(path, UTC)
    return str(refused.value)


def changed(**fields: Any) -> dict[str, Any]:
    return english() | fields


def test_a_file_is_read_with_its_turns_queries_and_gold(tmp_path: Path) -> None:
    first, second = read_recall_file(tiny_file(tmp_path), UTC)

    assert (first.name, second.name) == ("tiny-en", "tiny-zh")
    assert [one.name for one in first.conversation.said] == ["e0", "e1", "e2", "e3", "e4", "e5"]
    assert first.conversation.speakers == ("Ana", "Ben")
    assert [(one.id, one.category, one.gold) for one in first.queries][1:] == [
        ("q1", "multi", ("e2", "e4")),
        ("q2", "single", ("e5",)),
        ("q3", "single", ()),
    ]


def test_a_query_is_asked_at_its_time_or_just_after_the_last_turn(tmp_path: Path) -> None:
    first, second = read_recall_file(tiny_file(tmp_path), ZoneInfo("Asia/Shanghai"))

    assert first.asked_at(first.queries[0]) == datetime(2025, 3, 6, 2, 0, 1, tzinfo=UTC)
    assert second.asked_at(second.queries[0]) == datetime(2026, 2, 1, tzinfo=UTC)
    assert second.asked_at(second.queries[1]) == WITHOUT_TIMES


def test_a_query_without_category_counts_as_all_and_numbers_are_ids(tmp_path: Path) -> None:
    lone = {"id": 7, "turns": [{"id": 1, "text": "tea"}], "queries": [{"id": 1, "text": "tea?", "gold": [1]}]}

    (corpus,) = read_recall_file(written(tmp_path / "a.jsonl", lone), UTC)

    assert (corpus.name, corpus.queries[0].category, corpus.queries[0].gold) == ("7", "all", ("1",))


def test_broken_json_is_told_with_its_line(tmp_path: Path) -> None:
    file = tiny_file(tmp_path)
    file.write_bytes(file.read_bytes() + b'{"id": "c3", "turns"\n')

    told = refusal(file)

    assert "tiny.recall.jsonl, line 3" in told
    assert "no JSON" in told
    assert "correct that line" in told


def test_bytes_that_are_not_utf8_are_told_with_their_line(tmp_path: Path) -> None:
    file = tiny_file(tmp_path)
    file.write_bytes(file.read_bytes() + b'"\xff"')

    assert "line 3: it cannot be read" in refusal(file)


@pytest.mark.parametrize(
    ("line", "found"),
    [
        (["no object"], "is no object"),
        ({"id": "c", "turns": []}, "'queries' is missing"),
        ({"id": "c", "queries": []}, "'turns' is missing"),
        (changed(id=""), "'id' is '', no id"),
        (changed(turns=[{"id": "e0"}]), "turn 1: 'text' is None, no text"),
        (changed(turns=[turn("e0", "a"), turn("e0", "b")]), "more than one turn has the id 'e0'"),
        (changed(queries="none"), "corpus 'tiny-en': 'none' is no list"),
        (changed(queries=[{"id": "q", "gold": []}]), "query 1: 'text' is None"),
        (changed(queries=[query("q", " ", [], "a")]), "query 1: 'text' is blank"),
        (changed(queries=[{"id": "q", "text": "t"}]), "'gold' is None, no list"),
        (changed(queries=[query("q", "t", ["e0", "e9"], "a")]), "query 1: 'gold' names 'e9'"),
        (changed(queries=[query("q", "t", [], "a", at="soon")]), "'at' is 'soon', no time"),
        (changed(queries=[query("q", "t", [], "a")] * 2), "more than one query has the id 'q'"),
    ],
)
def test_what_is_wrong_is_told_with_its_place(tmp_path: Path, line: object, found: str) -> None:
    told = refusal(written(tmp_path / "a.jsonl", line))

    assert "a.jsonl, line 1" in told
    assert found in told


def test_two_corpora_of_one_id_and_files_without_gold_are_refused(tmp_path: Path) -> None:
    assert "more than one corpus" in refusal(written(tmp_path / "a.jsonl", english(), english()))
    assert "no query in it has gold" in refusal(written(tmp_path / "b.jsonl", changed(queries=[])))
    assert "no query in it has gold" in refusal(written(tmp_path / "c.jsonl"))


def test_the_stem_ends_at_the_first_dot() -> None:
    assert stem_of(Path("/x.y/madial-zh.recall.jsonl")) == "madial-zh"


@pytest.mark.skipif(not BENCH.is_dir(), reason=f"the labelled files are not at {BENCH}")
@pytest.mark.parametrize("name", ["locomo", "memdaily-zh", "madial-zh", "madial-en"])
def test_the_labelled_files_can_be_read(name: str) -> None:
    corpora = read_recall_file(BENCH / f"{name}.recall.jsonl", UTC)

    assert all(one.conversation.said for one in corpora)
    assert sum(len(one.queries) for one in corpora) >= 80
