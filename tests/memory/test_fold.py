"""Evidence becomes facts."""

from collections.abc import Iterable
from dataclasses import replace
from datetime import UTC, datetime, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memory.fold import as_of, fold
from memory.keys import KeySpec, default_keys
from memory.kinds import Act, Evidence, Fact, Source

MONDAY = datetime(2024, 5, 6, 9, tzinfo=UTC)
ACTS: tuple[Act, ...] = ("state", "correct", "retract", "confirm", "pin", "undo", "accept", "reject")
SOURCES: tuple[Source, ...] = ("user", "import", "distilled", "tool")


@pytest.fixture(autouse=True, scope="module")
def _tables_are_read() -> None:
    """Read the tables of what is the same before a property's first example is timed."""
    folded(said("杭州"))


def said(
    value: str,
    day: float = 0,
    *,
    key: str = "user.lives_in",
    act: Act = "state",
    thread: str = "a",
    confidence: float = 0.75,
    source: Source = "user",
    turn: str = "",
) -> Evidence:
    turn = turn or f"{thread}/{day}/{act}/{value}"
    return Evidence(
        id=f"{key}/{value}/{act}/{turn}/{source}",
        key=key,
        value=value,
        act=act,
        confidence=confidence,
        source=source,
        quote=value,
        episode_id=turn,
        thread_id=thread,
        turn_id=turn,
        said_at=MONDAY + timedelta(days=day),
    )


def folded(*evidence: Evidence, key: str = "user.lives_in") -> dict[str, Fact]:
    facts = fold(key, evidence, spec=spec(key), name=lambda key, value: f"{key}={value}")
    return {fact.value: fact for fact in facts}


def spec(key: str) -> KeySpec:
    found = default_keys().spec(key)
    assert found is not None
    return found


def statuses(*evidence: Evidence, key: str = "user.lives_in") -> dict[str, str]:
    return {value: fact.status for value, fact in folded(*evidence, key=key).items()}


def test_a_thing_said_once_is_believed() -> None:
    evidence = said("杭州")
    fact = folded(evidence)["杭州"]
    assert fact == Fact(
        id="user.lives_in=hangzhou",
        key="user.lives_in",
        value="杭州",
        confidence=0.75,
        status="active",
        valid_from=MONDAY,
        valid_to=None,
        first_seen=MONDAY,
        last_confirmed=MONDAY,
        evidence=(evidence.id,),
    )


def test_nothing_said_is_nothing_believed() -> None:
    assert folded() == {}
    assert folded(said("杭州", act="retract")) == {}


def test_saying_it_again_confirms_it_in_its_latest_wording() -> None:
    facts = folded(said("hangzhou", confidence=0.7), said("Hangzhou", 1, confidence=0.8))
    assert list(facts) == ["Hangzhou"]
    assert facts["Hangzhou"].confidence == pytest.approx(0.94)
    assert facts["Hangzhou"].first_seen == facts["Hangzhou"].valid_from == MONDAY
    assert facts["Hangzhou"].last_confirmed == MONDAY + timedelta(days=1)
    assert len(facts["Hangzhou"].evidence) == 2


def test_only_the_user_confirms() -> None:
    fact = folded(said("杭州"), said("杭州", 9, source="distilled", confidence=0.6))["杭州"]
    assert fact.last_confirmed == MONDAY
    assert fact.confidence == 0.75


def test_a_later_different_value_takes_the_place_of_the_old_one() -> None:
    facts = folded(said("杭州"), said("上海", 30))
    assert facts["上海"].status == "active"
    assert facts["杭州"].status == "superseded"
    assert facts["杭州"].valid_to == facts["上海"].valid_from == MONDAY + timedelta(days=30)


def test_what_was_said_on_many_days_can_still_change() -> None:
    assert statuses(*(said("杭州", day) for day in range(9)), said("上海", 30))["上海"] == "active"


def test_a_different_value_at_once_goes_to_review() -> None:
    assert statuses(said("杭州"), said("上海", 0.01)) == {"杭州": "active", "上海": "proposed"}


def test_another_thread_is_later_enough() -> None:
    assert statuses(said("杭州"), said("上海", 0.01, thread="b"))["上海"] == "active"


def test_a_much_less_sure_value_goes_to_review_and_repeating_it_tells() -> None:
    sure = said("杭州", confidence=0.9)
    doubts = [said("上海", day, confidence=0.5) for day in (1, 2)]
    assert statuses(sure, doubts[0]) == {"杭州": "active", "上海": "proposed"}
    assert statuses(sure, *doubts) == {"杭州": "superseded", "上海": "active"}


def test_a_correction_replaces_at_once() -> None:
    facts = folded(said("杭州", confidence=0.9), said("上海", 0.001, act="correct", confidence=0.5))
    assert [fact.status for fact in facts.values()] == ["superseded", "active"]


def test_a_correction_ends_the_review_of_every_other_value() -> None:
    found = statuses(said("杭州"), said("上海", 0.01), said("北京", 0.02, act="correct"))
    assert found == {"杭州": "superseded", "上海": "superseded", "北京": "active"}


def test_no_longer_this_but_that_in_one_breath() -> None:
    away = said("小王", 0.01, act="retract", turn="t", key="user.name")
    now = said("小李", 0.01, turn="t", key="user.name")
    assert statuses(said("小王", key="user.name"), away, now, key="user.name") == {
        "小王": "retracted",
        "小李": "active",
    }


def test_many_values_live_side_by_side_under_an_additive_key() -> None:
    likes = [said("茶", key="pref.likes"), said("咖啡", 0.01, key="pref.likes", act="correct")]
    assert statuses(*likes, key="pref.likes") == {"茶": "active", "咖啡": "active"}


def test_a_retraction_takes_back_what_it_names_and_nothing_else() -> None:
    likes = [said("茶", key="pref.likes"), said("咖啡", key="pref.likes")]
    facts = folded(*likes, said("茶", 5, key="pref.likes", act="retract"), key="pref.likes")
    assert (facts["茶"].status, facts["咖啡"].status) == ("retracted", "active")
    assert facts["茶"].valid_to == MONDAY + timedelta(days=5)
    assert facts["茶"].last_confirmed == MONDAY


def test_a_retraction_that_names_nothing_takes_back_everything() -> None:
    evidence = [said("杭州"), said("上海", 0.01), said("", 1, act="retract")]
    assert statuses(*evidence) == {"杭州": "retracted", "上海": "retracted"}
    assert all(evidence[2].id in fact.evidence for fact in folded(*evidence).values())


BY_DAY = [("user.todo", "还书", ["还书 (2024-05-09)", "还书 (2024-05-16)"]), ("user.plan", "see Ann", ["see Ann (2024-05-09)", "see Ann (2024-05-16)"])]  # fmt: skip


@pytest.mark.parametrize(("key", "bare", "dated"), BY_DAY)
def test_what_is_taken_back_without_its_day_is_the_only_one_of_any_day(key: str, bare: str, dated: list[str]) -> None:
    first, second = (said(each, at, key=key) for at, each in enumerate(dated))
    gone = said(bare, 3, key=key, act="retract")
    fact = folded(first, gone, key=key)[dated[0]]
    assert fact.status == "retracted"
    assert fact.evidence == (first.id, gone.id)
    assert statuses(first, second, gone, key=key) == dict.fromkeys(dated, "active")
    before = said(dated[0], 2, key=key, act="retract")
    assert statuses(first, second, before, gone, key=key) == dict.fromkeys(dated, "retracted")


@pytest.mark.parametrize(("key", "bare", "dated"), BY_DAY)
def test_what_is_held_without_a_day_is_meant_before_one_with_a_day(key: str, bare: str, dated: list[str]) -> None:
    held = [said(dated[0], key=key), said(bare, 1, key=key)]
    assert statuses(*held, said(bare, 2, key=key, act="retract"), key=key) == {dated[0]: "active", bare: "retracted"}


@pytest.mark.parametrize(("key", "bare", "dated"), BY_DAY)
def test_taking_back_without_a_day_can_be_undone(key: str, bare: str, dated: list[str]) -> None:
    story = [said(dated[0], key=key), said(bare, 1, key=key, act="retract"), said(dated[0], 2, key=key, act="undo")]
    assert statuses(*story, key=key) == {dated[0]: "active"}


def test_a_day_in_brackets_is_part_of_what_is_neither_a_plan_nor_to_be_done() -> None:
    story = [said("concert (2024-05-09)", key="pref.likes"), said("concert", 1, key="pref.likes", act="retract")]
    assert statuses(*story, key="pref.likes") == {"concert (2024-05-09)": "active"}


def test_where_the_clock_stood_still_taking_back_comes_last() -> None:
    assert statuses(said("杭州"), said("杭州", act="retract")) == {"杭州": "retracted"}


def test_what_is_said_again_after_a_retraction_is_believed_anew() -> None:
    fact = folded(said("杭州"), said("杭州", 1, act="retract"), said("杭州", 2, confidence=0.7))["杭州"]
    assert (fact.status, fact.confidence, fact.valid_to) == ("active", 0.7, None)
    assert (fact.first_seen, fact.valid_from) == (MONDAY, MONDAY + timedelta(days=2))


def test_nobody_else_takes_back_or_brings_back_what_the_user_said() -> None:
    assert statuses(said("杭州"), said("杭州", 1, act="retract", source="tool")) == {"杭州": "active"}
    assert statuses(said("杭州"), said("上海", 9, act="correct", source="distilled"))["杭州"] == "active"
    gone = [said("杭州"), said("杭州", 1, act="retract")]
    assert statuses(*gone, said("杭州", 2, source="distilled")) == {"杭州": "proposed"}


def test_what_is_pinned_does_not_yield_to_a_statement_but_to_a_correction() -> None:
    pinned = [said("杭州"), said("杭州", 1, act="pin")]
    assert folded(*pinned)["杭州"].pinned
    assert statuses(*pinned, said("上海", 30)) == {"杭州": "active", "上海": "proposed"}
    facts = folded(*pinned, said("上海", 30, act="correct"))
    assert (facts["杭州"].status, facts["杭州"].pinned) == ("superseded", False)


def test_a_pin_or_confirmation_without_a_value_is_about_what_is_held() -> None:
    fact = folded(said("杭州"), said("", 1, act="pin"), said("", 2, act="confirm"))["杭州"]
    assert (fact.value, fact.pinned, fact.last_confirmed) == ("杭州", True, MONDAY + timedelta(days=2))


def test_a_review_is_settled_either_way() -> None:
    both = [said("杭州"), said("上海", 0.01)]
    assert statuses(*both, said("上海", 1, act="accept")) == {"杭州": "superseded", "上海": "active"}
    assert statuses(*both, said("上海", 1, act="reject")) == {"杭州": "active", "上海": "retracted"}


def test_undo_brings_back_what_a_correction_replaced() -> None:
    facts = folded(said("杭州"), said("上海", 1, act="correct"), said("上海", 2, act="undo"))
    assert (facts["杭州"].status, facts["杭州"].valid_to) == ("active", None)
    assert (facts["上海"].status, facts["上海"].valid_to) == ("retracted", MONDAY + timedelta(days=2))
    assert len(facts["上海"].evidence) == 2


def test_undo_brings_back_what_was_forgotten_and_unpins() -> None:
    assert statuses(said("杭州"), said("", 1, act="retract"), said("杭州", 2, act="undo")) == {"杭州": "active"}
    assert not folded(said("杭州"), said("杭州", 1, act="pin"), said("杭州", 2, act="undo"))["杭州"].pinned


def test_undo_twice_undoes_two_acts() -> None:
    story = [said("杭州"), said("上海", 1, act="correct"), said("上海", 2, act="pin")]
    undone = [said("上海", 3, act="undo"), said("上海", 4, act="undo")]
    assert statuses(*story, *undone) == {"杭州": "active", "上海": "retracted"}


def test_going_back_to_an_old_value_keeps_when_it_was_first_heard() -> None:
    facts = folded(said("杭州"), said("上海", 10), said("杭州", 20))
    assert (facts["杭州"].status, facts["上海"].status) == ("active", "superseded")
    assert (facts["杭州"].first_seen, facts["杭州"].valid_from) == (MONDAY, MONDAY + timedelta(days=20))


def test_what_was_believed_at_a_time_can_be_asked() -> None:
    story = [said("杭州"), said("上海", 30), said("", 60, act="retract")]
    for day, believed in ((-1, []), (1, ["杭州"]), (31, ["上海"]), (61, [])):
        then = as_of(story, MONDAY + timedelta(days=day))
        assert [value for value, fact in folded(*then).items() if fact.status == "active"] == believed


def test_opposites_are_two_values() -> None:
    both = [said(text, key="user.allergy") for text in ("nuts", "not nuts")]
    assert len(folded(*both, key="user.allergy")) == 2


def test_a_sensitive_key_makes_a_sensitive_fact() -> None:
    fact = folded(said("5月6日", key="user.birthday"), key="user.birthday")["5月6日"]
    assert fact.sensitivity == "sensitive"


def test_one_update_among_two_hundred_facts_touches_none_of_the_others() -> None:
    keys = [f"person.朋友{index}.lives_in" for index in range(200)]
    known = [said("杭州", key=key) for key in keys]
    update = said("上海", 30, key=keys[7])

    def believed(evidence: Iterable[Evidence]) -> dict[str, dict[str, Fact]]:
        evidence = list(evidence)
        return {key: folded(*evidence, key=key) for key in keys}

    before, after = believed(known), believed([*known, update])
    assert [key for key in keys if before[key] != after[key]] == [keys[7]]


pieces = st.builds(
    lambda value, day, act, thread, confidence, source, turn: said(
        value, day, act=act, thread=thread, confidence=confidence, source=source, turn=turn
    ),
    st.sampled_from(["杭州", "上海", "Berlin", "berlin!", ""]),
    st.sampled_from([0, 0.01, 0.1, 1, 2, 40]),
    st.sampled_from(ACTS),
    st.sampled_from(["a", "b"]),
    st.sampled_from([0.4, 0.75, 0.9]),
    st.sampled_from(SOURCES),
    st.sampled_from(["", "t1", "t2"]),
)
stories = st.lists(pieces, max_size=10)


def view(evidence: Iterable[Evidence], *, key: str = "user.lives_in") -> tuple[Fact, ...]:
    return fold(key, evidence, spec=spec(key), name=lambda key, value: f"{key}={value}")


@given(stories.flatmap(lambda story: st.tuples(st.just(story), st.permutations(story))))
def test_the_order_of_reading_does_not_matter(both: tuple[list[Evidence], list[Evidence]]) -> None:
    assert view(both[0]) == view(both[1])


@given(stories)
def test_evidence_read_twice_counts_once(story: list[Evidence]) -> None:
    assert view(story + story) == view(story)


@given(stories)
def test_a_single_valued_key_never_holds_two_at_once(story: list[Evidence]) -> None:
    for day in (0, 0.5, 1, 50):
        facts = view(as_of(story, MONDAY + timedelta(days=day)))
        assert sum(fact.status == "active" for fact in facts) <= 1


@given(stories.map(lambda story: [piece for piece in story if piece.act not in ("retract", "reject", "undo")]))
def test_once_something_was_said_and_nothing_taken_back_exactly_one_is_active(story: list[Evidence]) -> None:
    facts = view(story)
    assert sum(fact.status == "active" for fact in facts) == (1 if facts else 0)


@given(stories)
def test_every_value_ever_said_stays_a_fact_with_its_evidence(story: list[Evidence]) -> None:
    facts = view(story)
    assert len({fact.id for fact in facts}) == len(facts)
    for fact in facts:
        assert 0 <= fact.confidence <= 0.99
        assert fact.evidence
        assert (fact.valid_to is None) == (fact.status in ("active", "proposed"))
        assert fact.valid_to is None or fact.first_seen <= fact.valid_to
    spoken = {piece.value for piece in story if piece.act == "state" and piece.value}
    assert spoken == set() or facts


@given(stories, pieces)
def test_undoing_the_last_act_leaves_things_as_they_were(story: list[Evidence], act: Evidence) -> None:
    kind: Act = "pin" if act.act == "undo" else act.act
    last = replace(act, id="last", act=kind, source="user", said_at=MONDAY + timedelta(days=90))
    after = {fact.id: fact for fact in view([*story, last, said(act.value, 91, act="undo")])}
    for fact in view(story):
        now = after[fact.id]
        assert (now.status, now.value, now.confidence) == (fact.status, fact.value, fact.confidence)
        assert (now.valid_from, now.pinned) == (fact.valid_from, fact.pinned)


@given(stories, st.sampled_from(["pref.likes", "user.name", "person.小李.lives_in"]))
def test_evidence_under_another_key_changes_nothing(story: list[Evidence], other: str) -> None:
    moved = [replace(piece, key=other, id=f"x{piece.id}") for piece in story]
    assert view([*story, *moved]) == view(story)
