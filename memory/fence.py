"""The fence: how remembered text is set apart in a prompt, as data and never as an instruction.

A fence is a line that opens (`<memory kind="facts" note="…">`), lines of escaped text, and a line that closes
(`</memory>`). Nothing that was remembered can write either of them.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator, Sequence
from typing import Literal, get_args

from memory.surrogates import visible

FenceKind = Literal["facts", "summary", "notes", "episodes", "skills"]

TAG = "memory"
CLOSING = f"</{TAG}>"
_LESS = "<\uff1c\ufe64\u2039\u02c2\u1438\u276e\u2770\u27e8\u2329\u29fc"
_GREATER = ">\uff1e\ufe65\u203a\u02c3\u1433\u276f\u2771\u27e9\u232a\u29fd"
_ESCAPES = str.maketrans({**dict.fromkeys(_LESS, "&lt;"), **dict.fromkeys(_GREATER, "&gt;")})
_JOINERS = "\u200c\u200d"
_GAP = "[\\s\u00ad\u200b-\u200f\u2028-\u202e\u2060-\u2064\ufeff]*"
_TYPED_TAG = re.compile(f"[{_LESS}\u3008](?={_GAP}(?:[/／]{_GAP})?{_GAP.join(TAG)}(?![a-z]))", re.IGNORECASE)
_FENCE = re.compile(
    f'<{TAG} kind="(?P<kind>{"|".join(get_args(FenceKind))})"[^<>\n]*>\n(?P<body>.*?)\n{CLOSING}\n{{0,2}}',
    re.DOTALL,
)
_OPENS = f"[{_LESS}\u3008]|&lt;"
_CLOSES = f"[{_GREATER}\u3009]|&gt;"
_NAMED = _GAP.join(TAG)
_INSIDE = f"[^{_LESS}{_GREATER}\u3008\u3009]{{0,400}}?"
_ENDS = f"(?:{_OPENS}){_GAP}[/\uff0f]{_GAP}{_NAMED}{_GAP}(?:{_CLOSES})"
_BEGINS = f"(?:{_OPENS}){_GAP}{_NAMED}\\b(?P<ours>{_GAP}\\skind{_GAP}=)?{_INSIDE}(?:{_CLOSES})"
_TAGS = re.compile(f"(?P<ends>{_ENDS})|{_BEGINS}", re.DOTALL | re.IGNORECASE)
_OPENS_OURS = re.compile(f'<{TAG} kind="(?:{"|".join(get_args(FenceKind))})"[^<>\n]*>')
ANY_END = "any"
_BLANK_LINES = re.compile("\n{0,2}")


def fenced(kind: FenceKind, lines: Sequence[str], *, note: str) -> str:
    """Set lines apart as data of one kind; they must already be escaped."""
    return "\n".join([f'<{TAG} kind="{kind}" note="{note}">', *lines, CLOSING])


def fences_in(text: str) -> Iterator[tuple[str, list[str]]]:
    """Give each fence's kind and its lines, still escaped, in the order they stand."""
    for match in _FENCE.finditer(text):
        yield match["kind"], match["body"].split("\n")


def fence_texts(text: str) -> Iterator[tuple[str, str]]:
    """Give each fence's kind and all of its text, its tags and the blank line behind it included."""
    for match in _FENCE.finditer(text):
        yield match["kind"], match[0]


def escaped(text: str) -> str:
    """Make a remembered text safe inside a fence: one line, no angle bracket or look-alike, all visible."""
    seen = "".join(char for char in visible(text) if _is_seen(char))
    return " ".join(seen.split()).translate(_ESCAPES)


def escaped_lines(text: str) -> list[str]:
    """Make each line of a remembered text safe; blank ones go."""
    return [line for line in map(escaped, text.splitlines()) if line]


def unescaped(text: str) -> str:
    """Give angle brackets back; look-alikes come back as plain ones."""
    return text.replace("&lt;", "<").replace("&gt;", ">")


def neutralised(text: str) -> str:
    """Take the force out of fence tags that somebody typed; every other character stays as it is."""
    return _TYPED_TAG.sub("&lt;", text)


def without_fences(text: str) -> str:
    """Strip our blocks from a text, so that what was recalled is never extracted again.

    A block that was pasted and has lost its end goes up to the end of the text. However many tags there are, the text
    is gone through once.
    """
    tags = list(_TAGS.finditer(text))
    last_end = max((tag.start() for tag in tags if tag["ends"]), default=-1)
    last_exact = max((tag.start() for tag in tags if tag[0] == CLOSING), default=-1)
    kept: list[str] = []
    done, until = 0, ""
    for tag in tags:
        if until and (not tag["ends"] or until not in (ANY_END, tag[0])):
            continue
        if not until:
            kept.append(text[done : tag.start()])
        if tag["ours"] and last_end < tag.start():
            return "".join(kept)
        done = _after(text, tag)
        until = "" if tag["ends"] else _end_of(tag, last_end=last_end, last_exact=last_exact)
    return "".join([*kept, text[done:]])


def _end_of(opening: re.Match[str], *, last_end: int, last_exact: int) -> str:
    """Say what ends a block: in one of ours only what we write, since what stands in it is escaped; "" if nothing does."""
    if _OPENS_OURS.fullmatch(opening[0]) and last_exact > opening.start():
        return CLOSING
    return ANY_END if last_end > opening.start() else ""


def _after(text: str, tag: re.Match[str]) -> int:
    """Give where a text goes on behind a tag: behind the end of a block of ours without its blank lines."""
    blank = _BLANK_LINES.match(text, tag.end()) if tag["ends"] and tag[0] == CLOSING else None
    return blank.end() if blank else tag.end()


def _is_seen(char: str) -> bool:
    """Tell whether a character shows, separates words, or joins letters and emoji."""
    return char.isspace() or char in _JOINERS or unicodedata.category(char) not in {"Cc", "Cf", "Cs"}
