"""Forgetting: facts or whole turns of a user, with the evidence, the words they rest on and what waits about them.

What is forgotten leaves the memory, its history included. The threads themselves are not touched here.
"""

from __future__ import annotations

from collections.abc import Callable, Container, Iterable, Sequence
from dataclasses import dataclass, replace

from memory.blanking import FORGOTTEN, blanked, without_value, without_values
from memory.changes import Applied, ForgetFacts, ForgetTurn
from memory.extraction import propose
from memory.forget_requests import SHOWN_CHARS, THIS_TURN
from memory.forgetting_scope import Scope, scope_of
from memory.keys import LAST_TURN, Keys
from memory.kinds import Draft, Episode, Evidence, Fact, Kind, Pending, Review, Session, from_value, to_value
from memory.media import still_told
from memory.namespaces import SHARED_AGENT, Owner, user_space
from memory.same.identity import identity
from memory.values import normalised
from store.folding import evidence_under, refold
from store.kept_episodes import ROOMS, write_open
from store.memory_store import MemoryStore
from store.transaction import Row, Transaction


@dataclass(frozen=True, kw_only=True)
class _Told:
    """What a turn that still waits has told."""

    key: str
    value: str
    quote: str
    turn_id: str


class Forgetting:
    """Forgets within one transaction; what is forgotten already stays so."""

    def __init__(self, transaction: Transaction, owner: Owner, *, keys: Keys, actor: str) -> None:
        self._transaction = transaction
        self._owner = owner
        self._keys = keys
        self._actor = actor
        self._values: list[str] = []

    def asked(self, draft: Draft, said: Episode) -> Applied:
        """Forget what the user asks for in a conversation: under a key, or all of what they said with it or just before.

        What all agents share is forgotten whichever of them is asked.
        """
        if draft.key != LAST_TURN:
            done = self.facts(ForgetFacts(key=draft.key, value=draft.value))
            if self._owner.agent != SHARED_AGENT:
                shared = replace(self._owner, agent=SHARED_AGENT)
                others = Forgetting(self._transaction, shared, keys=self._keys, actor=self._actor)
                done += others.facts(ForgetFacts(key=draft.key, value=draft.value))
                self._values += others._values
            self._clean_request(said, draft.value)
            return done
        if draft.value == THIS_TURN and self._goes_on(said, draft.quote):
            return Applied()
        before = said if draft.value == THIS_TURN else self._said_before(said)
        return self.turn(ForgetTurn(turn_id=before.turn_id)) if before else Applied()

    def facts(self, change: ForgetFacts) -> Applied:
        """Forget what is known under a key, or would be of what waits; give the ids of the facts that are gone."""
        place = user_space(self._owner, "facts")
        known = [from_value(Fact, row.value) for row in self._transaction.find(place)]
        scope = scope_of(change.key, change.value, known, self._form)
        pieces = [piece for piece in self._evidence() if scope.reaches(piece.key, piece.value)]
        told: list[_Told | Evidence] = [*pieces, *self._waiting(scope)]
        self._blank(told, scope)
        self._clean_waiting()
        self._drop_reviews(lambda review: review.draft is not None and scope.takes(review.draft))
        self._clean_sessions()
        return self._without(pieces)

    def turn(self, change: ForgetTurn) -> Applied:
        """Forget one turn; give the ids of the episodes and facts that are gone."""
        pieces = [piece for piece in self._evidence() if piece.turn_id == change.turn_id]
        said = [(room, from_value(Episode, row.value)) for room, row in self._episodes(change.turn_id)]
        for _, episode in said:
            self._values += [episode.text, episode.text[:SHOWN_CHARS]]
        self._values += [piece.value for piece in pieces]
        for room, episode in said:
            self._rewrite(room, episode, "")
        self._transaction.delete(user_space(self._owner, "pending"), change.turn_id)
        self._drop_reviews(lambda review: review.turn_id == change.turn_id)
        self._clean_sessions(change.turn_id)
        forgotten = Applied(forgotten=tuple(episode.id for _, episode in said), media=self._released(said))
        return forgotten + self._without(pieces)

    def left_over(self) -> Applied:
        """Forget what rests on words that somebody has deleted from the store by another way; give the ids of the facts."""
        kept = {row.key for _, row in self._episodes()}
        return self._without([piece for piece in self._evidence() if piece.episode_id and piece.episode_id not in kept])

    def clean(self, text: str) -> str:
        """Give a text that is kept after something was forgotten, without its values; "" where it says nothing else."""
        return without_values(text, self._values)

    def _waiting(self, scope: Scope) -> list[_Told]:
        """Take what is to be forgotten out of the turns that wait to be extracted; give what they told of it."""
        told: list[_Told] = []
        place = user_space(self._owner, "pending")
        for row in self._transaction.find(place):
            pending = from_value(Pending, row.value)
            drafts = pending.drafts
            found = propose(pending.text, said_at=None) if drafts is None else drafts
            meant = [draft for draft in found if scope.takes(draft)]
            if meant:
                told += [_Told(key=one.key, value=one.value, quote=one.quote, turn_id=pending.turn_id) for one in meant]
                text = blanked(pending.text, [one.quote for one in meant]) or FORGOTTEN
                left = None if drafts is None else tuple(one for one in drafts if not scope.takes(one))
                unsaid = tuple(dict.fromkeys([*pending.unsaid, *(one.value for one in meant if one.value.strip())]))
                replies = tuple(without_values(reply, unsaid) for reply in pending.replies)
                known = replace(pending, text=text, drafts=left, replies=replies, unsaid=unsaid)
                self._transaction.change(row, to_value(known))
        return told

    def _clean_waiting(self) -> None:
        """Take the values out of turns that nothing was extracted from yet, in whatever words they tell them."""
        for row in self._transaction.find(user_space(self._owner, "pending")):
            pending = from_value(Pending, row.value)
            text = self.clean(pending.text) if pending.drafts is None else pending.text
            if text != pending.text:
                self._transaction.change(row, to_value(replace(pending, text=text or FORGOTTEN)))

    def _without(self, pieces: Sequence[Evidence]) -> Applied:
        """Take evidence away, with what was only ever said about it, and fold what is left."""
        place = user_space(self._owner, "evidence")
        for piece in pieces:
            self._transaction.delete(place, piece.id)
        touched = list(dict.fromkeys(piece.key for piece in pieces))
        for key in touched:
            for piece in self._unfounded(evidence_under(self._transaction, self._owner, key)):
                self._transaction.delete(place, piece.id)
        before = {fact.id for key in touched for fact in self._facts(key)}
        changed = [one for key in touched for one in self._folded(key)]
        after = {fact.id for key in touched for fact in self._facts(key)}
        gone = before - after
        return Applied(facts=tuple(one for one in changed if one in after), forgotten=tuple(sorted(gone)))

    def _folded(self, key: str) -> list[str]:
        return refold(self._transaction, self._owner, key, keys=self._keys, actor=self._actor)

    def _blank(self, told: Sequence[_Told | Evidence], scope: Scope) -> None:
        """Take the words out of what was said and of other quotes: the quotes, and the values wherever they are said again."""
        values = {(one.key, normalised(one.value)): one.value for one in told if one.value.strip()}
        self._values += [*values.values(), *([scope.value] if scope.value.strip() else [])]
        turns = {one.turn_id for one in told}
        for room, row in self._episodes():
            episode = from_value(Episode, row.value)
            quotes = [one.quote for one in told if one.turn_id == episode.turn_id and episode.speaker != "assistant"]
            text = blanked(episode.text, quotes)
            for (key, _), value in values.items():
                text = without_value(text, value, beside=self._beside(episode, key, value, turns))
            if room == "quarantine":
                text = "" if any(scope.speaks_of(text, name) for name in scope.names) else self.clean(text)
            if text != episode.text:
                self._rewrite(room, episode, text)
        self._blank_quotes(turns)

    def _beside(self, episode: Episode, key: str, value: str, turns: Container[str]) -> list[str] | None:
        """Say beside which words a value is taken out: beside any in its own turn and in what was replied."""
        if episode.turn_id in turns or (episode.speaker == "assistant" and len(value.strip()) > 1):
            return None
        return [self._keys.label(key, "zh"), self._keys.label(key, "en")]

    def _blank_quotes(self, turns: Container[str]) -> None:
        """Take the values out of the quotes on which other facts rest that were told in the same breath."""
        place = user_space(self._owner, "evidence")
        for row in self._transaction.find(place):
            piece = from_value(Evidence, row.value)
            if piece.turn_id in turns and piece.quote and (quote := self.clean(piece.quote)) != piece.quote:
                self._transaction.change(row, to_value(replace(piece, quote=quote or FORGOTTEN)))

    def _goes_on(self, said: Episode, request: str) -> bool:
        """Keep only what a message says after the request to forget what came before it; tell whether it says anything."""
        before, _, after = said.text.partition(request)
        if not any(char.isalnum() for char in after):
            return False
        self._values += [said.text, said.text[:SHOWN_CHARS], before.strip()]
        for room, row in self._episodes(said.turn_id):
            if row.key == said.id:
                self._rewrite(room, said, after.strip())
        return True

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
        earlier = [
            one
            for row in rows
            if (one := from_value(Episode, row.value)).position < said.position and one.text != FORGOTTEN
        ]
        return max(earlier, key=lambda one: one.position, default=None)

    def _unfounded(self, pieces: Sequence[Evidence]) -> list[Evidence]:
        """Give what was only said about a value (pinned, confirmed, taken back) that nobody's words state any more."""
        stated = {self._form(one.key, one.value) for one in pieces if one.act in ("state", "correct") or one.quote}
        about = {*stated, ""} if stated else stated  # what is said of any value stays while there is one
        return [one for one in pieces if not one.quote and self._form(one.key, one.value) not in about]

    def _form(self, key: str, value: str) -> str:
        return identity(value, key=key, spec=self._keys.spec(key))

    def _rewrite(self, room: Kind, episode: Episode, text: str) -> None:
        """Write what is left of something said; of the user's words at least that there were some, so that none come again."""
        if not text and episode.speaker == "assistant":
            self._removed(room, episode.id)
            return
        media = still_told(text, episode.media)
        left = replace(episode, text=text or FORGOTTEN, media=media, importance=episode.importance if text else 0.0)
        if room == "episodes":
            write_open(self._transaction, self._owner, left)
        else:
            self._transaction.put(user_space(self._owner, room), left.id, to_value(left))
        self._audit("FORGET", room, left.id)

    def _removed(self, room: Kind, item: str) -> str:
        self._transaction.delete(user_space(self._owner, room), item)
        self._audit("FORGET", room, item)
        return item

    def _clean_sessions(self, turn_id: str = "") -> None:
        """Take what is forgotten out of the notes of past tasks; those of a task that began in a forgotten turn go."""
        place = user_space(self._owner, "sessions")
        for row in self._transaction.find(place):
            kept = from_value(Session, row.value)
            task = self._unsaid([kept.task])
            if kept.id == turn_id or not task:
                self._removed("sessions", kept.id)
                continue
            left = replace(
                kept, task=task[0], constraints=self._unsaid(kept.constraints), results=self._unsaid(kept.results)
            )
            if left != kept:
                self._transaction.change(row, to_value(left))

    def _unsaid(self, texts: Sequence[str]) -> tuple[str, ...]:
        """Give what is left of notes: none that stands in what was forgotten, and none of its values."""
        cleaned = (self.clean(text) for text in texts if not any(text.rstrip("…") in value for value in self._values))
        return tuple(text for text in cleaned if text)

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

    def _facts(self, key: str) -> list[Fact]:
        rows = self._transaction.held_under(user_space(self._owner, "facts"), key)
        return [from_value(Fact, row.value) for row in rows]

    def _released(self, forgotten: Sequence[tuple[Kind, Episode]]) -> tuple[tuple[str, str], ...]:
        """Name the bytes that forgotten turns referred to and no other turn of their threads does."""
        gone = _media_of(episode for _, episode in forgotten)
        kept = _media_of(from_value(Episode, row.value) for _, row in self._episodes()) if gone else set()
        return tuple(sorted(gone - kept))

    def _audit(self, action: str, kind: str, item: str) -> None:
        self._transaction.audit(actor=self._actor, action=action, subject=self._owner.user, kind=kind, item=item)


def _media_of(episodes: Iterable[Episode]) -> set[tuple[str, str]]:
    return {(episode.thread_id, one.sha256) for episode in episodes for one in episode.media if one.sha256}


async def forget_left_over(store: MemoryStore, owner: Owner) -> tuple[str, ...]:
    """Forget what rests on episodes that are no longer there; give the ids of the facts that went or changed by it."""

    def work(transaction: Transaction) -> Applied:
        return Forgetting(transaction, owner, keys=store.policies.keys, actor="sleep").left_over()

    done = await store.transact(owner.user, work)
    return (*done.forgotten, *done.facts)
