"""Front matter: the YAML between two lines `---` at the head of a SKILL.md, and the body behind it."""

from __future__ import annotations

import codecs
import re
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

import yaml

from skills.skill_file import UNREADABLE, UnreadableError, checked_depth, syntax

MAX_FILE_BYTES = 10 * 1024 * 1024
"""The most that the Agent-Skills format allows; of a file only its front matter and its body's head are read."""
MAX_FRONT_BYTES = 64 * 1024
MAX_BODY_BYTES = 64 * 1024

_FRONT = re.compile(rb"\A(?:\xef\xbb\xbf)?---[ \t]*\r?\n(?P<front>.*?)^---[ \t]*(?:\r?\n|\Z)", re.DOTALL | re.MULTILINE)
_OPENING = re.compile(rb"\A(?:\xef\xbb\xbf)?---[ \t]*\r?\n")


@dataclass(frozen=True, kw_only=True)
class FrontMatter:
    """The fields as they stand, and the text that they were read from."""

    fields: Mapping[str, object]
    text: str


def front_matter_of(file: Path) -> FrontMatter:
    """Read the fields at the head of a file, and no more of it.

    Raises:
        UnreadableError: The file cannot be read or has no front matter that can be used.
    """
    text = _decoded(_split(_head(file, MAX_FRONT_BYTES))["front"], whole=True)
    return FrontMatter(fields=_fields(text), text=text)


def body_text_of(file: Path) -> tuple[str, bool]:
    """Read what stands behind the front matter, 64 KiB at most.

    Returns:
        The text, and whether the file holds more.

    Raises:
        UnreadableError: The file cannot be read, or has lost its front matter.
    """
    raw = _head(file, MAX_FRONT_BYTES + MAX_BODY_BYTES)
    body = raw[_split(raw).end() :]
    more = len(body) > MAX_BODY_BYTES or len(raw) > MAX_FRONT_BYTES + MAX_BODY_BYTES
    return _decoded(body[:MAX_BODY_BYTES], whole=not more), more


def _head(file: Path, size: int) -> bytes:
    """Read so many bytes and one more, which tells that there are more."""
    try:
        length = file.stat().st_size
        with file.open("rb") as opened:
            raw = opened.read(size + 1)
    except OSError as error:
        raise UnreadableError(f"cannot be read: {error.strerror}") from error
    if length > MAX_FILE_BYTES:
        raise UnreadableError(f"has {length} bytes, more than {MAX_FILE_BYTES}: move parts of it to references/")
    return raw


def _split(raw: bytes) -> re.Match[bytes]:
    found = _FRONT.match(raw)
    if found is not None:
        return found
    if _OPENING.match(raw) is None:
        raise UnreadableError("does not begin with front matter: a line `---`, then `name:` and `description:`")
    raise UnreadableError(f"has no line `---` that ends its front matter in the first {MAX_FRONT_BYTES} bytes")


def _decoded(raw: bytes, *, whole: bool) -> str:
    """Decode; a character that was cut at the end of a part is left out."""
    try:
        text = codecs.getincrementaldecoder("utf-8")().decode(raw, final=whole)
    except UnicodeDecodeError as error:
        raise UnreadableError(f"is not UTF-8 (near byte {error.start}): save it as UTF-8") from error
    return text.replace("\r\n", "\n")


def _fields(text: str) -> Mapping[str, object]:
    fields = _parsed(checked_depth(text))
    if not isinstance(fields, dict):
        raise UnreadableError("has no fields in its front matter; it needs `name:` and `description:`")
    return {str(name): value for name, value in fields.items()}


def _parsed(text: str) -> object:
    try:
        aliased = any(isinstance(event, yaml.AliasEvent) for event in yaml.parse(text, Loader=yaml.SafeLoader))
        fields: object = None if aliased else yaml.safe_load(text)
    except yaml.YAMLError as error:
        hint = "; quote a text that holds a colon" if "mapping values" in str(error) else ""
        raise UnreadableError(syntax(error, lines_before=1) + hint) from error
    except UNREADABLE as error:
        raise UnreadableError(f"holds a value that cannot be read: {error}") from error
    if aliased:
        raise UnreadableError("uses YAML aliases (`*name`): write the values out")
    return fields
