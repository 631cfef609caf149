"""The endpoint itself: what a client of OpenAI's makes of each dialect, so that tests can rely on it."""

from __future__ import annotations

import pytest
from openai import APIConnectionError, APIStatusError, APITimeoutError, AsyncOpenAI, AuthenticationError

from tests.endpoint.answers import Call, Fails, Raw, Says, Silent, limited
from tests.endpoint.dialects import DEEPSEEK, DIALECTS, LM_STUDIO, OLLAMA, OPENAI, VLLM, Dialect
from tests.endpoint.endpoint import Endpoint

ASKED = [{"role": "user", "content": "你好"}]
TOOLS = [{"type": "function", "function": {"name": "status", "parameters": {"type": "object", "properties": {}}}}]
SCHEMA = {"type": "json_schema", "json_schema": {"name": "x", "schema": {"type": "object"}}}
every_dialect = pytest.mark.parametrize("dialect", DIALECTS.values(), ids=lambda dialect: dialect.name)


def client_of(endpoint: Endpoint, *, key: str = "k", timeout_s: float = 20) -> AsyncOpenAI:
    return AsyncOpenAI(base_url=endpoint.url, api_key=key, max_retries=0, timeout=timeout_s)


async def streamed(endpoint: Endpoint, **options: object) -> tuple[str, str, list[str]]:
    """Give the text, the arguments of the calls and their ids, as a client puts them together."""
    text, arguments, ids = "", "", []
    async with client_of(endpoint) as client:
        stream = await client.chat.completions.create(model="m", messages=ASKED, stream=True, **options)  # type: ignore[call-overload]
        async for chunk in stream:
            for choice in chunk.choices:
                text += choice.delta.content or ""
                for call in choice.delta.tool_calls or []:
                    arguments += call.function.arguments or ""
                    ids += [call.id] if call.id else []
    return text, arguments, ids


@every_dialect
async def test_a_text_comes_whole_and_in_pieces(endpoint: Endpoint, dialect: Dialect) -> None:
    endpoint.dialect = dialect
    endpoint.will(Says(text="你好，有什么事？"), Says(text="你好，有什么事？"))
    async with client_of(endpoint) as client:
        done = await client.chat.completions.create(model="m", messages=ASKED)  # type: ignore[arg-type]
    assert done.choices[0].message.content == "你好，有什么事？"
    assert (await streamed(endpoint))[0] == "你好，有什么事？"
    assert [one.get("stream", False) for one in endpoint.chats] == [False, True]


@every_dialect
async def test_a_call_comes_with_all_its_arguments(endpoint: Endpoint, dialect: Dialect) -> None:
    endpoint.dialect = dialect
    endpoint.will(Says(calls=(Call(tool="status", args={"order_id": "#8842"}, id="c7"),)))
    assert await streamed(endpoint, tools=TOOLS) == ("", '{"order_id": "#8842"}', ["c7"])
    assert endpoint.asked[-1].tools == ["status"]


@every_dialect
async def test_thinking_stands_where_the_dialect_puts_it(endpoint: Endpoint, dialect: Dialect) -> None:
    endpoint.dialect = dialect
    endpoint.will(Says(text="好", thinking="嗯，让我想想"))
    async with client_of(endpoint) as client:
        done = await client.chat.completions.create(model="m", messages=ASKED)  # type: ignore[arg-type]
    message = done.choices[0].message.model_dump()
    thought = message["content"] if dialect.thinking == "tags" else message[dialect.thinking]
    assert "嗯，让我想想" in thought
    assert message["content"].endswith("好")


@every_dialect
async def test_a_wrong_key_and_an_unknown_model_are_refused_in_the_dialects_words(dialect: Dialect) -> None:
    with Endpoint(Says(text="hi"), dialect=dialect, key="right", models=["m"]).serving() as endpoint:
        async with client_of(endpoint, key="wrong") as client:
            with pytest.raises(AuthenticationError) as wrong:
                await client.chat.completions.create(model="m", messages=ASKED)  # type: ignore[arg-type]
        async with client_of(endpoint, key="right") as client:
            with pytest.raises(APIStatusError) as unknown:
                await client.chat.completions.create(model="other", messages=ASKED)  # type: ignore[arg-type]
            assert [model.id for model in (await client.models.list()).data] == ["m"]
    assert dialect.fault("wrong_key").message in wrong.value.response.text
    assert unknown.value.status_code == dialect.fault("no_model").status
    assert [one.key for one in endpoint.asked] == ["wrong", "right", "right"]


@pytest.mark.parametrize(
    ("dialect", "wanted", "status"),
    [
        (OPENAI, {"response_format": SCHEMA}, None),
        (DEEPSEEK, {"response_format": SCHEMA}, 400),
        (DEEPSEEK, {"response_format": {"type": "json_object"}}, 400),
        (LM_STUDIO, {"response_format": {"type": "json_object"}}, 400),
        (LM_STUDIO, {"response_format": SCHEMA}, None),
        (LM_STUDIO, {"tool_choice": {"type": "function", "function": {"name": "status"}}, "tools": TOOLS}, 400),
        (LM_STUDIO, {"tool_choice": "required", "tools": TOOLS}, None),
        (DEEPSEEK, {"tool_choice": "required", "tools": TOOLS}, 400),
        (OLLAMA, {"tool_choice": "required", "tools": TOOLS}, None),
        (VLLM, {"response_format": SCHEMA}, None),
    ],
)
async def test_what_a_dialect_does_not_take_uses_up_no_answer(
    endpoint: Endpoint, dialect: Dialect, wanted: dict[str, object], status: int | None
) -> None:
    endpoint.dialect = dialect
    endpoint.will(Says(text="{}"))
    async with client_of(endpoint) as client:
        if status:
            with pytest.raises(APIStatusError) as refused:
                await client.chat.completions.create(model="m", messages=ASKED, **wanted)  # type: ignore[call-overload]
            assert refused.value.status_code == status
        done = await client.chat.completions.create(model="m", messages=ASKED)  # type: ignore[arg-type]
    assert done.choices[0].message.content == "{}"


async def test_a_limit_says_when_to_come_again(endpoint: Endpoint) -> None:
    endpoint.will(limited(7))
    async with client_of(endpoint) as client:
        with pytest.raises(APIStatusError) as refused:
            await client.chat.completions.create(model="m", messages=ASKED)  # type: ignore[arg-type]
    assert refused.value.response.headers["retry-after"] == "7"


async def test_silence_is_a_time_out(endpoint: Endpoint) -> None:
    endpoint.will(Silent())
    async with client_of(endpoint, timeout_s=0.2) as client:
        with pytest.raises(APITimeoutError):
            await client.chat.completions.create(model="m", messages=ASKED)  # type: ignore[arg-type]


async def test_a_cut_stream_raises_after_what_had_come(endpoint: Endpoint) -> None:
    endpoint.will(Says(text="begun but not", then="cut"))
    with pytest.raises(APIConnectionError):
        await streamed(endpoint)


@pytest.mark.parametrize("then", ["garbage", "error"])
async def test_what_stands_in_a_stream_and_is_no_answer_raises(endpoint: Endpoint, then: str) -> None:
    endpoint.will(Says(text="begun", then=then))  # type: ignore[arg-type]
    with pytest.raises(Exception, match=r"Unterminated|server had an error"):
        await streamed(endpoint)


async def test_bytes_come_as_they_are(endpoint: Endpoint) -> None:
    endpoint.will(Raw(body=b"<html>Bad Gateway</html>", status=502, content_type="text/html"), Fails(kind="broken"))
    async with client_of(endpoint) as client:
        for status in (502, 500):
            with pytest.raises(APIStatusError) as refused:
                await client.chat.completions.create(model="m", messages=ASKED)  # type: ignore[arg-type]
            assert refused.value.status_code == status
