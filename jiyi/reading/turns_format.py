"""The turns format: a line is a corpus, one person's memory, with turns in time order.

    {"id": "c1", "turns": [{"id": "t1", "session": "s1", "at": "2026-05-01T08:00:00", "speaker": "user", "text": "…"}]}

`session`, `at` and `speaker` may be blank or missing; a blank speaker is the user. Other fields are left alone.
"""

from __future__ import annotations

from collections import Counter
from datetime import tzinfo

from jiyi.reading.fields import Part, moment_in, name_in, text_in
from jiyi.reading.said import USER, Conversation, Said

EXPECTED = (
    'a corpus {"id", "turns": [{"id", "text"}, …]}, whose turns may also have "session", "at" (ISO 8601) and "speaker"'
)


def read_corpus(part: Part, zone: tzinfo) -> Conversation:
    """Read one corpus; turns without text are skipped.

    Raises:
        FormatError: It is no corpus, a turn lacks something, or two turns have one id.
    """
    name = name_in(part, "id")
    turns = part.below(f"corpus {name!r}", part.mapping()["turns"]).items("turn")
    said = [_said(turn, position, zone) for position, turn in enumerate(turns)]
    _refuse_twins(part, said)
    kept = tuple(one for one in said if one.text.strip())
    return Conversation(name=name, said=kept, keeps_names=True, skipped=len(said) - len(kept))


def _said(turn: Part, position: int, zone: tzinfo) -> Said:
    return Said(
        name=name_in(turn, "id"),
        session=text_in(turn, "session", needed=False),
        speaker=text_in(turn, "speaker", needed=False).strip() or USER,
        text=text_in(turn, "text", needed=True),
        said_at=moment_in(turn, "at", zone),
        position=position,
    )


def _refuse_twins(part: Part, said: list[Said]) -> None:
    twins = [name for name, times in Counter(one.name for one in said).items() if times > 1]
    if twins:
        raise part.fault(f"more than one turn has the id {twins[0]!r}")
