"""Views: what a fact is besides: an event, something to come back to, a relation."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime, timedelta

import pytest

from memory.keys import default_keys
from memory.kinds import Event, Fact, FactStatus, FollowUp, Relation
from memory.views import is_over, views_of

SAID = datetime(2026, 5, 1, 9, 0, tzinfo=UTC)
DAY = datetime(2026, 5, 8, tzinfo=UTC)


def fact(key: str, value: str, *, status: FactStatus = "active", happens_at: datetime | None = None) -> Fact:
    return Fact(
        id="f",
        key=key,
        value=value,
        confidence=0.75,
        status=status,
        valid_from=SAID,
        valid_to=None if status == "active" else DAY,
        first_seen=SAID,
        last_confirmed=SAID,
        evidence=("e",),
        happens_at=happens_at,
    )


def seen(one: Fact) -> dict[str, Event | FollowUp | Relation]:
    spec = default_keys().spec(one.key)
    assert spec is not None
    return {str(kind): noun for kind, noun in views_of(one, spec).items()}


def test_a_dated_plan_is_an_event_while_it_is_believed() -> None:
    dentist = fact("user.plan", "看牙 (2026-05-08)", happens_at=DAY)

    assert seen(dentist) == {"events": Event(id="f", text="看牙 (2026-05-08)", happens_at=DAY, evidence=("e",))}
    assert seen(replace(dentist, status="retracted")) == {}
    assert seen(replace(dentist, happens_at=None)) == {}


@pytest.mark.parametrize(("status", "becomes"), [("active", "open"), ("retracted", "done"), ("superseded", "done")])
def test_what_is_to_be_done_is_open_until_it_is_taken_back(status: FactStatus, becomes: str) -> None:
    (followup,) = seen(fact("user.todo", "call the dentist", status=status, happens_at=DAY)).values()

    assert isinstance(followup, FollowUp)
    assert (followup.text, followup.due_at, followup.status) == ("call the dentist", DAY, becomes)


@pytest.mark.parametrize(
    ("key", "value", "relation"),
    [
        ("user.employer", "Acme", ("user", "works_at", "Acme")),
        ("user.lives_in", "杭州", ("user", "lives_in", "杭州")),
        ("person.王芳.relation", "同事", ("user", "同事", "王芳")),
        ("person.Anna.employer", "Acme", ("Anna", "works_at", "Acme")),
        ("person.{value}.employer", "{0}", ("{value}", "works_at", "{0}")),
    ],
)
def test_a_fact_that_joins_two_names_is_a_relation(key: str, value: str, relation: tuple[str, str, str]) -> None:
    (found,) = seen(fact(key, value)).values()

    assert isinstance(found, Relation)
    assert (found.subject, found.predicate, found.object) == relation
    assert (found.valid_from, found.valid_to, found.confidence) == (SAID, None, 0.75)


def test_a_relation_that_ended_says_until_when_and_what_is_only_proposed_is_none() -> None:
    (ended,) = seen(fact("user.employer", "Acme", status="superseded")).values()

    assert isinstance(ended, Relation)
    assert ended.valid_to == DAY
    assert seen(fact("user.employer", "Acme", status="proposed")) == {}


def test_a_fact_about_the_user_alone_is_nothing_besides() -> None:
    assert seen(fact("user.allergy", "nuts")) == {}


def test_a_plan_is_over_when_its_day_has_passed_and_a_fact_without_a_day_never_is() -> None:
    spec = default_keys().spec("user.plan")
    assert spec is not None
    exam = fact("user.plan", "exam", happens_at=DAY)

    assert [is_over(exam, spec, DAY + timedelta(hours=hours)) for hours in (-1, 23, 24)] == [False, False, True]
    assert not is_over(replace(exam, happens_at=None), spec, DAY + timedelta(days=99))
