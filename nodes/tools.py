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
ONE_AT_A_TIME = refusal(
    Text(
        zh="一次只能改一件事，这一项没有执行。前一项有结果之后，需要的话再调用一次。",
        en="One change at a time; this was not done. Call it again, if needed, once the one before has its result.",
    )
)


async def tools(state: State, runtime: Runtime[Context], *, parts: PartsSource) -> State:
    """Answer each tool call of the last message; ask the user first where something would change.

    One change at a time: of several calls that change something only the first is looked at, whatever has become of
    it meanwhile. A resumed node runs again from its beginning and LangGraph matches answers by their order, so with
    two questions a yes to one could be taken for the other.
    """
    run = run_of(runtime, parts)
    calls = _calls(state.get("messages", []))
    change = next((call["id"] for call in calls if _changes(call, run)), None)
    later = [call["id"] for call in calls if _changes(call, run) and call["id"] != change]
    results: list[AnyMessage] = [
        _message(call, ONE_AT_A_TIME if call["id"] in later else await _done(call, run)) for call in calls
    ]
    return {"messages": results}


async def _done(call: ToolCall, run: Run) -> ToolOutcome | NeedsConsent:
    outcome = await _attempted(call, run, consent=None)
    if isinstance(outcome, NeedsConsent):
        return await _attempted(call, run, consent=_ask(call, outcome))
    return outcome


def _changes(call: ToolCall, run: Run) -> bool:
    tool = find(run.parts.tools, call["name"])
    return tool is not None and tool.effect == "write"


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
    asked = {"kind": CONSENT, "call": call["id"], "tool": call["name"], "arguments": call["args"]}
    return agrees(interrupt({**asked, "zh": question.zh, "en": question.en}))


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
