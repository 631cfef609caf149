"""Of whom a fact is: keys and labelled entities told to be the same."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from jiyi.evals.facts_names import KIN, Names, is_name, is_user
from tests.jiyi.evals.facts_made import fact, line


@pytest.mark.parametrize(
    ("key", "entity"),
    [
        ("user.lives_in", "I"),
        ("pref.likes", "我"),
        ("ref.order", "I"),
        ("ref.flight", "Nora"),
        ("ref.flight", "小周"),
        ("person.Nora.age", "nora"),
        ("person.older sister.age", "my sister"),
        ("person.mum.birthday", "mother"),
        ("person.妈妈.birthday", "我母亲"),
        ("person.王小满.age", "王小满"),
        ("pet.豆豆.age", "豆豆"),
        ("pet.Biscuit.age", "Biscuit"),
        ("thing.城南读书会.地点", "读书会"),
        ("thing.the book club.time", "book club"),
    ],
)
def test_a_key_is_of_what_the_label_names(key: str, entity: str) -> None:
    assert Names().is_owner(fact(key, "x"), entity)


@pytest.mark.parametrize(
    ("key", "entity"),
    [
        ("user.lives_in", "Nora"),
        ("user.lives_in", "妈妈"),
        ("person.Nora.age", "I"),
        ("person.王小满.age", "我"),
        ("person.Anna.age", "Ann"),
        ("person.王小满.age", "王小"),
        ("person.表哥.age", "哥哥"),
        ("person.sister.age", "Tom's sister"),
        ("person.mother.age", "mother-in-law"),
        ("person.Nora.age", "sister"),
        ("thing.城南读书会.地点", "城南音乐会"),
    ],
)
def test_a_key_is_not_of_somebody_else(key: str, entity: str) -> None:
    assert not Names().is_owner(fact(key, "x"), entity)


def test_a_relation_that_a_message_tells_joins_a_name_and_a_word_of_kin() -> None:
    told = Names().with_told([fact("person.Nora.relation", "sister"), fact("person.王小满.relation", "表哥")])
    assert told.is_owner(fact("person.Nora.age", "33"), "my sister")
    assert told.is_owner(fact("person.王小满.age", "33岁"), "表哥")
    assert not told.is_owner(fact("person.Nora.age", "33"), "表哥")


def test_an_animals_kind_joins_its_name_and_its_kind() -> None:
    told = Names().with_told([fact("pet.Biscuit.kind", "dog"), fact("pet.豆豆.kind", "猫")])
    assert told.is_owner(fact("pet.Biscuit.age", "3"), "my dog")
    assert told.is_owner(fact("pet.豆豆.age", "三岁"), "我家的猫")


def test_labels_join_names_where_they_name_somebody() -> None:
    named = Names.in_labels([line(("sister", "name", "Nora"), ("王小满", "关系", "表哥"), ("boss", "hobby", "Chess"))])
    assert named.is_same("Nora", "sister")
    assert named.is_same("表哥", "王小满")
    assert not named.is_same("boss", "Chess")


def test_no_word_is_of_two_kins() -> None:
    words = [word for group in KIN for word in group]
    assert len(words) == len(set(words))


@given(st.sampled_from(KIN), st.data())
def test_words_for_one_kin_are_one_name(group: tuple[str, ...], data: st.DataObject) -> None:
    assert is_name(data.draw(st.sampled_from(group)), data.draw(st.sampled_from(group)))


def test_the_user_is_called_by_a_pronoun() -> None:
    assert [one for one in ("I", "me", "我", "用户", "Ida", "我妈", "") if is_user(one)] == ["I", "me", "我", "用户"]
