"""review: ask the user, who is still there, which of two values holds; unanswered it waits with the others for review."""

from __future__ import annotations

from langgraph.runtime import Runtime
from langgraph.types import interrupt

from graph.context import Context
from graph.parts import PartsSource
from graph.run import run_of
from graph.state import State
from memory.consent import agrees, is_verdict
from memory.keys import Keys
from memory.kinds import Draft, Fact
from skills.bilingual import Text
from store.reviewing import judge_review, waiting_review

REVIEW = "review"


async def review(state: State, runtime: Runtime[Context], *, parts: PartsSource) -> State:
    """Ask about the first conflict that this turn has brought up, and give the verdict; the others follow one by one.

    One interrupt a time: a resumed node runs again from its beginning and LangGraph matches answers by their order. An
    answer that is neither yes nor no decides nothing.
    """
    run = run_of(runtime, parts)
    first, *later = state.get("asking", [])
    waiting = await waiting_review(run.store, run.owner, first)
    if waiting and waiting.review.draft and waiting.against:
        question = _question(waiting.review.draft, waiting.against, run.parts.keys)
        answer = interrupt({"kind": REVIEW, "review": first, "zh": question.zh, "en": question.en})
        if isinstance(answer, bool) or (isinstance(answer, str) and is_verdict(answer)):
            await judge_review(run.store, run.owner, first, "accepted" if agrees(answer) else "rejected")
    return {"asking": later}


def _question(told: Draft, held: Fact, keys: Keys) -> Text:
    return Text(
        zh=f"{keys.label(told.key, 'zh')}：之前记的是“{held.value}”，现在听到的是“{told.value}”。要改成“{told.value}”吗？",
        en=f"{keys.label(told.key, 'en')}: noted was “{held.value}”, heard now is “{told.value}”. Change it to “{told.value}”?",
    )
