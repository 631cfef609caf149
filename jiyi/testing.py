"""Test doubles that ship with the product: a scripted model, a clock that stands, embedders and taggers without a model.

Nothing here opens a socket or reads the time. Use them with `open_agent(model=…, clock=…, embedder=…)`.

    ScriptExhaustedError (RuntimeError)   the script has fewer replies than the model was asked for
"""

from __future__ import annotations

import hashlib
import math
from collections.abc import Sequence
from datetime import UTC, datetime, timedelta
from typing import Any, get_args

from langchain_core.messages import AIMessage, BaseMessage, ToolCall
from pydantic import Field, PrivateAttr

from graph.models.at_once import AtOnceModel
from memory.seams import EmbeddingError, TaggingError, Vector
from memory.tagging.marks import NAMES, Mark, Owner
from memory.tagging.witness import Witness

__all__ = [
    "FailingEmbedder",
    "FailingTagger",
    "FixedClock",
    "HashEmbedder",
    "Reply",
    "ScriptExhaustedError",
    "ScriptedModel",
    "WordTagger",
    "tool_call",
    "witness_for",
]

Reply = str | AIMessage | ToolCall | BaseException
"""What a scripted model does when it is called: say a text or a message, call a tool, or raise."""

NAMED_OWNERS = ("person", "pet", "thing")
DEFAULT_DIMENSIONS = 16
_BYTES_PER_NUMBER = 4


class ScriptExhaustedError(RuntimeError):
    """A scripted model was asked for more replies than its script has."""

    def __init__(self, *, replies: int) -> None:
        super().__init__(
            f"Cannot reply: the script has {replies} replies and the model was called once more. "
            "Add a reply, or give a function of the messages."
        )


class ScriptedModel(AtOnceModel):
    """A chat model that gives the replies of a list, one a call, or those of a function of the messages.

    `ScriptedModel(replies=["hello", tool_call("status", order_id="#8842"), TimeoutError("slow")])`. Copies that
    `bind_tools` makes share the script. Texts are streamed by characters.
    """

    replies: Any = Field(default_factory=list)
    _seen: list[list[BaseMessage]] = PrivateAttr(default_factory=list)
    _tools_seen: list[list[str]] = PrivateAttr(default_factory=list)

    @property
    def seen(self) -> list[list[BaseMessage]]:
        """Give every list of messages that the model was called with, in order."""
        return self._seen

    @property
    def tools_seen(self) -> list[list[str]]:
        """Give, for every call, the names of the tools that were bound."""
        return self._tools_seen

    @property
    def _llm_type(self) -> str:
        return "jiyi-scripted"

    def answer(self, messages: Sequence[BaseMessage], schemas: Sequence[dict[str, Any]]) -> AIMessage:
        """Note what was asked, then reply or raise."""
        turn = len(self._seen)
        self._seen.append(list(messages))
        self._tools_seen.append([schema["function"]["name"] for schema in schemas])
        reply = self.replies(list(messages)) if callable(self.replies) else self._scripted(turn)
        return _message(reply, turn)

    def pieces_of(self, text: str) -> list[str]:
        """Cut into characters."""
        return list(text)

    def _scripted(self, turn: int) -> Reply:
        if turn >= len(self.replies):
            raise ScriptExhaustedError(replies=len(self.replies))
        reply: Reply = self.replies[turn]
        return reply


class FixedClock:
    """A clock that stands until it is moved: `clock()` gives the time, aware, in UTC."""

    def __init__(self, start: datetime) -> None:
        self._now = _in_utc(start)

    def __call__(self) -> datetime:
        """Give the time at which the clock stands."""
        return self._now

    def advance(self, by: timedelta) -> datetime:
        """Move the clock, and give the new time; a negative `by` moves it back."""
        self._now += by
        return self._now


class HashEmbedder:
    """An embedder without meaning: the same text gives the same unit vector, other texts give unrelated ones."""

    def __init__(self, dimensions: int = DEFAULT_DIMENSIONS) -> None:
        if dimensions < 1:
            raise ValueError(f"Cannot embed into {dimensions!r} dimensions: there must be at least 1.")
        self._dimensions = dimensions

    @property
    def name(self) -> str:
        """Say which embedder and how many dimensions."""
        return f"hash-{self._dimensions}"

    @property
    def dimensions(self) -> int:
        """Say how long a vector is."""
        return self._dimensions

    async def embed_passages(self, texts: Sequence[str]) -> list[Vector]:
        """Embed texts that are kept."""
        return [_hash_vector(text, self._dimensions) for text in texts]

    async def embed_queries(self, texts: Sequence[str]) -> list[Vector]:
        """Embed texts that are searched for, as if they were kept."""
        return await self.embed_passages(texts)


class FailingEmbedder:
    """An embedder that is down: it raises `EmbeddingError` until `failing` is set to False, then embeds by hash."""

    def __init__(self, dimensions: int = DEFAULT_DIMENSIONS) -> None:
        self.failing = True
        self.calls = 0
        self._working = HashEmbedder(dimensions)

    @property
    def name(self) -> str:
        """Give the name of the embedder that it is when it works."""
        return self._working.name

    @property
    def dimensions(self) -> int:
        """Say how long a vector would be."""
        return self._working.dimensions

    async def embed_passages(self, texts: Sequence[str]) -> list[Vector]:
        """Fail, or embed texts that are kept.

        Raises:
            EmbeddingError: `failing` is True.
        """
        self.calls += 1
        if self.failing:
            raise EmbeddingError(f"Cannot embed {len(texts)} texts: this embedder fails until `failing` is False.")
        return await self._working.embed_passages(texts)

    async def embed_queries(self, texts: Sequence[str]) -> list[Vector]:
        """Fail, or embed texts that are searched for.

        Raises:
            EmbeddingError: `failing` is True.
        """
        return await self.embed_passages(texts)


class WordTagger:
    """A tagger without a model: it marks given words wherever they stand, as what they were said to be."""

    def __init__(self, **said: str) -> None:
        """Take words by what they say: `lives_in="Graz"`, `person="Ada"`, `person__hobby="chess"`, `no__diet="vegan"`."""
        self._said = said
        self.seen: list[str] = []

    @property
    def name(self) -> str:
        """Say which tagger it is."""
        return "words"

    def tag(self, text: str) -> tuple[Mark, ...]:
        """Mark the words, each where it first stands."""
        self.seen.append(text)
        marks = [_marked(tag, words, text) for tag, words in self._said.items() if words in text]
        return tuple(sorted(marks, key=lambda mark: mark.start))

    def witness(self, text: str, start: int, end: int) -> Witness | None:
        """Say of given words what they were said to be; of others it knows nothing."""
        marks = [one for one in self.tag(text) if one.start < end and one.end > start]
        return witness_for(marks[0]) if marks else None


class FailingTagger:
    """A tagger whose model is not there."""

    name = "failing"

    def tag(self, text: str) -> tuple[Mark, ...]:
        """Fail.

        Raises:
            TaggingError: Always.
        """
        raise TaggingError(f"Cannot tag {len(text)} characters: this tagger always fails.")

    def witness(self, text: str, start: int, end: int) -> Witness | None:
        """Fail.

        Raises:
            TaggingError: Always.
        """
        raise TaggingError(f"Cannot read {text[start:end]!r}: this tagger always fails.")


def witness_for(mark: Mark) -> Witness:
    """Give a witness who is as sure of something as a mark is, and knows of nothing else."""
    return Witness(
        lasting=mark.confidence,
        owners={owner: float(owner == mark.owner) for owner in get_args(Owner)},
        attributes={mark.attribute: 1.0},
        ended=float(mark.ended),
    )


def _marked(tag: str, words: str, text: str) -> Mark:
    said = tag.removeprefix("no__")
    owner, _, attribute = said.rpartition("__")
    at = text.index(words)
    return Mark(
        start=at,
        end=at + len(words),
        owner=said if said in NAMED_OWNERS else owner or "user",  # type: ignore[arg-type]  # told by the keyword
        attribute=NAMES if said in NAMED_OWNERS else attribute,
        ended=tag != said,
        confidence=1.0,
    )


def tool_call(tool: str, /, *, call_id: str = "", **args: Any) -> ToolCall:
    """Make the reply that calls one tool; without `call_id` the model numbers its calls."""
    return ToolCall(name=tool, args=args, id=call_id or None, type="tool_call")


def _message(reply: Reply, turn: int) -> AIMessage:
    """Make a fresh message of a reply, so that what happens to it later does not change the script."""
    if isinstance(reply, BaseException):
        raise reply
    if isinstance(reply, str):
        return AIMessage(content=reply)
    if isinstance(reply, AIMessage):
        return reply.model_copy(deep=True)
    called = ToolCall(name=reply["name"], args=reply["args"], id=reply["id"] or f"call_{turn}", type="tool_call")
    return AIMessage(content="", tool_calls=[called])


def _in_utc(moment: datetime) -> datetime:
    if moment.tzinfo is None:
        raise ValueError(f"Cannot set a clock to {moment!r}: it has no time zone. Give an aware datetime.")
    return moment.astimezone(UTC)


def _hash_vector(text: str, dimensions: int) -> Vector:
    """Spread the hash of a text over the dimensions, at length 1."""
    digest = hashlib.shake_256(text.encode("utf-8", "surrogatepass")).digest(dimensions * _BYTES_PER_NUMBER)
    words = (digest[at : at + _BYTES_PER_NUMBER] for at in range(0, len(digest), _BYTES_PER_NUMBER))
    raw = [int.from_bytes(word, "big", signed=True) + 0.5 for word in words]
    length = math.hypot(*raw)
    return [number / length for number in raw]
