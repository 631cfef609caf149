"""The report on changes: what counts as learned, updated, missed and lost, and what is added up."""

from __future__ import annotations

import pytest

from jiyi.evals.changes import junk_report, outcome, report, waits
from jiyi.evals.changes_file import Junk
from jiyi.evals.changes_recall import Ranks
from jiyi.evals.changes_run import Left
from tests.jiyi.evals.changes_made import course, pair
from tests.jiyi.evals.facts_made import fact

HOME, JOB = "user.lives_in", "user.occupation"
QUIT = ("I love climbing", "I quit climbing", "climbing", "", "Do I climb?")
LEARNED = ((HOME, "Leeds"),)


@pytest.mark.parametrize(
    ("learned", "held", "expected"),
    [
        ((), ((HOME, "Porto"),), "not learned"),
        (((HOME, "York"),), ((HOME, "Porto"),), "not learned"),
        (LEARNED, ((HOME, "Porto"),), "updated"),
        (LEARNED, ((HOME, "in Porto"),), "updated"),
        (LEARNED, LEARNED, "missed"),
        (LEARNED, (*LEARNED, (HOME, "Porto")), "missed"),
        (LEARNED, ((HOME, "the moon"),), "lost"),
        (LEARNED, ((JOB, "Porto"),), "lost"),
        (((JOB, "Leeds"),), ((HOME, "Porto"), (JOB, "Leeds")), "missed"),
        (((JOB, "Leeds"),), ((HOME, "Porto"),), "updated"),
    ],
)
def test_what_became_of_the_old_value(
    learned: tuple[tuple[str, str], ...], held: tuple[tuple[str, str], ...], expected: str
) -> None:
    assert outcome(course(learned=learned, held=held)) == expected


@pytest.mark.parametrize(
    ("held", "expected"),
    [((), "updated"), ((("pref.likes", "climbing"),), "missed"), ((("pref.likes", "tea"),), "updated")],
)
def test_where_the_old_value_only_ended_nothing_new_is_asked_for(
    held: tuple[tuple[str, str], ...], expected: str
) -> None:
    one = pair(key="user.hobby", said=QUIT)
    assert outcome(course(one, learned=(("pref.likes", "climbing"),), held=held)) == expected


def test_values_of_a_vocabulary_are_the_same_in_other_words() -> None:
    one = pair(key="pref.style", said=("说详细点", "以后简短点", "详细", "简短", "怎么回答我？"), language="zh")
    assert outcome(course(one, learned=(("pref.style", "detailed"),), held=(("pref.style", "brief"),))) == "updated"


def test_only_a_verdict_on_the_pairs_own_keys_is_waited_for() -> None:
    assert waits(course(learned=LEARNED, waiting=(HOME,)))
    assert not waits(course(learned=LEARNED, waiting=(JOB,)))


def ranks(name: str, new: int | None, old: int | None) -> Ranks:
    return Ranks(pair=pair(name), new=new, old=old, new_shown=None, old_shown=old)


def test_all_is_added_up_by_mark_and_language() -> None:
    courses = [
        course(pair("a", marked=True), learned=LEARNED, held=((HOME, "Porto"),)),
        course(pair("b"), learned=LEARNED, held=LEARNED, waiting=(HOME,), changed=("x", "y"), overwritten=("x",)),
        course(pair("c", language="zh"), grown=2, turned=1),
    ]
    found = report(courses, [ranks("a", 1, 2), ranks("b", 3, 2), ranks("c", 2, None)])
    assert found["pairs"]["all"] == {
        "n": 3,
        "learned": 2,
        "updated": 1,
        "missed": 1,
        "lost": 0,
        "share_missed": 0.5,
        "to_review": 1,
    }
    assert [found["pairs"][name]["n"] for name in ("marked", "unmarked", "en", "zh")] == [1, 2, 2, 1]
    assert found["pairs"]["zh"]["share_missed"] is None
    assert found["collateral"] == {"beside": 30, "changed": 2, "overwritten": 1}
    assert found["replay"] == {"grown": 2, "turned": 1}
    assert found["outcomes"] == {"a": "updated", "b": "missed", "c": "not learned"}
    assert (found["recall"]["updated"]["n"], found["recall"]["updated"]["first"]) == (1, 1.0)
    assert found["recall"]["all"] == {
        "n": 3,
        "first": 0.3333,
        "before_old": 0.6667,
        "shown": 0.0,
        "shown_first": 0.0,
        "shown_before_old": 0.0,
        "only_old_shown": 0.6667,
    }


def test_of_nothing_there_is_no_share() -> None:
    found = report([], [])
    assert found["pairs"]["all"]["share_missed"] is None
    assert found["recall"]["all"]["first"] is None


def test_what_junk_left_is_counted_by_message_and_kind() -> None:
    left = [
        Left(junk=Junk(id="a", language="en", kind="paste", text="x"), facts=(fact(HOME, "Leeds"), fact(JOB, "nurse"))),
        Left(junk=Junk(id="b", language="zh", kind="paste", text="y"), facts=()),
        Left(junk=Junk(id="c", language="zh", kind="chatter", text="z"), facts=()),
    ]
    found = junk_report(left)
    assert (found["n"], found["leaving"], found["share_leaving"], found["facts"]) == (3, 1, 0.3333, 2)
    assert found["kinds"]["chatter"]["leaving"] == 0
    assert found["kinds"]["paste"]["share_leaving"] == 0.5
    assert found["messages"] == {"a": [HOME, JOB]}
