"""Structured answers: any endpoint, in the way that it knows; what cannot be read is a value with its reason."""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from langchain_core.language_models import BaseChatModel
from langchain_core.messages import AIMessage, BaseMessage, HumanMessage, SystemMessage
from langchain_core.outputs import ChatGeneration, ChatResult
from langgraph.graph import START, StateGraph
from pydantic import BaseModel, PrivateAttr
from typing_extensions import TypedDict

from graph.models.structured import Failure, structured
from graph.models.structured_reading import Fault, read_reply, read_text
from graph.models.structured_ways import strict_schema, ways_of
from jiyi.testing import ScriptedModel, tool_call
from tests.endpoint.answers import Answer, Call, Fails, Says, Silent
from tests.endpoint.dialects import DEEPSEEK, LM_STUDIO, OLLAMA, OPENAI, QWEN, VLLM, Dialect, Refusal
from tests.endpoint.endpoint import Endpoint

ASKED: list[BaseMessage] = [SystemMessage("List what is to be bought."), HumanMessage("Tea and rice.")]
ASKED_IN_CHINESE: list[BaseMessage] = [SystemMessage("列出要买的东西。"), HumanMessage("茶和米。")]
GOOD = '{"items": ["tea", "rice"]}'
NO_TOOLS = Refusal(status=400, message="registry.local/m does not support tools")
PLAIN_ONLY = Dialect(
    name="plain only",
    formats=frozenset({"text"}),
    no_format=Refusal(status=422, message="body.response_format: extra fields not permitted"),
    refused_fields={"tools": NO_TOOLS},
)


class List(BaseModel):
    items: list[str]


class Asked(TypedDict):
    asked: bool


class TextOnlyModel(BaseChatModel):
    """A model of somebody's own that knows nothing but messages."""

    says: str
    _seen: list[list[BaseMessage]] = PrivateAttr(default_factory=list)

    @property
    def _llm_type(self) -> str:
        return "text-only"

    def _generate(self, messages: list[BaseMessage], *_: Any, **__: Any) -> ChatResult:
        self._seen.append(messages)
        return ChatResult(generations=[ChatGeneration(message=AIMessage(self.says))])

    @property
    def seen(self) -> list[list[BaseMessage]]:
        return self._seen


@contextmanager
def endpoint_of(*answers: Answer, dialect: Dialect = OPENAI) -> Iterator[Endpoint]:
    with Endpoint(*answers, dialect=dialect).serving() as serving:
        yield serving


def client(endpoint: Endpoint, *, timeout_s: float = 20, **more: Any) -> BaseChatModel:
    from langchain_openai import ChatOpenAI  # noqa: PLC0415
    from openai import DefaultAsyncHttpxClient  # noqa: PLC0415

    closing = {"Connection": "close"}  # so that none is left open behind the test
    known: dict[str, Any] = {
        "api_key": "k",
        "base_url": endpoint.url,
        "timeout": timeout_s,
        "max_retries": 0,
        "http_async_client": DefaultAsyncHttpxClient(headers=closing),
    }
    return ChatOpenAI(model="m", **(known | more))


def way_of(body: Any) -> str:
    if "response_format" in body:
        return str(body["response_format"]["type"])
    if "tools" not in body:
        return "text"
    choice = body.get("tool_choice")
    return f"tools, {choice if isinstance(choice, str) else 'named'}"


CALLED = Says(calls=(Call(tool="answer", args={"items": ["tea", "rice"]}),))
WAYS = [
    (OPENAI, Says(text=GOOD), ["json_schema"]),
    (VLLM, Says(text=GOOD), ["json_schema"]),
    (OLLAMA, Says(text=GOOD), ["json_schema"]),
    (LM_STUDIO, Says(text=GOOD, thinking="Two things."), ["json_schema"]),
    (DEEPSEEK, CALLED, ["json_schema", "tools, named", "tools, required", "tools, auto"]),
    (replace(QWEN, formats=frozenset({"text"}), no_format=DEEPSEEK.no_format), CALLED, None),
    (replace(DEEPSEEK, choices=OPENAI.choices), CALLED, ["json_schema", "tools, named"]),
    (PLAIN_ONLY, Says(text=GOOD), ["json_schema", "tools, named", "tools, required", "tools, auto", "text"]),
]


@pytest.mark.parametrize(("dialect", "answer", "ways"), WAYS)
async def test_the_way_that_an_endpoint_knows_is_found_once(
    dialect: Dialect, answer: Answer, ways: list[str] | None
) -> None:
    with endpoint_of(answer, answer, answer, dialect=dialect) as endpoint:
        assert await structured(client(endpoint), ASKED, List) == List(items=["tea", "rice"])
        found = [way_of(body) for body in endpoint.chats]
        assert found == (ways or ["json_schema", "tools, named", "tools, required", "tools, auto"])
        assert await structured(client(endpoint), ASKED, List) == List(items=["tea", "rice"])
        assert [way_of(body) for body in endpoint.chats[len(found) :]] == [found[-1]]


async def test_the_schema_stands_in_the_prompt_only_where_nothing_else_tells_it() -> None:
    with endpoint_of(Says(text=GOOD), dialect=PLAIN_ONLY) as endpoint:
        await structured(client(endpoint), ASKED_IN_CHINESE, List)
        *refused, taken = endpoint.chats
    assert [len(body["messages"]) for body in (*refused, taken)] == [2] * 5
    assert all("JSON" not in body["messages"][-1]["content"] for body in refused)
    assert taken["messages"][-1]["content"].startswith("茶和米。\n\n只输出一个 JSON 对象")
    assert '"additionalProperties": false' in taken["messages"][-1]["content"]


async def test_it_is_asked_at_temperature_0_and_not_as_a_stream() -> None:
    with endpoint_of(Says(text=GOOD)) as endpoint:
        await structured(client(endpoint, temperature=1.3, streaming=True), ASKED, List)
        assert endpoint.chats[0]["temperature"] == 0
        assert not endpoint.chats[0].get("stream")


async def test_an_endpoint_that_takes_only_its_own_temperature_gets_it() -> None:
    only_its_own = Refusal(status=400, message="Unsupported value: 'temperature' does not support 0 with this model.")
    dialect = replace(OPENAI, refused_fields={"temperature": only_its_own})
    with endpoint_of(Says(text=GOOD), Says(text=GOOD), dialect=dialect) as endpoint:
        for _ in range(2):
            assert await structured(client(endpoint), ASKED, List) == List(items=["tea", "rice"])
        assert ["temperature" in body for body in endpoint.chats] == [True, False, False]
        assert {way_of(body) for body in endpoint.chats} == {"json_schema"}


@pytest.mark.parametrize("kind", ["wrong_key", "no_model", "limited", "no_money", "too_long", "refused", "broken"])
@pytest.mark.parametrize("dialect", [OPENAI, DEEPSEEK], ids=["openai", "deepseek"])
async def test_what_has_nothing_to_do_with_the_way_does_not_move_on(dialect: Dialect, kind: Any) -> None:
    speaking = replace(dialect, formats=OPENAI.formats)
    with endpoint_of(Fails(kind=kind), Says(text=GOOD), dialect=speaking) as endpoint:
        failed = await structured(client(endpoint), ASKED, List)
        assert isinstance(failed, Failure)
        assert (failed.kind, failed.error is None) == ("endpoint", False)
        assert str(dialect.fault(kind).status) in failed.reason
        assert len(endpoint.chats) == 1
        assert await structured(client(endpoint), ASKED, List) == List(items=["tea", "rice"])  # nothing was concluded
        assert way_of(endpoint.chats[1]) == "json_schema"


async def test_silence_is_a_failure_and_does_not_move_on() -> None:
    with endpoint_of(Silent()) as endpoint:
        failed = await structured(client(endpoint, timeout_s=0.2), ASKED, List)
        assert isinstance(failed, Failure)
        assert (failed.kind, "Timeout" in failed.reason) == ("endpoint", True)
        assert len(endpoint.chats) == 1


@pytest.mark.parametrize(("asked", "wrong"), [(ASKED, "no complete JSON"), (ASKED_IN_CHINESE, "没有完整的 JSON")])
async def test_an_answer_that_cannot_be_read_is_asked_for_once_more_saying_what_was_wrong(
    asked: list[BaseMessage], wrong: str
) -> None:
    with endpoint_of(Says(text="Tea and rice, then."), Says(text=GOOD)) as endpoint:
        assert await structured(client(endpoint), asked, List) == List(items=["tea", "rice"])
        *_, shown, told = endpoint.chats[1]["messages"]
    assert (shown["role"], shown["content"]) == ("assistant", "Tea and rice, then.")
    assert told["role"] == "user"
    assert wrong in told["content"]
    assert '"items"' in told["content"]  # whoever ignores the schema on the wire reads it here


async def test_two_answers_that_cannot_be_read_are_a_failure_with_its_reason_and_not_an_empty_answer() -> None:
    with endpoint_of(Says(text='{"items": "secret"}'), Says(text='{"items": 7}'), Says(text=GOOD)) as endpoint:
        failed = await structured(client(endpoint), ASKED, List)
        assert isinstance(failed, Failure)
        assert failed.kind == "malformed"
        assert "items" in failed.reason
        assert "secret" not in failed.reason
        assert len(endpoint.chats) == 2


async def test_an_answer_that_was_cut_off_is_never_taken_for_whole() -> None:
    cut = Says(text='{"items": ["tea", "ri', finish="length")
    with endpoint_of(cut, cut) as endpoint:
        failed = await structured(client(endpoint), ASKED, List)
    assert isinstance(failed, Failure)
    assert "before it is complete" in failed.reason
    with endpoint_of(cut, Says(text=GOOD)) as endpoint:
        assert await structured(client(endpoint), ASKED, List) == List(items=["tea", "rice"])
        assert "make it shorter" in endpoint.chats[1]["messages"][-1]["content"]


async def test_arguments_of_a_call_that_are_no_json_are_read_as_text_is() -> None:
    dialect = replace(DEEPSEEK, choices=OPENAI.choices)
    fenced = Says(calls=(Call(tool="answer", args='{"items": ["tea",]}'),))
    broken = Says(calls=(Call(tool="answer", args="{items: tea"),))
    with endpoint_of(fenced, broken, CALLED, dialect=dialect) as endpoint:
        assert await structured(client(endpoint), ASKED, List) == List(items=["tea"])
        assert await structured(client(endpoint), ASKED, List) == List(items=["tea", "rice"])
        assert endpoint.chats[-1]["messages"][-2] == {"role": "assistant", "content": "{items: tea"}


async def test_a_model_of_ones_own_is_asked_by_tool_or_in_plain_words() -> None:
    calling = ScriptedModel(replies=[tool_call("answer", items=["tea"])])
    assert await structured(calling, ASKED, List) == List(items=["tea"])
    assert calling.tools_seen == [["answer"]]
    saying = ScriptedModel(replies=[f"Here it is:\n```json\n{GOOD}\n```\nAnything else?"])
    assert await structured(saying, ASKED, List) == List(items=["tea", "rice"])
    plain = TextOnlyModel(says=GOOD)
    assert ways_of(plain) == ("text",)
    assert await structured(plain, ASKED, List) == List(items=["tea", "rice"])
    assert "JSON" in plain.seen[0][-1].text


async def test_what_a_model_says_within_a_graph_is_streamed_to_nobody() -> None:
    async def ask(state: Asked) -> Asked:
        answer = await structured(ScriptedModel(replies=["Hm.", GOOD]), ASKED, List)
        return {"asked": isinstance(answer, List)}

    builder = StateGraph(Asked)
    builder.add_node("ask", ask)
    builder.add_edge(START, "ask")
    streamed = builder.compile().astream({"asked": False}, stream_mode=["messages", "updates"])
    assert [part async for part in streamed] == [("updates", {"ask": {"asked": True}})]


async def test_whatever_a_model_raises_is_a_value() -> None:
    failed = await structured(ScriptedModel(replies=[ConnectionError("gone: Tea and rice.")]), ASKED, List)
    assert isinstance(failed, Failure)
    assert (failed.kind, failed.reason) == ("endpoint", "ConnectionError")


READ = [
    GOOD,
    f"```json\n{GOOD}\n```",
    f"```\n{GOOD}\n```",
    f"Sure! Here is the list:\n{GOOD}\nLet me know [if] {{anything}} is missing.",
    f"好的，结果如下：{GOOD}。还需要别的吗？",
    f"<think>Maybe {{'items': []}}? No.</think>\n{GOOD}",
    f'<thinking>{{"items": ["draft"]}}</thinking><think>again</think>{GOOD}',
    f'The template opened it: {{"items": ["draft"]}} </think>\n\n{GOOD}',
    f"<think>\n{GOOD}",
    '{"items": ["tea", "rice",],}',
    '["tea", "rice"]',
    f"{GOOD}\n{GOOD}",
]
NOT_READ = [
    ("", "empty"),
    ("<think>Tea, rice", "empty"),
    ('<think>I could say {"items": ["draft"]}, or not', "empty"),
    ("Tea and rice.", "no_json"),
    ("[1] says tea", "shape"),
    ('{"items": ["tea", "ri', "cut"),
    ('{"items": ["tea", "rice"', "cut"),
    ('```json\n{"items": ["tea"],', "cut"),
    ('{"items": ["tea"]} or rather {"items": ["tea", ', "cut"),
    ('{"items": ["tea"]} or rather {"items": ["rice"]}', "several"),
    ('{"things": ["tea"]}', "shape"),
    ("{'items': ['tea']}", "no_json"),
    ('{items: ["tea"]}', "no_json"),
    ("[" * 5000, "no_json"),
]


@pytest.mark.parametrize("text", READ)
def test_what_is_only_wrapped_is_read(text: str) -> None:
    assert read_text(text, List) == List(items=["tea", "rice"])


@pytest.mark.parametrize(("text", "kind"), NOT_READ)
def test_what_would_have_to_be_guessed_is_a_fault(text: str, kind: str) -> None:
    read = read_text(text, List)
    assert isinstance(read, Fault)
    assert read.kind == kind


def test_marks_within_strings_are_left_alone() -> None:
    items = ["<think>", "</think>", "```json", "a,]", 'b",}', "{", "c\nd"]
    assert read_text(json.dumps({"items": items}), List) == List(items=items)
    assert read_text('{"items": ["two\nlines", "a,]",]}', List) == List(items=["two\nlines", "a,]"])


def test_several_calls_that_differ_are_no_answer() -> None:
    calls = [tool_call("answer", call_id=str(number), items=[str(number)]) for number in range(2)]
    read = read_reply(AIMessage("", tool_calls=calls), List)
    assert isinstance(read, Fault)
    assert read.kind == "several"


def test_strict_endpoints_get_every_field_required_and_nothing_referred_to() -> None:
    class Part(BaseModel):
        title: str = ""

    class Whole(BaseModel):
        """Not for the model."""

        parts: list[Part]

    part = {"type": "object", "properties": {"title": {"type": "string"}}, "required": ["title"]}
    assert strict_schema(Whole) == {
        "type": "object",
        "properties": {"parts": {"type": "array", "items": part | {"additionalProperties": False}}},
        "required": ["parts"],
        "additionalProperties": False,
    }


@given(items=st.lists(st.text(max_size=8), max_size=4), before=st.text(alphabet="abc 好。\n", max_size=10))
def test_whatever_the_strings_hold_they_come_back(items: list[str], before: str) -> None:
    said = json.dumps({"items": items}, ensure_ascii=False)
    assert read_text(f"{before}{said}{before}", List) == List(items=items)
    assert read_text(f"```json\n{said}\n```", List) == List(items=items)


@given(text=st.text(alphabet='{}[]",:<>/think`\\ a1\n', max_size=60))
def test_any_text_gives_an_answer_or_a_fault(text: str) -> None:
    assert isinstance(read_text(text, List), List | Fault)
