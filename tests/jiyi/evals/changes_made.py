"""Pairs of messages and what came of them, made for tests."""

from __future__ import annotations

from jiyi.evals.changes_file import Pair
from jiyi.evals.changes_run import Course
from memory.kinds import Fact
from tests.jiyi.evals.facts_made import fact

MOVED_EN = ("I live in Leeds.", "I live in Porto now.", "Leeds", "Porto", "Where do I live?")
MOVED_ZH = ("我住在北京。", "我现在住在上海。", "北京", "上海", "我住在哪里？")


def pair(
    name: str = "p1",
    *,
    key: str = "user.lives_in",
    said: tuple[str, str, str, str, str] = MOVED_EN,
    language: str = "en",
    marked: bool = False,
) -> Pair:
    """Give a pair: first and second message, old and new value, question."""
    first, second, old, new, ask = said
    return Pair(
        id=name,
        language=language,
        key=key,
        first=first,
        second=second,
        old=old,
        new=new,
        marked=marked,
        ask=ask,
    )


def course(
    of: Pair | None = None,
    *,
    learned: tuple[tuple[str, str], ...] = (),
    held: tuple[tuple[str, str], ...] = (),
    waiting: tuple[str, ...] = (),
    changed: tuple[str, ...] = (),
    overwritten: tuple[str, ...] = (),
    grown: int = 0,
    turned: int = 0,
) -> Course:
    """Give the course of a pair, with the keys and values that are believed after each message."""
    return Course(
        pair=of or pair(),
        learned=_facts(learned),
        held=_facts(held),
        waiting=frozenset(waiting),
        beside=10,
        changed=changed,
        overwritten=overwritten,
        grown=grown,
        turned=turned,
    )


def _facts(known: tuple[tuple[str, str], ...]) -> tuple[Fact, ...]:
    return tuple(fact(*one) for one in known)
