from __future__ import annotations

import re
from collections.abc import AsyncIterator
from copy import deepcopy
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from langchain_core.messages import AIMessage, BaseMessage, ChatMessage, HumanMessage, SystemMessage, ToolMessage
from langchain_core.runnables import RunnableConfig
from langgraph.checkpoint.base import empty_checkpoint
from langgraph.checkpoint.serde.types import _DeltaSnapshot
from langgraph.types import Command, Overwrite

from store.checkpoint_owners import context_user
from store.checkpoint_redaction import redacted_checkpoint, redacted_message, redacted_strings, redacted_writes
from store.checkpointer import ThreadSaver, open_saver
from tests.store.checkpoint_graph import Context, Durability, bytes_in, conversation, said_in

NUMBER = "13800138000"
ZH, EN = f"我的手机是{NUMBER}，谢谢", f"my number is {NUMBER}, thanks"
ZH_CLEAN, EN_CLEAN = "我的手机是[phone]，谢谢", "my number is [phone], thanks"
BOTH = pytest.mark.parametrize(("raw", "clean"), [(ZH, ZH_CLEAN), (EN, EN_CLEAN)])


def redacted(text: str) -> str:
    return re.sub(r"\d{11}", "[phone]", text)


def written(value: Any, channel: str = "messages") -> Any:
    ((kept, clean),) = redacted_writes([(channel, value)], redacted)
    assert kept == channel
    return clean


@BOTH
def test_the_user_s_message_is_redacted_and_keeps_its_id(raw: str, clean: str) -> None:
    said = HumanMessage(raw, id="m1", name="li", additional_kwargs={"original": [raw], "draft": False})
    expected = HumanMessage(clean, id="m1", name="li", additional_kwargs={"original": [clean], "draft": False})
    assert redacted_message(said, redacted) == expected
    assert said.content == raw


@BOTH
def test_blocks_with_text_are_redacted_and_pictures_stay(raw: str, clean: str) -> None:
    picture = {"type": "image", "base64": NUMBER * 3, "mime_type": "image/png"}
    said = HumanMessage([{"type": "text", "text": raw, "extras": {"was": raw}}, raw, picture], id="m1")
    kept = redacted_message(said, redacted).content
    assert kept == [{"type": "text", "text": clean, "extras": {"was": clean}}, clean, picture]


@pytest.mark.parametrize(
    "message",
    [
        AIMessage(NUMBER, id="a"),
        SystemMessage(NUMBER, id="s"),
        ToolMessage(NUMBER, tool_call_id="t"),
        ChatMessage(content=NUMBER, role="assistant"),
        HumanMessage("晚上好 / good evening", id=NUMBER),
    ],
)
def test_what_others_said_and_what_is_not_private_is_given_back_itself(message: BaseMessage) -> None:
    assert redacted_message(message, redacted) is message


def test_a_chat_message_in_the_user_s_role_is_the_user_s() -> None:
    assert redacted_message(ChatMessage(content=EN, role="user"), redacted).content == EN_CLEAN


@BOTH
@pytest.mark.parametrize(
    "form",
    [
        lambda text: text,
        lambda text: [text, "嗯 ok"],
        lambda text: [("user", text)],
        lambda text: [["human", text]],
        lambda text: ("user", text),
        lambda text: {"role": "user", "content": text, "id": NUMBER},
        lambda text: [{"type": "human", "content": [{"type": "text", "text": text}], "note": text}],
        lambda text: {"lc": 1, "type": "constructor", "id": ["x", "HumanMessage"], "kwargs": {"content": text}},
        lambda text: {"content": text},
        lambda text: [[["user", [text]]]],
        lambda text: {"__overwrite__": [text]},
        lambda text: {"type": "__overwrite__", "value": [("user", text)]},
    ],
)
def test_every_form_of_a_message_is_redacted_and_keeps_its_form(form: Any, raw: str, clean: str) -> None:
    given_one = form(raw)
    before = deepcopy(given_one)
    assert written(given_one) == form(clean)
    assert given_one == before


@pytest.mark.parametrize(
    "of_others",
    [
        [("ai", NUMBER)],
        [["system", NUMBER]],
        {"role": "assistant", "content": NUMBER},
        {"type": "remove", "id": NUMBER},
        {"lc": 1, "type": "constructor", "id": ["x", "ToolMessage"], "kwargs": {"content": NUMBER}},
    ],
)
def test_messages_of_others_stay_in_every_form(of_others: Any) -> None:
    assert written(of_others) == of_others


def test_what_replaces_all_messages_is_redacted_too() -> None:
    assert written(Overwrite(value=[HumanMessage(ZH, id="1")])) == Overwrite(value=[HumanMessage(ZH_CLEAN, id="1")])
    assert written(_DeltaSnapshot([HumanMessage(EN, id="1")])) == _DeltaSnapshot([HumanMessage(EN_CLEAN, id="1")])


@pytest.mark.parametrize(
    ("answer", "kept"),
    [
        (NUMBER, "[phone]"),
        (ZH, ZH_CLEAN),
        ([EN, True], [EN_CLEAN, True]),
        (
            {"phone": int(NUMBER), "agreed": True, "times": 3, "on": None},
            {"phone": "[phone]", "agreed": True, "times": 3, "on": None},
        ),
        ({NUMBER: ["好", 1.5]}, {"[phone]": ["好", 1.5]}),
    ],
)
def test_the_answer_to_an_interrupt_is_redacted_however_it_is_given(answer: Any, kept: Any) -> None:
    assert written(answer, "__resume__") == kept


def test_the_text_of_an_error_is_redacted() -> None:
    assert written(ValueError(f"no such {NUMBER}"), "__error__") == "ValueError('no such [phone]')"


@pytest.mark.parametrize("channel", ["turn_id", "summary", "recalled", "extracted_upto", "branch:to:llm"])
def test_other_channels_stay(channel: str) -> None:
    assert written([NUMBER], channel) == [NUMBER]


def test_a_checkpoint_is_redacted_in_its_input_and_its_messages_and_nowhere_else() -> None:
    checkpoint = empty_checkpoint()
    checkpoint["channel_values"] = {
        "__start__": {"messages": [("user", ZH)], "beside": EN},
        "messages": [HumanMessage(EN, id="1"), AIMessage(NUMBER, id="2")],
        "turn_id": NUMBER,
    }
    before = deepcopy(checkpoint)
    kept = redacted_checkpoint(checkpoint, redacted)
    assert kept["channel_values"] == {
        "__start__": {"messages": [("user", ZH_CLEAN)], "beside": EN_CLEAN},
        "messages": [HumanMessage(EN_CLEAN, id="1"), AIMessage(NUMBER, id="2")],
        "turn_id": NUMBER,
    }
    assert {**kept, "channel_values": None} == {**before, "channel_values": None}
    assert checkpoint == before


texts = st.text(st.sampled_from("1380 电话user."), max_size=30)
values: st.SearchStrategy[Any] = st.recursive(
    texts | st.integers() | st.booleans() | st.none(),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(texts, inner, max_size=4),
    max_leaves=12,
)


@given(values)
def test_no_private_string_or_number_is_left_at_any_depth(value: Any) -> None:
    clean = redacted_strings(value, redacted)
    assert not re.search(r"\d{11}", repr(clean))
    assert redacted_strings(clean, redacted) == clean


@given(values)
def test_whatever_is_written_as_messages_redacting_twice_is_redacting_once(value: Any) -> None:
    once = written(value)
    assert written(once) == once


@given(st.lists(texts, max_size=5))
def test_messages_keep_their_number_their_order_and_their_ids(said: list[str]) -> None:
    messages = [HumanMessage(text, id=f"m{at}") for at, text in enumerate(said)]
    kept = written(messages)
    assert [(one.id, one.content) for one in kept] == [(f"m{at}", redacted(text)) for at, text in enumerate(said)]


class Redactors:
    """Gives the one redactor, and notes who ran when it was asked for."""

    def __init__(self) -> None:
        self.asked: list[str | None] = []

    async def __call__(self, runtime: Any) -> Any:
        self.asked.append(context_user(runtime))
        return redacted


@pytest.fixture
def redactors() -> Redactors:
    return Redactors()


@pytest.fixture
async def saver(tmp_path: Path, redactors: Redactors) -> AsyncIterator[ThreadSaver]:
    path = tmp_path / "threads" / "threads.db"
    async with open_saver(path, owner_of=lambda user: f"owner {user}", redactor_for=redactors) as opened:
        yield opened


async def human_contents(saver: ThreadSaver) -> set[str]:
    """Collect what the user said in all states of the thread."""
    history = conversation(saver).aget_state_history({"configurable": {"thread_id": "t"}})
    states = [state async for state in history]
    return {one.text for state in states for one in state.values.get("messages", ()) if one.type == "human"}


@BOTH
@pytest.mark.parametrize("durability", ["sync", "async", "exit"])
async def test_no_byte_of_it_is_written_and_the_run_goes_on_with_what_it_was_given(
    saver: ThreadSaver, redactors: Redactors, tmp_path: Path, durability: Durability, raw: str, clean: str
) -> None:
    graph, config = conversation(saver), RunnableConfig(configurable={"thread_id": "t"})
    for at in range(9):  # past the channel's whole snapshot
        said = {"messages": [HumanMessage(raw, id=f"m{at}")]}
        ended = await graph.ainvoke(said, config, context=Context(user_id="ada"), durability=durability)
        assert ended["messages"][-2].text == raw
    assert await said_in(graph, "t") == [clean] * 9
    assert await human_contents(saver) == {clean}
    assert set(redactors.asked) == {"ada"}
    kept = bytes_in(tmp_path / "threads").replace(f"「{raw}」".encode(), b"")  # what this model repeated is the model's
    assert NUMBER.encode() not in kept
    assert clean.encode() in kept


async def test_an_answer_and_an_edit_from_outside_are_redacted_too(
    saver: ThreadSaver, redactors: Redactors, tmp_path: Path
) -> None:
    graph, config = conversation(saver), RunnableConfig(configurable={"thread_id": "t"})
    await graph.ainvoke({"messages": [HumanMessage("ask me 问我", id="1")]}, config, context=Context(user_id="ada"))
    await graph.ainvoke(Command(resume=NUMBER), config, context=Context(user_id="ada"))
    await graph.aupdate_state(config, {"messages": [HumanMessage(ZH, id="2")]})
    assert await said_in(graph, "t") == ["ask me 问我", ZH_CLEAN]
    assert NUMBER.encode() not in bytes_in(tmp_path / "threads")
    assert redactors.asked[-1] is None


async def test_a_run_from_an_old_checkpoint_says_the_same_with_the_same_ids(saver: ThreadSaver, tmp_path: Path) -> None:
    graph, config = conversation(saver), RunnableConfig(configurable={"thread_id": "t"})
    await graph.ainvoke({"messages": [HumanMessage(ZH, id="1")]}, config, context=Context(user_id="ada"))
    (first, *_) = [state.config async for state in graph.aget_state_history(config) if state.next == ("__start__",)]
    again = await graph.ainvoke(None, first, context=Context(user_id="ada"))
    assert [(one.id, one.text) for one in again["messages"]] == [("1", ZH_CLEAN), ("1-reply", f"「{ZH_CLEAN}」收到了")]


async def test_without_a_redactor_the_thread_holds_what_was_typed(tmp_path: Path) -> None:
    async with open_saver(tmp_path / "plain" / "threads.db", owner_of=lambda user: user) as plain:
        graph = conversation(plain)
        await graph.ainvoke({"messages": [HumanMessage(EN, id="1")]}, {"configurable": {"thread_id": "t"}})
        assert await said_in(graph, "t") == [EN]
        assert NUMBER.encode() in bytes_in(tmp_path / "plain")
