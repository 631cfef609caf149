"""perceive: take in what was said, and note that the turn waits, before anything else can fail."""

from __future__ import annotations

from langgraph.runtime import Runtime

from graph.context import Context
from graph.parts import PartsSource
from graph.run import Run, run_of
from graph.state import State
from memory.changes import AwaitTurn
from memory.ids import turn_id_of
from memory.importance import importance
from memory.kinds import Episode, Pending
from memory.privacy import redact
from memory.turns import SaidTurn, turns_since
from store.apply import apply
from store.waiting import LEASE


async def perceive(state: State, runtime: Runtime[Context], *, parts: PartsSource) -> State:
    """Record every user message since the last extraction as a pending turn with its episode."""
    run = run_of(runtime, parts)
    turns = [turn for turn in turns_since(state.get("messages", []), state.get("extracted_upto", "")) if turn.text]
    if turns and run.writes:
        await apply(run.store, run.owner, [_awaited(turn, run) for turn in turns], index_now=False)
    turn_id = _turn_id(turns[-1], run) if turns else state.get("turn_id", "")
    return {"turn_id": turn_id, "recalled": [], "skills": [], "changes": []}


def _awaited(turn: SaidTurn, run: Run) -> AwaitTurn:
    turn_id, text = _turn_id(turn, run), redact(turn.text).text
    pending = Pending(
        turn_id=turn_id,
        user=run.owner.user,
        agent=run.owner.agent,
        thread_id=run.thread_id,
        message_id=str(turn.human.id),
        text=text,
        said_at=run.now,
        run_kind=run.context.run_kind,
        timezone=run.timezone,
        position=turn.position,
        holder=run.store.holder,
        lease_until=run.store.clock() + LEASE,
    )
    episode = Episode(
        id=f"{turn_id}-0",
        speaker="user" if run.context.run_kind == "user" else "system",
        text=text,
        thread_id=run.thread_id,
        turn_id=turn_id,
        position=turn.position,
        said_at=run.now,
        importance=importance(text),
    )
    return AwaitTurn(pending=pending, episode=episode)


def _turn_id(turn: SaidTurn, run: Run) -> str:
    return turn_id_of(run.thread_id, str(turn.human.id))
