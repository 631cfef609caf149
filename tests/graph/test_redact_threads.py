"""REDACT_THREADS: with it a thread never holds what is private, from the first byte on; without it it holds what was typed."""

from __future__ import annotations

from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import pytest
from langchain_core.messages import AIMessage, HumanMessage, ToolMessage
from langchain_core.runnables import RunnableConfig
from langgraph.types import Command, Durability

from graph.context import Context
from graph.settings import THREADS_FILE, Settings
from jiyi.agent import Agent, open_agent
from jiyi.testing import FixedClock, ScriptedModel, tool_call
from memory.ids import thread_id_of
from memory.privacy import PLACEHOLDER
from store.waiting import waiting_turns

NUMBER = "13812345678"
ZH, EN = f"我的手机号是{NUMBER}，记一下", f"My mobile number is {NUMBER}, note it"
PICTURE = {"type": "image_url", "image_url": {"url": "data:image/png;base64,iVBORw0KGgo="}}
BOTH = pytest.mark.parametrize("said", [ZH, EN])
HOWEVER_KEPT = pytest.mark.parametrize("durability", ["exit", "async"])
FORMS: list[Any] = [
    lambda text: text,
    lambda text: [("user", text)],
    lambda text: ["你好 hello", text, "再见 bye"],
    lambda text: [{"role": "user", "content": text}],
    lambda text: [HumanMessage(text)],
    lambda text: [HumanMessage([{"type": "text", "text": text}, PICTURE], additional_kwargs={"typed": text})],
]


def reply(messages: list[Any]) -> Any:
    if isinstance(messages[-1], ToolMessage):
        return "done 好了"
    return tool_call("orderService_cancel", order_id="#8843", reason="x") if "8843" in messages[-1].text else "ok"


async def opened(home: Path, clock: FixedClock, *, redact_threads: bool) -> AsyncIterator[Agent]:
    chosen = Settings(embeddings="none", jiyi_home=home, redact_threads=redact_threads)
    async with open_agent(home, clock=clock, model=ScriptedModel(replies=reply), chosen=chosen) as agent:
        yield agent


@pytest.fixture
async def agent(tmp_path: Path, clock: FixedClock) -> AsyncIterator[Agent]:
    async for one in opened(tmp_path / "home", clock, redact_threads=True):
        yield one


@pytest.fixture
async def plain(tmp_path: Path, clock: FixedClock) -> AsyncIterator[Agent]:
    async for one in opened(tmp_path / "plain", clock, redact_threads=False):
        yield one


def thread(name: str = "t") -> RunnableConfig:
    return {"configurable": {"thread_id": thread_id_of(name, user="ada")}}


async def run(agent: Agent, given: Any, durability: Durability = "exit") -> list[Any]:
    ended = await agent.graph.ainvoke(given, thread(), context=Context(user_id="ada"), durability=durability)
    return list(ended["messages"])


async def kept_messages(agent: Agent) -> list[Any]:
    state = await agent.graph.aget_state(thread())
    return list(state.values["messages"])


def in_thread_files(agent: Agent, text: str) -> bool:
    home = agent.parts.settings.jiyi_home
    return any(text.encode() in file.read_bytes() for file in home.glob(f"{THREADS_FILE}*"))


def told(messages: list[Any]) -> list[tuple[str, str]]:
    return [(str(message.id), message.text) for message in messages]


@BOTH
@HOWEVER_KEPT
@pytest.mark.parametrize("form", FORMS)
async def test_no_byte_of_a_number_reaches_the_threads_file_in_whatever_form_it_is_said(
    agent: Agent, form: Any, said: str, durability: Durability
) -> None:
    before = await run(agent, {"messages": form("早上好 good morning")}, durability)
    ended = await run(agent, {"messages": form(said)}, durability)
    assert NUMBER not in repr(ended)
    assert not in_thread_files(agent, NUMBER)
    assert told(await kept_messages(agent)) == told(ended)
    assert told(ended)[: len(before)] == told(before)
    (redacted,) = [one for one in ended if PLACEHOLDER.search(one.text)]
    assert PLACEHOLDER.sub(NUMBER, redacted.text) == said


@BOTH
async def test_pictures_stay_and_what_repeats_the_text_goes_with_it(agent: Agent, said: str) -> None:
    await run(agent, {"messages": FORMS[-1](said)})
    human, _ = await kept_messages(agent)
    assert human.content[1] == PICTURE
    assert human.additional_kwargs == {"typed": human.text}
    assert PLACEHOLDER.sub(NUMBER, human.text) == said


@BOTH
async def test_the_model_and_the_memory_have_the_placeholder_of_the_thread(
    agent: Agent, tmp_path: Path, said: str
) -> None:
    ended = await run(agent, {"messages": [HumanMessage(said, id="m1")]})
    model: Any = agent.parts.model("")
    shown = [message.text for call in model.seen for message in call]
    assert not any(NUMBER in text for text in shown)
    assert any(ended[0].text in text for text in shown)
    assert ended[0].id == "m1"
    assert not any(NUMBER.encode() in file.read_bytes() for file in (tmp_path / "home").rglob("*") if file.is_file())


async def test_one_number_has_one_name_in_both_languages_and_in_all_threads(agent: Agent) -> None:
    names = set()
    for at, said in enumerate((ZH, EN)):
        await agent.say(said, user="ada", thread=f"t{at}")
        state = await agent.graph.aget_state(thread(f"t{at}"))
        names |= set(PLACEHOLDER.findall(state.values["messages"][0].text))
    assert len(names) == 1


@HOWEVER_KEPT
@pytest.mark.parametrize("answer", [NUMBER, {"phone": int(NUMBER)}, [ZH, EN]])
async def test_a_question_that_is_answered_with_a_number_does_not_keep_it(
    agent: Agent, answer: Any, durability: Durability
) -> None:
    await run(agent, {"messages": [HumanMessage("取消 #8843 please")]}, durability)
    assert (await agent.graph.aget_state(thread())).interrupts
    ended = await run(agent, Command(resume=answer), durability)
    assert isinstance(ended[-1], AIMessage)
    assert not (await agent.graph.aget_state(thread())).interrupts
    assert not in_thread_files(agent, NUMBER)
    assert told(await kept_messages(agent)) == told(ended)


async def test_a_yes_is_still_a_yes(agent: Agent) -> None:
    await run(agent, {"messages": [HumanMessage("取消 #8843 please")]})
    ended = await run(agent, Command(resume="好的"))
    (result,) = [message for message in ended if isinstance(message, ToolMessage)]
    assert result.status == "success"


@BOTH
@pytest.mark.parametrize("form", FORMS)
async def test_a_turn_that_is_run_again_from_any_of_its_checkpoints_is_the_same_turn(
    agent: Agent, form: Any, said: str
) -> None:
    once = told(await run(agent, {"messages": form(said)}, "sync"))
    states = [state async for state in agent.graph.aget_state_history(thread()) if state.next]
    for state in states:
        again = await agent.graph.ainvoke(None, state.config, context=Context(user_id="ada"), durability="sync")
        people = [(one.id, one.text) for one in again["messages"] if isinstance(one, HumanMessage)]
        assert len(people) == len(once) - 1
        assert [text for _, text in people] == [text for _, text in once[:-1]]
    assert not in_thread_files(agent, NUMBER)
    assert await waiting_turns(agent.store) == []


async def test_a_state_that_is_edited_from_outside_is_redacted_too(agent: Agent) -> None:
    await run(agent, {"messages": [HumanMessage("你好 hello", id="m1")]})
    await agent.graph.aupdate_state(thread(), {"messages": [HumanMessage(ZH, id="m1"), ("user", EN)]})
    texts = [message.text for message in await kept_messages(agent)]
    assert [text for text in texts if PLACEHOLDER.search(text)] == [texts[0], texts[-1]]
    assert not in_thread_files(agent, NUMBER)


@BOTH
@pytest.mark.parametrize("form", FORMS)
async def test_without_the_setting_the_thread_shows_what_was_typed(plain: Agent, form: Any, said: str) -> None:
    ended = await run(plain, {"messages": form(said)})
    assert said in [message.text for message in ended]
    assert told(await kept_messages(plain)) == told(ended)
    assert in_thread_files(plain, NUMBER)
