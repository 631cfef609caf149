"""A changes run: both messages of a pair are remembered as the product does it, and what is believed is looked at after each."""

from __future__ import annotations

import shutil
import tempfile
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

from graph.settings import STORE_FILE
from jiyi.evals.changes_beside import made_up, write_beside
from jiyi.evals.changes_file import Junk, Pair
from jiyi.evals.changes_model import as_labelled
from jiyi.testing import FixedClock
from memory.changes import Applied, ForgetFacts
from memory.extraction_schema import Extraction
from memory.keys import default_keys
from memory.kinds import Fact, Review, from_value
from memory.namespaces import SHARED_AGENT, Owner, user_space
from memory.proposing import proposed
from memory.seams import Tagger
from store.apply import apply
from store.conflicts import CONFLICT
from store.memory_store import MemoryStore
from store.profile import facts_of
from store.remember import remember
from store.tag.marking import marks_in

OWNER = Owner(user="bench", agent=SHARED_AGENT)
FIRST_AT = datetime(2026, 5, 4, 9, 0, tzinfo=UTC)
"""When the first message of a pair is said: what "tomorrow" is must not depend on the day of the run."""
SECOND_AT = FIRST_AT + timedelta(days=30)
BESIDE_AT = FIRST_AT - timedelta(days=30)
BESIDE = 1_000
MORE_BESIDE = 50
"""So many more are made up, since what a pair itself speaks of is taken out for it."""
REPLAYS = 20

OnDone = Callable[[int], None]


@dataclass(frozen=True, kw_only=True)
class Listener:
    """How what is said is read: in which time zone, by which tagger besides the rules, and what a model makes of it."""

    timezone: str = "UTC"
    tagger: Tagger | None = None
    model: Mapping[str, Extraction] = field(default_factory=dict)

    async def remember(self, store: MemoryStore, owner: Owner, text: str, **more: Any) -> Applied:
        """Keep something said."""
        extraction = self.model.get(text)
        return await remember(
            store, owner, text, timezone=self.timezone, tagger=self.tagger, extraction=extraction, **more
        )


@dataclass(frozen=True, kw_only=True)
class Course:
    """What is believed in the course of a pair.

    Attributes:
        pair: The two messages.
        learned: What was active after the first, but for what was known beside it.
        held: What was active after the second, likewise.
        waiting: Keys under which two values wait for a verdict then.
        beside: How much was known beside it before the second.
        changed: Keys of what of that was of another status after it.
        overwritten: Those of them under a key of which the second message was taken to speak.
        grown: How many facts more there were after the same chat had been kept again and again.
        turned: How many facts were of another status then.
    """

    pair: Pair
    learned: tuple[Fact, ...]
    held: tuple[Fact, ...]
    waiting: frozenset[str]
    beside: int
    changed: tuple[str, ...]
    overwritten: tuple[str, ...]
    grown: int
    turned: int


@dataclass(frozen=True, kw_only=True)
class Left:
    """What a message left that should have left nothing."""

    junk: Junk
    facts: tuple[Fact, ...]


async def run_pairs(
    pairs: Iterable[Pair],
    *,
    timezone: str = "UTC",
    folder: Path | None = None,
    tagger: Tagger | None = None,
    labelled: bool = False,
    beside: int = BESIDE,
    replays: int = REPLAYS,
    on_done: OnDone = lambda pairs: None,
) -> list[Course]:
    """Let each pair be said in a memory of its own in which much else is known; leave nothing behind.

    Args:
        pairs: What is said.
        timezone: In which "tomorrow" is meant (IANA name).
        folder: Where the memories are for the while; None: where temporary files are.
        tagger: Marks facts besides the rules; None: the rules read alone.
        labelled: Read besides as a model would that reads each message as it is labelled.
        beside: How much else is known.
        replays: How often the same chat is kept again.
        on_done: Is told how many more pairs are done.
    """
    with tempfile.TemporaryDirectory(prefix="jiyi-bench-", dir=folder) as home:
        full = Path(home) / "beside.db"
        await write_beside(full, OWNER, made_up(beside + MORE_BESIDE, keys=default_keys()), said_at=BESIDE_AT)
        courses = []
        for pair in pairs:
            with tempfile.TemporaryDirectory(dir=home) as own:
                store = MemoryStore(_copied(full, Path(own)), clock=FixedClock(SECOND_AT))
                listener = Listener(timezone=timezone, tagger=tagger, model=as_labelled(pair) if labelled else {})
                async with store.opened(keeps_up=False):
                    courses.append(await _course(store, pair, listener, replays))
            on_done(1)
        return courses


def _copied(memory: Path, folder: Path) -> Path:
    return Path(shutil.copyfile(memory, folder / STORE_FILE))


async def _course(store: MemoryStore, pair: Pair, listener: Listener, replays: int) -> Course:
    spoken_of = {pair.key, *_keys_of(pair.first, listener)}
    await apply(store, OWNER, [ForgetFacts(key=key) for key in sorted(spoken_of) if _is_single(key)], actor="bench")
    known = {one.id for one in await facts_of(store, OWNER)}
    await listener.remember(store, OWNER, pair.first, said_at=FIRST_AT, thread_id="first")
    before = await _by_id(store)
    beside = {name for name in known if before[name].status == "active"}
    await listener.remember(store, OWNER, pair.second, said_at=SECOND_AT, thread_id="second")
    after = await _by_id(store)
    changed = [
        after[name].key if name in after else before[name].key for name in beside if _turned(before, after, name)
    ]
    said_of = {key for key in _keys_of(pair.second, listener) if _is_single(key)}
    waiting = await _waiting(store)
    await _replay(store, pair, listener, replays)
    again = await _by_id(store)
    return Course(
        pair=pair,
        learned=_active(before, known),
        held=_active(after, known),
        waiting=waiting,
        beside=len(beside),
        changed=tuple(sorted(changed)),
        overwritten=tuple(sorted(key for key in changed if key in said_of)),
        grown=len(again) - len(after),
        turned=sum(_turned(after, again, name) for name in after),
    )


async def run_junk(
    messages: Iterable[Junk],
    *,
    timezone: str = "UTC",
    folder: Path | None = None,
    tagger: Tagger | None = None,
    on_done: OnDone = lambda messages: None,
) -> list[Left]:
    """Let each message be said by a user of its own; give what facts it left, of whatever status.

    Args:
        messages: What is said.
        timezone: In which "tomorrow" is meant (IANA name).
        folder: Where the memory is for the while; None: where temporary files are.
        tagger: Marks facts besides the rules; None: the rules read alone.
        on_done: Is told how many more messages are done.
    """
    with tempfile.TemporaryDirectory(prefix="jiyi-bench-", dir=folder) as home:
        store = MemoryStore(Path(home) / STORE_FILE, clock=FixedClock(FIRST_AT))
        listener = Listener(timezone=timezone, tagger=tagger)
        async with store.opened(keeps_up=False):
            left = []
            for number, junk in enumerate(messages):
                owner = Owner(user=f"junk-{number}")
                await listener.remember(store, owner, junk.text, said_at=FIRST_AT)
                left.append(Left(junk=junk, facts=await facts_of(store, owner, active_only=False)))
                on_done(1)
            return left


async def _replay(store: MemoryStore, pair: Pair, listener: Listener, replays: int) -> None:
    """Keep the same two messages again, as said at the same times, each time in threads of other names."""
    for number in range(replays):
        for name, text, at in (("first", pair.first, FIRST_AT), ("second", pair.second, SECOND_AT)):
            await listener.remember(store, OWNER, text, said_at=at, thread_id=f"{name}-{number}")


async def _by_id(store: MemoryStore) -> Mapping[str, Fact]:
    return {one.id: one for one in await facts_of(store, OWNER, active_only=False)}


async def _waiting(store: MemoryStore) -> frozenset[str]:
    """Give the keys under which two values wait for a verdict."""
    rows = await store.look(lambda transaction: transaction.find(user_space(OWNER, "reviews")))
    reviews = [from_value(Review, row.value) for row in rows]
    return frozenset(one.why for one in reviews if one.reason == CONFLICT and one.verdict is None)


def _active(facts: Mapping[str, Fact], known: set[str]) -> tuple[Fact, ...]:
    return tuple(fact for name, fact in facts.items() if fact.status == "active" and name not in known)


def _turned(before: Mapping[str, Fact], after: Mapping[str, Fact], name: str) -> bool:
    return name not in after or after[name].status != before[name].status


def _keys_of(text: str, listener: Listener) -> set[str]:
    """Give the keys of which a message is taken to speak."""
    marks = marks_in(text, listener.tagger)
    drafts = proposed(text, marks, keys=default_keys(), said_at=FIRST_AT, timezone=listener.timezone)
    by_model = listener.model[text].memories if text in listener.model else []
    return {draft.key for draft in drafts} | {one.key for one in by_model}


def _is_single(key: str) -> bool:
    spec = default_keys().spec(key)
    return spec is not None and spec.single
