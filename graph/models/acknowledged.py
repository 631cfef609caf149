"""Acknowledged: the reply to a message that tells something. What is stored cannot be seen, so little is claimed."""

from __future__ import annotations

from collections.abc import Sequence

from graph.models.about import safety_told, speaks_of_food
from graph.models.acknowledging import asks_for_more, asks_to_forget, statements_in
from graph.models.intents import feeling_in
from graph.models.noting import NAME_KEY, RETRACT, drafts_of, has_private, shown
from graph.models.situation import Situation
from graph.models.wording import Wording
from memory.kinds import Draft


def acknowledged(situation: Situation, wording: Wording) -> str:
    """Say what is noted and given up, else that it was heard; "" when the message tells nothing of the user."""
    asked, drafts = situation.asked, drafts_of(situation.asked)
    given_up = [draft for draft in drafts if draft.act == RETRACT]
    kept = [draft for draft in drafts if draft.act != RETRACT]
    said = [_given_up(given_up, situation, wording), _noted(kept, situation, wording)]
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
