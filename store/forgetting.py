"""Forgetting: facts or whole turns of a user, with the evidence, the words they rest on and what waits about them.

What is forgotten leaves the memory, its history included. The threads themselves are not touched here.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace

from memory.blanking import blanked, without_value
from memory.changes import Applied, ForgetFacts, ForgetTurn
from memory.forget_requests import EVERY, THIS_TURN
from memory.keys import LAST_TURN, Keys
from memory.kin import canonical_key
from memory.kinds import Draft, Episode, Evidence, Fact, Kind, Review, from_value, to_value
from memory.namespaces import Owner, user_space
from memory.same.identity import identity
from memory.values import normalised
from store.folding import refold
from store.kept_episodes import ROOMS, write_open
from store.memory_store import MemoryStore
from store.transaction import Row, Transaction


class Forgetting:
    """Forgets within one transaction; what is forgotten already stays so."""

    def __init__(self, transaction: Transaction, owner: Owner, *, keys: Keys, actor: str) -> None:
        self._transaction = transaction
        self._owner = owner
        self._keys = keys
        self._actor = actor
        self._values: list[str] = []

    def asked(self, draft: Draft, said: Episode) -> Applied:
        """Forget what the user asks for in a conversation: under a key, or all of what they said with it or just before."""
        if draft.key != LAST_TURN:
            done = self.facts(ForgetFacts(key=draft.key, value=draft.value))
            self._clean_request(said, draft.value)
            return done
        if draft.value == THIS_TURN and self._goes_on(said, draft.quote):
            return Applied()
        before = said if draft.value == THIS_TURN else self._said_before(said)
        return self.turn(ForgetTurn(turn_id=before.turn_id)) if before else Applied()

    def facts(self, change: ForgetFacts) -> Applied:
        """Forget what is known under a key; give the ids of the facts that are gone."""
        change = replace(change, key=canonical_key(change.key))
        pieces = [piece for piece in self._evidence() if self._is_meant(piece, change)]
        self._blank(pieces)
        self._drop_reviews(lambda review: review.draft is not None and _is_under(review.draft.key, change.key))
        return self._without(pieces)

    def turn(self, change: ForgetTurn) -> Applied:
        """Forget one turn; give the ids of the episodes and facts that are gone."""
        pieces = [piece for piece in self._evidence() if piece.turn_id == change.turn_id]
        said = self._episodes(change.turn_id)
        self._values += [str(row.value["text"]) for _, row in said] + [piece.value for piece in pieces]
        gone = [self._removed(room, row.key) for room, row in said]
        self._transaction.delete(user_space(self._owner, "pending"), change.turn_id)
        self._drop_reviews(lambda review: review.turn_id == change.turn_id)
        return Applied(forgotten=tuple(gone)) + self._without(pieces)

    def left_over(self) -> Applied:
        """Forget what rests on words that somebody has deleted from the store by another way; give the ids of the facts."""
        kept = {row.key for _, row in self._episodes()}
        return self._without([piece for piece in self._evidence() if piece.episode_id and piece.episode_id not in kept])

    def _without(self, pieces: Sequence[Evidence]) -> Applied:
        """Take evidence away, with what was only ever said about it, and fold what is left."""
        place = user_space(self._owner, "evidence")
        for piece in pieces:
            self._transaction.delete(place, piece.id)
        touched = list(dict.fromkeys(piece.key for piece in pieces))
        for key in touched:
            for piece in self._unfounded(self._evidence_under(key)):
                self._transaction.delete(place, piece.id)
        before = {fact.id for key in touched for fact in self._facts(key)}
        changed = [one for key in touched for one in self._folded(key)]
        after = {fact.id for key in touched for fact in self._facts(key)}
        gone = before - after
        return Applied(facts=tuple(one for one in changed if one in after), forgotten=tuple(sorted(gone)))

    def _folded(self, key: str) -> list[str]:
        return refold(self._transaction, self._owner, key, keys=self._keys, actor=self._actor)

    def _blank(self, pieces: Sequence[Evidence]) -> None:
        """Take the words out of what was said: the quotes, and the values wherever they are spoken of again."""
        quotes = {(piece.episode_id, piece.quote): None for piece in pieces if piece.quote}
        values = {(piece.key, normalised(piece.value)): piece.value for piece in pieces if piece.value.strip()}
        self._values += values.values()
        turns = {piece.turn_id for piece in pieces}
        for room, row in self._episodes():
            episode = from_value(Episode, row.value)
            text = episode.text
            for episode_id, quote in quotes:
                text = blanked(text, quote) if episode_id == episode.id else text
            for (key, _), value in values.items():
                anywhere = episode.speaker == "assistant" or episode.turn_id in turns
                text = without_value(text, value, beside=None if anywhere else self._called(key))
            if text != episode.text:
                self._rewrite(room, episode, text)

    def _goes_on(self, said: Episode, request: str) -> bool:
        """Keep only what a message says after the request to forget what came before it; tell whether it says anything."""
        _, _, after = said.text.partition(request)
        if any(char.isalnum() for char in after):
            for room, row in self._episodes(said.turn_id):
                if row.key == said.id:
                    self._rewrite(room, said, after.strip())
            return True
        return False

    def clean(self, text: str) -> str:
        """Give a text that is kept after something was forgotten, without its values; "" where it says nothing else."""
        for value in self._values:
            text = without_value(text, value)
        return text

    def _clean_request(self, said: Episode, value: str) -> None:
        """Take what is to be forgotten out of the very words that ask for it."""
        self._values += [value] if value.strip() else []
        for room, row in self._episodes(said.turn_id):
            episode = from_value(Episode, row.value)
            text = self.clean(episode.text)
            if text != episode.text:
                self._rewrite(room, episode, text)

    def _said_before(self, said: Episode) -> Episode | None:
        """Give what the user said last in the same thread before something."""
        wanted = {"thread_id": said.thread_id, "speaker": "user"}
        rows = [row for room in ROOMS for row in self._transaction.find(user_space(self._owner, room), wanted)]
        earlier = [one for row in rows if (one := from_value(Episode, row.value)).position < said.position]
        return max(earlier, key=lambda one: one.position, default=None)

    def _is_meant(self, piece: Evidence, change: ForgetFacts) -> bool:
        """Tell whether evidence is for what is to be forgotten, in whatever wording."""
        if not _is_under(piece.key, change.key):
            return False
        return not change.value.strip() or self._form(piece.key, piece.value) == self._form(piece.key, change.value)

    def _unfounded(self, pieces: Sequence[Evidence]) -> list[Evidence]:
        """Give what was only said about a value (pinned, confirmed, taken back) that nobody's words state any more."""
        stated = {self._form(one.key, one.value) for one in pieces if one.act in ("state", "correct") or one.quote}
        return [one for one in pieces if not one.quote and self._form(one.key, one.value) not in stated]

    def _form(self, key: str, value: str) -> str:
        return identity(value, key=key, spec=self._keys.spec(key))

    def _called(self, key: str) -> list[str]:
        return [self._keys.label(key, "zh"), self._keys.label(key, "en")]

    def _rewrite(self, room: Kind, episode: Episode, text: str) -> None:
        if not text:
            self._removed(room, episode.id)
        elif room == "episodes":
            write_open(self._transaction, self._owner, replace(episode, text=text))
        else:
            self._transaction.put(user_space(self._owner, room), episode.id, to_value(replace(episode, text=text)))
        self._audit("FORGET", "episodes", episode.id)

    def _removed(self, room: Kind, item: str) -> str:
        self._transaction.delete(user_space(self._owner, room), item)
        self._audit("FORGET", room, item)
        return item

    def _drop_reviews(self, meant: Callable[[Review], bool]) -> None:
        place = user_space(self._owner, "reviews")
        for row in self._transaction.find(place):
            if meant(from_value(Review, row.value)):
                self._transaction.delete(place, row.key)

    def _episodes(self, turn_id: str | None = None) -> list[tuple[Kind, Row]]:
        found: list[tuple[Kind, Row]] = []
        for room in ROOMS:
            place = user_space(self._owner, room)
            rows = self._transaction.find(place) if turn_id is None else self._transaction.of_turn(place, turn_id)
            found += [(room, row) for row in rows]
        return found

    def _evidence(self) -> list[Evidence]:
        return [from_value(Evidence, row.value) for row in self._transaction.find(user_space(self._owner, "evidence"))]

    def _evidence_under(self, key: str) -> list[Evidence]:
        rows = self._transaction.held_under(user_space(self._owner, "evidence"), key)
        return [from_value(Evidence, row.value) for row in rows]

    def _facts(self, key: str) -> list[Fact]:
        rows = self._transaction.held_under(user_space(self._owner, "facts"), key)
        return [from_value(Fact, row.value) for row in rows]

    def _audit(self, action: str, kind: str, item: str) -> None:
        self._transaction.audit(actor=self._actor, action=action, subject=self._owner.user, kind=kind, item=item)


def _is_under(key: str, wanted: str) -> bool:
    return key.startswith(wanted.removesuffix("*")) if wanted.endswith(EVERY) else key == wanted


async def forget_left_over(store: MemoryStore, owner: Owner) -> tuple[str, ...]:
    """Forget what rests on episodes that are no longer there; give the ids of the facts that went or changed by it."""

    def work(transaction: Transaction) -> Applied:
        return Forgetting(transaction, owner, keys=store.policies.keys, actor="sleep").left_over()

    done = await store.transact(owner.user, work)
    return (*done.forgotten, *done.facts)
