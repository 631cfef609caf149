"""Facts and labelled messages, made for tests."""

from __future__ import annotations

from datetime import UTC, datetime

from jiyi.evals.facts_file import Label, Line
from jiyi.evals.facts_run import Taken
from memory.kinds import Fact

THEN = datetime(2026, 5, 4, tzinfo=UTC)

Triple = tuple[str, str, str]


def fact(key: str, value: str) -> Fact:
    """Give a fact that is believed."""
    return Fact(
        id=f"{key} {value}",
        key=key,
        value=value,
        confidence=0.8,
        status="active",
        valid_from=THEN,
        valid_to=None,
        first_seen=THEN,
        last_confirmed=THEN,
    )


def line(*labels: Triple, user: str = "", text: str = "…", number: int = 1) -> Line:
    """Give a message that states what is labelled."""
    return Line(number=number, text=text, labels=tuple(Label(*one) for one in labels), user=user)


def taken(
    labels: list[Triple], facts: list[tuple[str, str]], *, user: str = "", refused: tuple[str, ...] = ()
) -> Taken:
    """Give a message with its labels, of which these keys and values are believed."""
    return Taken(line=line(*labels, user=user), facts=tuple(fact(*one) for one in facts), refused=refused)
