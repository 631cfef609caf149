"""Namespaces: one place for each user, whatever the id looks like."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memory.namespaces import MAX_LABEL_BYTES, BlankIdError, Owner, checked_id, id_of, label_of, user_root, user_space

ids = st.text(st.characters(exclude_categories=["Cs"]), min_size=1, max_size=80).filter(lambda text: text.strip())


@pytest.mark.parametrize(
    ("user", "label"),
    [
        ("ada", "ada"),
        ("张三", "张三"),
        ("a.b@c.com", "a%2Eb@c%2Ecom"),
        ("u%", "u%25"),
        ("../x", "%2E%2E%2Fx"),
        ("0", "0"),
        ("~", "%7E"),
        (" ada", " ada"),
        ("a\nb", "a%0Ab"),
        ("*", "%2A"),
        ("😀", "%F0%9F%98%80"),
    ],
)
def test_a_label_is_readable_and_gives_the_id_back(user: str, label: str) -> None:
    assert label_of(user) == label
    assert id_of(label) == user


def test_a_long_id_is_hashed_and_no_short_id_looks_like_a_hash() -> None:
    long, longer = "长" * 60, "长" * 61
    assert label_of(long).startswith("~")
    assert label_of(long) != label_of(longer)
    assert label_of(label_of(long)) != label_of(long)


@given(ids, ids)
def test_different_ids_never_share_a_label(one: str, other: str) -> None:
    assert (label_of(one) == label_of(other)) == (one == other)


@given(ids)
def test_a_label_has_no_dot_slash_wildcard_or_control_and_is_short(user: str) -> None:
    label = label_of(user)
    assert not set(label) & set("./*?\\'\"\n\r\x00")
    assert 0 < len(label.encode()) <= MAX_LABEL_BYTES


@given(ids)
def test_what_is_not_hashed_comes_back(user: str) -> None:
    label = label_of(user)
    assert label.startswith("~") or id_of(label) == user


@given(ids, ids)
def test_no_users_place_lies_in_another_users(one: str, other: str) -> None:
    mine, theirs = user_space(Owner(user=one), "facts"), user_root(other)
    assert (mine[: len(theirs)] == theirs) == (one == other)


def test_a_users_memories_are_kept_by_agent_and_kind() -> None:
    assert user_space(Owner(user="ada"), "facts") == ("users", "ada", "_", "facts")
    assert user_space(Owner(user="ada", agent="co.ach"), "episodes") == ("users", "ada", "co%2Each", "episodes")


@pytest.mark.parametrize(
    "nobody", ["", " ", "\t\n", "\u3000", None, 0, 1.5, b"ada", [], {}, True, "\ud800", "a\udc00b"]
)
def test_nobody_is_refused_by_name(nobody: Any) -> None:
    with pytest.raises(BlankIdError, match="user id"):
        Owner(user=nobody)
    with pytest.raises(BlankIdError, match="agent id"):
        Owner(user="ada", agent=nobody)
    with pytest.raises(BlankIdError):
        user_root(nobody)


def test_an_id_is_never_changed() -> None:
    assert checked_id(" Ada ", "user id") == " Ada "
