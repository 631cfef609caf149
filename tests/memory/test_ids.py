"""Ids: made from what they name."""

from __future__ import annotations

import uuid

from hypothesis import given
from hypothesis import strategies as st

from memory.ids import is_thread_id, keyed_id, thread_id_of, turn_id_of

KEY, OTHER = b"k" * 32, b"o" * 32
texts = st.text(st.characters(exclude_categories=["Cs"]), max_size=20)


def test_ids_stay_the_same_for_ever() -> None:
    assert turn_id_of("thread", "m1") == "4cbc584d-cdba-50ca-87e0-b416cdb037ea"
    assert thread_id_of("monday", user="ada") == "e47cef94-a512-5a5e-92b9-3f2b4544eeac"
    assert keyed_id(KEY, "fact", "user.name", "小王") == "7f2062d70f62269480bfb3cbfbf4f32e"


def test_a_uuid_is_a_threads_own_name_for_everybody() -> None:
    name = "7B0A5F0E-6A2C-4F0E-9A55-0A7F3C1D2B44"
    assert thread_id_of(name, user="ada") == thread_id_of(name, user="bob") == name.lower()


@given(texts, texts, texts, texts)
def test_a_name_is_another_thread_for_another_user(one: str, user: str, other: str, another: str) -> None:
    same = (one, user) == (other, another)
    assert (thread_id_of(one, user=user) == thread_id_of(other, user=another)) == same
    assert uuid.UUID(thread_id_of(one, user=user))


@given(st.lists(texts, max_size=4), st.lists(texts, max_size=4))
def test_keyed_ids_tell_all_parts_apart(one: list[str], other: list[str]) -> None:
    assert (keyed_id(KEY, *one) == keyed_id(KEY, *other)) == (one == other)


@given(st.lists(texts, max_size=4))
def test_another_key_gives_another_id_and_none_shows_what_it_names(parts: list[str]) -> None:
    named = keyed_id(KEY, *parts)
    assert named != keyed_id(OTHER, *parts)
    assert len(named) == 32
    assert set(named) <= set("0123456789abcdef")


@given(texts, texts)
def test_a_turn_is_named_by_thread_and_message_together(thread: str, message: str) -> None:
    assert turn_id_of(thread, message) == turn_id_of(thread, message)
    assert turn_id_of(thread, message) != turn_id_of(thread + "x", message)
    assert turn_id_of(thread, message) != turn_id_of(thread, message + "x")


def test_a_thread_is_called_by_its_id_in_any_writing() -> None:
    named = uuid.UUID("e47cef94-a512-5a5e-92b9-3f2b4544eeac")
    assert all(is_thread_id(name) for name in (str(named), str(named).upper(), named.hex))
    assert not any(is_thread_id(name) for name in ("monday", "周一", "", "e47cef94"))
