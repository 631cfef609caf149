"""What chat providers refuse, from their public rules: a validator that knows nothing of how a window is cut.

OpenAI (API reference, "Create chat completion"): a tool message answers a call of the assistant message before it,
with other tool messages only between; each call is answered, once; content is not missing.
Anthropic (API reference, "Messages", and "Handle tool use"): the system prompt stands apart; consecutive messages of a
role are one turn; the first is the user's; the results of all calls stand first in the turn right after them; text is
not blank.
"""

from __future__ import annotations

from collections.abc import Sequence

from langchain_core.messages import AIMessage, BaseMessage, HumanMessage, SystemMessage, ToolMessage

Part = tuple[str, str]
"""The kind of a block (text, call, result, media) and its text or id."""


def faults_of(messages: Sequence[BaseMessage]) -> list[str]:
    """List what a provider would refuse in a request that the model is to answer."""
    return [*order_faults(messages), *openai_faults(messages), *anthropic_faults(messages), *content_faults(messages)]


def order_faults(messages: Sequence[BaseMessage]) -> list[str]:
    """List what every provider wants: the system first, then the user, and something to answer at the end."""
    rest = _spoken(messages)
    faults = ["a system message in the middle" for one in rest if isinstance(one, SystemMessage)]
    if rest and not isinstance(rest[0], HumanMessage):
        faults.append(f"begins with {rest[0].type}")
    if rest and not isinstance(rest[-1], HumanMessage | ToolMessage):
        faults.append(f"ends with {rest[-1].type}")
    return faults


def openai_faults(messages: Sequence[BaseMessage]) -> list[str]:
    """List calls that are not answered right after them, and results that answer no such call."""
    faults: list[str] = []
    waiting: list[str] = []
    for message in messages:
        if isinstance(message, ToolMessage):
            if message.tool_call_id in waiting:
                waiting.remove(message.tool_call_id)
            else:
                faults.append(f"the result {message.tool_call_id} answers no call before it")
            continue
        faults.extend(f"the call {call} is not answered" for call in waiting)
        waiting = calls_of(message)
        if len(set(waiting)) < len(waiting):
            faults.append(f"two calls have one id: {waiting}")
    return faults + [f"the call {call} is not answered" for call in waiting]


def anthropic_faults(messages: Sequence[BaseMessage]) -> list[str]:
    """List what is wrong in the turns: who begins, whose results stand where, blank text."""
    faults: list[str] = []
    turns = _turns(messages)
    if turns and turns[0][0] != "user":
        faults.append("the first turn is not the user's")
    before: list[str] = []
    for role, parts in turns:
        results = [name for kind, name in parts if kind == "result"]
        if role == "user":
            faults.extend(f"the result of {name} stands after text" for name in _late_results(parts))
            if sorted(results) != sorted(before):
                faults.append(f"the calls {before} have the results {results} in the next turn")
        before = [name for kind, name in parts if kind == "call"] if role == "assistant" else []
        faults.extend(
            f"a blank text block of the {role}" for kind, text in parts if kind == "text" and not text.strip()
        )
    return faults + [f"the calls {before} have no results"] * bool(before)


def content_faults(messages: Sequence[BaseMessage]) -> list[str]:
    """List messages without content; a model's calls, and nothing else, may stand without."""
    return [
        f"{message.type} {message.id} is empty"
        for message in messages
        if not calls_of(message) and not any(kind != "text" or text.strip() for kind, text in _parts(message))
    ]


def calls_of(message: BaseMessage) -> list[str]:
    """List the ids of a message's calls, malformed ones too."""
    calls = [*message.tool_calls, *message.invalid_tool_calls] if isinstance(message, AIMessage) else []
    return [str(call["id"]) for call in calls]


def _spoken(messages: Sequence[BaseMessage]) -> list[BaseMessage]:
    rest = list(messages)
    while rest and isinstance(rest[0], SystemMessage):
        rest.pop(0)
    return rest


def _turns(messages: Sequence[BaseMessage]) -> list[tuple[str, list[Part]]]:
    """Join consecutive messages of a role, as the provider does."""
    turns: list[tuple[str, list[Part]]] = []
    for message in _spoken(messages):
        role = "assistant" if isinstance(message, AIMessage) else "user"
        if turns and turns[-1][0] == role:
            turns[-1][1].extend(_blocks(message))
        else:
            turns.append((role, list(_blocks(message))))
    return turns


def _blocks(message: BaseMessage) -> list[Part]:
    """Give a message as Anthropic's blocks: an empty text beside calls is not sent."""
    if isinstance(message, ToolMessage):
        return [("result", message.tool_call_id)]
    calls: list[Part] = [("call", call) for call in calls_of(message)]
    return [*(part for part in _parts(message) if not (calls and part == ("text", ""))), *calls]


def _parts(message: BaseMessage) -> list[Part]:
    if isinstance(message.content, str):
        return [("text", message.content)]
    return [
        ("text", block)
        if isinstance(block, str)
        else ("text", str(block.get("text", "")))
        if block.get("type") == "text"
        else ("media", str(block.get("type")))
        for block in message.content
    ]


def _late_results(parts: Sequence[Part]) -> list[str]:
    spoken = next((at for at, (kind, _) in enumerate(parts) if kind != "result"), len(parts))
    return [name for kind, name in parts[spoken:] if kind == "result"]
