"""What a thread's file goes through inside one transaction: a checkpoint comes, old ones go, a thread is copied."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import aiosqlite
from langchain_core.runnables import RunnableConfig
from langgraph.checkpoint.base import Checkpoint, CheckpointMetadata, get_checkpoint_metadata
from langgraph.checkpoint.serde.base import SerializerProtocol

from store import checkpoint_tables as tables
from store.checkpoint_owners import BrokenChainError, TakenThreadError, without_user
from store.checkpoint_turns import SLACK_TURNS, Mark, all_but_latest, ancestry, readable_with, superfluous

TURN_CHANNEL = "turn_id"
UNFOLDED_KEY = "counters_since_delta_snapshot"


def row_of(
    config: RunnableConfig, checkpoint: Checkpoint, metadata: CheckpointMetadata, serde: SerializerProtocol
) -> tables.Row:
    """Make the row of a checkpoint and say what pruning must know of it.

    Its turn is what stands in the channel `turn_id`, else the run; a `DeltaChannel` is unfolded in it if
    LangGraph counts updates since a snapshot and none is among the values.
    """
    configurable = config["configurable"]
    kept = _metadata(config, metadata)
    run, values = str(kept.get("run_id") or ""), checkpoint["channel_values"]
    mark = Mark(
        checkpoint_id=checkpoint["id"],
        parent_id=configurable.get("checkpoint_id"),
        turn=str(values.get(TURN_CHANNEL) or run),
        unfolded=frozenset(kept.get(UNFOLDED_KEY) or ()) - values.keys(),
    )
    kind, blob = serde.dumps_typed(checkpoint)
    place = (str(configurable["thread_id"]), str(configurable["checkpoint_ns"]))
    return tables.Row(place=place, mark=mark, run=run, kind=kind, blob=blob, metadata=kept)


async def check_chain(conn: aiosqlite.Connection, row: tables.Row) -> None:
    """Refuse a checkpoint whose messages are folded from one that is gone.

    Raises:
        BrokenChainError: It is gone.
    """
    parent_id = row.mark.parent_id
    if row.mark.unfolded and parent_id and not await tables.is_kept(conn, row.place, parent_id):
        raise BrokenChainError(thread_id=row.place[0], parent_id=parent_id)


async def bound(conn: aiosqlite.Connection, place: tables.Place, *, keep_turns: int) -> None:
    """Delete what the last turns do not need, once there are some turns too many."""
    if await tables.turns_in(conn, place) > keep_turns + SLACK_TURNS:
        old = superfluous(await tables.marks_in(conn, place), keep_turns=keep_turns)
        await tables.delete_checkpoints(conn, place, old)


async def prune(conn: aiosqlite.Connection, *, thread_ids: Sequence[str], keep_turns: int | None) -> None:
    """Delete what the last turns, or only the newest checkpoint, do not need."""
    for thread_id in thread_ids:
        for place in await tables.places_of(conn, thread_id):
            marks = await tables.marks_in(conn, place)
            old = superfluous(marks, keep_turns=keep_turns) if keep_turns else all_but_latest(marks)
            await tables.delete_checkpoints(conn, place, old)


async def delete_threads(conn: aiosqlite.Connection, *, thread_ids: Sequence[str]) -> None:
    """Delete all that is kept of these threads."""
    for thread_id in thread_ids:
        await tables.delete_thread(conn, str(thread_id))


async def delete_for_runs(conn: aiosqlite.Connection, *, run_ids: Sequence[str]) -> None:
    """Delete the checkpoints of these runs, but for those that others are read with."""
    for place, made in (await tables.made_by(conn, run_ids)).items():
        marks = await tables.marks_in(conn, place)
        others = {mark.checkpoint_id for mark in marks} - made
        await tables.delete_checkpoints(conn, place, made - readable_with(marks, others))


async def copy_thread(conn: aiosqlite.Connection, *, source: str, target: str) -> None:
    """Copy all that is kept of a thread under an id that is not in use.

    Raises:
        TakenThreadError: It is in use.
    """
    if await tables.places_of(conn, target) or await tables.owner_in(conn, target):
        raise TakenThreadError(target)
    await tables.copy_thread(conn, source, target)


async def branch_thread(conn: aiosqlite.Connection, *, source: str, target: str, checkpoint_id: str, name: str) -> None:
    """Copy a thread up to a checkpoint, which is the newest of the copy; nothing of what came of it goes along.

    Raises:
        TakenThreadError: The target's id is in use.
        BrokenChainError: The checkpoint is gone, or cannot be told from others.
    """
    await copy_thread(conn, source=source, target=target)
    for place in await tables.places_of(conn, target):
        marks = await tables.marks_in(conn, place)
        kept = ancestry(marks, checkpoint_id) if place == (target, "") else set()
        if place == (target, "") and not kept:
            raise BrokenChainError(thread_id=source, parent_id=checkpoint_id)
        await tables.delete_checkpoints(conn, place, {mark.checkpoint_id for mark in marks} - kept)
    await tables.delete_writes(conn, (target, ""), checkpoint_id)
    if name:
        await tables.put_name(conn, target, name)


def _metadata(config: RunnableConfig, metadata: CheckpointMetadata) -> dict[str, Any]:
    """Collect the metadata as LangGraph does, without the user's id."""
    named = RunnableConfig(
        metadata=without_user(config.get("metadata")), configurable=without_user(config["configurable"])
    )
    return without_user(get_checkpoint_metadata(named, metadata))
