"""Composing: a useful and honest reply without a model, from the situation alone."""

from __future__ import annotations

import re
from collections.abc import Sequence

from graph.models.about import (
    TELLS_WHO,
    asks_about_others,
    facts_asked_for,
    facts_to_remember,
    safety_told,
    speaks_of_food,
    topics_of,
)
from graph.models.acknowledged import acknowledged
from graph.models.acknowledging import asks_to_be_done, asks_to_forget
from graph.models.arguments import identifier_given
from graph.models.choosing import thing_to_ask_for
from graph.models.explaining import facts_in_question
from graph.models.identifiers import ANY_THING, first_fitting, thing_of
from graph.models.intents import (
    asks_about_user,
    asks_all_about_user,
    asks_progress,
    asks_progress_of_something,
    asks_what_is_known,
    asks_who_you_are,
    is_assent,
    is_goodbye,
    is_greeting,
    is_question,
    is_thanks,
)
from graph.models.passages import Passage, best_passage, newest_passage, passage_with, quoted
from graph.models.relations import asked_relations, group_of, pattern_of
from graph.models.results import result_text
from graph.models.situation import CallMade, Situation, known_identifiers
from graph.models.tools_bound import BoundTool
from graph.models.wording import WORDINGS, Wording, addressed, shortened
from memory.asking_why import asks_why
from memory.keys import ASKED_FOR
from memory.prompt_parts import ShownFact

MAX_QUOTE_CHARS = 120
MAX_EXPLAINED = 3
_ENDED = re.compile(r"[.。!！?？…]$|^$")


def compose(situation: Situation, tools: Sequence[BoundTool]) -> str:
    """Write the reply: by name, short if asked for, and in a thread's first with the notice that no model is there."""
    wording = WORDINGS[situation.language]
    reply = addressed(_body(situation, tools, wording), name=situation.name, wording=wording)
    if situation.brief:
        reply = shortened(reply, language=situation.language)
    return reply + wording.notice if situation.first_reply else reply


def _body(situation: Situation, tools: Sequence[BoundTool], wording: Wording) -> str:
    """Answer by the first of these that applies."""
    if situation.calls:
        return _from_tools(situation, tools, wording)
    social = _social(situation, wording)
    if social:
        return social
    missing = thing_to_ask_for(situation, tools)
    if missing is not None:
        return wording.ask_for.format(what=wording.ask_for_number.get(missing, wording.ask_for_number[ANY_THING]))
    return _from_memory(situation, wording)


def _social(situation: Situation, wording: Wording) -> str:
    if not situation.asked:
        return wording.empty
    answers = (
        (is_goodbye, wording.farewell),
        (is_greeting, wording.here),
        (is_thanks, wording.welcome),
        (is_assent, wording.heard),
    )
    return next((text for is_said, text in answers if is_said(situation.asked)), "")


def _from_memory(situation: Situation, wording: Wording) -> str:
    asked = situation.asked
    if asks_why(asked) and (because := _because(situation, wording)):
        return because
    if asks_all_about_user(asked):
        return _everything(situation, wording)
    if asks_progress_of_something(asked) and asks_progress(asked):
        return _progress(situation, wording)
    if is_question(asked) and not asks_to_forget(asked):
        return _to_question(situation, wording)
    return acknowledged(situation, wording) or _to_request(situation, wording)


def _to_question(situation: Situation, wording: Wording) -> str:
    asked, facts = situation.asked, situation.prompt.facts
    if asks_who_you_are(asked):
        return wording.myself
    if asks_about_user(asked) or asks_about_others(asked, facts):
        known = _about_user(situation, wording)
        if known:
            return known
    return _heeded(situation, wording) or _kept(situation, wording) or _on_record(situation, wording)


def _kept(situation: Situation, wording: Wording) -> str:
    """Answer with what the user asked to have remembered; "" when that is about something else."""
    found = facts_to_remember(situation.asked, situation.prompt.facts)
    return _remembered([_fact(fact, wording) for fact in found], situation, wording) if found else ""


def _to_request(situation: Situation, wording: Wording) -> str:
    """Answer a message that neither asks nor tells anything of the user."""
    heeded = _heeded(situation, wording)
    if heeded:
        return heeded
    return _on_record(situation, wording) if asks_to_be_done(situation.asked) else wording.heard_only


def _heeded(situation: Situation, wording: Wording) -> str:
    """Name the allergies and the diet when it is about eating or medicine; "" when it is not, or none are known."""
    if not speaks_of_food(situation.asked):
        return ""
    return safety_told(situation.asked, situation.prompt.facts, wording)


def _from_tools(situation: Situation, tools: Sequence[BoundTool], wording: Wording) -> str:
    """Tell what the tools said; when short answers are wanted, only what the last one said."""
    done = [call for call in situation.calls if call.result is not None]
    if not done:
        return wording.waiting
    told = [_told(call, situation, tools, wording) for call in done]
    return told[-1] if situation.brief else " ".join(told)


def _told(call: CallMade, situation: Situation, tools: Sequence[BoundTool], wording: Wording) -> str:
    tool = next((tool for tool in tools if tool.name == call.tool), None)
    identifier, thing = identifier_given(tool, call.args)
    text = result_text(call.result or "", situation.language)
    prefix = wording.failed if call.failed else ""
    if identifier and identifier not in text:
        prefix = wording.about.format(what=_called(identifier, thing, wording)) + prefix
    return prefix + text + ("" if _ENDED.search(text) else wording.stop)


def _everything(situation: Situation, wording: Wording) -> str:
    told = [_fact(fact, wording) for fact in _with_profile(situation, wording)]
    if told:
        return _remembered(told, situation, wording)
    passage = newest_passage(situation)
    return f"{quoted(passage, wording, dated=True)}{wording.stop}" if passage else wording.nothing_remembered


def _because(situation: Situation, wording: Wording) -> str:
    """Say which of the user's words the facts rest on that they ask about; "" when none is known that they name."""
    grounded = [fact for fact in situation.prompt.facts if fact.grounds]
    meant = facts_in_question(situation.asked, situation.earlier[:1], grounded)
    told = [
        wording.because.format(fact=_fact(fact, wording), said=wording.comma.join(fact.grounds))
        for fact in meant[:MAX_EXPLAINED]
    ]
    return wording.between.join(told) + wording.stop if told else ""


def _about_user(situation: Situation, wording: Wording) -> str:
    """Answer a question about the user or their people; "" when it is about nothing that could have been told."""
    asked = situation.asked
    heeded = _heeded(situation, wording)
    if heeded:
        return heeded
    found = facts_asked_for(asked, _with_profile(situation, wording))
    if found:
        return _remembered([_fact(fact, wording) for fact in found], situation, wording)
    relations = asked_relations(asked)
    passage = best_passage(situation, speaking_of=pattern_of(relations) if relations else None)
    if passage:
        return _quote(passage, situation, wording) + wording.stop
    return wording.not_known if relations or topics_of(asked) or asks_what_is_known(asked) else ""


def _progress(situation: Situation, wording: Wording) -> str:
    """Say what is on record about how something stands, and that how it stands now is not known."""
    thing = thing_of(situation.asked)
    found = first_fitting(known_identifiers(situation), thing)
    if found:
        what = _called(found.text, found.thing or thing, wording)
        said = passage_with(situation, found.text)
        return _with_quote(wording.about.format(what=what) + wording.unknown_now, said, situation, wording)
    said = best_passage(situation)
    return _with_quote(wording.unknown_now, said, situation, wording) if said else wording.which


def _called(identifier: str, thing: str, wording: Wording) -> str:
    return wording.identifier.get(thing, wording.identifier[ANY_THING]).format(id=identifier)


def _with_quote(text: str, passage: Passage | None, situation: Situation, wording: Wording) -> str:
    """Add a quotation, unless the reply is to be brief and it would not fit whole."""
    if passage is None:
        return text + wording.stop
    full = f"{text}{wording.between}{_quote(passage, situation, wording)}{wording.stop}"
    return full if _fits(full, situation, wording) else text + wording.stop


def _fits(text: str, situation: Situation, wording: Wording) -> bool:
    reply = addressed(text, name=situation.name, wording=wording)
    return not situation.brief or shortened(reply, language=situation.language) == reply


def _on_record(situation: Situation, wording: Wording) -> str:
    passage = best_passage(situation)
    if passage is None:
        return wording.cannot_answer
    quote = _quote(passage, situation, wording)
    return quote + wording.stop if situation.brief else wording.on_record.format(what=quote)


def _quote(passage: Passage, situation: Situation, wording: Wording) -> str:
    said = quoted(passage, wording, dated=not situation.brief)
    return said if len(said) <= MAX_QUOTE_CHARS else said[:MAX_QUOTE_CHARS] + "…”"


def _remembered(told: list[str], situation: Situation, wording: Wording) -> str:
    """List as many as the reply has room for, at least one."""
    for size in range(len(told), 1, -1):
        text = wording.remembered.format(what=wording.between.join(told[:size]))
        if _fits(text, situation, wording):
            return text
    return wording.remembered.format(what=told[0])


def _fact(fact: ShownFact, wording: Wording) -> str:
    """Tell a fact as label and value; who somebody is, as what they are and their name; what was to be remembered, as it is."""
    if fact.key == ASKED_FOR:
        return fact.value
    if fact.key.endswith(TELLS_WHO) and group_of(fact):
        return f"{fact.value}{wording.colon}{group_of(fact).partition('.')[2]}"
    return f"{fact.label}{wording.colon}{fact.value}"


def _with_profile(situation: Situation, wording: Wording) -> list[ShownFact]:
    """Give the facts, with the name and the style, which are shown as instructions, where no fact holds them."""
    prompt = situation.prompt
    keys = {fact.key for fact in prompt.facts}
    profile = {
        "user.name": (wording.name_label, prompt.name),
        "pref.style": (wording.style_label, wording.style.get(prompt.style, "")),
    }
    added = [ShownFact(key=key, label=label, value=value) for key, (label, value) in profile.items() if value]
    return [*(fact for fact in added if fact.key not in keys), *prompt.facts]
