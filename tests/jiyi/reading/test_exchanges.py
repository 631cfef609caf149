"""How a conversation falls into exchanges, and what its memories may be called."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from jiyi.reading.exchanges import exchanges_of, is_thread_of, possible_ids, thread_id_in
from jiyi.reading.said import Conversation, Said

speakers = st.sampled_from(["user", "assistant", "甲", "乙"])
sessions = st.sampled_from(["", "s1", "s2"])


@st.composite
def conversations(draw: st.DrawFn) -> Conversation:
    spoken = draw(st.lists(st.tuples(speakers, sessions), max_size=12))
    said = tuple(
        Said(name=f"n{at}", speaker=speaker, text="x", position=at, session=session)
        for at, (speaker, session) in enumerate(spoken)
    )
    return Conversation(name="c", said=said, keeps_names=draw(st.booleans()))


def conversation(*speakers: str, session: str = "", name: str = "c") -> Conversation:
    said = tuple(
        Said(name=str(at), speaker=who, text="x", position=at, session=session) for at, who in enumerate(speakers)
    )
    return Conversation(name=name, said=said, keeps_names=True)


def grouped(found: Conversation) -> list[list[str]]:
    return [[one.speaker for one in exchange.said] for exchange in exchanges_of(found)]


@given(conversations())
def test_every_utterance_is_in_exactly_one_exchange_of_its_own_session(found: Conversation) -> None:
    exchanges = exchanges_of(found)

    assert sorted(one.position for each in exchanges for one in each.said) == [one.position for one in found.said]
    assert all(len({one.session for one in each.said}) == 1 for each in exchanges)
    assert all(sum(one.speaker == "user" for one in each.said) <= 1 for each in exchanges)
    assert len({each.turn_id for each in exchanges}) == len(exchanges)
    assert exchanges == exchanges_of(found)


@given(conversations())
def test_a_conversation_that_has_grown_keeps_the_names_of_what_was_there(found: Conversation) -> None:
    more = Said(name="more", speaker="user", text="x", position=99, session="new")
    grown = Conversation(name="c", said=(*found.said, more), keeps_names=found.keeps_names)

    before, after = exchanges_of(found), exchanges_of(grown)

    assert after[: len(before)] == before


@given(conversations())
def test_no_two_utterances_are_called_the_same_at_first(found: Conversation) -> None:
    first = [ids[0] for exchange in exchanges_of(found) for ids in possible_ids(found, exchange)]

    assert len(set(first)) == len(found.said)


def test_an_exchange_begins_with_the_user_or_else_with_who_spoke_first() -> None:
    assert grouped(conversation("user", "assistant", "user")) == [["user", "assistant"], ["user"]]
    assert grouped(conversation("甲", "user", "甲")) == [["甲"], ["user", "甲"]]
    assert grouped(conversation("甲", "乙", "乙", "甲")) == [["甲", "乙", "乙"], ["甲"]]


def test_threads_of_different_corpora_cannot_be_mixed_up() -> None:
    one, other = conversation(name="a"), conversation(name="a/b")

    assert thread_id_in(one, "b") == "a/b"
    assert thread_id_in(other, "") == "a%2Fb"
    assert is_thread_of(one, "a/b")
    assert not is_thread_of(other, "a/b")
    assert not is_thread_of(one, "ab/c")


def test_a_kept_id_has_its_corpus_before_it_where_it_is_taken() -> None:
    found = conversation("user", name="user1")

    assert possible_ids(found, exchanges_of(found)[0])[0][:2] == ["0", "user1:0"]
