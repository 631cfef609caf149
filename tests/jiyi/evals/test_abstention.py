"""Keeping silent, measured: through the recall that the agent uses, with tiny corpora."""

from __future__ import annotations

from datetime import UTC
from pathlib import Path

import pytest

from jiyi.evals.abstention import WITH_GOLD, Heard, Line, askings, heard_of, line_of, refuse_strays, report, scores
from jiyi.evals.embedding import WatchedEmbedder
from jiyi.evals.recall_file import Corpus, read_recall_file
from jiyi.evals.recall_run import Bench
from jiyi.reading.fields import Part
from jiyi.reading.said import FormatError
from jiyi.testing import FailingEmbedder, FixedClock
from memory.seams import EmbeddingError
from tests.jiyi.evals.tiny import tiny_file

SMALL = [
    Line(text="thanks a lot", lang="en", kind="thanks", corpus=""),
    Line(text="十二乘以八等于几", lang="zh", kind="arithmetic", corpus=""),
]
NEVER = [
    Line(text="Which orchestra plays the overture?", lang="en", kind="", corpus="tiny-en"),
    Line(text="What does Pebble the rabbit weigh?", lang="en", kind="", corpus="tiny-en"),
]


def heard(*, answered: bool, silent: bool) -> Heard:
    return Heard(file="f", kind="", lang="en", answered=answered, silent=silent)


async def found_in(corpora: tuple[Corpus, ...], bench: Bench) -> list[Heard]:
    lines = {"small": SMALL, "never": NEVER}
    return [one for corpus in corpora for one in await heard_of(corpus, lines, bench)]


async def test_small_talk_gets_nothing_and_what_has_gold_gets_something(tmp_path: Path, clock: FixedClock) -> None:
    corpora = read_recall_file(tiny_file(tmp_path), UTC)
    found = report(await found_in(corpora, Bench(embedder=None, variants={}, clock=clock)))

    assert found["files"]["small"] == {
        "n": 4,
        "silent": 1.0,
        "languages": {"en": 1.0, "zh": 1.0},
        "kinds": {"arithmetic": 1.0, "thanks": 1.0},
    }
    assert (found["files"][WITH_GOLD]["n"], found["files"][WITH_GOLD]["silent"]) == (5 + 1, 0.0)
    assert found["files"]["never"]["silent"] == 0.5  # the rabbit's weight looks like what was said of the rabbit
    assert found["keeping_silent"]["all"] == {"precision": 1.0, "recall": 0.8333, "f1": 0.9091}


def test_a_line_is_asked_of_its_own_corpus_or_of_all(tmp_path: Path) -> None:
    english, chinese = read_recall_file(tiny_file(tmp_path), UTC)
    lines = {"small": SMALL, "never": NEVER}

    assert [file for file, _, _ in askings(english, lines)] == [WITH_GOLD] * 3 + ["small"] * 2 + ["never"] * 2
    assert [file for file, _, _ in askings(chinese, lines)] == [WITH_GOLD] * 3 + ["small"] * 2
    refuse_strays(NEVER, [english, chinese], "never.jsonl")
    with pytest.raises(FormatError, match="tiny-en"):
        refuse_strays(NEVER, [chinese], "never.jsonl")


def test_precision_and_recall_are_of_keeping_silent() -> None:
    right, wrong = heard(answered=False, silent=True), heard(answered=True, silent=True)
    missed, kept = heard(answered=False, silent=False), heard(answered=True, silent=False)

    assert scores([right, right, wrong, missed, kept]) == {"precision": 0.6667, "recall": 0.6667, "f1": 0.6667}
    assert scores([kept]) == {"precision": None, "recall": None, "f1": None}


def test_a_line_needs_only_a_text() -> None:
    def part(value: object) -> Part:
        return Part(value=value, where="x, line 1", expected="a text")

    assert line_of(part({"text": "你好"})) == Line(text="你好", lang="zh", kind="", corpus="")
    assert line_of(part({"text": "hi", "lang": "en", "kind": "greeting"})).kind == "greeting"
    for broken in ({}, {"text": "  "}, ["hi"], {"text": 3}):
        with pytest.raises(FormatError, match="line 1"):
            line_of(part(broken))


async def test_an_embedder_that_fails_ends_the_run(tmp_path: Path, clock: FixedClock) -> None:
    bench = Bench(embedder=WatchedEmbedder(FailingEmbedder()), variants={}, clock=clock)
    with pytest.raises(EmbeddingError):
        await found_in(read_recall_file(tiny_file(tmp_path), UTC), bench)
