"""Ablation: what is left out, what that is worth, and how it is drawn."""

from __future__ import annotations

from datetime import UTC, datetime
from pathlib import Path
from xml.etree import ElementTree as Xml

import pytest

from jiyi.evals.ablation import WHOLE, Worth, leaving_out, variants, worths
from jiyi.evals.ablation_chart import ablation_chart
from jiyi.evals.metrics import Scored
from jiyi.testing import FixedClock, HashEmbedder
from memory.namespaces import Owner
from memory.recalled import SIGNALS
from store.memory_store import MemoryStore
from store.recall import recall
from store.remember import remember
from store.wanted import Wanted

ADA = Owner(user="ada")


def scored(*values: float) -> list[Scored]:
    names = ("ndcg@10", "recall@10", "recall_all@10")
    return [Scored(corpus="c", category="a", values=dict.fromkeys(names, value)) for value in values]


def test_the_whole_comes_first_then_each_signal_is_left_out() -> None:
    made = variants(Wanted(limit=3), ("words", "meaning"))

    assert list(made) == [WHOLE, "words", "meaning"]
    assert made[WHOLE].without == frozenset()
    assert made["words"] == Wanted(limit=3, without=frozenset({"words"}))
    assert leaving_out(made["words"], "meaning").without == {"words", "meaning"}


def test_another_policy_may_say_what_is_left_out() -> None:
    made = variants(
        Wanted(), ("half",), lambda whole, signal: Wanted(limit=whole.limit // 2, without=frozenset({signal}))
    )

    assert made["half"].limit == Wanted().limit // 2


def test_a_signal_is_worth_what_is_lost_without_it() -> None:
    found = worths(
        {WHOLE: scored(1, 1, 0), "none": scored(1, 1, 0), "harm": scored(1, 1, 0.3), "much": scored(0.1, 1, 0)}
    )

    assert [one.signal for one in found] == ["much", "none", "harm"]
    assert [one.values["ndcg@10"] for one in found] == pytest.approx([0.3, 0, -0.1])
    assert found[1].intervals["recall@10"] == (0, 0)
    low, high = found[0].intervals["ndcg@10"]
    assert low <= 0.3 <= high


ASKED = "When did I fly the red kite in May 2026?"
KITES = (
    ("user", "red kite"),
    ("user", "Do you keep the red kite?"),
    ("assistant", "The red kite is in the attic"),
    ("user", "The kite flew over the attic yesterday"),
    ("user", "We saw a kite and an attic in Rome"),
    ("user", "Nothing of the kind"),
)


@pytest.mark.parametrize("signal", SIGNALS)
async def test_every_signal_can_be_left_out_of_recall(signal: str, tmp_path: Path, clock: FixedClock) -> None:
    store = MemoryStore(tmp_path / "m.db", clock=clock, embedder=HashEmbedder())
    async with store.opened(keeps_up=False):
        for number, (speaker, text) in enumerate(KITES):
            at = clock() if number else datetime(2020, 1, 1, tzinfo=UTC)
            await remember(store, ADA, text, speaker=speaker, said_at=at, message_id=str(number))
        await store.indexer.catch_up()
        whole = Wanted(gated=False)
        before = await recall(store, ADA, ASKED, whole, now=clock())
        after = await recall(store, ADA, ASKED, leaving_out(whole, signal), now=clock())

    scores = [{one.text: one.score for one in found} for found in (before, after)]
    assert (scores[0] == scores[1]) is (
        signal in {"frequency", "codes"}
    )  # nothing here was ever used, and no code is asked for


def test_the_chart_is_svg_that_names_every_file_and_signal() -> None:
    worth = Worth(signal="words", values=dict.fromkeys(("ndcg@10", "recall@10", "recall_all@10"), -0.25), intervals={})
    row = {**worth.values, "intervals": {name: [-0.3, -0.2] for name in worth.values}}
    drawn = ablation_chart({"a<b": {"ablation": {"words": row, "meaning": row}}, "中文": {"ablation": {"words": row}}})

    root = Xml.fromstring(drawn)  # noqa: S314  (our own)
    space = "{http://www.w3.org/2000/svg}"
    said = [text.text for text in root.iter(f"{space}text")]
    assert {"a<b", "中文", "words", "meaning", "ndcg@10", "-0.250"} <= set(said)
    bars = [bar for bar in root.iter(f"{space}rect") if float(bar.attrib["width"]) > 20]
    assert len(bars) == 9
    assert all(
        0 <= float(bar.attrib["x"]) <= 720 and float(bar.attrib["y"]) < float(root.attrib["height"]) for bar in bars
    )
    assert "prefers-color-scheme:dark" in drawn
