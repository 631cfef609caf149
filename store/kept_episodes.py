"""Kept episodes: what was said, redacted, in the room that the guard gives it: with all others, or in quarantine."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from datetime import datetime

from memory.changes import Applied
from memory.importance import importance
from memory.kinds import Episode, Kind, from_value, is_name, to_value
from memory.media import captioned
from memory.namespaces import Owner, user_space
from memory.policies import Policies
from store.redacting import redacted
from store.reviews import hold_back
from store.transaction import Row, Transaction

QUARANTINED = "quarantined"
ROOMS: tuple[Kind, ...] = ("episodes", "quarantine")
"""Where what was said may stand: with all others, or held back."""


@dataclass(frozen=True, kw_only=True)
class Kept:
    """An episode as it is kept; `is_held` where the guard holds it back."""

    episode: Episode
    row: Row
    is_held: bool


class KeptEpisodes:
    """The episodes of one user's memory within one transaction."""

    def __init__(self, transaction: Transaction, owner: Owner, *, actor: str, policies: Policies) -> None:
        self._transaction = transaction
        self._owner = owner
        self._actor = actor
        self._policies = policies
        self._open = user_space(owner, "episodes")
        self._held = user_space(owner, "quarantine")

    def knows(self, episode_id: str) -> bool:
        """Tell whether an episode is kept, held back or not."""
        return kept_row(self._transaction, self._owner, episode_id) is not None

    def write(self, episode: Episode) -> Applied:
        """Keep an episode; one that is known is left as it is."""
        if self.knows(episode.id):
            return Applied()
        clean = replace(episode, text=self._redacted(episode.text), speaker=self._redacted(episode.speaker))
        attack = self._policies.guard.attack_in(clean.text)
        if attack is None:
            write_open(self._transaction, self._owner, clean)
            self._audit("WRITE", "episodes", clean.id)
            return Applied(episodes=(clean.id,))
        self._transaction.put(self._held, clean.id, to_value(clean))
        self._audit("QUARANTINE", "quarantine", clean.id)
        hold_back(self._transaction, self._owner, clean, why=attack.family)
        self._transaction.count_refusal(self._owner.user, QUARANTINED)
        return Applied(episodes=(clean.id,), refused=(QUARANTINED,))

    def said(self, turn_id: str) -> Kept | None:
        """Give the user's side of a turn; None when it was forgotten meanwhile."""
        return next((kept for kept in self._of_turn(turn_id) if kept.episode.speaker == "user"), None)

    def is_answered(self, turn_id: str) -> bool:
        """Tell whether an answer to a turn is kept."""
        return any(kept.episode.speaker == "assistant" for kept in self._of_turn(turn_id))

    def finish(self, said: Kept, *, tools_used: tuple[str, ...], useful: bool) -> None:
        """Note of the user's side of a turn that nothing waits any more, and what it was good for."""
        episode = said.episode
        matters = max(episode.importance, importance(episode.text, fruitful=useful))
        done = replace(episode, pending=False, tools_used=tools_used, importance=matters)
        self._transaction.change(said.row, to_value(done))

    def caption(self, turn_id: str, captions: Mapping[int, str]) -> Applied:
        """Say in the user's side of a turn what its media show; what gives orders or is private is not said."""
        said = self.said(turn_id)
        if said is None or said.is_held:
            return Applied()
        clean = {place: self._redacted(text) for place, text in captions.items()}
        harmless = {place: text for place, text in clean.items() if not self._policies.guard.attack_in(text)}
        text, media = captioned(said.episode.text, said.episode.media, harmless)
        if media == said.episode.media:
            return Applied()
        write_open(self._transaction, self._owner, replace(said.episode, text=text, media=media))
        self._audit("WRITE", "episodes", said.episode.id)
        return Applied(episodes=(said.episode.id,))

    def count_use(self, episode_id: str, at: datetime) -> None:
        """Count that an episode was put into a prompt."""
        row = self._transaction.get(self._open, episode_id)
        if row is not None:
            episode = from_value(Episode, row.value)
            self._transaction.change(row, to_value(replace(episode, uses=episode.uses + 1, last_used_at=at)))

    def _of_turn(self, turn_id: str) -> Iterator[Kept]:
        for room in (self._open, self._held):
            for row in self._transaction.of_turn(room, turn_id):
                yield Kept(episode=from_value(Episode, row.value), row=row, is_held=room == self._held)

    def _redacted(self, text: str) -> str:
        return redacted(self._transaction, self._owner, self._policies, text)

    def _audit(self, action: str, kind: str, item: str) -> None:
        self._transaction.audit(actor=self._actor, action=action, subject=self._owner.user, kind=kind, item=item)


def kept_row(transaction: Transaction, owner: Owner, episode_id: str) -> Row | None:
    """Read an episode's row, held back or not; None where there is none."""
    rows = (transaction.get(user_space(owner, room), episode_id) for room in ROOMS)
    return next((row for row in rows if row is not None), None)


def write_open(transaction: Transaction, owner: Owner, episode: Episode) -> None:
    """Write an episode where it is found; small talk is kept without being found."""
    texts = (searched_text(episode.speaker, episode.text),) if episode.importance > 0 else ()
    transaction.put(user_space(owner, "episodes"), episode.id, to_value(episode), texts=texts)


def searched_text(speaker: str, text: str) -> str:
    """Give what is found of something said: the speaker's name, where it is a name, and the words."""
    return f"{speaker}: {text}" if is_name(speaker) else text
