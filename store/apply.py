"""apply: the one function through which every memory is written, all of a call in one transaction."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from datetime import datetime
from functools import partial
from typing import Any, assert_never

from memory.changes import AnswerTurn, Applied, AwaitTurn, Change, CountUses, DraftTurn, KeepTurn, SettleTurn
from memory.importance import importance
from memory.keys import Keys, default_keys
from memory.kinds import Draft, Episode, Pending, from_value, is_name, to_value
from memory.namespaces import Owner, user_space
from memory.privacy import redact
from store.believing import believe
from store.memory_store import MemoryStore
from store.transaction import Transaction


async def apply(
    store: MemoryStore,
    owner: Owner,
    changes: Sequence[Change],
    *,
    actor: str = "agent",
    keys: Keys | None = None,
    index_now: bool = True,
) -> Applied:
    """Redact, judge, audit and write changes to one user's memory, all or none.

    Args:
        store: Where.
        owner: Whose memory it is.
        changes: What happened, in order.
        actor: Who caused it, for the audit log (agent, user, ingest, sleep).
        keys: Which facts may be kept; None for those that come with Jiyi.
        index_now: Embed what was written before returning, or at once in the background where the embedder is far;
            otherwise it is found by keyword until the store has caught up by itself.
    """
    work = partial(_apply_all, owner=owner, changes=changes, actor=actor, keys=keys or default_keys())
    applied = await store.transact(owner.user, work)
    if index_now and (applied.episodes or applied.facts):
        await store.after_writes.index()
    return applied


def _apply_all(transaction: Transaction, *, owner: Owner, changes: Iterable[Change], actor: str, keys: Keys) -> Applied:
    writer = _Writer(transaction, owner, actor, keys)
    done = Applied()
    for change in changes:
        done += writer.apply(change)
    return done


class _Writer:
    """Carries out changes to one user's memory within one transaction."""

    def __init__(self, transaction: Transaction, owner: Owner, actor: str, keys: Keys) -> None:
        self._transaction = transaction
        self._owner = owner
        self._actor = actor
        self._keys = keys
        self._episodes = user_space(owner, "episodes")
        self._pending = user_space(owner, "pending")

    def apply(self, change: Change) -> Applied:
        match change:
            case AwaitTurn():
                return self._await(change)
            case AnswerTurn():
                return self._answer(change)
            case DraftTurn():
                return self._draft(change)
            case SettleTurn():
                return self._settle(change)
            case KeepTurn():
                return self._keep(change)
            case CountUses():
                return self._count(change)
            case _:
                assert_never(change)

    def _await(self, change: AwaitTurn) -> Applied:
        known = self._transaction.get(self._episodes, change.episode.id)
        if known is not None:
            return Applied()
        pending = replace(change.pending, text=redact(change.pending.text).text)
        self._transaction.put(self._pending, pending.turn_id, to_value(pending))
        self._write_episode(replace(change.episode, pending=True))
        return Applied(episodes=(change.episode.id,))

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
            replies = tuple(redact(text).text for text in change.replies)
            told = replace(pending, replies=replies, tools_used=change.tools_used, **known)
            self._transaction.change(row, to_value(told))

    def _settle(self, change: SettleTurn) -> Applied:
        row = self._transaction.get(self._pending, change.turn_id)
        if row is None:
            return self._late(change)
        pending = from_value(Pending, row.value)
        said = self._said(pending.turn_id)
        written = self._believed(pending.drafts or (), said) if said else Applied()
        for reply in _replies(pending.replies, pending, at=change.at):
            written += self._write_new(reply)
        if said:
            self._finish(replace(said, tools_used=pending.tools_used), useful=bool(written.facts))
        self._transaction.delete(self._pending, change.turn_id)
        return written + Applied(settled=(change.turn_id,))

    def _late(self, change: SettleTurn) -> Applied:
        """Keep what was answered after the turn had been settled, where what it answers is there and has no answer."""
        written, said = Applied(), self._said(change.turn_id)
        if said is None or self._is_answered(change.turn_id):
            return written
        for reply in _replies(change.replies, said, at=change.at):
            written += self._write_new(reply)
        return written

    def _keep(self, change: KeepTurn) -> Applied:
        written = Applied()
        for episode in change.episodes:
            written += self._write_new(episode)
        new = [episode for episode in change.episodes if episode.id in written.episodes]
        said = next((episode for episode in new if episode.speaker == "user"), None)
        if said and change.drafts:
            written += self._believed(change.drafts, said)
        return written

    def _count(self, change: CountUses) -> Applied:
        for episode_id in change.episode_ids:
            row = self._transaction.get(self._episodes, episode_id)
            if row is not None:
                episode = from_value(Episode, row.value)
                used = replace(episode, uses=episode.uses + 1, last_used_at=change.at)
                self._transaction.change(row, to_value(used))
        return Applied()

    def _said(self, turn_id: str) -> Episode | None:
        """Give the user's side of the turn; None when it was forgotten meanwhile."""
        rows = self._transaction.of_turn(self._episodes, turn_id)
        episodes = (from_value(Episode, row.value) for row in rows)
        return next((episode for episode in episodes if episode.speaker == "user"), None)

    def _is_answered(self, turn_id: str) -> bool:
        rows = self._transaction.of_turn(self._episodes, turn_id)
        return any(row.value.get("speaker") == "assistant" for row in rows)

    def _believed(self, drafts: Sequence[Draft], said: Episode) -> Applied:
        return believe(self._transaction, self._owner, drafts, said=said, keys=self._keys, actor=self._actor)

    def _finish(self, said: Episode, *, useful: bool) -> None:
        row = self._transaction.get(self._episodes, said.id)
        if row is not None:
            matters = max(said.importance, importance(said.text, fruitful=useful))
            self._transaction.change(row, to_value(replace(said, pending=False, importance=matters)))

    def _write_new(self, episode: Episode) -> Applied:
        if self._transaction.get(self._episodes, episode.id) is not None:
            return Applied()
        self._write_episode(episode)
        return Applied(episodes=(episode.id,))

    def _write_episode(self, episode: Episode) -> None:
        clean = replace(episode, text=redact(episode.text).text)
        texts = (searched_text(clean.speaker, clean.text),) if clean.importance > 0 else ()
        self._transaction.put(self._episodes, clean.id, to_value(clean), texts=texts)
        self._transaction.audit(
            actor=self._actor, action="WRITE", subject=self._owner.user, kind="episodes", item=clean.id
        )


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


def searched_text(speaker: str, text: str) -> str:
    """Give what is found of something said: the speaker's name, where it is a name, and the words."""
    return f"{speaker}: {text}" if is_name(speaker) else text
