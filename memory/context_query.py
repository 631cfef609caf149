"""What to search memory with: the last user message, completed from the turns before it where it leans on them."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Any

from langchain_core.messages import BaseMessage, HumanMessage

from memory.importance import is_small_talk
from memory.surrogates import without_halves

MAX_TURNS_BACK = 3
MAX_BORROWED_CHARS = 160
BARE_UNITS = 1.0
"""At most this much content, in words, says too little to be searched with alone."""
POINTING_UNITS = 4.0
"""A pronoun in a message with more content than this, or after the half of it, has its antecedent there itself."""


def _any_of(zh: str, en: str) -> str:
    """Make a pattern of two lists of words, the longest first; a Chinese word may stand within others."""
    chinese, english = (sorted(words.split(), key=len, reverse=True) for words in (zh, en))
    return "|".join([*chinese, rf"\b(?:{'|'.join(english)})\b"])


FRAMES = re.compile(
    r"""(?:那么?|还有|以及|然后|所以|至于|和|另外)?(?!.*(?:什么|[啥哪谁怎几是在]|多少))[^，。！？,.!?]{0,10}呢[？?！!。~\s]*
    |(?:然后|还有|接着|继续|为什么|为啥|怎么说|比如|举个例子|具体点|详细(?:点|说说)?|再说一遍|再来一个?)[吗吧呢？?！!。~\s]*
    |(?:and|or|but|so|also|then|what\ about|how\ about|what\ of)\b(?:\W+[\w#'’-]+){0,6}\s*\?
    |(?:why|how|when|where|who|which(?:\ one)?|how\ (?:much|many|long|come|so))[\s?.!]*
    |(?:what\ (?:else|then)|go\ on|continue|more|tell\ me\ more)[\s?.!]*""",
    re.VERBOSE | re.IGNORECASE,
)
POINTING = re.compile(
    r"""(?<![其吉])[它她他]|其(?!实|他|它|中|余|次)|那(?!么|就)|(?<!到)这(?!次|么|样|里|边|就|几天|周|个月|两天)
    |前者|后者|上述|上面|刚才|之前(?:说|提|讲)|同样|另一个|第[一二三四五六七八九十两\d]+[个种条款项]
    |\b(?:its?|it's|they|them|theirs?|he|him|his|she|hers?|that|this|those|these|ones?|both|n?either|above|previous)\b
    |\bthe\ (?:first|second|third|last|other|same|latter|former)\b""",
    re.VERBOSE | re.IGNORECASE,
)
SELF = re.compile(r"(?<!帮)(?<!给)(?<!跟)(?<!告诉)我|咱|\b(?:i|i'm|i've|i'll|me|my|mine|we|our|us)\b", re.IGNORECASE)
REQUESTS = re.compile(
    r"(?:帮|给|跟|告诉)我|\b(?:could|can|would|will) you\b|\b(?:tell|show|give|help|let) (?:me|us)\b|\bplease\b",
    re.IGNORECASE,
)
EMPTY_WORDS = re.compile(
    _any_of(
        """请 麻烦 一下 一共 多少 多久 多大 多长 什么时候 什么 怎么样 怎么办 怎么 怎样 如何 哪里 哪儿 哪个 哪些
        哪 谁 几点 几 为什么 为啥 是不是 有没有 能不能 可不可以 可以 可能 现在 目前 已经 还是 还有 还 就 才
        都 也 又 再 很 最 吗 呢 吧 啊 呀 嘛 了 的 地(?![址方点铁图区]) 得 着 过(?!敏|期) 是 有 在 要(?!求)
        会(?!议|员|计|场) 能 到 和 与 或 把 被 让 从 对 个 些 点(?![餐菜单评]) 里 上(?![海班学课])
        下(?![班课单]) 我们? 你们? 您 咱们? 他们? 她们? 它们? 那个? 这个? 其 前者 后者 查 看 问 说 想
        第[一二三四五六七八九十两]""",
        """a an the and or but so also then if of to in on at for with from by about as is are was were be been
        am do does did has have had will would can could should shall may might what what's when where who
        whose which why how how's there here its? it's they them their he him his she her this that those
        these ones? any some much many long more else yet now still again first second third last other same
        i me my we our us you your not no just tell show give please get go going let know want need like
        think""",
    ),
    re.IGNORECASE,
)
NAME_WITHIN = re.compile(r"(?<=\w )[A-Z][a-z]+")
HAN = re.compile(r"[\u3400-\u9fff]")
CONTENT = re.compile(r"(?P<han>[\u3400-\u9fff])|(?P<word>[^\W_\u3400-\u9fff]+)")


def in_context(messages: Sequence[BaseMessage]) -> str:
    """Give the text to search memory with.

    The last user message stands as it is when it says enough. One that leans on what went before ("那个呢？",
    "and the second one?", "进度怎么样了？") is preceded by the user's turns it leans on, back to the nearest that
    stands by itself, three at most.

    Returns:
        One line a turn, the last user message last; "" when there is none or it has no text.
    """
    said = [text_of(message) for message in messages if isinstance(message, HumanMessage)]
    if not said or not said[-1]:
        return ""
    if not is_elliptical(said[-1]):
        return said[-1]
    return "\n".join([*_borrowed(said[:-1]), said[-1]])


def text_of(message: BaseMessage) -> str:
    """Give the plain text of a message: its text parts a line each, nothing of pictures, audio or tool calls."""
    if isinstance(message.content, str):
        return without_halves(message.content).strip()
    parts = (without_halves(block if isinstance(block, str) else _block_text(block)) for block in message.content)
    return "\n".join(part.strip() for part in parts if part.strip())


def is_elliptical(text: str) -> bool:
    """Say whether a text cannot be understood without what was said before it.

    Small talk ("谢谢", "还在吗") and what has no words ("2+2") lean on nothing, and nothing is borrowed for them.
    """
    text = text.strip()
    if is_small_talk(text) or not any(char.isalpha() for char in text):
        return False
    if FRAMES.fullmatch(text):
        return True
    units = _content_units(text)
    if _points_back(text):
        return units <= POINTING_UNITS
    return units <= BARE_UNITS and not (SELF.search(text) and units)


def _points_back(text: str) -> bool:
    """Say whether a pronoun comes before anything that it could mean: a name, one of the user's people, content."""
    asked = REQUESTS.sub(" ", text)
    pronoun = POINTING.search(asked)
    if pronoun is None:
        return False
    before = asked[: pronoun.start()]
    of_the_user = pronoun.group() != "它" and HAN.search(before) and SELF.search(before) and _content_units(before)
    return not (of_the_user or NAME_WITHIN.search(before) or _content_units(before) >= POINTING_UNITS / 2)


def _borrowed(earlier: Sequence[str]) -> list[str]:
    """Take the user's turns back to the nearest that stands by itself; small talk is passed over."""
    taken: list[str] = []
    for text in reversed([text for text in earlier if not is_small_talk(text)]):
        taken.insert(0, _ending(text))
        if len(taken) == MAX_TURNS_BACK or not is_elliptical(text):
            break
    return taken


def _ending(text: str) -> str:
    """Keep the end of a long turn, from where a clause begins: what is referred to was mostly said last."""
    if len(text) <= MAX_BORROWED_CHARS:
        return text
    end = text[-MAX_BORROWED_CHARS:]
    clause = re.search(r"[，。！？；,.!?;\s]+", end[: MAX_BORROWED_CHARS // 2])
    return end[clause.end() :] if clause else end


def _content_units(text: str) -> float:
    """Count what is left in words when function words are gone; two Chinese characters make a word."""
    bare = EMPTY_WORDS.sub(" ", REQUESTS.sub(" ", text))
    return sum(0.5 if piece.lastgroup == "han" else _word_units(piece.group()) for piece in CONTENT.finditer(bare))


def _word_units(word: str) -> float:
    """A number or an identifier says more than a word."""
    return 2.0 if any(char.isdigit() for char in word) else 1.0


def _block_text(block: Mapping[Any, Any]) -> str:
    return str(block.get("text") or "") if block.get("type") in {"text", "input_text", "output_text"} else ""
