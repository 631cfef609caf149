"""Kin: one relative has one name in the keys, in each language."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memory.kin import canonical_key


@pytest.mark.parametrize(
    ("key", "canonical"),
    [
        ("person.妈.lives_in", "person.妈妈.lives_in"),
        ("person.母亲.birthday", "person.妈妈.birthday"),
        ("person.妈妈.birthday", "person.妈妈.birthday"),
        ("person.Mum.lives_in", "person.mother.lives_in"),
        ("person.mother.lives_in", "person.mother.lives_in"),
        ("person.婆婆.likes", "person.婆婆.likes"),
        ("person.mum.*", "person.mother.*"),
        ("person.王芳.relation", "person.王芳.relation"),
        ("pet.妈.kind", "pet.妈.kind"),
        ("user.family", "user.family"),
        ("person", "person"),
    ],
)
def test_a_relative_has_one_name(key: str, canonical: str) -> None:
    assert canonical_key(key) == canonical


@given(st.text(max_size=20))
def test_a_name_that_was_given_stays(segment: str) -> None:
    once = canonical_key(f"person.{segment}.age")
    assert canonical_key(once) == once
