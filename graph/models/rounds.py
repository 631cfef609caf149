"""Rounds: how often the model has gone to the tools in a turn, and how it is asked when it must answer without them."""

from __future__ import annotations

from collections.abc import Sequence

from langchain_core.messages import AIMessage, BaseMessage, HumanMessage, SystemMessage

from graph.models.bounds import MOST_TOOL_ROUNDS
from graph.models.failures import Failure
from skills.bilingual import Language, Text

ANSWER_NOW = Text(
    zh="这一轮已经不能再调用工具了。请根据已有的结果直接回答用户；还缺什么就说明。",
    en="No tool can be called any more in this turn. Answer the user from the results there are, and say what is missing.",
)


def may_call_tools(messages: Sequence[BaseMessage]) -> bool:
    """Tell whether the turn that is going on has rounds of tools left."""
    rounds = 0
    for message in reversed(messages):
        if isinstance(message, HumanMessage):
            break
        rounds += isinstance(message, AIMessage) and bool(message.tool_calls)
    return rounds < MOST_TOOL_ROUNDS


def told_to_answer(prompt: Sequence[BaseMessage], language: Language) -> list[BaseMessage]:
    """Tell the model in its instructions that it has no tools any more; `prompt` begins with them."""
    told = SystemMessage(f"{prompt[0].text}\n\n{ANSWER_NOW.in_language(language)}", id=prompt[0].id)
    return [told, *prompt[1:]]


def answered_without_tools(message: AIMessage, failure: Failure | None) -> tuple[AIMessage, Failure | None]:
    """Take the calls out of an answer that was not to have any, so that none stays without a result."""
    if failure is None and message.tool_calls and not message.text.strip():
        failure = Failure(reason="only_tools", detail=f"{len(message.tool_calls)} calls without tools")
    return message.model_copy(update={"tool_calls": []}), failure
