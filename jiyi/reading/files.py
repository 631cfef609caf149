"""Files of conversations: which format one has is seen by its content, and it is read as a whole or not at all."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator
from dataclasses import replace
from datetime import tzinfo
from pathlib import Path
from typing import Any

from jiyi.reading import chatgpt_format, messages_format, turns_format
from jiyi.reading.chatgpt_format import read_conversation
from jiyi.reading.fields import Part, brief
from jiyi.reading.messages_format import read_list, read_thread
from jiyi.reading.said import Conversation, FormatError
from jiyi.reading.turns_format import read_corpus

Reader = Callable[[Part, tzinfo], Iterable[Conversation]]

ANY_FORMAT = (
    "JSON or JSON Lines in UTF-8: corpora with `turns`, OpenAI messages ({role, content}, a list of them or "
    '{"messages": […]}), or ChatGPT\'s conversations.json'
)
ONE_NAME = "each corpus or thread once, under an id of its own"
EXPECTED = {
    "turns": turns_format.EXPECTED,
    "mapping": chatgpt_format.EXPECTED,
    "messages": messages_format.EXPECTED,
    "list": messages_format.EXPECTED,
    "role": messages_format.EXPECTED,
}
READERS: dict[str, Reader] = {
    "turns": lambda part, zone: [read_corpus(part, zone)],
    "mapping": lambda part, zone: [read_conversation(part, zone)],
    "messages": lambda part, zone: [read_thread(part, zone)],
    "list": lambda part, zone: read_list(part.items("message"), zone),
}


def read_file(path: Path, zone: tzinfo) -> tuple[Conversation, ...]:
    """Read all conversations of a file.

    Args:
        path: The file.
        zone: In which times without an offset are meant.

    Raises:
        FormatError: It is in none of the formats, or a part of it is not; the text says where.
        OSError: It cannot be read.
    """
    parts = _parts(path, _text(path))
    form = _form(parts[0])
    if form == "role":
        messages = [replace(part, expected=EXPECTED[form]) for part in parts]
        return _each_once(path, read_list(messages, zone))
    return _each_once(path, (conversation for part in parts for conversation in _read(part, form, zone)))


def _read(part: Part, form: str, zone: tzinfo) -> Iterable[Conversation]:
    if _form(part) != form:
        raise FormatError(
            part.where, f"{brief(part.value)} is something else than what stands before it", EXPECTED[form]
        )
    return READERS[form](replace(part, expected=EXPECTED[form]), zone)


def _each_once(path: Path, conversations: Iterable[Conversation]) -> tuple[Conversation, ...]:
    """Leave out what stands there twice; two that differ under one name would be taken for each other."""
    named: dict[str, Conversation] = {}
    for one in conversations:
        if named.setdefault(one.name, one) != one:
            raise FormatError(str(path), f"two conversations that differ are called {one.name!r}", ONE_NAME)
    return tuple(named.values())


def _form(part: Part) -> str:
    """Say which format a part is in, by the fields that only that has."""
    value = part.value
    if isinstance(value, list) and value and isinstance(value[0], dict) and "role" in value[0]:
        return "list"
    if isinstance(value, dict):
        form = next((field for field in ("turns", "mapping", "messages", "role") if field in value), None)
        if form:
            return form
    raise part.fault(f"{brief(value)} is in no known format")


def _text(path: Path) -> str:
    raw = path.read_bytes()
    try:
        text = raw.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = raw[: error.start].count(b"\n") + 1
        raise FormatError(f"{path}, line {line}", f"byte {raw[error.start]:#04x} is not UTF-8", ANY_FORMAT) from error
    if not text.strip():
        raise FormatError(str(path), "it is empty", ANY_FORMAT)
    return text


def _parts(path: Path, text: str) -> list[Part]:
    """Give the JSON values of a file: its lines', or those of the one list that it is."""
    lines = [(number, line) for number, line in enumerate(text.split("\n"), start=1) if line.strip()]
    if len(lines) > 1 and _is_json(lines[0][1]):
        return [_part(path, number, line) for number, line in lines]
    whole = _part(path, 1, text, is_whole=True)
    if isinstance(whole.value, list) and whole.value and not _is_messages(whole.value):
        return list(_members(whole))
    return [whole]


def _members(whole: Part) -> Iterator[Part]:
    for number, value in enumerate(whole.value, start=1):
        yield whole.below(f"item {number}", value)


def _is_messages(value: list[Any]) -> bool:
    return isinstance(value[0], dict) and "role" in value[0]


def _is_json(line: str) -> bool:
    try:
        json.loads(line)
    except (ValueError, RecursionError):
        return False
    return True


def _part(path: Path, number: int, text: str, *, is_whole: bool = False) -> Part:
    try:
        value = json.loads(text)
    except json.JSONDecodeError as error:
        where = f"{path}, line {number + error.lineno - 1}"
        raise FormatError(where, f"it is no JSON ({error.msg}, column {error.colno})", ANY_FORMAT) from error
    except (ValueError, RecursionError) as error:
        raise FormatError(f"{path}, line {number}", f"its JSON cannot be read ({error})", ANY_FORMAT) from error
    where = str(path) if is_whole else f"{path}, line {number}"
    return Part(value=value, where=where, expected=ANY_FORMAT)
