"""History: a thread read from its checkpoints, with its turns and where each can be gone back to."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Any

from langchain_core.messages import AIMessage, AnyMessage, BaseMessage
from langchain_core.runnables import RunnableConfig
from langgraph.graph.state import CompiledStateGraph
from langgraph.types import StateSnapshot

from graph.context import Context
from jiyi.threads.lineage import Moment, ends_of, given_up, ranges
from jiyi.threads.told import SHORT_ID, ShownTurn, UnknownTurnError
from memory.context_query import text_of
from memory.ids import turn_id_of
from memory.media import text_with_media
from memory.turns import SaidTurn, turns_of
from store.checkpoint_owners import USER_KEY
from store.checkpointer import ThreadSaver

Compiled = CompiledStateGraph[Any, Context, Any, Any]
MIN_PREFIX = 4


@dataclass(frozen=True, kw_only=True)
class Turn:
    """A turn of a thread with its messages' ids."""

    shown: ShownTurn
    last_message: str


@dataclass(frozen=True, kw_only=True)
class History:
    """A thread: its newest state, its checkpoints, the turns that stand and those that were taken back."""

    thread_id: str
    name: str
    user: str
    state: StateSnapshot
    moments: tuple[Moment, ...]
    standing: tuple[Turn, ...]
    taken_back: tuple[Turn, ...]

    @property
    def called(self) -> str:
        """Say how it is called."""
        return self.name or self.thread_id

    @property
    def messages(self) -> Sequence[AnyMessage]:
        """Give the conversation as it stands."""
        return messages_in(self.state)

    @property
    def shown(self) -> tuple[ShownTurn, ...]:
        """Give all turns, those that were taken back before those that took their place."""
        turns = [one.shown for one in (*self.taken_back, *self.standing)]
        return tuple(sorted(turns, key=lambda turn: (turn.number, not turn.taken_back)))

    def turn(self, which: int | str) -> Turn:
        """Find a turn by its number among those that stand, or by its id (or how that begins) among all.

        Raises:
            UnknownTurnError: There is none, or more than one.
        """
        named = str(which).strip().lower().removeprefix("~")
        if named.isascii() and named.isdigit() and len(named) < SHORT_ID:
            if 1 <= int(named) <= len(self.standing):
                return self.standing[int(named) - 1]
            raise self.unknown(named, f"it has {_counted(len(self.standing))}")
        ids = {one.shown.turn_id: one for one in (*self.taken_back, *self.standing)}
        found = [one for turn_id, one in ids.items() if len(named) >= MIN_PREFIX and turn_id.startswith(named)]
        if len(found) != 1:
            raise self.unknown(repr(which), "no turn has this id" if not found else f"{len(found)} ids begin so")
        return found[0]

    def unknown(self, turn: str, why: str) -> UnknownTurnError:
        """Make the error that says to which turns one can go back."""
        able = [one.shown for one in self.standing if one.shown.can_rewind]
        return UnknownTurnError(self.called, turn, why=why, can=ranges(one.number for one in able))


async def history_of(
    graph: Compiled,
    saver: ThreadSaver,
    thread_id: str,
    *,
    user: str,
    said_at: Mapping[str, datetime | None] | None = None,
) -> History:
    """Read a thread of a user.

    Raises:
        IdentityError: It is somebody else's.
    """
    config = config_of(thread_id, user=user)
    state = await graph.aget_state(config)
    moments = await _moments(saver, thread_id)
    turns = [_turn(one, number, thread_id, moments, said_at) for number, one in _numbered(messages_in(state))]
    others = [await graph.aget_state(config_of(thread_id, user=user, at=end.id)) for end in given_up(moments)]
    gone = [_turn(one, at, thread_id, moments, said_at) for end in others for at, one in _numbered(messages_in(end))]
    known = {one.shown.turn_id for one in turns}
    lost: dict[str, Turn] = {}
    for one in gone:
        if one.shown.turn_id not in known:
            lost.setdefault(one.shown.turn_id, one)
    return History(
        thread_id=thread_id,
        name=await saver.name_of_thread(thread_id),
        user=user,
        state=state,
        moments=moments,
        standing=tuple(turns),
        taken_back=tuple(replace(one, shown=replace(one.shown, taken_back=True)) for one in lost.values()),
    )


async def end_of(graph: Compiled, history: History, turn: Turn) -> StateSnapshot:
    """Give the state of a thread at the end of a turn.

    Raises:
        UnknownTurnError: It is no longer kept, or the turn never came to its end.
    """
    ends = ends_of(history.moments, turn.last_message)
    for moment in ends:
        state = await graph.aget_state(config_of(history.thread_id, user=history.user, at=moment.id))
        messages = messages_in(state)
        if not state.next and messages and messages[-1].id == turn.last_message:
            return state
    why = (
        "it was cut off, or waits for an answer" if ends or _is_last(history, turn) else "only the last turns are kept"
    )
    raise history.unknown(str(turn.shown.number), why)


def config_of(thread_id: str, *, user: str, at: str | None = None) -> RunnableConfig:
    """Make the config under which a user's thread is read, at its newest checkpoint or another."""
    place = {"thread_id": thread_id, "checkpoint_ns": "", USER_KEY: user}
    return {"configurable": {**place, "checkpoint_id": at} if at else place}


def messages_in(state: StateSnapshot) -> list[AnyMessage]:
    """Give the messages of a state."""
    found: list[AnyMessage] = state.values.get("messages", [])
    return found


async def _moments(saver: ThreadSaver, thread_id: str) -> tuple[Moment, ...]:
    config: RunnableConfig = {"configurable": {"thread_id": thread_id, "checkpoint_ns": ""}}
    return tuple(
        [
            Moment(
                id=found.checkpoint["id"],
                parent_id=found.parent_config["configurable"]["checkpoint_id"] if found.parent_config else None,
                upto=str(found.checkpoint["channel_values"].get("extracted_upto", "")),
            )
            async for found in saver.alist(config)
        ]
    )


def _numbered(messages: Sequence[BaseMessage]) -> list[tuple[int, SaidTurn]]:
    return list(enumerate(turns_of(messages), start=1))


def _turn(
    turn: SaidTurn,
    number: int,
    thread_id: str,
    moments: Sequence[Moment],
    said_at: Mapping[str, datetime | None] | None,
) -> Turn:
    last = str((turn.answers or (turn.human,))[-1].id)
    turn_id = turn_id_of(thread_id, str(turn.human.id))
    texts = [text_of(one) for one in turn.answers if isinstance(one, AIMessage)]
    shown = ShownTurn(
        number=number,
        turn_id=turn_id,
        said=text_with_media(turn.human),
        replies=tuple(text for text in texts if text.strip()),
        tools=turn.tools_used,
        said_at=(said_at or {}).get(turn_id),
        can_rewind=bool(ends_of(moments, last)),
    )
    return Turn(shown=shown, last_message=last)


def _is_last(history: History, turn: Turn) -> bool:
    return bool(history.standing) and turn is history.standing[-1]


def _counted(turns: int) -> str:
    return "1 turn" if turns == 1 else f"{turns} turns"
