"""extract: propose what could be remembered of the turns that wait, and keep the proposals with them."""

from __future__ import annotations

import asyncio

from langgraph.runtime import Runtime

from graph.context import Context
from graph.parts import PartsSource
from graph.run import run_of
from graph.state import State
from memory.changes import AnswerTurn, Change, DraftTurn
from memory.extraction import propose
from memory.kinds import Draft, Pending
from memory.turns import SaidTurn, turns_by_id
from store.apply import apply
from store.waiting import waiting_in


async def extract(state: State, runtime: Runtime[Context], *, parts: PartsSource) -> State:
    """Draft memories from this thread's pending turns (their redacted text); drafts that are there stay.

    Where memories are written in the background it only notes what was answered, and leaves the rest to the drainer.
    """
    run = run_of(runtime, parts)
    messages = state.get("messages", [])
    mark = str(messages[-1].id) if messages else state.get("extracted_upto", "")
    if not run.writes:
        return {"extracted_upto": mark}
    waiting = await waiting_in(run.store, run.owner, run.thread_id)
    said = turns_by_id(messages, run.thread_id)
    told = _drafted if run.inline else _answered
    undrafted = [one for one in waiting if one.drafts is None]
    changes: list[Change] = [await asyncio.to_thread(told, one, said.get(one.turn_id)) for one in undrafted]
    if changes:
        await apply(run.store, run.owner, changes, index_now=False)
    return {"extracted_upto": mark}


def _answered(pending: Pending, turn: SaidTurn | None) -> AnswerTurn:
    """Note the answer to one turn; what was noted before stays where the thread was lost."""
    return AnswerTurn(
        turn_id=pending.turn_id,
        replies=turn.replies if turn else pending.replies,
        tools_used=turn.tools_used if turn else pending.tools_used,
    )


def _drafted(pending: Pending, turn: SaidTurn | None) -> DraftTurn:
    """Draft one turn; its answer is there too unless it was lost before it was written."""
    known = _answered(pending, turn)
    drafts = _drafts(pending)
    return DraftTurn(turn_id=known.turn_id, drafts=drafts, replies=known.replies, tools_used=known.tools_used)


def _drafts(pending: Pending) -> tuple[Draft, ...]:
    if pending.run_kind == "system":
        return ()
    return tuple(propose(pending.text, said_at=pending.said_at, timezone=pending.timezone))
