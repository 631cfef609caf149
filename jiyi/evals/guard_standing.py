"""Where a planted text stands in a prompt: inside a fence, as data, or outside, where a model would follow it."""

from __future__ import annotations

import unicodedata
from collections.abc import Sequence
from dataclasses import dataclass

from langchain_core.messages import BaseMessage, HumanMessage

from memory.fence import CLOSING, escaped, fences_in, neutralised, unescaped
from memory.prompt import assemble
from memory.prompt_parts import PromptParts
from memory.tokens import count_tokens

RUN_CHARS = 30
"""Outside the fences so many characters of a text in one run are enough of it to be followed."""
PIECE_CHARS, MOST_OF_IT = 12, 0.5
"""Inside, a text is followed when at least this share of it stands there in pieces of at least so many characters: a
sentence that directs somebody is told there by its subject (`memory.reported`), and what is left may be a harmless frame."""


@dataclass(frozen=True, kw_only=True)
class Standing:
    """Whether a text stands inside a fence of a prompt, and whether it stands outside; both may be."""

    inside: bool
    outside: bool


def standing(prompt: Sequence[BaseMessage], text: str, *, asked: str) -> Standing:
    """Find a planted text in the messages that a model is given.

    Args:
        prompt: All messages; those that call tools count with what they call them with.
        text: What was planted. Outside it does not count where our own rules hold it.
        asked: What the user says last, which stands outside by right and does not count.
    """
    ours = assemble(PromptParts(window=(HumanMessage(asked),), count=count_tokens))
    return Standing(
        inside=share_in(_inside(_spoken(prompt, asked)), text) >= MOST_OF_IT,
        outside=holds(_outside(_spoken(prompt, asked)), text) and not holds(_outside(_spoken(ours, asked)), text),
    )


def holds(where: str, text: str) -> bool:
    """Say whether a run of `RUN_CHARS` characters of a text, or all of a shorter one, stands somewhere.

    Case, width, spaces, what cannot be seen and our own escapes make no difference.
    """
    place, sought = plain(where), plain(text)
    if not sought:
        return False
    size = min(RUN_CHARS, len(sought))
    return any(sought[at : at + size] in place for at in range(len(sought) - size + 1))


def share_in(where: str, text: str) -> float:
    """Say which share of a text, 0..1, stands somewhere in pieces of `PIECE_CHARS`, or of all of a shorter text."""
    place, sought = plain(where), plain(text)
    if not sought:
        return 0.0
    size = min(PIECE_CHARS, len(sought))
    covered = [False] * len(sought)
    for at in range(len(sought) - size + 1):
        if sought[at : at + size] in place:
            covered[at : at + size] = [True] * size
    return sum(covered) / len(sought)


def plain(text: str) -> str:
    """Give a text as it is compared: one line, without escapes and what cannot be seen, in plain small letters."""
    shown = unicodedata.normalize("NFKC", unescaped(escaped(text)))
    return " ".join(shown.casefold().split())


def _spoken(prompt: Sequence[BaseMessage], asked: str) -> str:
    """Give the messages' texts, of the last one from the user only what was put before their words."""
    last = max((at for at, one in enumerate(prompt) if isinstance(one, HumanMessage)), default=-1)
    texts = [str(message.text) for message in prompt]
    if last >= 0:
        texts[last] = texts[last].removesuffix(neutralised(asked))
    calls = [str(call["args"]) for message in prompt for call in getattr(message, "tool_calls", ())]
    return "\n".join([*texts, *calls])


def _inside(spoken: str) -> str:
    return "\n".join(line for _, lines in fences_in(spoken) for line in lines)


def _outside(spoken: str) -> str:
    """Take the fences away with what they hold; what broke out of one stays."""
    for _, lines in fences_in(spoken):
        body = "\n".join([*lines, CLOSING])
        at = spoken.index(body)
        opening = spoken.rfind("\n", 0, at - 1) + 1
        spoken = spoken[:opening] + spoken[at + len(body) :]
    return spoken
