"""What a prompt is made of, as frozen values."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from datetime import datetime

from langchain_core.messages import BaseMessage

from memory.prompt_texts import Language

DEFAULT_MAX_TOKENS = 2000


@dataclass(frozen=True, kw_only=True)
class ShownFact:
    """A fact as it is shown: what it is called, under which key it is held, its value.

    `confidence` is effective (after decay), 0..1. A fact that is `always` shown is never cut. `grounds` are the user's
    words that it rests on, each with its day, where they asked for them.
    """

    key: str
    label: str
    value: str
    confidence: float = 1.0
    always: bool = False
    grounds: tuple[str, ...] = ()


@dataclass(frozen=True, kw_only=True)
class ShownExchange:
    """An earlier exchange: its lines as (speaker, text); `user` and `assistant` are shown translated."""

    id: str
    said_at: datetime | None
    lines: tuple[tuple[str, str], ...]


@dataclass(frozen=True, kw_only=True)
class ShownSkill:
    """A skill as it is shown, its texts already in the user's language.

    One that is written in a file of its own has that file's `body` (Markdown, lines and all); `body_in` names the
    file, and is shown where the body is `body_cut`.
    """

    id: str
    description: str
    steps: tuple[str, ...] = ()
    tools: tuple[str, ...] = ()
    safety_checks: tuple[str, ...] = ()
    body: str = ""
    body_in: str = ""
    body_cut: bool = False


@dataclass(frozen=True, kw_only=True)
class PromptParts:
    """All that a prompt is assembled from.

    `preferences` holds `style` (brief, detailed) and `language` (zh, en, …); other values are not rendered.
    `recalled` and `skills` come best first; of facts under one key the newest comes last. `language_hint` counts when the last user message has no words.
    `max_tokens` bounds what is remembered (facts to skills), as counted by `count`; the window was cut before.
    """

    window: tuple[BaseMessage, ...]
    count: Callable[[str], int]
    persona: str = ""
    language_hint: Language | None = None
    preferences: Mapping[str, str] = field(default_factory=dict)
    name: str = ""
    facts: tuple[ShownFact, ...] = ()
    summary: str = ""
    notes: str = ""
    recalled: tuple[ShownExchange, ...] = ()
    skills: tuple[ShownSkill, ...] = ()
    max_tokens: int = DEFAULT_MAX_TOKENS
