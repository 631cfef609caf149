"""consolidate: judge what was proposed and write it, with the answer, once."""

from __future__ import annotations

from langgraph.runtime import Runtime

from graph.context import Context
from graph.parts import PartsSource
from graph.run import Run, run_of
from graph.state import State
from memory.changes import Change, CountUses, SettleTurn
from memory.context_query import text_of
from memory.fence import without_fences
from memory.ids import turn_id_of
from memory.importance import importance
from memory.kinds import Episode, Pending
from memory.turns import SaidTurn, turns_of
from store.apply import apply
from store.waiting import waiting_in


async def consolidate(state: State, runtime: Runtime[Context], *, parts: PartsSource) -> State:
    """Settle this thread's drafted turns: guard, gate, reconcile and write, in one transaction."""
    run = run_of(runtime, parts)
    if not (run.writes and run.inline):
        return {"changes": []}
    said = {turn_id_of(run.thread_id, str(turn.human.id)): turn for turn in turns_of(state.get("messages", []))}
    waiting = await waiting_in(run.store, run.owner, run.thread_id)
    changes: list[Change] = [
        SettleTurn(turn_id=one.turn_id, replies=_replies(one, said.get(one.turn_id), run))
        for one in waiting
        if one.drafts is not None
    ]
    if used := tuple(ref["id"] for ref in state.get("recalled", [])):
        changes.append(CountUses(episode_ids=used, at=run.now))
    applied = await apply(run.store, run.owner, changes, keys=run.parts.keys)
    if applied.refused:
        runtime.stream_writer({"event": "refused", "reasons": list(applied.refused)})
    return {"changes": [*applied.episodes, *applied.facts]}


def _replies(pending: Pending, turn: SaidTurn | None, run: Run) -> tuple[Episode, ...]:
    if turn is None:
        return ()
    return tuple(
        Episode(
            id=f"{pending.turn_id}-{number}",
            speaker="assistant",
            text=text,
            thread_id=pending.thread_id,
            turn_id=pending.turn_id,
            position=pending.position + number,
            said_at=run.now,
            importance=importance(text),
        )
        for number, text in enumerate(_texts(turn), start=1)
    )


def _texts(turn: SaidTurn) -> list[str]:
    return [text for reply in turn.replies if (text := without_fences(text_of(reply)).strip())]
