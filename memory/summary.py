"""The thread's running summary by rules, without a model: what users said that must outlive the window.

The summary is lines, "用户曾提到：…；…" or "The user mentioned: …; …". Whoever calls has redacted the messages.
A line of another form (a model's summary) is kept, and falls off like the others.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import groupby
from typing import Literal

from langchain_core.messages import AIMessage, BaseMessage, HumanMessage

from memory.context_query import is_elliptical, text_of
from memory.importance import asks_to_remember, is_small_talk, names_something
from memory.privacy import PLACEHOLDER

Speaker = Literal["user", "assistant", "identifiers", "other"]

MAX_SUMMARY_CHARS = 1_000
MIN_FOLD_CHARS = 40
MAX_ITEM_CHARS = 90
MAX_PROSE_CHARS = 200
TELLS, BINDS, MUST_KEEP, BARE = 2, 3, 4, 5
"""Ranks: a number, date or name; a decision, promise or open question; an identifier or what was taken back; the
identifier alone, which goes last. Under these are 1, plain statements, and 0, small talk."""

LABELS: dict[str, dict[Speaker, str]] = {
    "zh": {"user": "用户曾提到：", "assistant": "助手曾说：", "identifiers": "提到的编号：", "other": ""},
    "en": {
        "user": "The user mentioned: ",
        "assistant": "The assistant said: ",
        "identifiers": "Identifiers mentioned: ",
        "other": "",
    },
}
SEPARATORS = {"zh": "；", "en": "; "}
AFTERWARDS = {"zh": "（随后：{}）", "en": " (then: {})"}
UNANSWERED = {"zh": "（未答复）", "en": " (unanswered)"}

SENTENCES = re.compile(r"(?:[^。！？!?；;\n.]|\.(?=\S))+[。！？!?；;.\n]*")
CLAUSE_ENDS = re.compile(r"[，,、：:]\s*")
IDENTIFIERS = re.compile(
    r"#[A-Za-z0-9](?:[\w-]{0,60}\w)?"
    r"|(?<![\[<\w-])(?=[\w.-]{0,60}\d)(?=[\w.-]{0,60}[A-Za-z])[A-Za-z0-9]{1,60}(?:[-_.][A-Za-z0-9]{1,60}){0,8}\b"
    r"|\b[A-Za-z_]\w{1,60}(?:\.[A-Za-z_]\w{1,60}){1,8}\b"
    r"|(?<![\w.,$¥€£-])\d{5,40}(?![\w.,]{0,3}\d)(?!\s?(?:元|块|人|个|万|美元|公里|米|dollars|yuan|euros|people|km))"
    r"|(?:(?<=号)|(?<=号是)|(?<=号为)|(?<=号：)|(?<=号:)|(?<=number is )|(?<=number )|(?<=No\. ))\d{3,}\b(?!\.\d)",
    re.ASCII,
)
MEASURES = re.compile(r"\d+(?:\.\d+)?(?:[a-z]{1,3}|[AP]M|[KMGT]B|[DK])|v?\d+(?:\.\d+)+", re.ASCII)
CHANGES = re.compile(
    r"""改成|改为|改到|改在|换成|换到|推迟|提前到
    |\b(?:instead|postpone\w*|reschedul\w+|switch(?:ed)?\ to
    |(?:chang(?:e|ed|ing)|mov(?:e|ed))\ (?:it|that|this|the|my|to)(?:\ to)?)\b""",
    re.VERBOSE | re.IGNORECASE,
)
TAKE_BACK = re.compile(
    rf"""{CHANGES.pattern}|不用了|不要了|不需要了|算了|取消|作废|撤回|撤销|暂停|先不|不再|别再|以后别|不是.{{1,20}}?(?:，|,|而)是
    |\b(?:cancel\w*|never\s?mind|no\ longer|(?:don't|do\ not)\ (?:need|want)|call(?:ed)?\ off|scrap|undo|revok\w+
    |withdr[ae]w\w*|not\ any\s?more|forget\ (?:it|that|about))\b""",
    re.VERBOSE | re.IGNORECASE,
)
BINDING = re.compile(
    r"""决定|确定|定了|就这样|就按|就用|就选|就定|选了|同意|采用|答应|保证|承诺|必须|务必|一定要|不能|不要|别|过敏|忌
    |不吃|只要|截止|(?:我|我们)(?:会|来|将|打算|准备|计划)|叫我|我叫|我姓|我的名字
    |\b(?:decid\w+|let's|go(?:ing)?\ with|agreed?|confirm\w*|settled?|cho(?:se|ose)|promise\w*|(?:i|we)(?:'ll|\ will)
    |i'm\ going\ to|must|never|always|can't|cannot|avoid|allerg\w+|deadline|due|only|prefer\w*|call\ me|my\ name
    |plan(?:ning)?\ to)\b""",
    re.VERBOSE | re.IGNORECASE,
)
PROMISE = re.compile(r"我们?(?:会|将|来)|稍后|\b(?:i|we)(?:'ll|\ will)\b", re.IGNORECASE)
QUESTION = re.compile(
    r"[?？]|[吗呢]\W*$|什么|怎么|如何|多少|哪[里个些儿]|谁|^(?:what|when|where|why|who|how|which)\b", re.IGNORECASE
)
NAME = re.compile(
    r"(?<!^)(?<![.!?] )\b[A-Z][a-z]+\b|[小老阿][\u4e00-\u9fff](?![\u4e00-\u9fff]?[时候])|《[^》]+》|[「“][^」”]+[」”]"
)


@dataclass(frozen=True, kw_only=True)
class Item:
    """One thing that is remembered of a thread, and how much it matters (see the ranks)."""

    speaker: Speaker
    text: str
    rank: int
    label: str


def fold_summary(previous: str, messages: Sequence[BaseMessage], *, language: str, max_chars: int = 200) -> str:
    """Fold what left the window into the thread's summary.

    What binds comes first: identifiers and what was taken back ("取消", "never mind"), then decisions, promises and
    open questions, then numbers, dates and names, then the rest. Every identifier of the messages stands in the
    result as far as `max_chars` goes. Over 1,000 characters, the oldest of what matters least goes first, and
    identifiers last.

    Args:
        previous: The summary so far, "" for none; in either language.
        messages: What left the window, redacted, oldest first. Tool results are not read.
        language: "zh…" for Chinese labels, any other for English ones; what was said stays in its own language.
        max_chars: Length of what this fold adds, at least 40.

    Returns:
        At most 1,000 characters. `previous` as it is when there is nothing to fold; not "" when anything was said.

    Raises:
        ValueError: `max_chars` is less than 40.
    """
    if max_chars < MIN_FOLD_CHARS:
        raise ValueError(f"Cannot fold messages into {max_chars!r} characters: give at least {MIN_FOLD_CHARS}.")
    tongue = "zh" if language.lower().startswith("zh") else "en"
    said = list(_said(messages, tongue))
    telling = [item for item in said if item.rank] or said[-1:] * (not previous)
    added = _fitting(telling, _lost(previous, messages), tongue, max_chars)
    if not added:
        return previous
    repeated = {_folded(item.text) for item in added}
    return _bounded([item for item in _read(previous) if _folded(item.text) not in repeated] + added)


def identifiers(text: str) -> tuple[str, ...]:
    """List the identifiers in a text ("#8842", "ERR-4471", "orderService.cancel", "订单号8842"), each once."""
    found = (match.group() for match in IDENTIFIERS.finditer(PLACEHOLDER.sub(" ", text)))
    return tuple(dict.fromkeys(name for name in found if not MEASURES.fullmatch(name)))


def _said(messages: Sequence[BaseMessage], tongue: str) -> Iterator[Item]:
    """Go through what users said, and what the assistant promised; its other words only where no user speaks."""
    users = [at for at, message in enumerate(messages) if isinstance(message, HumanMessage) and _speaks(message)]
    taken: list[Item] = []
    for at, message in enumerate(messages):
        if at in users:
            taken = _with_user(taken, message, tongue, is_answered=_is_answered(messages, at))
        elif isinstance(message, AIMessage):
            taken.extend(_promises(message, tongue) if users else _statements(message, "assistant", tongue))
    yield from taken


def _speaks(message: BaseMessage) -> bool:
    return any(char.isalnum() for char in text_of(message))


def _with_user(taken: list[Item], message: BaseMessage, tongue: str, *, is_answered: bool) -> list[Item]:
    """Add a user message; what takes back the sentence before it, and says no more, is written beside that one."""
    taken = list(taken)
    for item in _statements(message, "user", tongue):
        before = next(
            (at for at in reversed(range(len(taken))) if taken[at].speaker == "user" and taken[at].rank), None
        )
        if before is not None and _is_bare_take_back(item.text):
            joined = taken[before].text + AFTERWARDS[tongue].format(item.text)
            taken[before] = replace(taken[before], text=joined, rank=MUST_KEEP)
        elif not is_answered and QUESTION.search(item.text):
            taken.append(replace(item, text=item.text + UNANSWERED[tongue], rank=max(item.rank, BINDS)))
        else:
            taken.append(item)
    return taken


def _statements(message: BaseMessage, speaker: Speaker, tongue: str) -> Iterator[Item]:
    for match in SENTENCES.finditer(text_of(message)):
        text = _clipped(" ".join(match.group().split()).rstrip("。.；; "), MAX_ITEM_CHARS)
        if any(char.isalnum() for char in text):
            yield Item(speaker=speaker, text=text, rank=_rank(text), label=LABELS[tongue][speaker])


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


def _is_bare_take_back(text: str) -> bool:
    """Say whether a text takes back or changes something without naming it ("不用了", "改成三点")."""
    rest = TAKE_BACK.sub("", text)
    if rest == text or identifiers(text):
        return False
    return is_small_talk(rest) or (CHANGES.match(text) is not None and is_elliptical(rest))


def _rank(text: str) -> int:
    if is_small_talk(text):
        return 0
    if identifiers(text) or TAKE_BACK.search(text):
        return MUST_KEEP
    if BINDING.search(text) or asks_to_remember(text) or text.endswith(tuple(UNANSWERED.values())):
        return BINDS
    return TELLS if names_something(text) or NAME.search(text) else 1


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
    return [name for name in newest if not _holds(previous, name)]


def _holds(text: str, name: str) -> bool:
    return name in text and re.search(rf"(?<![\w#-]){re.escape(name)}(?![\w-])", text, re.ASCII) is not None


def _fitting(items: Sequence[Item], names: Sequence[str], tongue: str, max_chars: int) -> list[Item]:
    """Choose what matters most within the length, the newest first, and put back the identifiers it lacks."""
    names = names[-max_chars // 2 :]
    while names and len(_rendered(_named(names, tongue))) > max_chars:
        names = names[1:]
    chosen = _completed([], names, tongue)
    places: list[int] = []
    for at in sorted(range(len(items)), key=lambda at: (-items[at].rank, -at)):
        tried = _completed([items[place] for place in sorted([*places, at])], names, tongue)
        if len(_rendered(tried)) <= max_chars:
            chosen, places = tried, [*places, at]
    return chosen or [_shortened(item, max_chars) for item in sorted(items, key=lambda item: item.rank)[-1:]]


def _completed(items: list[Item], names: Iterable[str], tongue: str) -> list[Item]:
    text = _rendered(items)
    return items + _named([name for name in names if not _holds(text, name)], tongue)


def _named(names: Iterable[str], tongue: str) -> list[Item]:
    label = LABELS[tongue]["identifiers"]
    return [Item(speaker="identifiers", text=name, rank=BARE, label=label) for name in names]


def _shortened(item: Item, max_chars: int) -> Item:
    return replace(item, text=_clipped(item.text, max_chars - len(item.label)))


def _rendered(items: Iterable[Item]) -> str:
    """Write items as lines: those that follow each other under one label share its line."""
    lines: list[str] = []
    for label, group in groupby(items, key=lambda item: item.label):
        texts = [item.text for item in group]
        lines.extend([label + _separator(label).join(texts)] if label else texts)
    return "\n".join(lines)


def _separator(label: str) -> str:
    return next(SEPARATORS[tongue] for tongue, labels in LABELS.items() if label in labels.values())


def _read(summary: str) -> list[Item]:
    return [item for line in summary.splitlines() if line.strip() for item in _read_line(line.strip())]


def _read_line(line: str) -> Iterator[Item]:
    for speaker, label in ((speaker, label) for labels in LABELS.values() for speaker, label in labels.items()):
        if label and line.startswith(label.strip()):
            for text in line.removeprefix(label.strip()).split(_separator(label).strip()):
                rank = BARE if speaker == "identifiers" else _rank(text.strip())
                yield Item(speaker=speaker, text=text.strip(), rank=rank, label=label)
            return
    for match in SENTENCES.finditer(line) if len(line) > MAX_PROSE_CHARS else [line]:
        text = match if isinstance(match, str) else match.group().strip()
        yield Item(speaker="other", text=text, rank=max(1, _rank(text)), label="")


def _bounded(items: list[Item]) -> str:
    """Let the oldest of what matters least go until the rest fits; an identifier outlives its sentence."""
    while len(_rendered(items)) > MAX_SUMMARY_CHARS:
        at = min(range(len(items)), key=lambda at: (items[at].rank, at))
        rest = _rendered(items[:at] + items[at + 1 :])
        names = (
            [name for name in identifiers(items[at].text) if not _holds(rest, name)] if items[at].rank < BARE else []
        )
        tongue = "zh" if items[at].label in LABELS["zh"].values() and items[at].label else "en"
        items = [*items[:at], *_named(names, tongue), *items[at + 1 :]]
    return _rendered(items)


def _folded(text: str) -> str:
    return "".join(char for char in text.casefold() if char.isalnum())
