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
_PASTED = re.compile(rf"<\s*{TAG}\b[^<>]*>.*?<\s*/\s*{TAG}\s*>|<\s*{TAG}\s+kind=[^<>]*>.*\Z", re.DOTALL | re.IGNORECASE)
_LONE_TAG = re.compile(rf"<\s*(?:/\s*)?{TAG}\b[^<>]*>", re.IGNORECASE)


def fenced(kind: FenceKind, lines: Sequence[str], *, note: str) -> str:
    """Set lines apart as data of one kind; they must already be escaped."""
    return "\n".join([f'<{TAG} kind="{kind}" note="{note}">', *lines, CLOSING])


def fences_in(text: str) -> Iterator[tuple[str, list[str]]]:
    """Give each fence's kind and its lines, still escaped, in the order they stand."""
    for match in _FENCE.finditer(text):
        yield match["kind"], match["body"].split("\n")


def escaped(text: str) -> str:
    """Make a remembered text safe inside a fence: one line, no angle bracket or look-alike, all visible."""
    seen = "".join(char for char in visible(text) if _is_seen(char))
    return " ".join(seen.split()).translate(_ESCAPES)


def unescaped(text: str) -> str:
    """Give angle brackets back; look-alikes come back as plain ones."""
    return text.replace("&lt;", "<").replace("&gt;", ">")


def neutralised(text: str) -> str:
    """Take the force out of fence tags that somebody typed; every other character stays as it is."""
    return _TYPED_TAG.sub("&lt;", text)


def without_fences(text: str) -> str:
    """Strip our blocks from a text, so that what was recalled is never extracted again.

    A block that was pasted and has lost its end goes up to the end of the text.
    """
    ours_gone = _FENCE.sub("", text)
    return _LONE_TAG.sub("", _PASTED.sub("", ours_gone))


def _is_seen(char: str) -> bool:
    """Tell whether a character shows, separates words, or joins letters and emoji."""
    return char.isspace() or char in _JOINERS or unicodedata.category(char) not in {"Cc", "Cf", "Cs"}
