"""apply: the one function through which every memory is written, all of a call in one transaction."""

from __future__ import annotations

import asyncio
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from datetime import datetime
from functools import partial
from typing import Any, assert_never

from memory.blanking import FORGOTTEN, without_values
from memory.changes import (
    AnswerTurn,
    Applied,
    ArchiveNotes,
    AwaitTurn,
    CaptionTurn,
    Change,
    CountUses,
    DraftTurn,
    ForgetFacts,
    ForgetTurn,
    KeepTurn,
    MarkFact,
    SettleTurn,
)
from memory.importance import importance
from memory.kinds import Draft, Episode, Pending, from_value, to_value
from memory.namespaces import Owner, user_space
from memory.policies import Policies
from store.believing import believe
from store.forgetting import Forgetting
from store.kept_episodes import Kept, KeptEpisodes
from store.marking import mark
from store.media_files import MediaFiles
from store.memory_store import MemoryStore
from store.redacting import redacted
from store.transaction import Transaction


async def apply(
    store: MemoryStore, owner: Owner, changes: Sequence[Change], *, actor: str = "agent", index_now: bool = True
) -> Applied:
    """Redact, guard, judge, audit and write changes to one user's memory, all or none, as the store's policies say.

    Args:
        store: Where.
        owner: Whose memory it is.
        changes: What happened, in order.
        actor: Who caused it, for the audit log (agent, user, ingest, sleep).
        index_now: Embed what was written before returning, or at once in the background where the embedder is far;
            otherwise it is found by keyword until the store has caught up by itself.
    """
    work = partial(_apply_all, owner=owner, changes=changes, actor=actor, policies=store.policies)
    applied = await store.transact(owner.user, work)
    if applied.media and store.media is not None:
        await asyncio.to_thread(_drop, store.media, applied.media)
    if index_now and (applied.episodes or applied.facts or applied.forgotten):
        await store.after_writes.index()
    return applied


def _drop(files: MediaFiles, released: Iterable[tuple[str, str]]) -> None:
    for thread_id, sha256 in released:
        files.drop(thread_id, [sha256])


def _apply_all(
    transaction: Transaction, *, owner: Owner, changes: Iterable[Change], actor: str, policies: Policies
) -> Applied:
    writer = _Writer(transaction, owner, actor, policies)
    done = Applied()
    for change in changes:
        done += writer.apply(change)
    return done


class _Writer:
    """Carries out changes to one user's memory within one transaction."""

    def __init__(self, transaction: Transaction, owner: Owner, actor: str, policies: Policies) -> None:
        self._transaction = transaction
        self._owner = owner
        self._actor = actor
        self._policies = policies
        self._episodes = KeptEpisodes(transaction, owner, actor=actor, policies=policies)
        self._forgetting = Forgetting(transaction, owner, keys=policies.keys, actor=actor)
        self._pending = user_space(owner, "pending")

    def apply(self, change: Change) -> Applied:  # noqa: C901  (a case for each kind of change)
        match change:
            case AwaitTurn():
                done = self._await(change)
            case AnswerTurn():
                done = self._answer(change)
            case CaptionTurn():
                done = self._episodes.caption(change.turn_id, change.captions)
            case DraftTurn():
                done = self._draft(change)
            case SettleTurn():
                done = self._settle(change)
            case KeepTurn():
                done = self._keep(change)
            case CountUses():
                done = self._count(change)
            case MarkFact():
                done = mark(self._transaction, self._owner, change, policies=self._policies, actor=self._actor)
            case ForgetFacts() | ForgetTurn():
                done = self._forget(change)
            case ArchiveNotes():
                done = self._archive(change)
            case _:
                assert_never(change)
        return done

    def _await(self, change: AwaitTurn) -> Applied:
        if self._episodes.knows(change.episode.id):
            return Applied()
        pending = replace(change.pending, text=self._redacted(change.pending.text))
        self._transaction.put(self._pending, pending.turn_id, to_value(pending))
        return self._episodes.write(replace(change.episode, pending=True))

    def _answer(self, change: AnswerTurn) -> Applied:
        self._told_more(change, holder="", lease_until=None)
        return Applied()

    def _draft(self, change: DraftTurn) -> Applied:
        self._told_more(change, drafts=change.drafts)
        return Applied()

    def _told_more(self, change: AnswerTurn | DraftTurn, **known: Any) -> None:
        """Keep with a waiting turn what has become known of it; once it is drafted nothing is added."""
        row = self._transaction.get(self._pending, change.turn_id)
        if row is None:
            return
        pending = from_value(Pending, row.value)
        if pending.drafts is None:
            replies = tuple(self._redacted(without_values(text, pending.unsaid)) for text in change.replies)
            told = replace(pending, replies=replies, tools_used=change.tools_used, **known)
            self._transaction.change(row, to_value(told))

    def _settle(self, change: SettleTurn) -> Applied:
        row = self._transaction.get(self._pending, change.turn_id)
        if row is None:
            return self._late(change)
        pending = from_value(Pending, row.value)
        said = self._episodes.said(pending.turn_id)
        written = self._believed(pending.drafts or (), said) if said else Applied()
        useful = bool(written.facts)
        said = self._episodes.said(pending.turn_id)  # what they asked to forget is gone from it, or all of it
        if said and said.episode.text != FORGOTTEN:
            for reply in _replies(pending.replies, pending, at=change.at):
                written += self._answered(reply)
            self._episodes.finish(said, tools_used=pending.tools_used, useful=useful)
        self._transaction.delete(self._pending, change.turn_id)
        return written + Applied(settled=(change.turn_id,))

    def _answered(self, reply: Episode) -> Applied:
        """Keep a reply without what was just forgotten, which it may repeat."""
        text = self._forgetting.clean(reply.text)
        return self._episodes.write(replace(reply, text=text)) if text else Applied()

    def _late(self, change: SettleTurn) -> Applied:
        """Keep what was answered after the turn had been settled, where what it answers is there and has no answer."""
        written, said = Applied(), self._episodes.said(change.turn_id)
        if said is None or self._episodes.is_answered(change.turn_id):
            return written
        for reply in _replies(change.replies, said.episode, at=change.at):
            written += self._episodes.write(reply)
        return written

    def _keep(self, change: KeepTurn) -> Applied:
        written = Applied()
        for episode in change.episodes:
            written += self._episodes.write(episode)
        new = [episode for episode in change.episodes if episode.id in written.episodes]
        told = next((episode for episode in new if episode.speaker == "user"), None)
        said = self._episodes.said(told.turn_id) if told else None
        if said and change.drafts:
            written += self._believed(change.drafts, said)
        return written

    def _count(self, change: CountUses) -> Applied:
        for episode_id in change.episode_ids:
            self._episodes.count_use(episode_id, change.at)
        return Applied()

    def _forget(self, change: ForgetFacts | ForgetTurn) -> Applied:
        if isinstance(change, ForgetFacts):
            return self._forgetting.facts(change)
        return self._forgetting.turn(change)

    def _archive(self, change: ArchiveNotes) -> Applied:
        said = change.session
        kept = replace(
            said,
            task=self._redacted(said.task),
            constraints=tuple(self._redacted(text) for text in said.constraints),
            results=tuple(self._redacted(text) for text in said.results),
        )
        self._transaction.put(user_space(self._owner, "sessions"), kept.id, to_value(kept))
        return Applied()

    def _believed(self, drafts: Sequence[Draft], said: Kept) -> Applied:
        return believe(
            self._transaction,
            self._owner,
            drafts,
            said=said,
            policies=self._policies,
            actor=self._actor,
            forgetting=self._forgetting,
        )

    def _redacted(self, text: str) -> str:
        return redacted(self._transaction, self._owner, self._policies, text)


def _replies(texts: Sequence[str], said: Pending | Episode, *, at: datetime) -> Iterator[Episode]:
    for number, text in enumerate(texts, start=1):
        yield Episode(
            id=f"{said.turn_id}-{number}",
            speaker="assistant",
            text=text,
            thread_id=said.thread_id,
            turn_id=said.turn_id,
            position=said.position + number,
            said_at=at,
            importance=importance(text),
        )
