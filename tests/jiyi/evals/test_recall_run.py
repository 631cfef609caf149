"""A recall run: it asks what the agent asks, of a store that ingest wrote, and leaves nothing behind."""

from __future__ import annotations

from collections.abc import AsyncIterator, Iterator, Sequence
from contextlib import asynccontextmanager
from dataclasses import replace
from datetime import UTC
from itertools import count
from pathlib import Path

import pytest
from langchain_core.messages import HumanMessage
from langchain_core.runnables import RunnableConfig

from graph.context import Context
from graph.settings import Settings
from jiyi.agent import Agent, open_agent
from jiyi.evals.ablation import WHOLE, variants
from jiyi.evals.embedding import WatchedEmbedder, bench_embedder
from jiyi.evals.recall_file import Corpus, Query, read_recall_file
from jiyi.evals.recall_report import report
from jiyi.evals.recall_run import OWNER, RANKED, Bench, CorpusRun, run_corpus
from jiyi.reading.keeping import keep_conversations
from jiyi.testing import FailingEmbedder, FixedClock, HashEmbedder, ScriptedModel
from memory.ids import thread_id_of
from memory.recalled import SIGNALS
from memory.seams import Embedder, EmbeddingError
from tests.jiyi.evals.tiny import BENCH, tiny_file

ASKED = 50
TOPICS_EN = ["piano", "violin", "rabbit", "parsley", "Lisbon", "carrots", "aunt", "spring", "evening", "dandelion"]
TOPICS_ZH = ["香山", "芒果", "成都", "地铁站", "医院", "表妹", "新家", "过敏", "周末", "护士"]
FRAMES_EN = ["What about the {}?", "Tell me of {}", "{}", "Do you know when I spoke of {}?", "thanks"]
FRAMES_ZH = ["{}怎么样了？", "说说{}", "{}", "我什么时候提到过{}？", "谢谢"]


def entries(folder: Path) -> list[str]:
    return [path.name for path in folder.iterdir()]


def bench(embedder: Embedder | None, clock: FixedClock, *, signals: Sequence[str] = ()) -> Bench:
    watched = WatchedEmbedder(embedder) if embedder else None
    ticks = count()
    return Bench(embedder=watched, variants=variants(RANKED, signals), clock=clock, timer=lambda: next(ticks) / 1000)


def asking(corpus: Corpus, texts: Sequence[str]) -> Corpus:
    queries = (Query(id=str(at), text=text, at=None, category="all", gold=()) for at, text in enumerate(texts))
    return replace(corpus, queries=tuple(queries))


async def runs_of(file: Path, bench: Bench) -> list[CorpusRun]:
    return [await run_corpus(corpus, bench) for corpus in read_recall_file(file, UTC)]


@asynccontextmanager
async def agent_with(corpus: Corpus, home: Path, embedder: Embedder, clock: FixedClock) -> AsyncIterator[Agent]:
    """Open an agent whose memory is the corpus."""
    model, chosen = ScriptedModel(replies=lambda _: "ok"), Settings(embeddings="none", jiyi_home=home)
    async with open_agent(home, model=model, embedder=embedder, clock=clock, chosen=chosen) as agent:
        await keep_conversations(agent.store, OWNER, [corpus.conversation])
        yield agent


async def recalled_by_the_graph(agent: Agent, corpus: Corpus) -> list[tuple[str, ...]]:
    """Say each query to the agent in a thread of its own, and give what its recall node found."""
    found = []
    for query in corpus.queries:
        now = corpus.asked_at(query).isoformat()
        context = Context(user_id=OWNER.user, agent=OWNER.agent, memory="read_only", now=now)
        config: RunnableConfig = {"configurable": {"thread_id": thread_id_of(query.id, user=OWNER.user)}}
        state = await agent.ainvoke({"messages": [HumanMessage(query.text)]}, config, context=context)
        found.append(tuple(ref["id"] for ref in state["recalled"]))
    return found


def fifty_queries(file: Path) -> Iterator[Corpus]:
    english, chinese = read_recall_file(file, UTC)
    for corpus, frames, topics in ((english, FRAMES_EN, TOPICS_EN), (chinese, FRAMES_ZH, TOPICS_ZH)):
        yield asking(corpus, [frame.format(topic) for frame in frames for topic in topics][: ASKED // 2])


async def test_the_bench_sees_what_the_recall_node_sees(tmp_path: Path, clock: FixedClock) -> None:
    for corpus in fifty_queries(tiny_file(tmp_path)):
        run = await run_corpus(corpus, bench(HashEmbedder(), clock))
        async with agent_with(corpus, tmp_path / corpus.name, HashEmbedder(), clock) as agent:
            seen = await recalled_by_the_graph(agent, corpus)

        assert [one.injected.recalled for one in run.asked] == seen
        assert sum(map(bool, seen)) > len(seen) / 2
        assert all(set(ids) <= set(one.ranked[WHOLE]) for ids, one in zip(seen, run.asked, strict=True))


@pytest.mark.skipif(not BENCH.is_dir(), reason=f"the labelled files are not at {BENCH}")
async def test_of_a_labelled_file_too(tmp_path: Path, clock: FixedClock) -> None:
    (whole,) = read_recall_file(BENCH / "madial-zh.recall.jsonl", UTC)
    corpus = replace(whole, queries=whole.queries[:ASKED])
    run = await run_corpus(corpus, bench(HashEmbedder(), clock))
    async with agent_with(corpus, tmp_path / "home", HashEmbedder(), clock) as agent:
        assert [one.injected.recalled for one in run.asked] == await recalled_by_the_graph(agent, corpus)


async def test_gold_of_the_tiny_corpora_is_found_in_both_languages(tmp_path: Path, clock: FixedClock) -> None:
    found = report(await runs_of(tiny_file(tmp_path), bench(None, clock)))

    assert (found["corpora"], found["queries"]) == (2, 6)
    assert found["macro"]["recall@10"] == 1
    assert found["micro"]["recall@1"] >= 0.5
    assert {name: one["n"] for name, one in found["categories"].items()} == {"multi": 2, "single": 4}


async def test_two_runs_give_the_same_numbers(tmp_path: Path, clock: FixedClock) -> None:
    file = tiny_file(tmp_path)
    first, second = [
        report(await runs_of(file, bench(HashEmbedder(), clock, signals=SIGNALS)), signals=SIGNALS) for _ in range(2)
    ]

    assert first == second
    assert set(first["ablation"]) == set(SIGNALS)
    assert first["ablation"]["words"]["ndcg@10"] > 0


async def test_costs_are_what_the_timer_and_the_file_say(tmp_path: Path, clock: FixedClock) -> None:
    """The timer goes on by a millisecond whenever it is looked at."""
    run, _ = await runs_of(tiny_file(tmp_path), bench(None, clock))
    found = report([run])

    assert (run.turns, run.wrote_ms) == (6, 1)
    assert found["query_ms"] == {"p50": 1, "p95": 1}
    assert found["write_ms_per_turn"] == 0.17
    assert found["bytes_per_turn"] == round(run.size_bytes / 6) > 100
    assert report([run], write_is_timed=False)["write_ms_per_turn"] is None


async def test_what_reaches_the_prompt_is_measured_after_the_gate(tmp_path: Path, clock: FixedClock) -> None:
    english, chinese = fifty_queries(tiny_file(tmp_path))
    thanks = replace(asking(english, ["thanks"]), queries=(*asking(english, ["thanks"]).queries, chinese.queries[0]))
    run = await run_corpus(thanks, bench(None, clock))

    assert [(one.injected.kept, one.injected.tokens) for one in run.asked] == [((), 0)] * 2

    full = report(await runs_of(tiny_file(tmp_path), bench(None, clock)))["after_gate"]
    assert full["recall"] == full["recall_shown"] == 1
    assert 0 < full["precision"] < 1
    assert 0 < full["tokens"]["p50"] <= full["tokens"]["p95"] < 2000
    assert full["nothing_injected"] == pytest.approx(1 / 7, abs=0.001)


async def test_nothing_is_left_behind(tmp_path: Path, clock: FixedClock) -> None:
    stores, there = tmp_path / "stores", list[int]()
    stores.mkdir()
    (corpus, _) = read_recall_file(tiny_file(tmp_path), UTC)
    await run_corpus(corpus, replace(bench(None, clock), folder=stores), lambda _: there.append(len(entries(stores))))

    assert set(there) == {1}
    assert entries(stores) == []
    assert "jiyi-home" not in entries(tmp_path)


async def test_an_embedder_that_fails_ends_the_run_instead_of_another_measure(
    tmp_path: Path, clock: FixedClock
) -> None:
    with pytest.raises(EmbeddingError, match="Cannot embed"):
        await runs_of(tiny_file(tmp_path), bench(FailingEmbedder(), clock))


async def test_progress_counts_turns_and_queries(tmp_path: Path, clock: FixedClock) -> None:
    steps: list[int] = []
    (corpus, _) = read_recall_file(tiny_file(tmp_path), UTC)
    await run_corpus(corpus, bench(None, clock), steps.append)

    assert sum(steps) == 6 + 4


def test_the_embedders_of_a_bench_have_their_names(tmp_path: Path) -> None:
    assert bench_embedder("none") is None
    small, local, cached = bench_embedder("small"), bench_embedder("openai:m"), bench_embedder("small", cache=tmp_path)
    assert small is not None
    assert local is not None
    assert cached is not None
    assert small.name == cached.name != local.name
    assert small.dimensions == 512
