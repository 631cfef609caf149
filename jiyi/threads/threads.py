"""Threads: a user's conversations, to list, read through, take back, branch off and delete.

All of it goes through LangGraph's checkpoints: taking back copies the checkpoint at the end of a turn to the front, so that
the conversation, its summary and its marks are as they were, and what was said since is kept beside it.
"""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from datetime import datetime

from jiyi.threads.history import Compiled, History, Turn, config_of, end_of, history_of, messages_in
from jiyi.threads.told import (
    Branched,
    BusyThreadError,
    Deleted,
    Rewound,
    ShownThread,
    ShownTurn,
    ThreadError,
    ThreadLine,
    UnknownThreadError,
)
from memory.context_query import text_of
from memory.ids import is_thread_id, thread_id_of
from memory.kinds import Pending
from memory.media import text_with_media
from memory.namespaces import Owner, checked_id
from memory.privacy import redact
from memory.turns import turns_of
from store.checkpoint_owners import TakenThreadError
from store.checkpointer import ThreadSaver
from store.memory_store import MemoryStore
from store.redacting import redactor_of
from store.resting import (
    Meant,
    Resting,
    agents_in,
    begun_at,
    forget_resting,
    of_thread,
    of_turns,
    resting_on,
    said_at_of,
)
from store.waiting import waiting_turns

COPY = "__copy__"
"""LangGraph's name for putting a copy of a checkpoint to the front."""


class Threads:
    """The threads of an open agent. Each method is told whose; nobody else's can be seen or changed.

    A thread is named as it is spoken in (`agent.say(…, thread="monday")`), or by its id. `agent` narrows what is said
    about memories, and done to them, to what one agent remembers.
    """

    def __init__(self, graph: Compiled, store: MemoryStore, saver: ThreadSaver) -> None:
        self._graph = graph
        self._store = store
        self._saver = saver

    async def list(self, *, user: str, agent: str | None = None, limit: int | None = None) -> tuple[ThreadLine, ...]:
        """List a user's threads, the one last written first.

        Args:
            user: Whose.
            agent: Only those in which this agent has heard something that is remembered.
            limit: At most so many.
        """
        ids = await self._saver.threads_of(self._saver.owner_of(checked_id(user, "user id")))
        if agent is not None:
            heard = (await agents_in(self._store, user)).get(agent, frozenset())
            ids = [one for one in ids if one in heard]
        begun = await begun_at(self._store, user)
        return tuple([await self._line(one, user, begun.get(one)) for one in ids[:limit]])

    async def show(self, thread: str, *, user: str, agent: str | None = None) -> ShownThread:
        """Give a whole conversation, also what its summary has taken the place of, and what was taken back.

        A conversation is nobody's but the user's: with `agent` it must be one in which this agent has heard something.

        Raises:
            UnknownThreadError: The user has no such thread.
        """
        history = await self._history(thread, user)
        if agent is not None and history.thread_id not in (await agents_in(self._store, user)).get(agent, ()):
            raise UnknownThreadError(thread, user=user)
        first = next((at for at, one in enumerate(history.messages) if one.type == "human"), len(history.messages))
        return ShownThread(
            thread_id=history.thread_id,
            name=history.name,
            before=tuple(f"{one.type}: {text_of(one)}" for one in history.messages[:first]),
            turns=history.shown,
            unfinished=bool(history.state.next),
        )

    async def rewind(
        self, thread: str, *, to: int | str, user: str, agent: str | None = None, memories: bool = False
    ) -> Rewound:
        """Take a thread back to the end of a turn; what was remembered since stays unless `memories` is given.

        Args:
            thread: Which.
            to: A turn's number as `show` gives it, or the id of one that was taken back: then that way stands again.
            user: Whose.
            agent: See the class.
            memories: Also forget what was remembered of the turns that are taken back.

        Raises:
            UnknownThreadError: The user has no such thread.
            UnknownTurnError: There is no such turn, or it can no longer be gone back to; the text says which can.
            BusyThreadError: Something is being answered in it.
        """
        history = await self._history(thread, user)
        turn = history.turn(to)
        end = await end_of(self._graph, history, turn)
        await self._check_idle(history)
        stands = {str(one.id) for one in messages_in(end)}
        taken = [one for one in history.standing if one.last_message not in stands]
        restored = [one for one in history.taken_back if one.last_message in stands]
        meant = of_turns({one.shown.turn_id for one in taken})
        resting = await resting_on(self._store, user, meant, agent=agent)
        if taken or restored or history.state.next:
            at = str(end.config["configurable"]["checkpoint_id"])
            await self._graph.aupdate_state(config_of(history.thread_id, user=user, at=at), None, as_node=COPY)
        return Rewound(
            thread_id=history.thread_id,
            name=history.name,
            to=turn.shown,
            taken_back=_shown(taken),
            restored=_shown(restored),
            resting=resting,
            forgotten=memories and await self._forget(user, meant, resting, agent=agent),
        )

    async def branch(self, thread: str, *, at: int | str, name: str, user: str) -> Branched:
        """Begin a thread from the end of a turn of another, which stays as it is.

        Args:
            thread: Which thread to branch from.
            at: See `rewind`.
            name: What the new thread is called.
            user: Whose.

        Raises:
            UnknownThreadError: The user has no such thread.
            UnknownTurnError: There is no such turn, or it can no longer be gone back to; the text says which can.
            ThreadError: The name is blank, or the user has a thread of that name.
        """
        history = await self._history(thread, user)
        if not name.strip():
            raise ThreadError(f"Cannot begin a thread called {name!r}: give it a name.")
        turn = history.turn(at)
        end = await end_of(self._graph, history, turn)
        target = thread_id_of(name, user=user)
        checkpoint_id = str(end.config["configurable"]["checkpoint_id"])
        shown_as = "" if is_thread_id(name) else redact(name, policy=self._store.policies.privacy).text
        try:
            await self._saver.abranch_thread(history.thread_id, target, at=checkpoint_id, name=shown_as)
        except TakenThreadError as error:
            raise ThreadError(f"Cannot begin thread {name!r}: there is one already. Choose another name.") from error
        return Branched(
            thread_id=target, name=shown_as, source_id=history.thread_id, source_name=history.name, at=turn.shown
        )

    async def delete(self, thread: str, *, user: str, agent: str | None = None, memories: bool = False) -> Deleted:
        """Delete a thread with its checkpoints; what was remembered of it stays unless `memories` is given.

        Where the thread is gone already, what is remembered of it can still be forgotten.

        Raises:
            UnknownThreadError: The user has no such thread, and nothing is remembered of it.
            BusyThreadError: Something is being answered in it.
        """
        thread_id = thread_id_of(thread, user=checked_id(user, "user id"))
        meant = of_thread(thread_id)
        resting = await resting_on(self._store, user, meant, agent=agent)
        if memories and not resting.is_empty and not await self._is_of(thread_id, user):
            turns, name = 0, ""
        else:
            history = await self._history(thread, user)
            await self._check_idle(history)
            turns, name = len(history.standing), history.name
            await self._saver.adelete_thread(thread_id)
        return Deleted(
            thread_id=thread_id,
            name=name,
            turns=turns,
            resting=resting,
            forgotten=memories and await self._forget(user, meant, resting, agent=agent),
            scrubbed=await self._saver.scrub(),
        )

    async def _line(self, thread_id: str, user: str, begun: datetime | None) -> ThreadLine:
        state = await self._graph.aget_state(config_of(thread_id, user=user))
        turns = turns_of(messages_in(state))
        redacted = await redactor_of(self._store, Owner(user=user))
        return ThreadLine(
            thread_id=thread_id,
            name=await self._saver.name_of_thread(thread_id),
            turns=len(turns),
            first=redacted(text_with_media(turns[0].human)) if turns else "",
            task=state.values.get("notes", {}).get("task", ""),
            summary=state.values.get("summary", ""),
            begun_at=begun,
            last_at=datetime.fromisoformat(state.created_at) if state.created_at else None,
        )

    async def _history(self, thread: str, user: str) -> History:
        thread_id = thread_id_of(thread, user=checked_id(user, "user id"))
        if not await self._is_of(thread_id, user):
            raise UnknownThreadError(thread, user=user)
        times = await said_at_of(self._store, user, thread_id)
        return await history_of(self._graph, self._saver, thread_id, user=user, said_at=times)

    async def _is_of(self, thread_id: str, user: str) -> bool:
        return await self._saver.owner_of_thread(thread_id) == self._saver.owner_of(user)

    async def _check_idle(self, history: History) -> None:
        """Refuse to change a thread while a live process answers in it; a question that waits for the user holds nothing up."""
        if history.state.interrupts:
            return
        for one in await waiting_turns(self._store):
            mine = (one.owner.user, one.pending.thread_id) == (history.user, history.thread_id)
            if mine and (until := await self._answering_until(one.pending)):
                raise BusyThreadError(history.called, until=until)

    async def _answering_until(self, pending: Pending) -> datetime | None:
        """Say until when a turn is its process's to answer; None where nobody is at work on it."""
        until, holder = pending.lease_until, pending.holder
        if pending.tries or not holder or until is None or until <= self._store.clock():
            return None
        is_dead = holder != self._store.holder and await asyncio.to_thread(self._store.holders.dead, holder)
        return None if is_dead else until

    async def _forget(self, user: str, meant: Meant, resting: Resting, *, agent: str | None) -> bool:
        if not resting.is_empty:
            await forget_resting(self._store, user, meant, agent=agent)
        return True


def _shown(turns: Sequence[Turn]) -> tuple[ShownTurn, ...]:
    return tuple(one.shown for one in turns)
