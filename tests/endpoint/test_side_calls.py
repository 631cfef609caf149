"""Side calls: what the small model is asked stays between it and us, and its answer is whole or an error."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from langgraph.constants import TAG_NOSTREAM
from langgraph.graph import START, StateGraph
from openai import AuthenticationError
from typing_extensions import TypedDict

from graph.models.choice import model_named, small_model_named
from graph.models.failures import UnreadableAnswerError
from graph.parts import make_parts
from jiyi.testing import ScriptedModel
from tests.endpoint.answers import Fails, Raw, Says
from tests.endpoint.choosing import chosen
from tests.endpoint.dialects import DIALECTS, Dialect
from tests.endpoint.endpoint import Endpoint

THOUGHT = "嗯，没有什么可记的"


async def test_what_a_side_call_says_never_reaches_the_users_stream(endpoint: Endpoint, tmp_path: Path) -> None:
    remote = small_model_named("openai:small", chosen=chosen(endpoint))
    given = make_parts(chosen(endpoint, jiyi_home=tmp_path), small_model=ScriptedModel(replies=["aside"])).small_model(
        ""
    )
    endpoint.will(Says(text="aside"))
    for small in (remote, given):
        assert small.tags == [TAG_NOSTREAM]
        assert await streamed_by_a_node(small) == []
    assert [one["model"] for one in endpoint.chats] == ["small"]
    assert not endpoint.chats[0].get("stream")


async def test_the_same_without_the_tag_would(endpoint: Endpoint) -> None:
    endpoint.will(Says(text="aside"))
    assert "".join(await streamed_by_a_node(model_named("openai:m", chosen=chosen(endpoint)))) == "aside"


class Nothing(TypedDict):
    """The state of a graph that only makes a side call."""

    done: bool


async def streamed_by_a_node(model: Any) -> list[str]:
    """Give what a node's side call puts into the stream of messages."""

    async def ask(state: Nothing) -> Nothing:
        assert (await model.ainvoke("summarize this")).text == "aside"
        return {"done": not state["done"]}

    graph = StateGraph(Nothing).add_node("ask", ask).add_edge(START, "ask").compile()
    run: Any = graph.astream({"done": False}, stream_mode="messages")
    return [part[0].text async for part in run]


@pytest.mark.parametrize("dialect", DIALECTS.values(), ids=lambda dialect: dialect.name)
async def test_a_side_call_gets_its_answer_whole_and_without_thinking(dialect: Dialect, endpoint: Endpoint) -> None:
    endpoint.dialect = dialect
    endpoint.will(Says(text='{"facts": []}', thinking=THOUGHT))
    small = small_model_named("openai:m", chosen=chosen(endpoint))
    assert (await small.ainvoke("give json")).content == '{"facts": []}'


async def test_a_side_call_is_tried_again_too_and_fails_with_the_clients_error(endpoint: Endpoint) -> None:
    small = small_model_named("openai:m", chosen=chosen(endpoint))
    soon = Fails(kind="overloaded", headers={"Retry-After": "0.01"})
    endpoint.will(soon, soon, Says(text="{}"), Fails(kind="wrong_key"))
    assert (await small.ainvoke("give json")).content == "{}"
    with pytest.raises(AuthenticationError):
        await small.ainvoke("give json")
    assert len(endpoint.chats) == 4


@pytest.mark.parametrize(
    "answer",
    [
        Raw(body=b"<html>Sign in</html>", content_type="text/html"),
        Raw(body=b'{"choices": [{"mess'),
        Raw(body=b'{"error": null, "choices": null}'),
        Raw(body=b'{"status": "ok"}'),
        Raw(body=b'{"choices": [{"finish_reason": "stop"}]}'),
    ],
    ids=["page", "half", "null", "other", "no message"],
)
async def test_what_is_no_answer_is_said_to_be_none(answer: Raw, endpoint: Endpoint) -> None:
    endpoint.will(answer)
    with pytest.raises(UnreadableAnswerError, match="OPENAI_BASE_URL"):
        await small_model_named("openai:m", chosen=chosen(endpoint)).ainvoke("give json")
