"""At the end of a long thread its summary still tells what was agreed, and not what was taken back."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path

import pytest
from langchain_core.messages import AIMessage, BaseMessage, HumanMessage
from langchain_core.runnables import RunnableConfig

from graph.settings import Settings
from jiyi.agent import Agent, open_agent
from jiyi.testing import FixedClock, ScriptedModel
from memory.ids import thread_id_of
from memory.key_information import MAX_TOKENS, fold_key_information
from memory.summary import MAX_SUMMARY_TOKENS, fold_summary
from memory.tokens import count_tokens
from memory.window import to_fold
from store.checkpoint_owners import USER_KEY
from tests.graph.agreements import FIRST, LAST, LATER, Planted
from tests.graph.long_threads import answered_wrong, said_in_a_thread

TURNS = 300
OK = {"en": "ok", "zh": "好的"}
languages = pytest.mark.parametrize("language", ["en", "zh"])


def chosen(tmp_path: Path) -> Settings:
    return Settings(embeddings="none", jiyi_home=tmp_path / "home")


async def summary_in(agent: Agent, thread: str = "t") -> str:
    config: RunnableConfig = {"configurable": {"thread_id": thread_id_of(thread, user="ada"), USER_KEY: "ada"}}
    return str((await agent.graph.aget_state(config)).values.get("summary", ""))


def copies_everything(messages: list[BaseMessage]) -> str:
    """Write down what users said, as a model that judges nothing."""
    lines = [line.partition(": ")[2] for line in messages[-1].text.splitlines()]
    return "\n".join(line for line in lines if line and line not in OK.values())


def folded(fold: Callable[..., str], language: str, plants: Sequence[Planted]) -> str:
    """Fold a long thread as the graph does, without the graph."""
    messages: list[BaseMessage] = []
    kept, upto = "", None
    for turn, text in enumerate(said_in_a_thread(language, plants, turns=TURNS)):
        messages += [HumanMessage(text, id=f"h{turn}"), AIMessage(OK[language], id=f"a{turn}")]
        if due := to_fold(messages, summarized_upto=upto):
            kept, upto = fold(kept, due, language=language), due[-1].id
    return kept


def forgets_everything(_: list[BaseMessage]) -> str:
    """Write down what helps nobody."""
    return "They talked about this and that."


@languages
@pytest.mark.slow
@pytest.mark.parametrize("small", [None, copies_everything, forgets_everything], ids=["rules", "copying", "forgetful"])
async def test_at_turn_300_all_20_agreements_are_told_right(
    tmp_path: Path, clock: FixedClock, language: str, small: Callable[[list[BaseMessage]], str] | None
) -> None:
    plants = FIRST[language] + LATER[language]
    assert (len(plants), sum(bool(plant.revoked) for plant in plants)) == (20, 10)
    model = ScriptedModel(replies=lambda _: OK[language])
    summarizer = ScriptedModel(replies=small) if small else None
    async with open_agent(chosen=chosen(tmp_path), clock=clock, model=model, small_model=summarizer) as agent:
        for text in said_in_a_thread(language, plants, turns=TURNS):
            await agent.say(text, user="ada", thread="t", memory="read_only")
        summary = await summary_in(agent)

    assert count_tokens(summary) <= MAX_SUMMARY_TOKENS
    assert answered_wrong(model.seen[-1], plants) == []


@languages
def test_at_turn_300_key_information_tells_all_20_agreements_right(language: str) -> None:
    plants = FIRST[language] + LATER[language]
    kept = folded(fold_key_information, language, plants)
    assert count_tokens(kept) <= MAX_TOKENS
    assert answered_wrong([HumanMessage(kept)], plants) == []


@pytest.mark.parametrize(
    ("language", "missed"),
    [("en", ["Rosa has the keys", "I want two reviewers"]), ("zh", ["每次改动我要两个人审"])],
)
def test_of_agreements_that_no_rule_was_written_for_most_are_told_right(language: str, missed: list[str]) -> None:
    plants = FIRST[language] + LAST[language]
    summary = folded(fold_summary, language, plants)
    wrong = answered_wrong([HumanMessage(summary)], plants)
    assert [plant[: len(start)] for plant, start in zip(wrong, missed, strict=True)] == missed
