"""Acknowledged: the reply to a message that tells something. What is stored cannot be seen, so little is claimed."""

from __future__ import annotations

from collections.abc import Sequence

from graph.models.about import safety_told, speaks_of_food
from graph.models.acknowledging import asks_for_more, asks_to_forget, statements_in
from graph.models.intents import feeling_in
from graph.models.noting import FORGET, NAME_KEY, drafts_of, has_private, shown
from graph.models.situation import Situation
from graph.models.wording import Wording
from memory.forget_requests import EVERY, SHOWN_CHARS, THIS_TURN
from memory.keys import LAST_TURN
from memory.kinds import TAKES_AWAY, Draft


def acknowledged(situation: Situation, wording: Wording) -> str:
    """Say what is noted and given up, else that it was heard; "" when the message tells nothing of the user."""
    asked, drafts = situation.asked, drafts_of(situation.asked)
    forgotten = [draft for draft in drafts if draft.act == FORGET]
    given_up = [draft for draft in drafts if draft.act in TAKES_AWAY and draft.act != FORGET]
    kept = [draft for draft in drafts if draft.act not in TAKES_AWAY]
    said = [
        _forgotten(forgotten, situation, wording),
        _given_up(given_up, situation, wording),
        _noted(kept, situation, wording),
    ]
    if has_private(asked):
        said.append(wording.private)
    told = [part for part in said if part] or [part for part in [_heard(asked, wording)] if part]
    if not told:
        return ""
    told.append(_besides(situation, wording, drafts))
    return " ".join(part if at == 0 else part[:1].upper() + part[1:] for at, part in enumerate(told) if part)


def _noted(drafts: Sequence[Draft], situation: Situation, wording: Wording) -> str:
    if not drafts:
        return ""
    if all(draft.key == NAME_KEY for draft in drafts):
        return wording.noted_name
    return wording.noted.format(what=wording.between.join(shown(draft, situation.language) for draft in drafts))


def _given_up(drafts: Sequence[Draft], situation: Situation, wording: Wording) -> str:
    if not drafts:
        return ""
    if all(draft.key == NAME_KEY and draft.value for draft in drafts):
        return wording.given_up_name
    return wording.given_up.format(what=wording.between.join(shown(draft, situation.language) for draft in drafts))


def _forgotten(drafts: Sequence[Draft], situation: Situation, wording: Wording) -> str:
    """Repeat what is to be forgotten: a field, a value, all about somebody, or what was said just before."""
    told = dict.fromkeys(_scope(draft, situation, wording) for draft in drafts)
    return wording.forgotten.format(what=wording.between.join(told)) if any(told) else ""


def _scope(draft: Draft, situation: Situation, wording: Wording) -> str:
    if draft.key == LAST_TURN:
        said = situation.asked if draft.value == THIS_TURN else next(iter(situation.earlier), "")
        return wording.just_said.format(text=said if len(said) <= SHOWN_CHARS else f"{said[:SHOWN_CHARS]}…")
    if draft.key.endswith(EVERY):
        return wording.all_about.format(who=draft.key.split(".")[1])
    return shown(draft, situation.language)


def _heard(asked: str, wording: Wording) -> str:
    """Say that it was heard, without claiming that anything is kept."""
    if asks_to_forget(asked):
        return wording.forget_what
    feeling = feeling_in(asked)
    if feeling and not asks_for_more(asked):
        return wording.feelings[feeling]
    return wording.understood if statements_in(asked) else ""


def _besides(situation: Situation, wording: Wording, drafts: Sequence[Draft]) -> str:
    """Add what must be heeded with a plan to eat, and that what is asked for besides cannot be done."""
    told = {draft.key for draft in drafts}
    if speaks_of_food(situation.asked) and not any(key.endswith((".allergy", ".diet", ".health")) for key in told):
        heeded = safety_told(situation.asked, situation.prompt.facts, wording)
        if heeded:
            return heeded
    return wording.cannot_answer if asks_for_more(situation.asked) else ""
