"""llm: show the model what it needs, within its budget, and stream its answer."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any
from zoneinfo import ZoneInfo

from langchain_core.messages import AIMessage, AIMessageChunk, AnyMessage, BaseMessage, HumanMessage
from langgraph.graph.message import push_message
from langgraph.runtime import Runtime

from graph.context import Context
from graph.media import shown_media, told_of
from graph.models.asking import ask
from graph.models.choice import MissingKeyError
from graph.models.failures import Failure
from graph.models.rounds import answered_without_tools, may_call_tools, told_to_answer
from graph.models.sentences import sentence_of
from graph.notes import notes_in
from graph.parts import PartsSource
from graph.run import Run, run_of
from graph.state import State
from memory.asking_why import asks_why
from memory.context_query import text_of
from memory.decay import BELIEVED_FROM, effective_confidence
from memory.kinds import Fact
from memory.notes import written
from memory.notices import MEDIA_LEFT_OUT, noticed, noticed_besides
from memory.prompt import assemble, language_of
from memory.prompt_parts import PromptParts, ShownFact
from memory.tokens import TokenCounter
from memory.turns import turns_by_id
from memory.usage import taken, tokens_by_part, told_usage
from memory.views import is_over
from memory.window import cut_by
from skills.bilingual import Language
from skills.registry import schemas
from skills.showing import shown_skills
from store.exchanges import exchanges_around
from store.profile import evidence_of, facts_of
from store.waiting import let_go_if_it_fails

log = logging.getLogger(__name__)

PREFERENCES = {"pref.style": "style", "pref.language": "language"}
NAME = "user.name"
MOST_GROUNDS = 3


async def llm(state: State, runtime: Runtime[Context], *, parts: PartsSource) -> State:
    """Fetch what was recalled, assemble the prompt and call the model.

    An endpoint that fails does not fail the run: the reply is then a notice that says so, and the turn goes on to be
    remembered. Everything else that goes wrong is raised, and the turn is let go for another to finish.
    """
    run = run_of(runtime, parts)
    counter = await asyncio.to_thread(run.parts.counter, run.context.model)  # a vocabulary is read from its file
    shown = await _parts_of(state, run, counter)
    async with let_go_if_it_fails(run.store, run.owner, state.get("turn_id", "")):
        shown, left_out = await shown_media(shown, state.get("messages", []), run)
        if left_out:
            runtime.stream_writer({"event": "media_left_out", "notes": [one.note for one in left_out]})
        asked = _asked_with(shown, state, run)
        message, failure = await _answered(asked, state, run)
        if failure is None or failure.reason != "no_key":
            runtime.stream_writer(_usage(asked, message, run, counter))
        if failure is not None:
            message = _told(message, failure, state, run, language_of(shown))
            runtime.stream_writer({"event": "model_failed", "reason": failure.reason, "retry_after_s": failure.seconds})
        elif not message.tool_calls and (told := told_of(left_out, state.get("messages", []), language_of(shown))):
            message = _ending_with(message, told, noticed_besides(message, MEDIA_LEFT_OUT, told), state)
        return {"messages": [message]}


@dataclass(frozen=True, kw_only=True)
class Asked:
    """What a model is shown: the messages, and the tools that it may call."""

    prompt: Sequence[BaseMessage]
    tools: Sequence[dict[str, Any]]
    may_call: bool


def _asked_with(shown: PromptParts, state: State, run: Run) -> Asked:
    """Assemble the prompt; a model that used its tools enough is told to answer without them."""
    prompt = assemble(shown)
    if may_call_tools(state.get("messages", [])):
        return Asked(prompt=prompt, tools=schemas(run.parts.tools), may_call=True)
    return Asked(prompt=told_to_answer(prompt, language_of(shown)), tools=(), may_call=False)


async def _answered(asked: Asked, state: State, run: Run) -> tuple[AIMessage, Failure | None]:
    """Ask the model that the run chose."""
    try:
        model = await asyncio.to_thread(run.parts.model, run.context.model)  # the first remote one imports for seconds
    except MissingKeyError:
        return AIMessage(content=""), Failure(reason="no_key")
    if not asked.may_call:
        return answered_without_tools(*await ask(model, asked.prompt))
    bound = model.bind_tools(asked.tools) if asked.tools else model
    calls = (call for one in state.get("messages", []) if isinstance(one, AIMessage) for call in one.tool_calls)
    return await ask(bound, asked.prompt, used_ids={str(call["id"]) for call in calls})


def _usage(asked: Asked, message: AIMessage, run: Run, counter: TokenCounter) -> dict[str, Any]:
    """Tell what this call took, by part as it was counted and, where the model says so, as it was."""
    chosen = run.parts.settings
    by_part = tokens_by_part(asked.prompt, counter=counter, tools=asked.tools)
    told = told_usage(by_part, window_tokens=chosen.window_tokens, memory_tokens=chosen.memory_tokens)
    return {"event": "usage", "counted_by": counter.name, **told, "took": taken(message)}


def _told(message: AIMessage, failure: Failure, state: State, run: Run, language: Language) -> AIMessage:
    """Put the notice that the model failed under what it had said."""
    model = run.context.model or run.parts.settings.chosen_model
    log.warning("No answer of %s: %s (%s)", model, failure.reason, failure.detail)
    sentence = sentence_of(failure, language, model=model, chosen=run.parts.settings)
    return _ending_with(message, sentence, noticed(failure.reason, sentence), state)


def _ending_with(message: AIMessage, sentence: str, notice: dict[str, Any], state: State) -> AIMessage:
    """Add a sentence of ours to what the model said, and send it after what was streamed."""
    said, message_id = message.text.rstrip(), message.id or f"{state['messages'][-1].id}-notice"
    added = f"\n\n{sentence}" if said else sentence
    push_message(AIMessageChunk(content=added, id=message_id), state_key=None)
    metadata = {**message.response_metadata, **notice}
    return message.model_copy(update={"id": message_id, "content": said + added, "response_metadata": metadata})


async def _parts_of(state: State, run: Run, counter: TokenCounter) -> PromptParts:
    messages = state.get("messages", [])
    guard = run.store.policies.guard
    known = await facts_of(run.store, run.owner) if run.uses("profile") else ()
    facts = [fact for fact in known if not guard.withholds(fact.value, cleared=fact.cleared)]
    refs = [(ref["agent"], ref["id"]) for ref in state.get("recalled", [])]
    exchanges = await exchanges_around(run.store, run.owner, refs) if run.uses("episodes") else []
    window = cut_by(messages, run.window, summarized_upto=state.get("summarized_upto"), count=counter.message).messages
    in_window = turns_by_id(window, run.thread_id)
    bare = PromptParts(
        window=window,
        count=counter.text,
        max_tokens=run.parts.settings.memory_tokens,
        persona=run.parts.persona,
        preferences={PREFERENCES[fact.key]: fact.value for fact in facts if fact.key in PREFERENCES},
        name=next((fact.value for fact in facts if fact.key == NAME), ""),
        summary=state.get("summary", "") if run.uses("summary") else "",
        recalled=tuple(one.shown for one in exchanges if one.turn_id not in in_window),
    )
    language = language_of(bare)
    grounds = await _grounds(facts, run) if asks_why(_asked(messages)) else {}
    return replace(
        bare,
        notes=written(notes_in(state), language) if run.uses("notes") else "",
        facts=tuple(_shown_facts(facts, run, language, grounds)),
        skills=await asyncio.to_thread(
            shown_skills, run.parts.skills, state.get("skills", []), agent=run.owner.agent, language=language
        ),
    )


def _asked(messages: Sequence[AnyMessage]) -> str:
    return next((text_of(message) for message in reversed(messages) if isinstance(message, HumanMessage)), "")


async def _grounds(facts: Sequence[Fact], run: Run) -> Mapping[str, tuple[str, ...]]:
    """Give the user's words that each fact rests on, the latest of them, with their day where they are."""
    evidence, zone = await evidence_of(run.store, run.owner, facts), ZoneInfo(run.timezone)
    return {
        fact_id: tuple(
            f"{piece.said_at.astimezone(zone):%Y-%m-%d} “{piece.quote}”"
            for piece in pieces[-MOST_GROUNDS:]
            if piece.quote
        )
        for fact_id, pieces in evidence.items()
    }


def _shown_facts(
    facts: Sequence[Fact], run: Run, language: Language, grounds: Mapping[str, tuple[str, ...]]
) -> list[ShownFact]:
    """Show what is believed, in the order it was learned, so that what is new changes nothing before it."""
    shown = []
    for fact in sorted(facts, key=lambda fact: fact.first_seen):
        spec = run.parts.keys.spec(fact.key)
        if spec is None or fact.key in PREFERENCES or fact.key == NAME or is_over(fact, spec, run.now):
            continue
        confidence = effective_confidence(fact, spec=spec, now=run.now)
        if confidence >= BELIEVED_FROM or spec.always:
            label = run.parts.keys.label(fact.key, language)
            shown.append(
                ShownFact(
                    key=fact.key,
                    label=label,
                    value=fact.value,
                    confidence=confidence,
                    always=spec.always,
                    grounds=grounds.get(fact.id, ()),
                )
            )
    return shown
