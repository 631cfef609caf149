"""tools: run what the model asked for, after its checks and, for a side effect, the user's consent."""

from __future__ import annotations

from collections.abc import Sequence

from langchain_core.messages import AIMessage, AnyMessage, ToolCall, ToolMessage
from langgraph.runtime import Runtime
from langgraph.types import interrupt

from graph.context import Context
from graph.parts import PartsSource
from graph.run import Run, run_of
from graph.state import State
from memory.consent import agrees
from skills.bilingual import Text
from skills.registry import Caller, NeedsConsent, ToolOutcome, attempt, find, refusal

CONSENT = "consent"


async def tools(state: State, runtime: Runtime[Context], *, parts: PartsSource) -> State:
    """Answer each tool call of the last message; ask the user first where something would change.

    What changes nothing is done at once. All questions are asked before anything is changed, since a resumed node
    runs again from its beginning.
    """
    run = run_of(runtime, parts)
    calls = _calls(state.get("messages", []))
    looked = [await _attempted(call, run, consent=None) for call in calls]
    answers = [
        _ask(call, one) if isinstance(one, NeedsConsent) else None for call, one in zip(calls, looked, strict=True)
    ]
    results: list[AnyMessage] = []
    for call, outcome, agreed in zip(calls, looked, answers, strict=True):
        done = outcome if agreed is None else await _attempted(call, run, consent=agreed)
        results.append(_message(call, done))
    return {"messages": results}


def _calls(messages: Sequence[AnyMessage]) -> list[ToolCall]:
    last = messages[-1] if messages else None
    return last.tool_calls if isinstance(last, AIMessage) else []


async def _attempted(call: ToolCall, run: Run, *, consent: bool | None) -> ToolOutcome | NeedsConsent:
    tool = find(run.parts.tools, call["name"])
    if tool is None:
        return _unknown(call, run)
    caller = Caller(user=run.owner.user, thread_id=run.thread_id, now=run.now)
    return await attempt(tool, call["args"], caller, consent=consent)


def _ask(call: ToolCall, needed: NeedsConsent) -> bool:
    question = needed.question
    asked = {"kind": CONSENT, "tool": call["name"], "arguments": call["args"], "zh": question.zh, "en": question.en}
    return agrees(interrupt(asked))


def _message(call: ToolCall, outcome: ToolOutcome | NeedsConsent) -> ToolMessage:
    told = refusal(outcome.question) if isinstance(outcome, NeedsConsent) else outcome
    return ToolMessage(
        id=f"{call['id']}-result",
        content=told.text,
        tool_call_id=str(call["id"]),
        name=call["name"],
        status="success" if told.ok else "error",
    )


def _unknown(call: ToolCall, run: Run) -> ToolOutcome:
    known = ", ".join(tool.offered_as for tool in run.parts.tools)
    return refusal(
        Text(zh=f"没有 {call['name']!r} 这个工具。现有：{known}。", en=f"No tool {call['name']!r}. There are: {known}.")
    )
