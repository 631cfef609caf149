"""Files of `jiyi bench recall`: corpora in the turns format, each with queries and the turns that answer them."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta, tzinfo
from pathlib import Path

from jiyi.reading.fields import Part, brief, given_name, moment_in, name_in, text_in
from jiyi.reading.said import Conversation, FormatError
from jiyi.reading.turns_format import read_corpus

EXPECTED = (
    'one JSON object a line, {"id", "turns": [{"id", "text", …}], "queries": [{"id", "text", "gold": [ids of turns of '
    'this line], "at", "category"}]}, in UTF-8; correct that line'
)
ANY_CATEGORY = "all"
JUST_AFTER = timedelta(seconds=1)
WITHOUT_TIMES = datetime(2026, 1, 1, tzinfo=UTC)
"""When a query is asked where neither it nor any turn has a time: no score depends on it then."""


@dataclass(frozen=True, kw_only=True)
class Query:
    """A question to a memory; `gold` are the ids of the turns that hold the answer, none where nothing does."""

    id: str
    text: str
    at: datetime | None
    category: str
    gold: tuple[str, ...]


@dataclass(frozen=True, kw_only=True)
class Corpus:
    """One person's memory, and what is asked of it."""

    conversation: Conversation
    queries: tuple[Query, ...]

    @property
    def name(self) -> str:
        """Give its id."""
        return self.conversation.name

    def asked_at(self, query: Query) -> datetime:
        """Say when a query is asked: at its own time, else just after the last that was said."""
        if query.at is not None:
            return query.at
        times = [one.said_at for one in self.conversation.said if one.said_at is not None]
        return max(times) + JUST_AFTER if times else WITHOUT_TIMES


def stem_of(path: Path) -> str:
    """Give a file's name up to the first dot, under which it is reported."""
    return path.name.partition(".")[0]


def read_recall_file(path: Path, zone: tzinfo) -> tuple[Corpus, ...]:
    """Read all corpora of a file.

    Args:
        path: The file.
        zone: In which times without an offset are meant.

    Raises:
        FormatError: Something in it cannot be understood; the text says in which line, and what is expected.
        OSError: It cannot be read.
    """
    corpora = tuple(_corpus(part, zone) for part in _lines(path))
    whole = Part(value=None, where=str(path), expected=EXPECTED)
    _refuse_twins(whole, "corpus", (one.name for one in corpora))
    if not any(query.gold for one in corpora for query in one.queries):
        raise whole.fault("no query in it has gold, so that there is nothing to measure")
    return corpora


def _lines(path: Path) -> list[Part]:
    raw = path.read_bytes().removeprefix(b"\xef\xbb\xbf").split(b"\n")
    return [_line(f"{path}, line {number}", line) for number, line in enumerate(raw, start=1) if line.strip()]


def _line(where: str, line: bytes) -> Part:
    try:
        return Part(value=json.loads(line.decode()), where=where, expected=EXPECTED)
    except json.JSONDecodeError as error:
        raise FormatError(where, f"it is no JSON ({error.msg}, column {error.colno})", EXPECTED) from error
    except (ValueError, RecursionError) as error:
        raise FormatError(where, f"it cannot be read ({error})", EXPECTED) from error


def _corpus(part: Part, zone: tzinfo) -> Corpus:
    missing = [field for field in ("turns", "queries") if field not in part.mapping()]
    if missing:
        raise part.fault(f"{missing[0]!r} is missing")
    conversation = read_corpus(part, zone)
    inside = part.below(f"corpus {conversation.name!r}", part.mapping()["queries"])
    turns = {given_name(turn["id"]) for turn in part.mapping()["turns"]}
    queries = tuple(_query(one, zone, turns) for one in inside.items("query"))
    _refuse_twins(inside, "query", (one.id for one in queries))
    return Corpus(conversation=conversation, queries=queries)


def _query(part: Part, zone: tzinfo, turns: set[str | None]) -> Query:
    text = text_in(part, "text", needed=True)
    if not text.strip():
        raise part.fault("'text' is blank")
    return Query(
        id=name_in(part, "id"),
        text=text,
        at=moment_in(part, "at", zone),
        category=text_in(part, "category", needed=False).strip() or ANY_CATEGORY,
        gold=_gold(part, turns),
    )


def _gold(part: Part, turns: set[str | None]) -> tuple[str, ...]:
    listed = part.mapping().get("gold")
    if not isinstance(listed, list):
        raise part.fault(f"'gold' is {brief(listed)}, no list")
    names = [given_name(one) for one in listed]
    for name, found in zip(names, listed, strict=True):
        if name not in turns:
            raise part.fault(f"'gold' names {brief(found)}, which is the id of no turn of this line")
    return tuple(name for name in names if name is not None)


def _refuse_twins(part: Part, what: str, names: Iterable[str]) -> None:
    twins = [name for name, times in Counter(names).items() if times > 1]
    if twins:
        raise part.fault(f"more than one {what} has the id {twins[0]!r}")
