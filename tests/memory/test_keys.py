"""The whitelist of keys."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memory.keys import Keys, KeysError, KeySpec, default_keys, load_keys

PROPOSED = [
    "user.name",
    "user.birthday",
    "user.age",
    "user.gender",
    "user.occupation",
    "user.employer",
    "user.school",
    "user.major",
    "user.lives_in",
    "user.from",
    "user.diet",
    "user.allergy",
    "user.health",
    "user.family",
    "user.plan",
    "user.hobby",
    "user.height",
    "user.weight",
    "user.education",
    "user.remember",
    "pref.style",
    "pref.language",
    "pref.likes",
    "pref.dislikes",
    "pref.other",
    "person.小李.relation",
    "person.小李.likes",
    "pet.豆豆.kind",
    "thing.会议.time",
    "ref.order",
    "ref.error",
]


def spec(key: str) -> KeySpec:
    found = default_keys().spec(key)
    assert found is not None
    return found


@pytest.mark.parametrize("key", PROPOSED)
def test_what_extraction_proposes_is_known_and_has_a_label_in_both_languages(key: str) -> None:
    assert spec(key)
    assert default_keys().label(key, "zh") != key
    assert default_keys().label(key, "en") != key


@pytest.mark.parametrize(
    "key",
    [
        "order.status",
        "tool.result",
        "orders.8842.status",
        "user",
        "user.",
        "user.name.first",
        "user.unheard_of",
        "person..relation",
        "person.小李",
        "person.a\nb.relation",
        "person. x.relation",
        "",
        "*.*",
        "ref." + "x" * 200,
    ],
)
def test_what_is_not_listed_may_not_be_kept(key: str) -> None:
    assert default_keys().spec(key) is None


def test_names_language_and_what_could_do_harm_stand_in_every_prompt() -> None:
    always = {family.pattern for family in default_keys().specs if family.always}
    assert {"user.name", "pref.style", "pref.language", "user.allergy", "user.health", "user.diet"} <= always
    assert "pref.likes" not in always


def test_identity_and_allergies_do_not_fade_and_preferences_halve_within_a_year() -> None:
    assert [spec(key).half_life_days for key in ("user.name", "user.allergy", "user.remember")] == [None] * 3
    assert [spec(key).half_life_days for key in ("pref.likes", "pref.style", "ref.order")] == [365] * 3


def test_the_most_specific_family_wins() -> None:
    assert spec("person.小李.likes").pattern == "person.*.likes"
    assert not spec("person.小李.likes").single
    assert spec("person.小李.relation").pattern == "person.*.relation"
    assert spec("person.小李.height").pattern == "person.*.*"
    assert spec("person.小李.relation").single


def test_a_birthday_is_sensitive_and_a_name_is_not() -> None:
    assert spec("user.birthday").sensitivity == "sensitive"
    assert spec("user.name").sensitivity == "normal"


def test_a_label_names_whom_it_is_about() -> None:
    keys = default_keys()
    assert keys.label("person.小李.relation", "zh") == "小李的关系"
    assert keys.label("person.小李.relation", "en") == "小李's relation"
    assert keys.label("ref.order", "zh") == "订单号"
    assert keys.label("person.{0}{9}.age", "en") == "{0}{9}'s age"
    assert keys.label("no.such", "en") == "no.such"


@pytest.mark.parametrize(
    ("key", "said", "kept"),
    [
        ("pref.style", "简洁", "brief"),
        ("pref.style", " Brief ", "brief"),
        ("pref.style", "rude", None),
        ("pref.language", "中文", "zh"),
        ("pref.language", "ENGLISH", "en"),
        ("pref.language", "Klingon", None),
        ("user.name", " 小王 ", "小王"),
    ],
)
def test_a_closed_vocabulary_knows_its_values_by_many_words(key: str, said: str, kept: str | None) -> None:
    assert spec(key).canonical(said) == kept


def test_more_families_are_added_and_the_same_pattern_is_replaced() -> None:
    keys = default_keys().extended(
        "families:\n"
        "  - {pattern: game.guild, holds: one, label: {zh: 公会, en: guild}}\n"
        "  - {pattern: user.hobby, holds: one, label: {zh: 爱好, en: hobby}}\n"
    )
    assert keys.spec("game.guild")
    assert [found.single for found in [keys.spec("user.hobby")] if found] == [True]
    assert keys.spec("user.name") == default_keys().spec("user.name")
    assert default_keys().spec("game.guild") is None


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("families: [", "not YAML"),
        ("- a", "expected a mapping"),
        ("families: [{pattern: user.x, holds: one}]", "families.0.label"),
        ("families: [{pattern: user.x, holds: some, label: {zh: x, en: x}}]", "families.0.holds"),
        ("families: [{pattern: '*.x', holds: one, label: {zh: x, en: x}}]", "the first is a word"),
        ("families: [{pattern: user.x, holds: one, half_life_days: 0, label: {zh: x, en: x}}]", "half_life_days"),
        ("families: [{pattern: user.x, holds: one, halflife: 3, label: {zh: x, en: x}}]", "halflife"),
        ("families: [{pattern: user.x, holds: one, label: {zh: '{0}', en: x}}]", "more segments"),
        ("families: [&a {pattern: user.x, holds: one, label: {zh: x, en: x}}, *a]", "more than once: user.x"),
    ],
)
def test_a_bad_list_says_what_is_wrong_with_it(text: str, told: str) -> None:
    with pytest.raises(KeysError, match="Cannot read the key families") as error:
        load_keys(text)
    assert told in str(error.value)


@given(st.text(max_size=30), st.text(max_size=30))
def test_any_key_is_answered_and_labelled(one: str, other: str) -> None:
    keys: Keys = default_keys()
    for key in (one, f"user.{one}", f"person.{one}.{other}", f"ref.{one}"):
        keys.spec(key)
        assert isinstance(keys.label(key, "zh"), str)


def test_a_word_that_stands_twice_in_one_family_is_refused() -> None:
    with pytest.raises(KeysError, match="stands twice"):
        load_keys("families:\n  - {pattern: game.guild, holds: one, holds: many, label: {zh: 公会, en: guild}}")
