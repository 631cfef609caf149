"""consolidate: judge what was proposed and write it, with the answer, once."""

from __future__ import annotations

from langgraph.runtime import Runtime

from graph.context import Context
from graph.parts import PartsSource
from graph.run import Run, run_of
from graph.state import State
from memory.changes import Change, CountUses, SettleTurn
from memory.turns import turns_by_id
from store.apply import apply
from store.reviewing import reviews_of
from store.waiting import waiting_in


async def consolidate(state: State, runtime: Runtime[Context], *, parts: PartsSource) -> State:
    """Settle this thread's drafted turns: guard, gate, reconcile and write, in one transaction."""
    run = run_of(runtime, parts)
    if not (run.writes and run.inline):
        return {"changes": [], "asking": []}
    waiting = await waiting_in(run.store, run.owner, run.thread_id)
    changes: list[Change] = [SettleTurn(turn_id=one.turn_id, at=run.now) for one in waiting if one.drafts is not None]
    turn_id = state.get("turn_id", "")
    turn = turns_by_id(state.get("messages", []), run.thread_id).get(turn_id)
    if turn and turn_id not in {one.turn_id for one in waiting}:  # somebody settled it while this run was away
        changes.append(SettleTurn(turn_id=turn_id, at=run.now, replies=turn.replies))
    if used := tuple(ref["id"] for ref in state.get("recalled", [])):
        changes.append(CountUses(episode_ids=used, at=run.now))
    applied = await apply(run.store, run.owner, changes)
    if applied.refused:
        runtime.stream_writer({"event": "refused", "reasons": list(applied.refused)})
    return {"changes": [*applied.episodes, *applied.facts], "asking": await _to_ask(run, turn_id)}


async def _to_ask(run: Run, turn_id: str) -> list[str]:
    """Give the ids of the conflicts that a turn has brought up, where the run asks about them."""
    if run.context.review != "ask" or not turn_id:
        return []
    waiting = await reviews_of(run.store, run.owner)
    return [one.review.id for one in waiting if one.against and one.review.turn_id == turn_id]
