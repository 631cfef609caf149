"""The thread's running summary by rules, without a model: what users said that must outlive the window.

The summary is lines, "用户曾提到：…；…" or "The user mentioned: …; …". Whoever calls has redacted the messages.
A line of another form (a model's summary) is kept, and falls off like the others. What was taken back is marked as no
longer holding, or gives way to what stands in its stead.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import replace

from langchain_core.messages import AIMessage, BaseMessage, HumanMessage

from memory.context_query import is_elliptical, text_of
from memory.importance import is_small_talk, names_something
from memory.media import text_with_media
from memory.summary_lines import LABELS, SENTENCES, Item, Speaker, items_of, named, written
from memory.summary_revoking import TAKING_BACK_ALONE, as_revoked, replaces, revokes, what_it_revokes
from memory.summary_signs import (
    AFTERWARDS,
    AGREED,
    BARE,
    BINDING,
    BINDS,
    CHANGES,
    MUST_KEEP,
    NO_LONGER,
    PROMISE,
    QUESTION,
    REVOKED,
    TAKE_BACK,
    TELLS,
    UNANSWERED,
    identifiers,
    is_revoked,
    rank,
)
from memory.tokens import count_tokens

__all__ = [
    "LABELS",
    "MAX_SUMMARY_CHARS",
    "MAX_SUMMARY_TOKENS",
    "bounded",
    "fold_summary",
    "folds_into",
    "holds",
    "identifiers",
    "is_bare_take_back",
    "joined",
]

MAX_SUMMARY_CHARS = 1_200
MAX_SUMMARY_TOKENS = 300
MAX_BARE_TOKENS = 100
"""So much of it identifiers may take that stand without their sentences; then the oldest of them goes first."""
MIN_FOLD_CHARS = 40
MAX_ITEM_CHARS = 90
CLAUSE_ENDS = re.compile(r"[，,、：:]\s*")
_POINTS_AT_LAST = re.compile(
    r"(?:那|这|它|上|刚才|刚刚|前面)[个条项句一]*(?:事|规定|约定|规矩|说的|的)*"
    r"|\b(?:that|this|it|the|last|one|thing|rule|idea|plan|all|please|actually|ok|okay|well|no|sorry|hm+|oh|we|i|can|let's|just)\b",
    re.IGNORECASE,
)


def fold_summary(previous: str, messages: Sequence[BaseMessage], *, language: str, max_chars: int = 200) -> str:
    """Fold what left the window into the thread's summary.

    What binds comes first: identifiers and changes, then what was laid down, then decisions, promises and open
    questions, then what was taken back, then numbers, dates and names, then the rest. A statement that takes an earlier
    one back, in the summary too, marks it as no longer holding; one that says what holds in its stead replaces it. Every
    identifier of the messages stands in the result as far as `max_chars` goes. Over 1,200 characters or 300 tokens, the
    oldest of what matters least goes first, and identifiers last.

    Args:
        previous: The summary so far, "" for none; in either language.
        messages: What left the window, redacted, oldest first. Tool results are not read.
        language: "zh…" for Chinese labels, any other for English ones; what was said stays in its own language.
        max_chars: Length of what this fold adds, at least 40.

    Returns:
        At most 1,200 characters and 300 tokens. `previous` as it is when there is nothing to fold; not "" when anything was said.

    Raises:
        ValueError: `max_chars` is less than 40.
    """
    before, added = folds_into(previous, messages, language=language, max_chars=max_chars)
    return joined(previous, before, added)


def folds_into(
    previous: str, messages: Sequence[BaseMessage], *, language: str, max_chars: int
) -> tuple[list[Item], list[Item]]:
    """Give what the summary held, as it stands after what was said, and what is added to it; see `fold_summary`."""
    if max_chars < MIN_FOLD_CHARS:
        raise ValueError(f"Cannot fold messages into {max_chars!r} characters: give at least {MIN_FOLD_CHARS}.")
    tongue = "zh" if language.lower().startswith("zh") else "en"
    before, said = _said(messages, items_of(previous), tongue)
    telling = [item for item in said if item.rank] or said[-1:] * (not previous)
    return before, _fitting(telling, _lost(previous, messages), tongue, max_chars)


def joined(previous: str, before: Sequence[Item], added: Sequence[Item]) -> str:
    """Write what the summary held and what is added; what is said again stands once, and holds again."""
    if not added and list(before) == items_of(previous):
        return previous
    repeated = {_folded(item.text) for item in added if not is_revoked(item.text)}
    still = [item for item in added if not (is_revoked(item.text) and _folded(item.text) in repeated)]
    return bounded([item for item in before if _folded(item.text) not in repeated] + still)


def holds(text: str, name: str) -> bool:
    """Say whether an identifier stands in a text, and not as a part of another."""
    return name in text and re.search(rf"(?<![\w#-]){re.escape(name)}(?![\w-])", text, re.ASCII) is not None


def bounded(items: Sequence[Item]) -> str:
    """Write items, letting the oldest of what matters least go until the rest fits; an identifier outlives its sentence."""
    items = list(items)
    while not _fits(written(items)):
        at = min(range(len(items)), key=_need(items))
        rest = written(items[:at] + items[at + 1 :])
        known = identifiers(items[at].text) if items[at].rank not in (BARE, REVOKED) else ()
        names = [name for name in known if not holds(rest, name)]
        items = [*items[:at], *named(names, items[at].language), *items[at + 1 :]]
    return written(items)


def _fits(text: str) -> bool:
    return len(text) <= MAX_SUMMARY_CHARS and count_tokens(text) <= MAX_SUMMARY_TOKENS


def _need(items: Sequence[Item]) -> Callable[[int], tuple[int, int]]:
    """Give what orders the items by how much they are needed, the least first."""
    bare = written([item for item in items if item.rank == BARE])
    has_too_many = count_tokens(bare) > MAX_BARE_TOKENS
    return lambda at: (-1 if has_too_many and items[at].rank == BARE else items[at].rank, at)


def _said(messages: Sequence[BaseMessage], held: Sequence[Item], tongue: str) -> tuple[list[Item], list[Item]]:
    """Give what the summary held, as it now stands, and what was said.

    That is what users said, and what the assistant promised; its other words only where no user speaks.
    """
    users = [at for at, message in enumerate(messages) if isinstance(message, HumanMessage) and _speaks(message)]
    before, said = list(held), list[Item]()
    for at, message in enumerate(messages):
        if at in users:
            for item in _statements(message, "user", tongue):
                before, said = _with_item(before, said, item, is_answered=_is_answered(messages, at))
        elif isinstance(message, AIMessage):
            said.extend(_promises(message, tongue) if users else _statements(message, "assistant", tongue))
    return before, said


def _speaks(message: BaseMessage) -> bool:
    return any(char.isalnum() for char in text_with_media(message))


def _with_item(before: list[Item], said: list[Item], item: Item, *, is_answered: bool) -> tuple[list[Item], list[Item]]:
    """Add a statement of the user to what was said; one that takes another back changes that one."""
    every = [*before, *said]
    last = _last_of_the_user(said) if any(one.speaker == "user" for one in said) else _last_of_the_user(every)
    if last is not None and is_bare_take_back(item.text):
        at = last + (len(before) if any(one.speaker == "user" for one in said) else 0)
        joined = every[at].text + AFTERWARDS[every[at].language].format(item.text)
        every[at] = replace(every[at], text=joined, rank=rank(joined) if not CHANGES.search(item.text) else MUST_KEEP)
    elif revokes(item.text) and (which := what_it_revokes(item.text, every)) is not None:
        return _taken_back(every, which, item, len(before))
    elif not is_answered and QUESTION.search(item.text):
        text = item.text + UNANSWERED["zh" if item.label in LABELS["zh"].values() else "en"]
        every.append(replace(item, text=text, rank=max(item.rank, BINDS)))
    else:
        every.append(item)
    return every[: len(before)], every[len(before) :]


def _taken_back(every: list[Item], which: int, item: Item, known: int) -> tuple[list[Item], list[Item]]:
    """Mark what is taken back, or put in its place what holds in its stead; the first `known` are of the summary."""
    if not replaces(item.text, every[which]):
        every[which] = as_revoked(every[which])
        return every[:known], every[known:]
    del every[which]
    known -= which < known
    return every[:known], [*every[known:], replace(item, rank=max(item.rank, AGREED))]


def _last_of_the_user(items: Sequence[Item]) -> int | None:
    return next((at for at in reversed(range(len(items))) if items[at].speaker == "user" and items[at].rank), None)


def _statements(message: BaseMessage, speaker: Speaker, tongue: str) -> Iterator[Item]:
    for match in SENTENCES.finditer(text_with_media(message)):
        text = _clipped(" ".join(match.group().split()).rstrip("。.；; "), MAX_ITEM_CHARS)
        if any(char.isalnum() for char in text):
            yield Item(speaker=speaker, text=text, rank=rank(text), label=LABELS[tongue][speaker])


def _promises(message: BaseMessage, tongue: str) -> Iterator[Item]:
    for item in _statements(message, "assistant", tongue):
        if PROMISE.search(item.text) and names_something(item.text):
            yield replace(item, rank=TELLS)


def _is_answered(messages: Sequence[BaseMessage], at: int) -> bool:
    """Say whether the model said anything before the next user message."""
    for message in messages[at + 1 :]:
        if isinstance(message, HumanMessage):
            return False
        if isinstance(message, AIMessage) and text_of(message):
            return True
    return False


def is_bare_take_back(text: str) -> bool:
    """Say whether a text takes back or changes something without naming it ("不用了", "改成三点")."""
    rest = TAKING_BACK_ALONE.sub("", TAKE_BACK.sub("", text))
    if rest == text or identifiers(text) or not (revokes(text) or TAKE_BACK.search(text)):
        return False
    left = _POINTS_AT_LAST.sub("", rest)
    return is_small_talk(rest) or is_small_talk(left) or (CHANGES.match(text) is not None and is_elliptical(rest))


def _clipped(text: str, limit: int) -> str:
    """Cut a long sentence, from the clause that binds where that would be cut off."""
    if len(text) <= limit:
        return text
    telling = TAKE_BACK.search(text) or BINDING.search(text)
    start = 0
    if telling and telling.end() > limit:
        start = max((end.end() for end in CLAUSE_ENDS.finditer(text, 0, telling.start())), default=telling.start())
    return text[start : start + limit - 1].rstrip() + "…"


def _lost(previous: str, messages: Sequence[BaseMessage]) -> list[str]:
    """List the identifiers that the summary does not hold yet, the users' last: where room is short they stay."""
    spoken = [m for m in messages if isinstance(m, AIMessage)] + [m for m in messages if isinstance(m, HumanMessage)]
    names = [name for message in spoken for name in identifiers(text_of(message))]
    newest = reversed(dict.fromkeys(reversed(names)))
    return [name for name in newest if not holds(previous, name)]


def _fitting(items: Sequence[Item], names: Sequence[str], tongue: str, max_chars: int) -> list[Item]:
    """Choose what matters most within the length, the newest first, and put back the identifiers it lacks."""
    names = names[-max_chars // 2 :]
    while names and len(written(named(names, tongue))) > max_chars:
        names = names[1:]
    chosen = _completed([], names, tongue)
    places: list[int] = []
    for at in sorted(range(len(items)), key=lambda at: (-items[at].rank, -at)):
        tried = _completed([items[place] for place in sorted([*places, at])], names, tongue)
        if len(written(tried)) <= max_chars:
            chosen, places = tried, [*places, at]
    return chosen or [_shortened(item, max_chars) for item in sorted(items, key=lambda item: item.rank)[-1:]]


def _completed(items: list[Item], names: Iterable[str], tongue: str) -> list[Item]:
    text = written(items)
    return items + named([name for name in names if not holds(text, name)], tongue)


def _shortened(item: Item, max_chars: int) -> Item:
    return replace(item, text=_clipped(item.text, max_chars - len(item.label)))


def _folded(text: str) -> str:
    """Give a statement's letters; one that was revoked and is made again is the same."""
    for end in NO_LONGER.values():
        text = text.removesuffix(end)
    return "".join(char for char in text.casefold() if char.isalnum())
