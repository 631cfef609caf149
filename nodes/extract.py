"""extract: propose what could be remembered of the turns that wait, and keep the proposals with them."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Sequence
from datetime import timedelta

from langgraph.runtime import Runtime

from graph.captions import note_captions
from graph.context import Context
from graph.models.structured import Failure, failure_of, structured, tried
from graph.notes import notes_after
from graph.parts import ModelNamed, PartsSource
from graph.run import Run, run_of
from graph.state import State
from memory.changes import AnswerTurn, DraftTurn
from memory.drafting import Drafted, drafts_of, merged
from memory.extraction_prompt import extraction_messages
from memory.extraction_schema import Extraction, ExtractionWithNotes, TaskNotes
from memory.keys import Keys
from memory.kinds import Draft, Fact, Pending
from memory.proposing import proposed
from memory.seams import Tagger
from memory.turns import SaidTurn, turns_by_id
from store.apply import apply
from store.profile import facts_of
from store.tag.marking import marks_in, witness_in
from store.waiting import LEASE, MAX_TRIES, waiting_in

log = logging.getLogger(__name__)
ASK_WITHIN = LEASE - timedelta(seconds=30)
"""A model that takes longer has failed: the turn would be anybody's again when its lease is over."""


async def extract(state: State, runtime: Runtime[Context], *, parts: PartsSource) -> State:
    """Draft memories from this thread's pending turns (their redacted text); drafts that are there stay.

    The rules and the tagger propose, and a model besides where one was chosen for it; when that fails the turn goes on waiting, and
    after its last try is settled with what the rules found. Where memories are written in the background it only
    notes what was answered, and leaves the rest to the drainer. The thread's working notes are written here too, for the
    turn that is being talked about. What the turns' pictures and recordings show is noted with them, for what is remembered.
    """
    run = run_of(runtime, parts)
    messages = state.get("messages", [])
    mark = str(messages[-1].id) if messages else state.get("extracted_upto", "")
    if not run.writes:
        return {"extracted_upto": mark, **await _notes(state, run)}
    waiting = await waiting_in(run.store, run.owner, run.thread_id)
    said = turns_by_id(messages, run.thread_id)
    undrafted = [one for one in waiting if one.drafts is None]
    believed = await facts_of(run.store, run.owner) if undrafted and run.inline else ()
    read: dict[str, TaskNotes] = {}
    if run.inline:
        await note_captions(undrafted, said, run)
    if not run.inline:
        await _note_answers(undrafted, said, run)
    elif run.parts.extractor is None:
        await _keep([_drafted(one, said, await _by_rules(one, believed, run)) for one in undrafted], run)
    else:
        dropped = await _extract_all(undrafted, said, run, believed, read if "turn_id" in state else None)
        if dropped:
            runtime.stream_writer({"event": "dropped", "reasons": dropped})
    return {"extracted_upto": mark, **await _notes(state, run, read.get(state.get("turn_id", "")))}


async def _notes(state: State, run: Run, read: TaskNotes | None = None) -> State:
    """Give the thread's notes after the turn in progress; a turn that is finished later leaves them as they are."""
    return {"notes": await notes_after(state, run, read)} if state.get("turn_id") else {}


async def _note_answers(undrafted: Sequence[Pending], said: dict[str, SaidTurn], run: Run) -> None:
    """Keep what was answered; a turn that the drainer has taken up and that has its answer stays the drainer's."""
    await _keep([_answered(one, said) for one in undrafted if one.tries == 0 or not one.replies], run)


async def _extract_all(
    undrafted: Sequence[Pending],
    said: dict[str, SaidTurn],
    run: Run,
    believed: Sequence[Fact],
    read: dict[str, TaskNotes] | None,
) -> list[str]:
    """Draft each turn by rules and by the model; give why proposals of the model were dropped.

    While the user waits for the run to end (there is `read`, for what the model reads of the thread's work) it leaves
    to the drainer what the drainer has tried before. An endpoint that fails is not asked again for the others.
    """
    dropped: list[str] = []
    for one in undrafted:
        if read is not None and one.tries and not _is_set_aside(one, run):
            continue
        if one.run_kind != "user" or _is_set_aside(one, run):
            await _keep([_drafted(one, said, await _by_rules(one, believed, run))], run)
            continue
        by_model = await _by_model(one, believed, run, read)
        if isinstance(by_model, Drafted):
            by_rules = await _by_rules(one, believed, run, marked=False)
            await _keep([_drafted(one, said, merged(by_rules, by_model.drafts, keys=run.parts.keys))], run)
            dropped += by_model.dropped
            continue
        await _failed(one, said, run, by_rules=await _by_rules(one, believed, run), why=by_model)
        if by_model.kind == "endpoint":
            break
    return dropped


async def _failed(
    one: Pending, said: dict[str, SaidTurn], run: Run, *, by_rules: tuple[Draft, ...], why: Failure
) -> None:
    """Let a turn wait for its next try; after the last one settle it with what the rules found."""
    is_last = one.tries >= MAX_TRIES
    then = "what the rules found is kept, nothing more" if is_last else "it stays pending and is tried again"
    log.warning("No model extracted turn %s (%d tries): %s; %s", one.turn_id, one.tries, why.reason, then)
    if is_last:
        await _keep([_drafted(one, said, by_rules)], run)
    elif one.tries == 0:
        await _keep([_answered(one, said)], run)


def _is_set_aside(one: Pending, run: Run) -> bool:
    """Tell whether nobody is at work on a turn, nor will be: its last try was cut off."""
    return one.tries >= MAX_TRIES and (one.lease_until is None or one.lease_until <= run.store.clock())


async def _by_rules(pending: Pending, believed: Sequence[Fact], run: Run, *, marked: bool = True) -> tuple[Draft, ...]:
    """Propose by the rules, knowing what is believed of the user and whom they spoke of before.

    Where no model read the message (`marked`) by the tagger too; where one did, the tagger bears witness to what it says.
    """
    if pending.run_kind == "system":
        return ()
    return await asyncio.to_thread(_read, pending, believed, run.parts.tagger if marked else None, run.parts.keys)


def _read(pending: Pending, believed: Sequence[Fact], tagger: Tagger | None, keys: Keys) -> tuple[Draft, ...]:
    return proposed(
        pending.text,
        marks_in(pending.text, tagger),
        keys=keys,
        said_at=pending.said_at,
        timezone=pending.timezone,
        believed=believed,
    )


async def _by_model(
    pending: Pending, believed: Sequence[Fact], run: Run, read: dict[str, TaskNotes] | None
) -> Drafted | Failure:
    extractor = run.parts.extractor
    answer = (
        await tried(_asked(extractor, pending, run, with_notes=read is not None))
        if extractor
        else Extraction(memories=[])
    )
    if isinstance(answer, Exception):
        return failure_of(answer)
    if isinstance(answer, Failure):
        return answer
    if read is not None and isinstance(answer, ExtractionWithNotes):
        read[pending.turn_id] = answer.notes
    drafted = await asyncio.to_thread(
        drafts_of,
        answer,
        pending.text,
        keys=run.parts.keys,
        said_at=pending.said_at,
        timezone=pending.timezone,
        believed=believed,
        witness=witness_in(pending.text, run.parts.tagger),
    )
    if drafted.dropped:
        log.info("Of turn %s the model proposed what is not kept: %s", pending.turn_id, ", ".join(drafted.dropped))
    return drafted


async def _asked(extractor: ModelNamed, pending: Pending, run: Run, *, with_notes: bool) -> Extraction | Failure:
    async with asyncio.timeout(ASK_WITHIN.total_seconds()):
        model = await asyncio.to_thread(extractor, "")  # the first remote one imports for seconds
        asked = extraction_messages(pending.text, keys=run.parts.keys, with_notes=with_notes)
        return await structured(model, asked, ExtractionWithNotes if with_notes else Extraction)


def _answered(pending: Pending, said: dict[str, SaidTurn]) -> AnswerTurn:
    """Note the answer to one turn; what was noted before stays where the thread was lost."""
    turn = said.get(pending.turn_id)
    return AnswerTurn(
        turn_id=pending.turn_id,
        replies=turn.replies if turn else pending.replies,
        tools_used=turn.tools_used if turn else pending.tools_used,
    )


def _drafted(pending: Pending, said: dict[str, SaidTurn], drafts: tuple[Draft, ...]) -> DraftTurn:
    """Draft one turn; its answer is there too unless it was lost before it was written."""
    known = _answered(pending, said)
    return DraftTurn(turn_id=known.turn_id, drafts=drafts, replies=known.replies, tools_used=known.tools_used)


async def _keep(changes: Sequence[AnswerTurn | DraftTurn], run: Run) -> None:
    if changes:
        await apply(run.store, run.owner, changes, index_now=False)
