"""`jiyi bench recall`: what is printed, written and refused."""

from __future__ import annotations

from pathlib import Path
from xml.etree import ElementTree as Xml

import pytest

from jiyi.evals.metrics import NAMES
from memory.recalled import SIGNALS
from tests.jiyi.command_line import jiyi, written
from tests.jiyi.evals.tiny import chinese, english, tiny_file

FIELDS = [
    "corpora", "queries", "micro", "macro", "categories", "query_ms", "write_ms_per_turn", "bytes_per_turn",
    "after_gate", "intervals",
]  # fmt: skip


def test_json_is_one_document_with_every_number(tmp_path: Path) -> None:
    done = jiyi("bench", "recall", tiny_file(tmp_path), "--json", "--embeddings", "none")

    assert done.status == 0
    found = done.json["files"]["tiny"]
    assert list(found) == FIELDS
    assert set(found["micro"]) == set(found["macro"]) == set(found["intervals"]["macro"]) == set(NAMES)
    assert set(found["categories"]["multi"]) == {*NAMES, "n"}
    assert (found["corpora"], found["queries"], set(found["query_ms"])) == (2, 6, {"p50", "p95"})
    assert done.json["settings"]["embedder"] is None
    assert "tiny: 18/18 turns and queries" in done.err


def test_files_are_reported_each_under_its_stem(tmp_path: Path) -> None:
    files = [written(tmp_path / f"{name}.recall.jsonl", one) for name, one in (("en", english()), ("zh", chinese()))]

    found = jiyi("bench", "recall", *files, "--json").json["files"]

    assert {stem: one["queries"] for stem, one in found.items()} == {"en": 3, "zh": 3}


def test_for_people_there_are_tables(tmp_path: Path) -> None:
    lines = jiyi("bench", "recall", tiny_file(tmp_path)).out.splitlines()

    assert lines[0] == "tiny: 2 corpora, 6 queries with gold"
    header, micro = lines[2].split(), lines[3].split()
    assert header[:3] == ["n", "r@1", "r@5"]
    assert micro[:2] == ["micro", "6"]
    assert len(micro) == len(header) + 1
    assert any("nothing injected for 14.3% of the queries" in line for line in lines)
    assert "\x1b" not in "".join(lines)
    assert not any("worth" in line for line in lines)


def test_at_the_end_all_files_stand_beside_each_other_also_without_questions_about_the_wrong_person(
    tmp_path: Path,
) -> None:
    files = [written(tmp_path / f"{name}.recall.jsonl", one) for name, one in (("en", english()), ("zh", chinese()))]
    text = files[0].read_text(encoding="utf-8").replace('"multi"', '"adversarial"')
    files[0].write_text(text, encoding="utf-8")

    lines = jiyi("bench", "recall", *files).out.partition("All files:\n")[2].splitlines()

    assert [line.split()[0] for line in lines[1:]] == ["en", "without", "zh"]
    assert lines[1].split()[1] == "3"
    assert lines[2].split()[:3] == ["without", "adversarial", "2"]
    assert len(lines[1].split()) == 10


def test_the_ablation_tells_what_each_signal_is_worth_and_draws_it(tmp_path: Path) -> None:
    chart = tmp_path / "a.svg"
    done = jiyi("bench", "recall", tiny_file(tmp_path), "--ablate", "--chart", chart)

    after = done.out.partition("What each signal is worth")[2].partition("\n\n")[0].splitlines()
    assert sorted(line.split()[0] for line in after[2:] if line) == sorted(SIGNALS)
    assert Xml.parse(chart).getroot().tag.endswith("svg")  # noqa: S314  (our own)


def test_a_chart_alone_is_an_ablation_too(tmp_path: Path) -> None:
    done = jiyi("bench", "recall", tiny_file(tmp_path), "--chart", tmp_path / "a.svg", "--json")

    assert set(done.json["files"]["tiny"]["ablation"]) == set(SIGNALS)


def test_a_chart_that_cannot_be_written_costs_no_numbers(tmp_path: Path) -> None:
    done = jiyi("bench", "recall", tiny_file(tmp_path), "--chart", tmp_path / "nowhere" / "a.svg", "--json")

    assert (done.status, done.json["files"]["tiny"]["corpora"]) == (1, 2)
    assert "nowhere" in done.err


@pytest.mark.slow
def test_vectors_are_kept_only_where_that_is_asked_for(tmp_path: Path) -> None:
    cache = tmp_path / "vectors"
    file = tiny_file(tmp_path)
    first, again = (
        jiyi("bench", "recall", file, "--json", "--embeddings", "small", "--cache", cache).json for _ in range(2)
    )

    assert len(list(cache.glob("*.npz"))) == 1
    assert first["files"]["tiny"]["write_ms_per_turn"] is None
    for found in (first, again):
        del found["files"]["tiny"]["query_ms"]
    assert first == again
    assert "universal-sentence-encoder" in first["settings"]["embedder"]
    assert not (tmp_path / "jiyi-home").exists()


def test_a_file_that_cannot_be_understood_is_told_with_status_one(tmp_path: Path) -> None:
    broken = written(tmp_path / "a.recall.jsonl", english() | {"queries": [{"id": "q", "text": "t", "gold": ["e9"]}]})

    done = jiyi("bench", "recall", tiny_file(tmp_path), broken)

    assert (done.status, done.out) == (1, "")
    assert "a.recall.jsonl, line 1" in done.err
    assert "'gold' names 'e9'" in done.err
    assert jiyi("bench", "recall", tmp_path / "missing.jsonl").status == 1


@pytest.mark.parametrize("args", [("--embeddings", "word2vec"), ("--embeddings", "openai:"), ("--cuts", "3")])
def test_wrong_usage_is_told_with_status_two(tmp_path: Path, args: tuple[str, ...]) -> None:
    done = jiyi("bench", "recall", tiny_file(tmp_path), *args)

    assert (done.status, done.out) == (2, "")
    assert args[0] in done.err


def test_two_files_of_one_stem_are_wrong_usage(tmp_path: Path) -> None:
    file = tiny_file(tmp_path)
    other = written(tmp_path / "tiny.other.jsonl", english())

    done = jiyi("bench", "recall", file, other)

    assert done.status == 2
    assert "more than one file is called 'tiny'" in done.err
