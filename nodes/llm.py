"""llm: show the model what it needs, within its budget, and stream its answer."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from dataclasses import replace

from langgraph.runtime import Runtime

from graph.context import Context
from graph.parts import PartsSource
from graph.run import Run, run_of
from graph.state import State
from memory.decay import BELIEVED_FROM, effective_confidence
from memory.kinds import Fact
from memory.prompt import assemble, language_of
from memory.prompt_parts import PromptParts, ShownExchange, ShownFact, ShownSkill
from memory.tokens import count_tokens
from memory.window import cut
from skills.bilingual import Language
from skills.registry import schemas
from store.exchanges import Exchange, exchanges_around
from store.profile import facts_of
from store.waiting import let_go_if_it_fails

PREFERENCES = {"pref.style": "style", "pref.language": "language"}
NAME = "user.name"


async def llm(state: State, runtime: Runtime[Context], *, parts: PartsSource) -> State:
    """Fetch what was recalled, assemble the prompt and call the model."""
    run = run_of(runtime, parts)
    prompt = assemble(await _parts_of(state, run))
    model = await asyncio.to_thread(run.parts.model, run.context.model)  # the first remote one imports for seconds
    bound = model.bind_tools(schemas(run.parts.tools)) if run.parts.tools else model
    async with let_go_if_it_fails(run.store, run.owner, state.get("turn_id", "")):
        return {"messages": [await bound.ainvoke(prompt)]}


async def _parts_of(state: State, run: Run) -> PromptParts:
    messages = state.get("messages", [])
    facts = await facts_of(run.store, run.owner) if run.uses("profile") else ()
    refs = [(ref["agent"], ref["id"]) for ref in state.get("recalled", [])]
    exchanges = await exchanges_around(run.store, run.owner, refs) if run.uses("episodes") else []
    bare = PromptParts(
        window=cut(messages, strategy=run.context.window, summarized_upto=state.get("summarized_upto")).messages,
        count=count_tokens,
        persona=run.parts.persona,
        preferences={PREFERENCES[fact.key]: fact.value for fact in facts if fact.key in PREFERENCES},
        name=next((fact.value for fact in facts if fact.key == NAME), ""),
        summary=state.get("summary", "") if run.uses("summary") else "",
        recalled=tuple(_shown_exchange(one) for one in exchanges),
    )
    language = language_of(bare)
    return replace(
        bare,
        facts=tuple(_shown_facts(facts, run, language)),
        skills=_shown_skills(state.get("skills", []), run, language),
    )


def _shown_facts(facts: Sequence[Fact], run: Run, language: Language) -> list[ShownFact]:
    shown = []
    for fact in facts:
        spec = run.parts.keys.spec(fact.key)
        if spec is None or fact.key in PREFERENCES or fact.key == NAME:
            continue
        confidence = effective_confidence(fact, spec=spec, now=run.now)
        if confidence >= BELIEVED_FROM or spec.always:
            label = run.parts.keys.label(fact.key, language)
            shown.append(
                ShownFact(key=fact.key, label=label, value=fact.value, confidence=confidence, always=spec.always)
            )
    return shown


def _shown_exchange(one: Exchange) -> ShownExchange:
    lines = tuple((episode.speaker, episode.text) for episode in one.episodes)
    return ShownExchange(id=one.turn_id, said_at=one.said_at, lines=lines)


def _shown_skills(ids: Sequence[str], run: Run, language: Language) -> tuple[ShownSkill, ...]:
    known = {skill.id: skill for skill in run.parts.skills.skills}
    return tuple(
        ShownSkill(
            id=skill.id,
            description=skill.description.in_language(language),
            steps=tuple(step.in_language(language) for step in skill.steps),
            tools=tuple(name.replace(".", "_") for name in skill.tools),
            safety_checks=tuple(check.in_language(language) for check in skill.safety_checks),
        )
        for skill in (known[skill_id] for skill_id in ids if skill_id in known)
    )
