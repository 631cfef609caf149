"""Choosing: which tool a model without a mind can call safely, by rules over the messages alone.

Only tools that an injected skill names are considered. A tool that reads is called when all it requires is known; one
that changes something only when the user's last message asks for that very deed, plainly and not as a question.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from graph.models.acknowledging import is_only_statements
from graph.models.arguments import arguments_for, is_identifier, missing_thing
from graph.models.declining import is_declined
from graph.models.intents import (
    asks_all_about_user,
    asks_for_value,
    asks_progress_of_something,
    is_assent,
    is_goodbye,
    is_greeting,
    is_thanks,
)
from graph.models.situation import Situation
from graph.models.tools_bound import BoundTool, Deed, same_tool

_ASKING: Mapping[Deed, str] = {
    "cancel": r"取消|退单|撤单|撤销|不想?要了|\bcancel\b|\bcall off\b",
    "refund": r"退款|退钱|退差价|退回|补差价|\brefund\b|\bmoney back\b",
    "send": r"发送|发给|通知|发(?:一)?[封条份]|\bsend\b|\bnotify\b|\be?mail\b",
    "update": r"修改|更改|改成|改为|更新|\bchange\b|\bupdate\b|\bmodify\b|\bedit\b",
    "delete": r"删除|删掉|移除|\bdelete\b|\bremove\b",
    "pay": r"支付|付款|购买|\bpay\b|\bbuy\b|\bpurchase\b",
    "create": r"创建|新建|下单|预订|登记|提交|\bcreate\b|\bopen\b|\bbook\b|\bplace\b|\badd\b",
}
_REFUSED = r"(?:不要|别|不用|不必|先不|没有?|无法|不能|不想|n't|\bnot|\bnever|\bwithout)\s*(?:\w+\s){0,2}"
_DONE = r"(?:了(?!吧)|过|掉了|已经)"
_NO_REQUEST = re.compile(
    r"怎么|如何|怎样|是否|会不会|多久|什么时候|为什么|为何|是什么|有什么|哪些|政策|规则|条件|流程|了吗|了没|多少|的话|如果|要是|假如|万一|还没|没有?到|到账|进度|状态"
    r"|查(?!收)|看看|\b(?:polic(?:y|ies)|rules?|conditions|how|why|when|what|whether|where|if|unless|check|status|track|should|am|do|did) ?\b"
    r"|\b(?:have|has|had|is|was|were) (?:you|it|they|the|my|there)\b",
    re.IGNORECASE,
)
_REQUEST_OR_QUESTION = re.compile(r"吗|可以|能不能|可不可以|\b(?:can|could|may) i\b", re.IGNORECASE)
_POLITE = re.compile(r"帮我|帮忙|替我|给我|麻烦|请|\bplease\b", re.IGNORECASE)


@dataclass(frozen=True, kw_only=True)
class ChosenCall:
    """A call to make."""

    tool: str
    args: dict[str, Any]


def choose_call(situation: Situation, tools: Sequence[BoundTool]) -> ChosenCall | None:
    """Choose the next call of this turn: one that reads, then what was asked to be done; None: reply now."""
    if not may_use_tools(situation) or any(call.result is None or is_declined(call) for call in situation.calls):
        return None
    called = {call.tool for call in situation.calls}
    for tool in _in_order(situation, tools):
        args = None if tool.name in called else arguments_for(tool, situation)
        if args is not None:
            return ChosenCall(tool=tool.name, args=args)
    return None


def thing_to_ask_for(situation: Situation, tools: Sequence[BoundTool]) -> str | None:
    """Say which thing's identifier must be asked for before a tool can be called; None when nothing is missing."""
    if not may_use_tools(situation):
        return None
    missing = (missing_thing(tool, situation) for tool in _in_order(situation, tools))
    return next((thing for thing in missing if thing is not None), None)


def may_use_tools(situation: Situation) -> bool:
    """Tell whether the message is one that a tool could serve: no greeting, no thanks, nothing about the user."""
    asked = situation.asked
    social = is_greeting(asked) or is_thanks(asked) or is_assent(asked) or is_goodbye(asked)
    personal = asks_for_value(asked) or asks_all_about_user(asked)
    return bool(asked) and not (social or personal or is_only_statements(asked))


def asks_for(text: str, deed: Deed) -> bool:
    """Tell whether the text plainly asks for a deed: not whether it can be done, was done, or should not be."""
    named = _ASKING[deed]
    if not re.search(named, text, re.IGNORECASE) or _NO_REQUEST.search(text):
        return False
    if re.search(rf"{_REFUSED}(?:{named})|(?:{named}){_DONE}", text, re.IGNORECASE):
        return False
    return bool(_POLITE.search(text)) or not _REQUEST_OR_QUESTION.search(text)


def _in_order(situation: Situation, tools: Sequence[BoundTool]) -> Iterator[BoundTool]:
    """Give the best skill's reading tool, then the tools of any skill that do what was asked.

    A tool that looks something up by its number is left out when the message speaks of no such thing.
    """
    named = [_bound(skill.tools, tools) for skill in situation.prompt.skills]
    reading = ([tool for tool in of_skill if tool.only_reads] for of_skill in named)
    acting = [tool for of_skill in named for tool in of_skill if _is_asked(tool, situation.asked)]
    speaks_of_it = bool(acting) or asks_progress_of_something(situation.asked)
    readers = next((readers for readers in reading if readers), [])
    yield from (tool for tool in readers if speaks_of_it or not _needs_identifier(tool))
    yield from acting


def _bound(names: Sequence[str], tools: Sequence[BoundTool]) -> list[BoundTool]:
    return [tool for name in names for tool in tools if same_tool(name, tool.name)]


def _needs_identifier(tool: BoundTool) -> bool:
    return any(is_identifier(name, tool.properties.get(name, {})) for name in tool.required)


def _is_asked(tool: BoundTool, text: str) -> bool:
    """Tell whether the most telling of the tool's deeds is asked for."""
    return bool(tool.deeds) and asks_for(text, tool.deeds[0])
