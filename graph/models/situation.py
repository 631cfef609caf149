"""The situation: what can be seen in a list of messages, and nothing else, when a reply is due."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any

from langchain_core.messages import AIMessage, BaseMessage, HumanMessage, SystemMessage, ToolMessage

from graph.models.identifiers import Identifier, identifiers_in, thing_of
from graph.models.intents import no_longer_called, stated_name, wants_brevity
from memory.fence import without_fences
from memory.media import text_without_notes
from memory.prompt_parts import ShownExchange
from memory.prompt_reading import ReadPrompt, read_prompt
from memory.prompt_texts import TEXTS, Language
from memory.words import has_cjk

REFERENCE_KEYS = "ref."
LONG_AGO = datetime.min.replace(tzinfo=UTC)


@dataclass(frozen=True, kw_only=True)
class CallMade:
    """A tool call of this turn and what came back; `result` is None while nothing has."""

    tool: str
    args: dict[str, Any]
    result: str | None
    failed: bool


@dataclass(frozen=True, kw_only=True)
class Situation:
    """What a reply is made from. `earlier` are the user's messages before this one, the latest first."""

    language: Language
    asked: str
    prompt: ReadPrompt
    earlier: tuple[str, ...]
    calls: tuple[CallMade, ...]
    first_reply: bool

    @property
    def name(self) -> str:
        """Say how to address the user: as they have just said, else as remembered."""
        said = stated_name(self.asked)
        if said:
            return said
        return "" if no_longer_called(self.asked, self.prompt.name) else self.prompt.name

    @property
    def brief(self) -> bool:
        """Tell whether the user wants short answers."""
        return self.prompt.style == "brief" or wants_brevity(self.asked)

    @property
    def exchanges(self) -> tuple[ShownExchange, ...]:
        """Give the recalled exchanges, the most recent first; those of unknown time last."""
        return tuple(sorted(self.prompt.recalled, key=lambda one: one.said_at or LONG_AGO, reverse=True))


def situation_of(messages: Sequence[BaseMessage]) -> Situation:
    """Read the situation off the messages."""
    prompt = read_prompt(messages)
    at = _last_human_at(messages)
    before, after = messages[:at], messages[at + 1 :]
    asked = without_fences(text_without_notes(messages[at])).strip() if at < len(messages) else ""
    return Situation(
        language=_language(prompt, asked, messages),
        asked=asked,
        prompt=prompt,
        earlier=tuple(text_without_notes(message) for message in reversed(before) if isinstance(message, HumanMessage)),
        calls=tuple(_calls(after)),
        first_reply=not prompt.summary and not any(isinstance(message, AIMessage) for message in before),
    )


def known_identifiers(situation: Situation) -> Iterator[Identifier]:
    """Give the identifiers that are known, best first.

    First those of this message, then of this thread (the latest first), of the profile, of recalled exchanges.
    """
    yield from identifiers_in(situation.asked)
    for text in situation.earlier:
        yield from identifiers_in(text)
    for fact in reversed(situation.prompt.facts):
        if fact.key.startswith(REFERENCE_KEYS):
            kind = fact.key.removeprefix(REFERENCE_KEYS)
            yield Identifier(text=fact.value, thing=thing_of(f"{kind} {fact.label}") or kind)
    for exchange in situation.exchanges:
        for _, text in exchange.lines:
            yield from identifiers_in(text)


def _language(prompt: ReadPrompt, asked: str, messages: Iterable[BaseMessage]) -> Language:
    if prompt.language in TEXTS:
        return "zh" if prompt.language == "zh" else "en"
    if has_cjk(asked) or any(char.isalpha() for char in asked):
        return "zh" if has_cjk(asked) else "en"
    system = next((message.text for message in messages if isinstance(message, SystemMessage)), "")
    return "zh" if TEXTS["zh"].rules in system else "en"


def _last_human_at(messages: Sequence[BaseMessage]) -> int:
    """Give the place of the last user message, or the end when there is none."""
    humans = [at for at, message in enumerate(messages) if isinstance(message, HumanMessage)]
    return humans[-1] if humans else len(messages)


def _calls(messages: Sequence[BaseMessage]) -> Iterator[CallMade]:
    results = {message.tool_call_id: message for message in messages if isinstance(message, ToolMessage)}
    for message in messages:
        for call in message.tool_calls if isinstance(message, AIMessage) else ():
            result = results.get(call["id"] or "")
            yield CallMade(
                tool=call["name"],
                args=call["args"],
                result=result.text if result else None,
                failed=result is not None and result.status == "error",
            )
