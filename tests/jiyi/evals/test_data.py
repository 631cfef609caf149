"""The shipped data for measuring recall: whole, balanced, and labelled as its README says."""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Iterator
from datetime import datetime
from importlib.resources import files
from typing import Any, TypedDict

import pytest

CATEGORIES = {"single", "multi", "temporal", "update", "identifier", "paraphrase", "whose", "list"}
KINDS = set(
    re.findall(
        r"\w+", "acknowledgement arithmetic code emoji farewell greeting joke knowledge thanks translation writing"
    )
)
OWN, HELD_OUT = "own.recall.jsonl", "own-held-out.recall.jsonl"
RECALL = (OWN, HELD_OUT)
RELATIVE_TIME = re.compile(
    r"去年|今年|上次|上周|上个月|\blast (?:week|month|year|summer|winter|December)\b|\byesterday\b"
)
FUNCTION_WORDS = set(
    re.findall(r"\w+", "could does from have into many much should that their them then there they this")
    + re.findall(r"\w+", "what when where which with would")
)


class Turn(TypedDict):
    id: str
    session: str
    at: str
    speaker: str
    text: str


class Query(TypedDict):
    id: str
    text: str
    at: str
    category: str
    gold: list[str]


class Corpus(TypedDict):
    id: str
    lang: str
    speakers: list[str]
    turns: list[Turn]
    queries: list[Query]


def lines(name: str) -> list[Any]:
    text = files("jiyi").joinpath("evals", "data", name).read_text(encoding="utf-8")
    return [json.loads(line) for line in text.splitlines()]


def corpora(name: str) -> list[Corpus]:
    return lines(name)


def asked(*names: str) -> Iterator[tuple[Corpus, Query]]:
    return ((corpus, query) for name in names for corpus in corpora(name) for query in corpus["queries"])


def golden(corpus: Corpus, query: Query) -> list[Turn]:
    return [turn for turn in corpus["turns"] if turn["id"] in query["gold"]]


def is_chinese(text: str) -> bool:
    return len(re.findall(r"[\u4e00-\u9fff]", text)) > len(re.findall(r"[A-Za-z]+", text))


def content(text: str) -> set[str]:
    """Give its English words of four letters and more, without their plural, and its pairs of Chinese characters."""
    words = {word.removesuffix("s") for word in re.findall(r"[a-z]{4,}", text.lower())} - FUNCTION_WORDS
    return words | set(re.findall(r"(?=([\u4e00-\u9fff]{2}))", text))


def assert_balanced(counts: Counter[Any]) -> None:
    (_, most), (_, least) = counts.most_common()
    assert least >= 0.8 * most, counts


@pytest.mark.parametrize("name", RECALL)
def test_there_are_eight_corpora_of_each_language_and_of_both(name: str) -> None:
    assert Counter(corpus["lang"] for corpus in corpora(name)) == {"zh": 3, "en": 3, "mixed": 2}


@pytest.mark.parametrize("corpus", corpora(OWN), ids=lambda corpus: corpus["id"])
def test_a_corpus_is_a_history_in_order_with_ids_that_name_one_turn(corpus: Corpus) -> None:
    turns = corpus["turns"]
    times = [datetime.fromisoformat(turn["at"]) for turn in turns]

    assert 60 <= len(turns) <= 120
    assert 5 <= len({turn["session"] for turn in turns}) <= 12
    assert len({turn["id"] for turn in turns}) == len(turns)
    assert times == sorted(times)
    assert {time.year for time in times} == {2025, 2026}
    assert {turn["speaker"] for turn in turns} == set(corpus["speakers"] or [""])
    assert all(turn["text"].strip() for turn in turns)


def test_both_files_are_about_the_same_turns() -> None:
    own, held_out = ([(one["id"], one["turns"]) for one in corpora(name)] for name in RECALL)
    assert own == held_out


def test_a_query_has_an_id_of_its_own_and_gold_that_exists() -> None:
    ids = [query["id"] for _, query in asked(*RECALL)]

    assert len(set(ids)) == len(ids)
    for corpus, query in asked(*RECALL):
        assert [turn["id"] for turn in golden(corpus, query)] == query["gold"], query
        assert query["gold"], query


def test_a_corpus_is_asked_25_to_40_questions_about_half_of_them_held_out() -> None:
    own, held_out = (Counter(corpus["id"] for corpus, _ in asked(name)) for name in RECALL)
    for corpus, count in own.items():
        assert 25 <= count + held_out[corpus] <= 40, corpus
        assert abs(count - held_out[corpus]) <= 2, corpus


@pytest.mark.parametrize("name", RECALL)
def test_every_category_is_asked_of_every_corpus(name: str) -> None:
    for corpus in corpora(name):
        assert {query["category"] for query in corpus["queries"]} == CATEGORIES, corpus["id"]


def test_nothing_is_asked_before_its_answer_was_given() -> None:
    for corpus, query in asked(*RECALL):
        assert not query["at"] or query["at"] > golden(corpus, query)[-1]["at"], query


def test_a_query_with_a_relative_time_says_when_it_is_asked() -> None:
    relative = [
        query for _, query in asked(*RECALL) if query["category"] == "temporal" and RELATIVE_TIME.search(query["text"])
    ]
    assert len(relative) >= 16
    assert [query["text"] for query in relative if not query["at"]] == []


def test_the_gold_of_multi_is_in_two_to_four_turns_of_different_sessions() -> None:
    for corpus, query in asked(*RECALL):
        if query["category"] == "multi":
            assert 2 <= len(query["gold"]) <= 4, query
            assert len({turn["session"] for turn in golden(corpus, query)}) >= 2, query


def test_a_list_has_several_and_an_update_one() -> None:
    for _, query in asked(*RECALL):
        assert query["category"] != "list" or len(query["gold"]) >= 2, query
        assert query["category"] != "update" or len(query["gold"]) == 1, query


def test_the_gold_of_an_update_is_the_latest_turn_on_its_subject() -> None:
    superseded = {(row["corpus"], row["query"]): row["superseded"] for row in lines("superseded.jsonl")}
    updates = {
        (corpus["id"], query["id"]): (corpus, query)
        for corpus, query in asked(*RECALL)
        if query["category"] == "update"
    }

    assert superseded.keys() == updates.keys()
    for key, (corpus, query) in updates.items():
        order = [turn["id"] for turn in corpus["turns"]]
        assert superseded[key], query
        assert max(map(order.index, superseded[key])) < order.index(query["gold"][0]), query


def test_a_paraphrase_shares_no_content_word_with_its_gold() -> None:
    for corpus, query in asked(*RECALL):
        if query["category"] == "paraphrase":
            shared = [content(query["text"]) & content(turn["text"]) for turn in golden(corpus, query)]
            assert not any(shared), (query, shared)


def test_never_said_asks_40_things_and_more_of_each_corpus() -> None:
    rows = lines("never-said.jsonl")
    counts = Counter(row["corpus"] for row in rows)

    assert len(rows) >= 320
    assert counts.keys() == {corpus["id"] for corpus in corpora(OWN)}
    assert min(counts.values()) >= 40
    assert all(row["at"] or not RELATIVE_TIME.search(row["text"]) for row in rows)


def test_small_talk_is_of_every_kind_in_both_languages() -> None:
    rows = lines("small-talk.jsonl")
    assert len(rows) >= 220
    assert {(row["kind"], row["lang"]) for row in rows} == {(kind, lang) for kind in KINDS for lang in ("zh", "en")}


@pytest.mark.parametrize("name", ["never-said.jsonl", "small-talk.jsonl"])
def test_both_languages_have_their_share_of_the_lines(name: str) -> None:
    assert_balanced(Counter(row["lang"] for row in lines(name)))


@pytest.mark.parametrize("name", RECALL)
def test_both_languages_have_their_share_of_the_questions(name: str) -> None:
    assert_balanced(Counter(is_chinese(query["text"]) for _, query in asked(name)))


def test_the_language_of_what_was_never_said_is_named_rightly() -> None:
    assert [row for row in lines("never-said.jsonl") if is_chinese(row["text"]) != (row["lang"] == "zh")] == []


def test_no_question_and_no_small_talk_stands_there_twice() -> None:
    texts = [(corpus["id"], query["text"]) for corpus, query in asked(*RECALL)]
    texts += [(row["corpus"], row["text"]) for row in lines("never-said.jsonl")]
    texts += [("", row["text"]) for row in lines("small-talk.jsonl")]

    assert [
        text for text, times in Counter((corpus, text.casefold()) for corpus, text in texts).items() if times > 1
    ] == []
