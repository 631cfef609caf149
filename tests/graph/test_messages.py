from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from langchain_core.messages import AIMessage, AIMessageChunk, HumanMessage, RemoveMessage
from langgraph.checkpoint.serde.jsonplus import JsonPlusSerializer
from langgraph.graph.message import REMOVE_ALL_MESSAGES

from graph.messages import fold_messages

names = st.sampled_from(["a", "b", "c", None])
written = st.one_of(
    st.builds(lambda text, name: HumanMessage(text, id=name), st.sampled_from(["你好", "hi"]), names),
    st.builds(AIMessage, st.sampled_from(["好", "ok"])),
    st.builds(lambda name: RemoveMessage(id=name), st.sampled_from(["a", "b", "z", REMOVE_ALL_MESSAGES])),
    st.sampled_from(["你好", "hi"]),
    st.sampled_from([{"role": "user", "content": "hi"}, {"role": "assistant", "content": "好", "id": "b"}]),
)
writes = st.lists(st.one_of(written, st.lists(written, max_size=3)), max_size=8)


@given(writes, writes)
def test_it_does_not_matter_how_the_writes_are_batched(first: list[Any], then: list[Any]) -> None:
    assert fold_messages(fold_messages([], first), then) == fold_messages([], [*first, *then])


@given(writes)
def test_each_message_has_an_id_of_its_own_and_the_same_each_time(all_writes: list[Any]) -> None:
    folded = fold_messages([], all_writes)
    assert len({message.id for message in folded}) == len(folded)
    assert all(message.id for message in folded)
    assert folded == fold_messages([], all_writes)


@given(writes)
def test_what_was_saved_and_read_again_folds_to_the_same(all_writes: list[Any]) -> None:
    serde = JsonPlusSerializer(allowed_msgpack_modules=None)
    read = [serde.loads_typed(serde.dumps_typed(write)) for write in all_writes]
    assert fold_messages([], read) == fold_messages([], all_writes)


def test_the_same_id_replaces_in_place() -> None:
    state = [HumanMessage("old", id="1"), AIMessage("reply", id="2")]
    assert fold_messages(state, [[HumanMessage("新", id="1")]]) == [HumanMessage("新", id="1"), state[1]]


def test_a_message_is_removed_by_its_id_and_an_unknown_one_is_nothing_to_remove() -> None:
    state = [HumanMessage("one", id="1"), AIMessage("two", id="2")]
    assert fold_messages(state, [RemoveMessage(id="1"), RemoveMessage(id="nobody")]) == [state[1]]


def test_all_before_are_removed_and_what_follows_stays() -> None:
    state = [HumanMessage("one", id="1")]
    summary = HumanMessage("summary", id="3")
    assert fold_messages(state, [[RemoveMessage(id=REMOVE_ALL_MESSAGES), summary]]) == [summary]


def test_dicts_strings_and_pairs_become_messages() -> None:
    said = fold_messages([], [[{"role": "user", "content": "你好"}, ("assistant", "好"), "and you?"]])
    assert [(message.type, message.content) for message in said] == [
        ("human", "你好"),
        ("ai", "好"),
        ("human", "and you?"),
    ]


def test_what_was_said_twice_stands_twice_even_after_a_removal() -> None:
    first, second = fold_messages([], ["hi", "hi"])
    assert [message.text for message in fold_messages([first, second], [RemoveMessage(id=str(first.id)), "hi"])] == [
        "hi",
        "hi",
    ]


def test_a_streamed_chunk_becomes_a_whole_message_and_the_writer_keeps_its_own() -> None:
    chunk = AIMessageChunk(content="好的")
    (kept,) = fold_messages([], [chunk])
    assert isinstance(kept, AIMessage)
    assert not isinstance(kept, AIMessageChunk)
    assert chunk.id is None


def test_a_bare_pair_is_refused_for_it_would_come_back_as_two_messages() -> None:
    with pytest.raises(TypeError, match="must stand in a list"):
        fold_messages([], [("user", "hi")])


def test_what_is_no_message_is_refused() -> None:
    with pytest.raises((ValueError, NotImplementedError)):
        fold_messages([], [42])
