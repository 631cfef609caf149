"""perceive: take in what was said, and note that the turn waits, before anything else can fail."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from dataclasses import replace
from functools import partial
from typing import Any

from langchain_core.messages import AnyMessage
from langgraph.runtime import Runtime

from graph.context import Context
from graph.messages import fold_messages
from graph.parts import PartsSource
from graph.rewriting import rewritten
from graph.run import Run, run_of
from graph.state import State
from memory.changes import AwaitTurn
from memory.ids import turn_id_of
from memory.importance import importance
from memory.key_information import fold_key_information
from memory.kinds import Episode, Pending
from memory.media import Media, remembered
from memory.refolding import Fold, folded_anew, folded_from
from memory.summary import fold_summary
from memory.turns import SaidTurn, turns_since
from memory.window import to_fold
from store.apply import apply
from store.checkpoint_redaction import Redactor, redacted_message
from store.harmless import harmless_for
from store.redacting import redactor_of
from store.waiting import LEASE


async def perceive(state: State, runtime: Runtime[Context], *, parts: PartsSource) -> State:
    """Record every user message since the last extraction as a pending turn with its episode.

    A summary whose messages were edited or removed since is folded anew, so that nothing of them stays in it.

    The bytes of pictures, recordings and files that are long go into files, and references into the messages, as in the
    checkpoints; with `REDACT_THREADS` what is private is replaced too, and the model and the extraction have placeholders.
    """
    run = run_of(runtime, parts)
    messages, upto = state.get("messages", []), state.get("extracted_upto", "")
    perceived: State = {"turn_id": state.get("turn_id", ""), "recalled": [], "skills": [], "changes": []}
    begun = turns_since(messages, upto)
    if begun and (replacing := await _kept_otherwise(messages, begun[0].position, run)):
        perceived["messages"], messages = replacing, fold_messages(messages, [replacing])
    perceived.update(await _summary_of(state, messages, run))
    turns = [turn for turn in turns_since(messages, upto) if turn.text or turn.media]
    if turns and run.writes:
        redacted = await redactor_of(run.store, run.owner)
        await apply(run.store, run.owner, [_awaited(turn, redacted, run) for turn in turns], index_now=False)
    if turns:
        perceived["turn_id"] = _turn_id(turns[-1], run)
    return perceived


async def _summary_of(state: State, messages: Sequence[AnyMessage], run: Run) -> State:
    """Fold the summary anew where it was folded from other messages than those that stand; else leave it as it is.

    One of which nobody noted what it was folded from is taken to be right.
    """
    upto, known = state.get("summarized_upto", ""), state.get("summarized_from", "")
    found = folded_from(messages, upto)
    if not upto or (found and found == known):
        return {}
    if found and not known:
        return {"summarized_from": found}
    harmless, policy = await harmless_for(run.store, run.owner), run.window
    counter = await asyncio.to_thread(run.parts.counter, run.context.model)  # a vocabulary is read from its file
    due_of = partial(
        to_fold, summarized_upto=None, keep=policy.keep, max_tokens=policy.max_tokens, count=counter.message
    )
    fold: Fold = fold_key_information if policy.strategy == "compressed" else fold_summary
    anew = partial(folded_anew, harmless=harmless, due_of=due_of, fold=fold)
    summary, until = await asyncio.to_thread(anew, messages)
    return {"summary": summary, "summarized_upto": until, "summarized_from": folded_from(messages, until)}


async def _kept_otherwise(messages: Sequence[AnyMessage], start: int, run: Run) -> list[Any]:
    """Give what to write so that the new messages are as the thread keeps them: without long bytes, and redacted."""
    redacted = await redactor_of(run.store, run.owner) if run.parts.settings.redact_threads else None
    shelf = run.parts.shelf

    def kept(message: AnyMessage) -> AnyMessage:
        clean = redacted_message(message, redacted) if redacted else message
        shelved: AnyMessage = shelf.shelved(run.thread_id, clean)
        return shelved

    return await asyncio.to_thread(rewritten, messages, start, kept)  # it may decode and write files


def _awaited(turn: SaidTurn, redacted: Redactor, run: Run) -> AwaitTurn:
    """Make the pending turn and its episode: extraction reads what was said, the episode also names what was shown."""
    turn_id, said = _turn_id(turn, run), redacted(turn.text)
    media = tuple(replace(one, name=redacted(one.name), caption=redacted(one.caption)) for one in turn.media)
    text = remembered(said, media)
    pending = Pending(
        turn_id=turn_id,
        user=run.owner.user,
        agent=run.owner.agent,
        thread_id=run.thread_id,
        message_id=str(turn.human.id),
        text=said or remembered("", [Media(kind=one.kind) for one in media]),
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
        media=media,
    )
    return AwaitTurn(pending=pending, episode=episode)


def _turn_id(turn: SaidTurn, run: Run) -> str:
    return turn_id_of(run.thread_id, str(turn.human.id))
