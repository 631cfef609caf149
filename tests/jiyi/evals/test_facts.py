"""Scoring facts: what counts as found, as right, as wrong, and as neither."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from jiyi.evals.facts import compared, report
from tests.jiyi.evals.facts_made import Triple, taken

STATED: list[tuple[Triple, tuple[str, str]]] = [
    (("I", "occupation", "beekeeper"), ("user.occupation", "beekeeper")),
    (("我", "职业", "养蜂人"), ("user.occupation", "养蜂人")),
    (("Nora", "age", "33"), ("person.Nora.age", "33")),
    (("表哥", "年龄", "33岁"), ("person.表哥.age", "33岁")),
]


def test_a_report_counts_both_sides() -> None:
    found = report(
        [
            taken(
                [("I", "lives in", "Ghent"), ("I", "diet", "vegan")],
                [("user.lives_in", "Ghent")],
                refused=("question",),
            ),
            taken([], [("user.plan", "去爬山")], refused=("joke", "question")),
        ]
    )
    assert found == {
        "precision": 0.5,
        "precision_but_naming": 0.5,
        "recall": 0.5,
        "f1": 0.5,
        "n": 2,
        "proposed": 2,
        "right": 1,
        "found": 1,
        "lines": 2,
        "refused": {"joke": 1, "question": 2},
    }


def test_where_nothing_can_be_said_there_is_no_figure() -> None:
    nothing = report([taken([], [])])
    assert [nothing[name] for name in ("precision", "precision_but_naming", "recall", "f1")] == [None] * 4
    silent = report([taken([("I", "diet", "vegan")], [])])
    assert [silent[name] for name in ("precision", "recall", "f1")] == [None, 0.0, None]
    wrong = report([taken([("I", "diet", "vegan")], [("user.lives_in", "Ghent")])])
    assert [wrong[name] for name in ("precision", "recall", "f1")] == [0.0, 0.0, 0.0]


@given(st.lists(st.tuples(st.sampled_from(STATED), st.booleans(), st.booleans()), max_size=8))
def test_a_label_beside_its_fact_is_found_and_right_and_any_without_the_other_is_not(
    cases: list[tuple[tuple[Triple, tuple[str, str]], bool, bool]],
) -> None:
    found = report([taken([label] * told, [held] * kept) for (label, held), told, kept in cases])
    both = sum(told and kept for _, told, kept in cases)
    assert (found["found"], found["right"]) == (both, both)
    assert (found["n"], found["proposed"]) == (sum(told for _, told, _ in cases), sum(kept for *_, kept in cases))


def test_the_name_of_an_attribute_does_not_matter_and_one_fact_may_be_two_labels() -> None:
    (one,) = compared(
        [taken([("下属", "职业", "护士"), ("下属", "职位", "护士长")], [("person.下属.occupation", "护士长")])]
    )
    assert (len(one.found), len(one.right), one.missed, one.wrong) == (2, 1, (), ())


def test_a_relation_is_a_label_that_says_so_from_either_end_or_of_the_user() -> None:
    for label in (
        ("sister", "name", "Nora"),
        ("Nora", "relation", "sister"),
        ("I", "sister", "Nora"),
    ):
        assert report([taken([label], [("person.Nora.relation", "sister")])])["f1"] == 1.0
    for label in (("表哥", "姓名", "王小满"), ("王小满", "关系", "表哥"), ("我", "表哥", "王小满")):
        assert report([taken([label], [("person.王小满.relation", "表哥")])])["f1"] == 1.0
    assert report([taken([("我", "pet", "Momo")], [("pet.Momo.kind", "猫")])])["f1"] == 1.0


def test_words_for_one_kin_are_one_relation() -> None:
    assert report([taken([("Nora", "relation", "mother")], [("person.Nora.relation", "mum")])])["f1"] == 1.0


def test_who_a_labelled_person_is_counts_as_wrong_in_one_precision_only() -> None:
    for labels, facts in (
        ([("同事", "年龄", "33岁")], [("person.王小满.relation", "同事"), ("person.王小满.age", "33岁")]),
        ([("Nora", "age", "33")], [("person.Nora.relation", "sister"), ("person.Nora.age", "33")]),
    ):
        found = report([taken(labels, facts)])
        assert (found["precision"], found["precision_but_naming"], found["recall"]) == (0.5, 1.0, 1.0)


def test_who_a_person_is_of_whom_nothing_is_labelled_is_wrong() -> None:
    found = report([taken([("I", "diet", "vegan")], [("person.Nora.relation", "sister")])])
    assert (found["precision_but_naming"], found["proposed"]) == (0.0, 1)


def test_a_person_is_known_by_name_from_another_line_of_the_same_user_only() -> None:
    named = taken([("sister", "name", "Nora")], [], user="u1")
    for user, found in (("u1", 1), ("u2", 0), ("", 0)):
        told = taken([("sister", "birthday", "4 May")], [("person.Nora.birthday", "4 May")], user=user)
        assert report([named, told])["found"] == found


def test_telephone_numbers_and_addresses_are_left_out_on_both_sides() -> None:
    for label, held in (
        (("I", "phone", "(415) 555-0132"), ("user.remember", "[phone:k3f9a2]")),
        (("我", "邮箱", "bee@example.org"), ("person.表哥.contact", "[email]")),
    ):
        found = report([taken([label], [held])])
        assert (found["n"], found["proposed"]) == (0, 0)
