"""Recall of what has changed: who shares a memory, and where both statements rank in it."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from jiyi.evals.changes_file import Pair
from jiyi.evals.changes_recall import grouped, run_recall
from jiyi.evals.embedding import WatchedEmbedder
from jiyi.testing import FailingEmbedder, HashEmbedder
from memory.seams import EmbeddingError
from tests.jiyi.evals.changes_made import MOVED_ZH, pair

WEIGHED = ("I weigh 80 kg", "I weigh 76 kg", "80 kg", "76 kg", "What do I weigh?")


def pairs_of(rows: list[tuple[str, str]]) -> list[Pair]:
    return [pair(f"p{at}", key=key, language=language) for at, (language, key) in enumerate(rows)]


@given(
    st.lists(
        st.tuples(st.sampled_from(["zh", "en"]), st.sampled_from(["user.age", "user.from", "user.diet", "user.school"]))
    ),
    st.integers(1, 4),
)
def test_each_pair_is_asked_once_and_nobody_says_two_under_one_key(rows: list[tuple[str, str]], together: int) -> None:
    pairs = pairs_of(rows)
    groups = grouped(pairs, together=together)
    assert sorted(one.id for group in groups for one in group.asked) == sorted(one.id for one in pairs)
    for group in groups:
        assert set(group.asked) <= set(group.said)
        assert len(group.said) <= together
        assert len({one.key for one in group.said}) == len(group.said)
        assert len({one.language for one in group.said}) == 1


def test_a_memory_is_filled_up_with_pairs_that_are_asked_elsewhere() -> None:
    pairs = pairs_of([("en", "user.age"), ("en", "user.from"), ("en", "user.diet")])
    groups = grouped(pairs, together=2)
    assert [[one.id for one in group.asked] for group in groups] == [["p0", "p1"], ["p2"]]
    assert [one.id for one in groups[1].said] == ["p2", "p0"]


@pytest.mark.parametrize("embedder", [None, HashEmbedder(64)], ids=["words", "vectors"])
async def test_the_newest_statement_ranks_before_the_old_one_in_both_languages(embedder: HashEmbedder | None) -> None:
    pairs = [pair("en"), pair("weight", key="user.weight", said=WEIGHED), pair("zh", said=MOVED_ZH, language="zh")]
    found = await run_recall(pairs, embedder=None if embedder is None else WatchedEmbedder(embedder))
    assert [one.pair.id for one in found] == ["en", "weight", "zh"]
    for one in (found[0], found[2]):
        assert (one.new, one.new_shown, one.old_shown) == (1, 1, None)
        assert one.old in (2, 3)


async def test_an_embedder_that_fails_is_not_passed_over() -> None:
    with pytest.raises(EmbeddingError):
        await run_recall([pair()], embedder=WatchedEmbedder(FailingEmbedder()))
