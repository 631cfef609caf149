"""remember: the one way in which something said is kept, outside the graph's own turns."""

from __future__ import annotations

import asyncio
from datetime import datetime

from memory.changes import Applied, KeepTurn
from memory.drafting import drafts_of, merged
from memory.extraction_schema import Extraction
from memory.ids import turn_id_of
from memory.importance import importance
from memory.keys import default_keys
from memory.kinds import Draft, Episode, Fact
from memory.namespaces import Owner
from memory.proposing import proposed
from memory.seams import Tagger
from store.apply import apply
from store.memory_store import MemoryStore
from store.profile import facts_of
from store.redacting import redactor_of
from store.tag.marking import marks_in, witness_in

DIRECT_THREAD = "remembered"


async def remember(
    store: MemoryStore,
    owner: Owner,
    text: str,
    *,
    speaker: str = "user",
    thread_id: str = DIRECT_THREAD,
    message_id: str | None = None,
    said_at: datetime | None = None,
    timezone: str = "UTC",
    actor: str = "user",
    tagger: Tagger | None = None,
    extraction: Extraction | None = None,
) -> Applied:
    """Keep something said, and the facts in it when it was the user who said it.

    Args:
        store: Where.
        owner: Whose memory it is.
        text: What was said; private numbers and secrets are replaced before anything is kept.
        speaker: `user`, `assistant`, or a name in a conversation of several.
        thread_id: Of which conversation it is.
        message_id: What it is called there; the same id twice is kept once. None: named by its words.
        said_at: When, aware; None when it is not known.
        timezone: In which "tomorrow" is meant (IANA name).
        actor: Who caused it, for the audit log.
        tagger: Marks what says lasting facts, besides the rules; None: the rules read alone.
        extraction: What a model proposes of it; it is judged as in a turn, and the tagger bears witness to it. None: no model was asked.
    """
    clean = (await redactor_of(store, owner))(text)
    turn_id = turn_id_of(thread_id, message_id or clean)
    episode = Episode(
        id=f"{turn_id}-0",
        speaker=speaker,
        text=clean,
        thread_id=thread_id,
        turn_id=turn_id,
        position=0,
        said_at=said_at,
        importance=importance(clean),
    )
    drafts: tuple[Draft, ...] = ()
    if speaker == "user":
        believed = await facts_of(store, owner)
        drafts = await asyncio.to_thread(_proposed, clean, said_at, timezone, believed, tagger, extraction)
    return await apply(store, owner, [KeepTurn(episodes=(episode,), drafts=drafts)], actor=actor)


def _proposed(
    text: str,
    said_at: datetime | None,
    timezone: str,
    believed: tuple[Fact, ...],
    tagger: Tagger | None,
    extraction: Extraction | None,
) -> tuple[Draft, ...]:
    keys, marks = default_keys(), marks_in(text, tagger) if extraction is None else ()
    drafts = proposed(text, marks, keys=keys, said_at=said_at, timezone=timezone, believed=believed)
    if extraction is None:
        return drafts
    witness = witness_in(text, tagger)
    by_model = drafts_of(
        extraction, text, keys=keys, said_at=said_at, timezone=timezone, believed=believed, witness=witness
    )
    return merged(drafts, by_model.drafts, keys=keys)
