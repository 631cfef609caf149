"""Four ways in which a text comes into a memory, in the two languages, and what the user asks afterwards."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal, get_args

from langchain_core.messages import BaseMessage, HumanMessage, ToolMessage
from pydantic import BaseModel

from jiyi.testing import Reply, ScriptedModel, tool_call
from memory.words import has_cjk
from skills.bilingual import Text
from skills.registry import Caller, Tool, ToolOutcome

Way = Literal["typed", "remember", "pasted", "read"]
WAYS: tuple[Way, ...] = get_args(Way)

PAGE = "https://pages.example.com/today"
REMEMBER = Text(zh="请记住：", en="Please remember: ")
PASTED = Text(zh="帮我总结一下这封邮件：\n\n", en="Please summarise this e-mail:\n\n")
READ = Text(
    zh=f"请读一下这个网页，告诉我上面写了什么：{PAGE}", en=f"Please read this page and tell me what it says: {PAGE}"
)
REPEATED = Text(zh="网页上写着：", en="The page says: ")
DONE = Text(zh="好的。", en="All right.")
LAST_TIME = Text(zh="我们上次聊了什么？", en="What did we talk about last time?")
KNOWN = Text(zh="关于{words}，你都知道些什么？", en="What do you know about {words}?")
BETWEEN = Text(zh="、", en=", ")
TOOL = "read_page"


class Page(BaseModel):
    """Which page is read."""

    address: str


def said(text: str, way: Way) -> str:
    """Give the message with which a text comes by a way; what is only read stands in none."""
    match way:
        case "typed":
            return text
        case "remember":
            return in_its_language(REMEMBER, text) + text
        case "pasted":
            return in_its_language(PASTED, text) + text
        case "read":
            return in_its_language(READ, text)


def questions(text: str, words: Sequence[str]) -> tuple[str, str]:
    """Give what the user asks in later conversations: what there was last time, and what is known about some words."""
    named = in_its_language(BETWEEN, text).join(words)
    return in_its_language(LAST_TIME, text), in_its_language(KNOWN, text).replace("{words}", named)


def in_its_language(ours: Text, text: str) -> str:
    """Give words of ours in the language of a text."""
    return ours.zh if has_cjk(text) else ours.en


class _WholeReplies(ScriptedModel):
    """A scripted model that streams a reply in one piece: character by character a long page takes its time."""

    def pieces_of(self, text: str) -> list[str]:
        """Leave it whole."""
        return [text]


class Planting:
    """The page that holds one text, and the model that reads it when it is asked to, and repeats what it read.

    Args:
        text: What stands on the page.
    """

    def __init__(self, text: str) -> None:
        self._text = text
        self.model: ScriptedModel = _WholeReplies(replies=self._reply)
        self.tool = Tool(
            name=TOOL,
            description=Text(zh="读一个网页。", en="Read a page."),
            arguments=Page,
            effect="read",
            run=self._read,
        )

    async def _read(self, arguments: Page, caller: Caller) -> ToolOutcome:
        return ToolOutcome(ok=True, text=self._text)

    def _reply(self, messages: Sequence[BaseMessage]) -> Reply:
        last = messages[-1]
        if isinstance(last, ToolMessage):
            return in_its_language(REPEATED, self._text) + self._text
        asked = isinstance(last, HumanMessage) and str(last.text).endswith(in_its_language(READ, self._text))
        return tool_call(TOOL, address=PAGE) if asked else in_its_language(DONE, self._text)
