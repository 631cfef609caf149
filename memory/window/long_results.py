"""Long tool results: their head, their tail, and where the rest is, in the copy that a model sees."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from langchain_core.messages import ToolMessage

from memory.context_query import text_of
from memory.prompt_texts import Language
from memory.tokens import MessageCounter

MAX_RESULT_TOKENS = 1_000
HEAD_SHARE = 0.6
"""Of the room: results begin with what they are of; errors and totals stand at the end."""
BRIEF_BELOW_TOKENS = 160
"""With less room than this the reference only says how much is missing."""
MEASURED_CHARS = 40_000
"""Of a longer text so much is counted, and the rest estimated by it, so that a huge one costs no time each turn."""
MOST_CHARS_PER_TOKEN = 16
MOST_TOKENS_PER_CHAR = 3

REFERENCES: dict[Language, str] = {
    "zh": "[此处略去约 {gone} 个 token。完整结果是本对话中的消息 {id}：需要其余部分时缩小范围再调用工具；"
    "用户可用 `jiyi threads show THREAD` 查看全文]",
    "en": "[About {gone} tokens are left out here. The whole result is message {id} of this thread: call the tool again "
    "for a smaller part if you need the rest; the user can read all of it with `jiyi threads show THREAD`]",
}
BRIEF_REFERENCES: dict[Language, str] = {"zh": "[略去约 {gone} 个 token]", "en": "[about {gone} tokens left out]"}


def shortened(
    message: ToolMessage, *, max_tokens: int = MAX_RESULT_TOKENS, count: MessageCounter, language: Language
) -> ToolMessage:
    """Give the result itself where it is short, else a copy with its head, its tail and a reference between them.

    Pictures and the like stay; the texts of several blocks are joined. The copy has the same ids.

    Args:
        message: A tool's result.
        max_tokens: Of its text, reference included; kept as far as the reference itself fits.
        count: Counts a message's tokens.
        language: Of the reference.
    """
    text = text_of(message)
    if len(text) * MOST_TOKENS_PER_CHAR <= max_tokens:
        return message
    measure = _measure(count)
    total = _total(text, measure)
    if total <= max_tokens:
        return message
    return message.model_copy(
        update={"content": _replaced(message, _ends(text, total, max_tokens, measure, message, language))}
    )


def _measure(count: MessageCounter) -> Callable[[str], int]:
    empty = count(ToolMessage("", tool_call_id=""))
    return lambda text: count(ToolMessage(text, tool_call_id="")) - empty


def _total(text: str, measure: Callable[[str], int]) -> int:
    """Count a text; of a very long one, its beginning, and the rest by that."""
    known = measure(text[:MEASURED_CHARS])
    return max(known, known * len(text) // MEASURED_CHARS)


def _ends(
    text: str, total: int, max_tokens: int, measure: Callable[[str], int], message: ToolMessage, language: Language
) -> str:
    texts = BRIEF_REFERENCES if max_tokens < BRIEF_BELOW_TOKENS else REFERENCES
    room = max_tokens - measure(f"\n{texts[language].format(gone=total, id=message.id)}\n")
    head = _piece(text, int(room * HEAD_SHARE), total, measure)
    tail = _piece(text[::-1], room - measure(head) if room > 0 else 0, total, lambda turned: measure(turned[::-1]))[
        ::-1
    ]
    gone = max(total - measure(head) - measure(tail), 1)
    parts = (head, texts[language].format(gone=gone, id=message.id), tail)
    return "\n".join(part for part in parts if part)


def _piece(text: str, room: int, total: int, measure: Callable[[str], int]) -> str:
    """Take so many tokens from the beginning, as far as a line goes where one ends near; at most half of the text."""
    if room <= 0:
        return ""
    end = min(len(text) // 2, len(text) * room // total + 1, room * MOST_CHARS_PER_TOKEN)
    while end and (taken := measure(text[:end])) > room:
        end = min(end - 1, int(end * room / taken * 0.98))
    line = text.rfind("\n", end * 4 // 5, end)
    return text[: line if line > 0 else end].rstrip()


def _replaced(message: ToolMessage, text: str) -> str | list[Any]:
    if isinstance(message.content, str):
        return text
    others = [block for block in message.content if not isinstance(block, str) and block.get("type") != "text"]
    return [{"type": "text", "text": text}, *others]
