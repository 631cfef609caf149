"""Clauses: what of a message the user said in earnest, cut into the pieces that rules read.

What is not the user's own telling is blanked first: code, logs, quoted messages, links, another speaker's lines, our own
`<memory>` fences and lines of prompts that lost them. Every position stays what it is in the message, so that a quote can be cut from it.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from memory.privacy import fold
from memory.prompt_shapes import without_prompt

BLANK = "\ufffc"
LONGEST_QUOTED_NAME = 12
LONGEST_SENTENCE = 600
"""Characters without a full stop; what is longer was pasted."""

_BLANKED = (
    re.compile(r"<\s*(memory|memories|recalled|context|system|tool|said)\b[^>]*>[\s\S]*?(?:<\s*/\s*\1\s*>|\Z)", re.I),
    re.compile(r"```[\s\S]*?(?:```|\Z)|~~~[\s\S]*?(?:~~~|\Z)"),
    re.compile(r"`[^`\n]*`"),
    re.compile(r"(?:https?|ftp|file)://[^\s，。；）)」”]+|(?<![A-Za-z0-9])www\.[^\s，。；）)」”]+"),
    re.compile(r"(?im)^[^\S\n]*+(?:assistant|ai|bot|model|system|tool|助手|助理|机器人|客服|系统)\s*:[\s\S]*?(?=^[^\S\n]*+(?:user|human|me|用户|我)\s*:|\Z)"),
    re.compile(r"(?m)^[^\S\n]*+(?:>|\$ |#!|\|).*$"),
    re.compile(r"(?m)^[^\S\n]*+(?:\[?\d{4}-\d\d-\d\d[T ]\d\d:\d\d|\[?(?:TRACE|DEBUG|INFO|WARN(?:ING)?|ERROR|FATAL|CRITICAL)\]?[\s:\[]).*$"),
    re.compile(r"(?m)^Traceback \(most recent call last\)[\s\S]*?(?=^\S.*Error\b.*$|\Z)(?:^\S.*Error\b.*$)?"),
    re.compile(r"(?m)^[^\S\n]*+(?:at [\w.$<>]+\(|(?:def|class|import|from|return|const|let|var|function|public|private|SELECT|INSERT|UPDATE) [^，。]*[(){};=.*]|[{}\[\]]|[\w.\]\[\"']+\s*=(?!=)\s*\S|[\"'][\w.-]+[\"']\s*:|<\/?[a-z][^>]*>).*$"),
)  # fmt: skip
_DECORATION = re.compile(
    r"[\U0001F000-\U0001F435\U0001F437-\U0001FAFF\u2600-\u27BF\u2B00-\u2BFF\uFE0F\u200D\u20E3\ufffd]+"
    r"|[:;]-?[)(D](?![A-Za-z0-9])|\^_*\^|\[(?!狗头|滑稽|坏笑|手动)[\u4e00-\u9fff]{1,4}\]|\((?:笑|哭|捂脸)\)"
)
"""Emoji, emoticons, stickers: they end what was told, like a comma. One that marks a joke (a dog's head) stays, so that
nothing is read in its clause."""
_QUOTED = re.compile(r"「[^」]*」|『[^』]*』|“[^”]*”|《[^》]*》|\"[^\"\n]*\"|(?<![A-Za-z0-9])'[^'\n]*'(?![A-Za-z0-9])")
_SPEAKING = re.compile(r"[,，。.!?！？;；]|我|(?<![a-z])(?:i|i'm|my|is|are|am)(?![a-z])", re.I)
_OWN_PREFIX = re.compile(r"(?im)^[^\S\n]*+(?:user|human|me|用户|我)\s*:\s*")
_SENTENCE_END = re.compile(
    r"[。!?；\n…]+|;+(?!\S)|(?<!\bMr)(?<!\bMs)(?<!\bDr)(?<!\bMrs)(?<!\be\.g)\.+(?=\s|$|"
    + BLANK
    + ")|"
    + BLANK
    + r"{3,}"
)
_COMMA = re.compile(
    r"(?<![0-9]),|,(?![0-9])|、(?=我)|:(?=\s*(?:我|i\b|my\b))|\s+[-—–]{1,2}\s+|——|\s(?=(?:but|because|since|so|although|though|while)\s+(?:i|my|he|she|please)\b)"
    r"|\s(?=(?:not|rather\s+than|instead\s+of)\s+(?-i:[A-Z])[a-z]+$)|(?<=[\u4e00-\u9fff])(?=而不是)|(?<=[\u4e00-\u9fff])(?<![是要可又也都还就并总才说我他她你您们它这那而])(?=不是(?!吗|的|很|说|因为)[\u4e00-\u9fffA-Za-z0-9]{2,8}$)|\s(?=and\s+(?:also\s+)?(?:i|i'm|i've|we|we've|my|he|she|please|call|keep|answer|don't|work|live|study|love|like|hate|enjoy|prefer|have|am|use|come)\b)"
    r"|(?<=[\u4e00-\u9fff])\s+(?=[\u4e00-\u9fff])|(?<![不非])(?=但是?[不没我也还])|(?=(?:而且|并且|不过|因为|所以|然后|同时)(?:我|他|她|请|也))",
    re.I,
)


@dataclass(frozen=True, kw_only=True)
class Clause:
    """A piece of a message: where it stands, and where the sentence around it ends.

    `asked`: it is (part of) a question. `unreal`: supposed, reported, played or joked, not told.
    """

    start: int
    end: int
    sentence_start: int
    sentence_end: int
    asked: bool
    unreal: bool


@dataclass(frozen=True, kw_only=True)
class Reading:
    """A message, folded and blanked (as long as the message), and its clauses."""

    text: str
    clauses: tuple[Clause, ...]


@dataclass(frozen=True, kw_only=True)
class Signs:
    """The words of one language by which a clause is known not to be told in earnest."""

    question: re.Pattern[str]
    check_tag: re.Pattern[str]
    supposed: re.Pattern[str]
    supposing: re.Pattern[str]
    reported: re.Pattern[str]
    joke: re.Pattern[str]
    machine: re.Pattern[str]


def read_message(text: str, signs: tuple[Signs, ...]) -> Reading:
    """Fold and blank a message and cut it into clauses, each marked for how it is meant."""
    clean = _undecorated(blanked(fold(text).replace("’", "'").replace("‘", "'")))
    if any(each.machine.search(clean) for each in signs):
        return Reading(text=clean, clauses=())
    sentences = list(_sentences(clean))
    joked = _joked(clean, sentences, signs)
    clauses = [
        clause
        for number, (start, end) in enumerate(sentences)
        for clause in _clauses(clean, start, end, signs, unreal=number in joked)
    ]
    return Reading(text=clean, clauses=tuple(clauses))


def blanked(text: str) -> str:
    """Blank out what is not the user's own telling; the length stays the same."""
    text = _filled(_BLANKED[:5], text)
    text = without_prompt(text, text, BLANK)
    text = _OWN_PREFIX.sub(lambda match: " " * len(match.group()), text)
    return _QUOTED.sub(_unquoted, _filled(_BLANKED[5:], text))


def _filled(patterns: tuple[re.Pattern[str], ...], text: str) -> str:
    for pattern in patterns:
        text = pattern.sub(lambda match: BLANK * len(match.group()), text)
    return text


def _undecorated(text: str) -> str:
    return _DECORATION.sub(lambda match: "," * len(match.group()), text)


def _unquoted(match: re.Match[str]) -> str:
    """Keep a quoted name (its marks stay), blank what somebody said."""
    inner = match.group()[1:-1]
    if len(inner) <= LONGEST_QUOTED_NAME and not _SPEAKING.search(inner):
        return match.group()
    return BLANK * len(match.group())


def _sentences(text: str) -> Iterator[tuple[int, int]]:
    start = 0
    ends = [match.span() for match in _SENTENCE_END.finditer(text)]
    for end, following in [*ends, (len(text), len(text))]:
        if text[start:end].strip() and end - start <= LONGEST_SENTENCE:
            yield start, end
        start = following


def _joked(text: str, sentences: list[tuple[int, int]], signs: tuple[Signs, ...]) -> set[int]:
    """Number the sentences that are jokes; a remark such as 开玩笑的 that stands alone is about the one before."""
    joked: set[int] = set()
    for number, (start, end) in enumerate(sentences):
        found = next((match for each in signs if (match := each.joke.search(text, start, end))), None)
        if found:
            alone = not text[start : found.start()].strip(" ,我是的只")
            joked |= {number, number - 1} if alone else {number}
    return joked


def _clauses(text: str, start: int, end: int, signs: tuple[Signs, ...], *, unreal: bool) -> Iterator[Clause]:
    """Cut a sentence; what is supposed or reported colours all that follows in it."""
    pieces = list(_pieces(text, start, end))
    asked_as_a_whole = _ends_asking(text, end)
    for number, (first, last) in enumerate(pieces):
        piece = text[first:last]
        unreal = unreal or any(each.supposed.search(piece) or each.reported.search(piece) for each in signs)
        before = any(each.supposing.search(text[first:end]) for each in signs)
        is_last = number + 1 == len(pieces) or _is_check(text[pieces[number + 1][0] : end], signs)
        asked = (asked_as_a_whole and is_last) or any(each.question.search(piece) for each in signs)
        yield Clause(
            start=first, end=last, sentence_start=start, sentence_end=end, asked=asked, unreal=unreal or before
        )


def _ends_asking(text: str, end: int) -> bool:
    return re.match(r"[\s~!。.…]*\?", text[end : end + 6]) is not None


def _is_check(rest: str, signs: tuple[Signs, ...]) -> bool:
    """Tell whether what follows only asks whether that is right: 对吗, "right"."""
    return any(each.check_tag.fullmatch(rest.strip(" ,")) for each in signs)


def _pieces(text: str, start: int, end: int) -> Iterator[tuple[int, int]]:
    first = start
    for match in _COMMA.finditer(text, start, end):
        yield from _stripped(text, first, match.start())
        first = match.end()
    yield from _stripped(text, first, end)


def _stripped(text: str, start: int, end: int) -> Iterator[tuple[int, int]]:
    while start < end and text[start] in f" \t\r,{BLANK}":
        start += 1
    while end > start and text[end - 1] in f" \t\r,{BLANK}":
        end -= 1
    if start < end:
        yield start, end
