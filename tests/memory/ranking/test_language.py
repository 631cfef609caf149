"""Languages: what an embedder makes of a language alone is told apart from what it makes of what is said, both ways."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import NDArray

from memory.anchors import ANCHORS, CHINESE, OTHER
from memory.ranking.abstention import helps
from memory.ranking.corpus import Corpus, Floats, Said, corpus_of
from memory.ranking.evidence import evidence
from memory.ranking.language import chinese_rows
from memory.ranking.question import question_of
from memory.ranking.ranked import ranked
from memory.ranking.signals.meaning import Meant, meaning, nearness

CHINESE_ASKED, ENGLISH_ASKED = "我什么时候去露营？", "When do I go camping?"
IN_CHINESE = ("周末想去爬山", "妹妹下个月结婚", "打印机又没纸了")
IN_ENGLISH = ("The new office is on the third floor", "I watched a film last night", "The bus was late")


def corpus(texts: Sequence[str], *, speaker: str = "user") -> Corpus:
    """Make a corpus in which each text is a thread of its own."""
    return corpus_of(
        [
            Said(item=number, text=text, speaker=speaker, thread=f"{number:02}", position=0, said_at=None)
            for number, text in enumerate(texts)
        ]
    )


def meant(rows: Sequence[float], *, chinese: float, other: float) -> Meant:
    """Give vectors of which the question's cosines are these: with the rows, and with what is unrelated in each language."""
    question = np.array([1, 0], dtype=np.float32)
    unrelated = [chinese] * len(CHINESE) + [other] * len(OTHER)
    return Meant(rows=_at(rows), whole=question, last=question, pieces=question[None, :], anchors=_at(unrelated))


def _at(cosines: Sequence[float]) -> NDArray[np.float32]:
    first = np.array(cosines, dtype=np.float32)
    return np.stack([first, np.sqrt(np.maximum(1 - first**2, 0))], axis=1)


def near(rows: Corpus, vectors: Meant) -> Floats:
    found = nearness(rows, vectors)
    assert found is not None
    return found


@pytest.mark.parametrize(
    ("text", "speaker", "chinese"),
    [
        ("周末想去爬山", "user", True),
        ("The bus was late", "user", False),
        ("wrote a song, 名字叫《B3》", "user", True),
        ("OK", "user", False),
        ("OK", "小满", True),
        ("👍", "user", True),
        ("8842", "user", True),
    ],
)
def test_a_row_is_in_another_language_where_it_has_letters_and_nothing_chinese(
    text: str, speaker: str, chinese: bool
) -> None:
    assert chinese_rows(corpus([text], speaker=speaker)).tolist() == [chinese]


def test_half_of_what_is_unrelated_is_in_chinese() -> None:
    assert (*CHINESE, *OTHER) == ANCHORS
    assert chinese_rows(corpus(ANCHORS)).tolist() == [True] * len(CHINESE) + [False] * len(OTHER)


def test_nearness_is_the_way_from_what_is_unrelated_in_the_rows_language_to_the_same() -> None:
    rows = corpus((IN_CHINESE[0], IN_ENGLISH[0], IN_ENGLISH[1]))
    found = near(rows, meant([0.9, 0.85, 1.0], chinese=0.8, other=0.7))
    assert found.tolist() == pytest.approx([0.5, 0.5, 1.0], abs=1e-5)
    assert nearness(rows, Meant(**{**vars(meant([0.9, 0.8, 1.0], chinese=0.8, other=0.7)), "anchors": None})) is None


@pytest.mark.parametrize(
    ("query", "others", "answer", "baselines"),
    [
        (CHINESE_ASKED, IN_CHINESE, "We go camping in June", {"chinese": 0.81, "other": 0.73}),
        (ENGLISH_ASKED, IN_ENGLISH, "六月去露营", {"chinese": 0.7, "other": 0.78}),
    ],
)
def test_an_answer_in_the_other_language_counts_as_near_and_ranks_first(
    query: str, others: tuple[str, ...], answer: str, baselines: dict[str, float]
) -> None:
    rows = corpus((*others, answer))
    own, foreign = max(baselines.values()), min(baselines.values())
    vectors = meant(
        [own, own + 0.01, own + 0.02, foreign + 0.1], **baselines
    )  # the answer is no nearer than the others
    question = question_of(query, rows.names)
    scores = ranked(rows, question, vectors).scores
    assert int(np.argmax(scores)) == 3
    assert int(np.argmax(near(rows, vectors))) == 3
    seen = evidence(rows, question, scores, near=near(rows, vectors))
    assert seen["near"] == pytest.approx(0.1 / (1 - foreign), abs=1e-5)
    assert helps(seen).is_likely


@pytest.mark.parametrize(
    ("query", "said", "baselines"),
    [
        (CHINESE_ASKED, IN_CHINESE, {"chinese": 0.81, "other": 0.73}),
        (ENGLISH_ASKED, IN_ENGLISH, {"chinese": 0.7, "other": 0.78}),
        (ENGLISH_ASKED, IN_CHINESE, {"chinese": 0.7, "other": 0.78}),
    ],
)
def test_what_is_unrelated_does_not_count_as_near_in_any_language(
    query: str, said: tuple[str, ...], baselines: dict[str, float]
) -> None:
    rows = corpus(said)
    of_its_language = baselines["chinese" if said == IN_CHINESE else "other"]
    vectors = meant([of_its_language] * 3, **baselines)
    question = question_of(query, rows.names)
    seen = evidence(rows, question, ranked(rows, question, vectors).scores, near=near(rows, vectors))
    assert not helps(seen).is_likely


@given(
    st.sampled_from([IN_CHINESE, IN_ENGLISH]),
    st.lists(st.floats(0.5, 1), min_size=3, max_size=3),
    st.floats(0.5, 0.95),
    st.floats(0.5, 0.95),
)
def test_in_a_memory_of_one_language_ranking_stays_as_it_is_to_the_last_bit(
    texts: tuple[str, ...], cosines: list[float], chinese: float, other: float
) -> None:
    rows, vectors = corpus(texts), meant(cosines, chinese=chinese, other=other)
    without = Meant(rows=vectors.rows, whole=vectors.whole, last=vectors.last, pieces=vectors.pieces)
    found, before = meaning(rows, vectors), meaning(rows, without)
    assert {name: one.tolist() for name, one in found.items()} == {name: one.tolist() for name, one in before.items()}


@given(st.permutations([*IN_CHINESE, *IN_ENGLISH]), st.floats(0.5, 0.9), st.floats(0.5, 0.9))
def test_of_two_texts_of_one_language_the_nearer_stays_the_nearer(
    texts: list[str], chinese: float, other: float
) -> None:
    rows = corpus(texts)
    cosines = np.linspace(0.95, 0.6, len(texts))
    found = meaning(rows, meant(cosines.tolist(), chinese=chinese, other=other))["meaning"]
    for language in (True, False):
        assert np.all(np.diff(found[chinese_rows(rows) == language]) < 0)
