from __future__ import annotations

import ast
import inspect
import math
from datetime import UTC, datetime, timedelta, timezone
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from langchain_core.messages import AIMessage, AIMessageChunk, BaseMessage, HumanMessage, ToolCall
from langchain_core.tools import tool

from jiyi import testing
from jiyi.testing import FailingEmbedder, FixedClock, HashEmbedder, ScriptedModel, ScriptExhaustedError, tool_call
from memory.seams import Clock, Embedder, EmbeddingError


@tool
def status(order_id: str) -> str:
    """Look up an order."""
    return order_id


def test_every_public_name_is_exported_and_documented() -> None:
    tree = ast.parse(Path(testing.__file__).read_text(encoding="utf-8"))
    defined = [node for node in tree.body if isinstance(node, ast.ClassDef | ast.FunctionDef)]
    public = {node.name for node in defined if not node.name.startswith("_")}
    assert public | {"Reply"} == set(testing.__all__)
    assert all(inspect.getdoc(getattr(testing, name)) for name in testing.__all__)
    assert all(ast.get_docstring(node) for node in defined if not node.name.startswith("_"))


async def test_a_scripted_model_gives_its_replies_in_order_and_keeps_what_it_saw() -> None:
    model = ScriptedModel(replies=["你好", AIMessage("again", id="a2")])
    assert (await model.ainvoke("first")).text == "你好"
    second = model.invoke([HumanMessage("second")])
    assert (second.text, second.id) == ("again", "a2")
    assert [[message.text for message in seen] for seen in model.seen] == [["first"], ["second"]]


async def test_a_scripted_model_can_call_tools_and_notes_which_were_bound() -> None:
    model = ScriptedModel(replies=[tool_call("status", order_id="#8842"), "shipped"])
    bound = model.bind_tools([status])
    first = await bound.ainvoke("where is it?")
    assert first.tool_calls == [ToolCall(name="status", args={"order_id": "#8842"}, id="call_0", type="tool_call")]
    assert (await model.ainvoke("again")).text == "shipped"
    assert model.tools_seen == [["status"], []]


async def test_a_scripted_model_can_be_a_function_of_the_messages() -> None:
    def echo(messages: list[BaseMessage]) -> str:
        return messages[-1].text.upper()

    assert (await ScriptedModel(replies=echo).ainvoke("ok")).text == "OK"


async def test_a_scripted_model_streams_characters_and_tool_calls() -> None:
    model = ScriptedModel(replies=["你好！", tool_call("status", call_id="c9", order_id="#1"), ""])
    assert [chunk.text async for chunk in model.astream("hi") if chunk.text] == list("你好！")
    whole = AIMessageChunk(content="")
    for chunk in model.stream("hi"):
        whole += chunk
    assert [(call["name"], call["args"], call["id"]) for call in whole.tool_calls] == [
        ("status", {"order_id": "#1"}, "c9")
    ]
    assert "".join([chunk.text async for chunk in model.astream("hi")]) == ""


async def test_a_scripted_model_raises_what_its_script_says() -> None:
    model = ScriptedModel(replies=[TimeoutError("slow"), "then this"])
    with pytest.raises(TimeoutError, match="slow"):
        await model.ainvoke("hi")
    assert (await model.ainvoke("hi")).text == "then this"
    assert len(model.seen) == 2


async def test_a_script_that_has_ended_says_so() -> None:
    with pytest.raises(ScriptExhaustedError, match="has 0 replies"):
        await ScriptedModel().ainvoke("hi")


async def test_changing_a_reply_does_not_change_the_script() -> None:
    scripted = AIMessage("kept")
    reply = await ScriptedModel(replies=[scripted]).ainvoke("hi")
    reply.content = "changed"
    assert scripted.content == "kept"


def test_a_fixed_clock_stands_until_it_is_moved() -> None:
    clock = FixedClock(datetime(2024, 5, 1, 17, tzinfo=timezone(timedelta(hours=8))))
    as_seam: Clock = clock
    assert as_seam() == clock() == datetime(2024, 5, 1, 9, tzinfo=UTC)
    assert clock().tzinfo is UTC
    assert clock.advance(timedelta(days=1)) == clock() == datetime(2024, 5, 2, 9, tzinfo=UTC)


def test_a_clock_needs_a_time_zone() -> None:
    with pytest.raises(ValueError, match="no time zone"):
        FixedClock(datetime(2024, 5, 1))  # noqa: DTZ001


@settings(deadline=None)
@given(st.lists(st.text(), max_size=4), st.integers(min_value=1, max_value=64))
async def test_hash_vectors_are_of_unit_length_and_always_the_same(texts: list[str], dimensions: int) -> None:
    embedder: Embedder = HashEmbedder(dimensions)
    vectors = await embedder.embed_passages(texts)
    assert vectors == await HashEmbedder(dimensions).embed_queries(texts)
    assert all(len(vector) == embedder.dimensions == dimensions for vector in vectors)
    assert all(math.isclose(math.hypot(*vector), 1) for vector in vectors)


async def test_other_texts_have_other_vectors_and_other_sizes_another_name() -> None:
    first, second = await HashEmbedder().embed_passages(["杭州", "北京"])
    assert first != second
    assert HashEmbedder(8).name != HashEmbedder(16).name


def test_an_embedder_has_at_least_one_dimension() -> None:
    with pytest.raises(ValueError, match="at least 1"):
        HashEmbedder(0)


async def test_a_failing_embedder_fails_until_it_is_told_to_work() -> None:
    failing = FailingEmbedder(4)
    embedder: Embedder = failing
    with pytest.raises(EmbeddingError, match="2 texts"):
        await embedder.embed_passages(["a", "b"])
    with pytest.raises(EmbeddingError):
        await embedder.embed_queries(["a"])
    failing.failing = False
    assert await embedder.embed_queries(["a"]) == await HashEmbedder(4).embed_queries(["a"])
    assert failing.calls == 3
    assert (embedder.name, embedder.dimensions) == ("hash-4", 4)
