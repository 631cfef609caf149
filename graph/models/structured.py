"""Structured answers: a value of a schema from any chat model, in whichever way its endpoint knows.

The way is found out once for each endpoint and model (graph/models/structured_ways.py): a refusal that says that the way
is unknown moves on to the next; a refused key, a limit, a fault of the server or silence do not. An answer that cannot
be read (graph/models/structured_reading.py) is asked for once more, saying what was wrong with it. What fails is a value.
"""

from __future__ import annotations

import asyncio
import json
from collections.abc import Coroutine, Sequence
from dataclasses import dataclass
from typing import Any, Literal, TypeVar

from langchain_core.language_models import BaseChatModel
from langchain_core.messages import AIMessage, BaseMessage, HumanMessage
from langchain_core.runnables import RunnableConfig
from langgraph.constants import TAG_NOSTREAM

from graph.models.structured_reading import Fault, Schema, read_reply
from graph.models.structured_texts import SHAPE_TEXTS
from graph.models.structured_ways import Asking, asked_model, asking_for, asking_instead, remember_asking, strict_schema
from memory.words import has_cjk

Result = TypeVar("Result")

QUIET: RunnableConfig = {"tags": [TAG_NOSTREAM]}
SHOWN_CHARS = 2000
CUT_OFF = "LengthFinishReasonError"
"""What the OpenAI client raises, instead of giving it, for an answer in `json_schema` that was cut off."""


@dataclass(frozen=True, kw_only=True)
class Failure:
    """Why there is no answer: the model gave none that can be read (twice), or its endpoint failed with an `error`.

    `reason` names what happened; it holds nothing of what was asked or answered.
    """

    kind: Literal["malformed", "endpoint"]
    reason: str
    error: Exception | None = None


async def structured(model: BaseChatModel, messages: Sequence[BaseMessage], schema: type[Schema]) -> Schema | Failure:
    """Ask a model for an answer of a schema; what it says is not streamed to anybody.

    Args:
        model: Any chat model.
        messages: What it is asked; the language of the first decides in which it is told about the answer's shape.
        schema: A pydantic model without recursion. It should ignore fields that it does not have: not every
            endpoint holds a model to the schema.

    Returns:
        The answer; or why there is none, which the caller must not take for an empty answer.
    """
    texts = SHAPE_TEXTS["zh" if messages and has_cjk(messages[0].text) else "en"]
    order = texts.order.format(schema=json.dumps(strict_schema(schema), ensure_ascii=False))
    reply = await _reply(model, messages, schema, in_text=order)
    if isinstance(reply, Failure):
        return reply
    read = read_reply(reply, schema)
    if not isinstance(read, Fault):
        return read
    wrong = texts.wrong.format(fault=texts.faults[read.kind].format(detail=read.detail))
    second = await _reply(model, _adding([*messages, *_shown(reply)], f"{wrong}\n{order}"), schema)
    if isinstance(second, Failure):
        return second
    reread = read_reply(second, schema)
    return _malformed(reread) if isinstance(reread, Fault) else reread


async def tried(work: Coroutine[Any, Any, Result]) -> Result | Exception:
    """Do what an endpoint, or what speaks to it, can make fail in ways that nobody can name; give its error as a value."""
    outcome: Result | BaseException = (await asyncio.gather(work, return_exceptions=True))[0]
    if isinstance(outcome, BaseException) and not isinstance(outcome, Exception):
        raise outcome
    return outcome


def failure_of(error: Exception) -> Failure:
    """Say that an endpoint failed; what it wrote besides may hold what it was asked."""
    status = getattr(error, "status_code", None)
    name = type(error).__name__
    return Failure(kind="endpoint", reason=f"{name}, status {status}" if status else name, error=error)


async def _reply(
    model: BaseChatModel, messages: Sequence[BaseMessage], schema: type[Schema], *, in_text: str = ""
) -> AIMessage | Failure:
    """Ask in the way that the endpoint takes; `in_text` is said besides where nothing else tells the schema."""
    asking = asking_for(model)
    while True:
        told = _adding(messages, in_text) if in_text and asking.way == "text" else messages
        reply = await tried(_call(model, told, asking, schema))
        if isinstance(reply, AIMessage):
            remember_asking(model, asking)
            return reply
        if type(reply).__name__ == CUT_OFF:
            return AIMessage("", response_metadata={"finish_reason": "length"})
        further = asking_instead(model, asking, reply)
        if further is None:
            return failure_of(reply)
        asking = further


async def _call(
    model: BaseChatModel, messages: Sequence[BaseMessage], asking: Asking, schema: type[Schema]
) -> AIMessage:
    return await asked_model(model, asking, schema).ainvoke(list(messages), QUIET)


def _adding(messages: Sequence[BaseMessage], text: str) -> list[BaseMessage]:
    """Say something more, in the last message where that is the user's: some endpoints take no two of them in a row."""
    if messages and isinstance(messages[-1], HumanMessage):
        return [*messages[:-1], HumanMessage(f"{messages[-1].text}\n\n{text}")]
    return [*messages, HumanMessage(text)]


def _shown(reply: AIMessage) -> list[AIMessage]:
    """Give an answer, as text, for the model to see what it said; nothing where it said nothing."""
    called = [json.dumps(call["args"], ensure_ascii=False) for call in reply.tool_calls]
    spoiled = [str(call["args"] or "") for call in reply.invalid_tool_calls]
    said = "\n".join([*called, *spoiled]) or reply.text
    return [AIMessage(said[:SHOWN_CHARS])] if said.strip() else []


def _malformed(fault: Fault) -> Failure:
    said = SHAPE_TEXTS["en"].faults[fault.kind].format(detail=fault.detail)
    return Failure(kind="malformed", reason=f"the answer could not be read, twice: {said}")
