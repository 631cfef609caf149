"""Key information by rules: of what left the window the facts, preferences, decisions, open questions and entities.

It is kept as lines, one a kind ("用户偏好：…；…", "Preferences: …; …"), in the order in which things were said. Whoever
calls has redacted the messages. A line of another form (a summary from before) is kept, and falls off like the others.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Literal

from langchain_core.messages import AIMessage, BaseMessage, HumanMessage

from memory.compression import NEGATION, ExtractiveCompressor, sentences_of, weight_of
from memory.context_query import text_of
from memory.importance import is_small_talk, names_something
from memory.prompt_texts import Language
from memory.seams import Compressor
from memory.summary import is_bare_take_back
from memory.summary_lines import SEPARATORS
from memory.summary_lines import Item as Line
from memory.summary_revoking import as_revoked, replaces, revokes, what_it_revokes
from memory.summary_signs import AFTERWARDS, AGREED, BINDS, NAME, PROMISE, QUESTION, TAKE_BACK, TELLS, identifiers, rank
from memory.tokens import count_tokens

Kind = Literal["fact", "preference", "decision", "open", "entity", "other"]

FOLD_TOKENS = 240
MAX_TOKENS = 600
TOLD = 1
"""The rank of what is only asked and answered, or told of a day (memory/summary_signs.py)."""
MAX_NAMES = 24
READ_CHARS = 16_000
"""So much of one message is read, as much as is remembered of it (see memory/turns.py)."""

AT_LEAST: Mapping[Kind, int] = {"preference": BINDS, "fact": TELLS}
"""What users like and tell of themselves counts as much as what is told with a number or a name."""

LABELS: Mapping[Language, Mapping[Kind, str]] = {
    "zh": {
        "fact": "关键事实：",
        "preference": "用户偏好：",
        "decision": "决定与约定：",
        "open": "未答复的问题：",
        "entity": "相关实体：",
        "other": "",
    },
    "en": {
        "fact": "Key facts: ",
        "preference": "Preferences: ",
        "decision": "Decisions: ",
        "open": "Open questions: ",
        "entity": "Entities: ",
        "other": "",
    },
}
ASSISTANT: Mapping[Language, str] = {"zh": "助手说“{}”", "en": "the assistant said “{}”"}

PREFERENCE = re.compile(
    r"喜欢|喜爱|偏好|偏爱|更想|更愿意|宁愿|讨厌|受不了|反感|习惯(?!性)|爱(?:吃|喝|看|听|玩|用|穿)|不(?:爱|吃|喝|碰|用)"
    r"|过敏|忌口|忌(?:辣|甜|酒|烟)|吃素|(?<!不)叫我|口味"
    r"|\b(?:prefer\w*|likes?|loves?|enjoys?|hates?|dislikes?|favou?rite|rather|fond\ of|can(?:no|['’])t\ stand|allerg\w+"
    r"|vegetarian|vegan|call\ me|(?:don['’]t|do\ not|never|avoid)\ (?:eat|drink|like|use|want))\b",
    re.IGNORECASE | re.VERBOSE,
)
TELLS_OF_SELF = re.compile(
    r"(?:我|我们|咱们?)(?:[是在有住姓叫做养用管带]|家|的|这边|司|今年|刚|已经|正在|每)"
    r"|\b(?:i['’]m|i\ am|i['’]ve|i\ have|i\ (?:live|work|study|own|use|run|teach|moved?|started|bought)|we\ (?:are|have|use|live)"
    r"|we['’]re|my\ \w+(?:\ \w+)?(?:\ is|\ are|['’]s))\b",
    re.IGNORECASE | re.VERBOSE,
)

NUMBERS = re.compile(r"\d+(?:[.,:/-]\d+)*")


@dataclass(frozen=True, kw_only=True)
class Item:
    """One thing that is kept, and how much it tells: by its rank (memory/summary_signs.py), then by its words."""

    kind: Kind
    text: str
    weight: tuple[int, float]


RULES = ExtractiveCompressor()


def fold_key_information(
    previous: str,
    messages: Sequence[BaseMessage],
    *,
    language: Language,
    compressor: Compressor = RULES,
    fold_tokens: int = FOLD_TOKENS,
    max_tokens: int = MAX_TOKENS,
    count: Callable[[str], int] = count_tokens,
) -> str:
    """Fold what left the window into the thread's key information.

    What the user told, prefers, decided, took back and asked without an answer is kept as it was said; of the
    assistant what it promised. Longer than `fold_tokens`, the new is compressed, each kind for itself. Identifiers that
    were lost on the way are put back as entities. Over `max_tokens` the oldest of what tells least goes first.

    Args:
        previous: The key information so far, "" for none; in either language, or a summary.
        messages: What left the window, redacted, oldest first. Tool results are not read.
        language: Of the labels; what was said stays in its own language.
        compressor: Makes shorter what is too long.
        fold_tokens: What one fold adds at most, about.
        max_tokens: Of the whole, as `count` counts.
        count: Counts a text's tokens.

    Returns:
        `previous` as it is when nothing was said; not "" when anything was.

    Raises:
        CompressionError: The compressor failed; nothing was folded.
    """
    before, said = _settled(_read(previous), _said(messages, language))
    kept = [item for item in said if item.kind != "other"] or [
        replace(one, kind="fact") for one in said[-1:] if not previous
    ]
    names = _names(messages)
    if not kept and not names and before == _read(previous):
        return previous
    new = _compressed(kept, compressor, fold_tokens, count)
    repeated = {_plain(item.text) for item in new}
    items = [item for item in before if _plain(item.text) not in repeated] + new
    return _bounded(items, names, language, max_tokens, count)


def _said(messages: Sequence[BaseMessage], language: Language) -> list[Item]:
    """List the sentences of users by kind, and what the assistant promised; small talk is left out."""
    items: list[Item] = []
    for at, message in enumerate(messages):
        if isinstance(message, HumanMessage):
            is_answered = _is_answered(messages, at)
            items.extend(_item(text, is_answered=is_answered) for text in _sentences(message))
        elif isinstance(message, AIMessage):
            promised = (text for text in _sentences(message) if PROMISE.search(text) and names_something(text))
            items.extend(_decided(ASSISTANT[language].format(text)) for text in promised)
    return items


def _sentences(message: BaseMessage) -> Iterator[str]:
    for piece in sentences_of(text_of(message)[:READ_CHARS]):
        text = " ".join(piece.text.split()).rstrip("。.；; ")
        if text and not is_small_talk(text):
            yield text


def _settled(before: list[Item], said: Sequence[Item]) -> tuple[list[Item], list[Item]]:
    """Let what takes something back mark it as no longer holding, or stand in its place; give what was known, and what was said.

    What does not say what it takes back is written beside what was said last.
    """
    every, known = list(before), len(before)
    for item in said:
        lines = [Line(speaker="user", text=one.text, rank=rank(one.text), label="") for one in every]
        which = what_it_revokes(item.text, lines) if revokes(item.text) else None
        last = next((at for at in reversed(range(len(every))) if lines[at].rank > TOLD), None)
        if last is not None and is_bare_take_back(item.text):
            every[last] = _decided(every[last].text + AFTERWARDS[lines[last].language].format(item.text))
        elif which is None:
            every.append(item)
        elif replaces(item.text, lines[which]):
            every = [*every[:which], *every[which + 1 :], replace(item, kind="decision")]
            known -= which < known
        else:
            every[which] = _decided(as_revoked(lines[which]).text)
    return every[:known], every[known:]


def _kept(kind: Kind, text: str) -> Item:
    return Item(kind=kind, text=text, weight=(max(rank(text), AT_LEAST.get(kind, 0)), weight_of(text)))


def _decided(text: str) -> Item:
    return _kept("decision", text)


def _item(text: str, *, is_answered: bool) -> Item:
    return _kept(_kind(text, is_answered=is_answered), text)


def _kind(text: str, *, is_answered: bool) -> Kind:
    worth = rank(text)
    if QUESTION.search(text) and worth < AGREED:
        return "other" if is_answered else "open"
    if PREFERENCE.search(text):
        return "preference"
    if TAKE_BACK.search(text) or worth >= BINDS:
        return "decision"
    if worth <= TOLD:
        return "fact" if TELLS_OF_SELF.search(text) else "other"
    return "fact" if worth >= TELLS or TELLS_OF_SELF.search(text) or NEGATION.search(text) else "other"


def _is_answered(messages: Sequence[BaseMessage], at: int) -> bool:
    for message in messages[at + 1 :]:
        if isinstance(message, HumanMessage):
            return False
        if isinstance(message, AIMessage) and text_of(message):
            return True
    return False


def _compressed(
    items: Sequence[Item], compressor: Compressor, fold_tokens: int, count: Callable[[str], int]
) -> list[Item]:
    """Compress each kind's lines to its share, where all together are too long."""
    texts = {kind: "\n".join(one.text for one in items if one.kind == kind) for kind in LABELS["en"]}
    total = sum(count(text) for text in texts.values())
    if total <= fold_tokens:
        return list(items)
    return [
        _kept(kind, line.strip())
        for kind, text in texts.items()
        if text
        for line in _shortened(text, max(fold_tokens * count(text) // total, 1), compressor).splitlines()
        if any(char.isalnum() for char in line)
    ]


def _shortened(text: str, target_tokens: int, compressor: Compressor) -> str:
    """Compress a text; one that comes back with numbers that it did not hold is compressed by the rules."""
    short = compressor.compress(text, target_tokens)
    return short if set(NUMBERS.findall(short)) <= set(NUMBERS.findall(text)) else RULES.compress(text, target_tokens)


def _names(messages: Sequence[BaseMessage]) -> list[str]:
    """List the identifiers and names in what was said, the last said last; the user's identifiers at the end."""
    spoken = [one for one in messages if isinstance(one, HumanMessage | AIMessage)]
    named = [match.group() for one in spoken for text in _sentences(one) for match in NAME.finditer(text)]
    users = [one for one in spoken if isinstance(one, HumanMessage)]
    marked = [name for group in (spoken, users) for one in group for name in identifiers(text_of(one)[:READ_CHARS])]
    return list(reversed(dict.fromkeys(reversed([*named, *marked]))))


def _bounded(
    items: list[Item], names: Sequence[str], language: Language, max_tokens: int, count: Callable[[str], int]
) -> str:
    """Let go names, then the oldest of what tells least, until the rest fits; an identifier outlives its sentence."""
    names = _most_telling([*(item.text for item in items if item.kind == "entity"), *names])
    items = [item for item in items if item.kind != "entity"]
    while True:
        told = _rendered(items, language)
        whole = "\n".join(part for part in (told, _entities(names, told, language)) if part)
        if count(whole) <= max_tokens or not (items or names):
            return whole
        plain = next((at for at, name in enumerate(names) if not identifiers(name)), None)
        if plain is not None:
            names = [*names[:plain], *names[plain + 1 :]]
        elif items and (count(told) > max_tokens // 2 or not names):
            least = min(range(len(items)), key=lambda at: (items[at].weight, at))
            names = [*identifiers(items[least].text), *names]
            items = [*items[:least], *items[least + 1 :]]
        else:
            names = names[1:]


def _entities(names: Sequence[str], told: str, language: Language) -> str:
    """Name what is not told already."""
    lost = [name for name in dict.fromkeys(names) if name not in told]
    return LABELS[language]["entity"] + SEPARATORS[language].join(lost) if lost else ""


def _most_telling(names: Sequence[str]) -> list[str]:
    """Keep so many, the newest, identifiers before names; in their order."""
    telling = sorted(range(len(names)), key=lambda at: (not identifiers(names[at]), -at))[:MAX_NAMES]
    return [names[at] for at in sorted(telling)]


def _rendered(items: Sequence[Item], language: Language) -> str:
    other = [item.text for item in items if item.kind == "other"]
    lines = [
        label + SEPARATORS[language].join(item.text for item in items if item.kind == kind)
        for kind, label in LABELS[language].items()
        if label and any(item.kind == kind for item in items)
    ]
    return "\n".join([*other, *lines])


def _read(text: str) -> list[Item]:
    return [item for line in text.splitlines() if line.strip() for item in _read_line(line.strip())]


def _read_line(line: str) -> Iterable[Item]:
    for language, labels in LABELS.items():
        for kind, label in labels.items():
            if label and line.startswith(label.strip()):
                parts = line.removeprefix(label.strip()).split(SEPARATORS[language].strip())
                return [_kept(kind, part.strip()) for part in parts if part.strip()]
    return [_kept("other", line)]


def _plain(text: str) -> str:
    return "".join(char for char in text.casefold() if char.isalnum())
