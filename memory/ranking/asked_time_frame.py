"""The frame of a question that names a time: whether it asks, of what has been or will be, which occasion, and what else."""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Literal

from memory.ranking.asked_time_readings import Tense

Occasion = Literal["", "last", "first"]
Meant = Literal["said", "happened", "either"]

_SENTENCE = re.compile(r"[^。！？!?；;\n.]+(?:\.(?=\w)[^。！？!?；;\n.]+)*[。！？!?；;.]*")
_ASKS = re.compile(
    r"[?？]|什么|[谁哪啥]|几[个次点时月号天]|多[少久大长]|怎[么样]|如何|为何|吗\W*$|呢\W*$|是不是|是否|有没有|[有没]没|记不记得|还记得"
    r"|告诉我|提醒我|回顾|总结|列出|列一下|[查找翻]一?下|回忆|说说|讲讲|想知道"
    r"|\b(?:wh(?:o|om|ose|at|en|ere|ich|y)|how)\b|\b(?:tell|remind|show|give) (?:me|us)\b|\b(?:list|find|recap|recall|summari[sz]e|look up)\b"
    r"|^\W*(?:did|do|does|is|are|was|were|have|has|had|can|could|would|will|should|any)\b",
    re.IGNORECASE,
)
_OF_ONESELF = re.compile(r"\b(?:i|i'm|i've|we|we're|my|our)\b|[我咱]", re.IGNORECASE)
_HABIT = re.compile(
    r"\b(?:usually|always|(?<!how )often|every|each|normally|typically)\b|每[天周年个次当]|通常|一般|平时|经常|总是",
    re.IGNORECASE,
)
_PAST = re.compile(
    r"\b(?:did|was|were|had|said|told|went|been|got|came|took|made|met|saw|bought|ate|[a-z]{2,}ed)\b|[了过]|曾|[说聊提讲]的|的时候",
    re.IGNORECASE,
)
_FUTURE = re.compile(
    r"\b(?:will|shall|going to|plans?|planned|planning|scheduled?|upcoming|due|coming up|do (?:i|we) have|(?:am|are) (?:i|we))\b|'ll\b"
    r"|要(?!求|是)|会(?!议|员|计|场)|将|打算|计划|安排|准备|即将|该",
    re.IGNORECASE,
)
_TELLING = re.compile(
    r"\b(?:say|said|saying|tell|told|mention(?:ed)?|talk(?:ed|ing)?|discuss(?:ed)?|chat(?:ted|ting)?|ask(?:ed)?|spoke|speak|conversation|write|wrote)\b"
    r"|说|聊|提到|提过|提起|讲|谈|告诉|问过?你|讨论|对话|会话",
    re.IGNORECASE,
)
_REQUEST = re.compile(
    r"\b(?:tell|remind|show|ask) (?:me|us)\b|(?:告诉|提醒|跟|和|给)我(?:说说|讲讲)?|请问|说说|讲讲", re.IGNORECASE
)
_UNIT = r"(?:week|weekend|month|year|night|spring|summer|autumn|fall|winter|mon|tue|wed|thu|fri|sat|sun|jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)"
_DETERMINERS = r"(?:the|a|an|his|her|its|their|my|our|your)\b"
LAST_OCCASION = re.compile(
    r"(?<![早晚课班路线网])[上前]一?(?:次(?![不要])|回(?![答来去家到复应信头国校]))|最近一次|最后一次|\b(?:the )?(?:last|latest|previous|most recent) (?:time|conversation|chat|session|call|meeting|visit|talk)\b"
    rf"|\b(?:did|have|has|had|was|were|do)(?:n't)? (?:\w+ ){{1,2}}last\b(?! {_UNIT})|\bwhere (?:we|did we) (?:left|leave) off\b|\bthe other time\b",
    re.IGNORECASE,
)
FIRST_OCCASION = re.compile(
    r"第一[次回]|头一?[次回]|首次|最早|最初|\b(?:the )?(?:very )?(?:first|earliest) (?:time|conversation|chat|session|call|meeting|visit|talk)\b"
    rf"|\b(?:did|have|has|had|was|were) (?:(?!{_DETERMINERS})\w+ ){{1,2}}first\b",
    re.IGNORECASE,
)
_EMPTY_EN = (
    "what|which|things?|stuff|anything|something|everything|did|do|does|done|doing|have|has|had|was|were|is|are|am|be|been|we|i|you|he|she|they|me|us|my"
    "|our|your|it|the|a|an|that|this|there|about|of|on|in|at|to|for|from|during|over|with|say|said|saying|tell|told|talk|talked|talking"
    "|discuss|discussed|chat|chats|chatted|chatting|mention|mentioned|speak|spoke|ask|asked|happen|happened|happening|going|went|up|remind|show|list|recap"
    "|summari[sz]e|find|give|please|can|could|would|will|remember|recall|conversations?|sessions?|all|back|else|since|before|after|between|and"
    "|until|till|by|know|early|any|topics?|events?|time|when|so|hi|hey|ok|again|left|off|where|first|last|around|plans?|schedules?|scheduled|appointments?|planned|upcoming|coming"
)
_EMPTY_ZH = (
    "我们?|咱们?|你们?|您|他们?|她们?|大家|聊天|聊|说|谈论?|讲|提|告诉|到|过|了|的|什么|[啥哪些么]|有|没|事情?|话题|内容|话|发生|做|干|都|在|是|吗|呢|吧|啊|呀"
    "|得|时候|时|那|这|天|个|里|期间|请|帮|回顾|回忆|总结|一下|记|还|和|跟|与|从|以来|开始|之间|之前|以前|之后|以后|前|后|起|怎|样|给|列|出|看|想|知道"
    r"|当|如何|来|几|谁|对话|会话|讨论|至今|问|第一次|最近|次|回|就|又|也|关于|主要|分别|曾经?|一|安排|计划|日程|打算|要|会(?=[^\W_])"
)
_EMPTY = re.compile(rf"\b(?:{_EMPTY_EN})(?:'s|'d|'ve)?\b|{_EMPTY_ZH}", re.IGNORECASE)
_CONTENT = re.compile(r"[^\W_]")


def asking(text: str) -> list[str]:
    """Give the sentences whose times narrow what is asked for: those that ask; where none does, what is searched for.

    A statement about oneself ("昨天我去看了牙", "I saw the dentist yesterday") tells of a time and asks for none.
    """
    sentences = [found.group() for found in _SENTENCE.finditer(text)]
    asks = [one for one in sentences if _ASKS.search(one)]
    return asks or [one for one in sentences if not _OF_ONESELF.search(one)]


def is_habit(sentence: str) -> bool:
    """Tell whether it is about what is always so: its weekdays and weekends are no times then."""
    return bool(_HABIT.search(sentence))


def tense_of(sentence: str, *, otherwise: Tense = "past") -> Tense:
    """Tell whether a sentence is about what has been or what will be."""
    if otherwise == "past":
        return "future" if _FUTURE.search(sentence) and not _PAST.search(sentence) else "past"
    return "past" if _PAST.search(sentence) and not _FUTURE.search(sentence) else "future"


def meant_of(sentence: str, tense: Tense) -> Meant:
    """Tell whether a sentence asks for what was said at a time, or for what happened then."""
    if tense == "future":
        return "happened"
    return "said" if _TELLING.search(_REQUEST.sub(" ", sentence)) else "either"


def occasion_of(text: str) -> Occasion:
    """Tell whether the last time or the first time is asked for."""
    for sentence in asking(text):
        if FIRST_OCCASION.search(sentence):
            return "first"
        if LAST_OCCASION.search(sentence):
            return "last"
    return ""


def topic_of(text: str, named: Iterable[str]) -> str:
    """Give what is left of a text without its time and the words that only ask; "" where it asks for a time alone.

    Args:
        text: What is asked.
        named: Its times, and the names that are no topic either.
    """
    rest = FIRST_OCCASION.sub(" ", LAST_OCCASION.sub(" ", text))
    for name in sorted(named, key=len, reverse=True):
        rest = re.sub(re.escape(name), " ", rest, flags=re.IGNORECASE) if name.strip() else rest
    return " ".join(piece for piece in _EMPTY.sub(" ", rest).split() if _CONTENT.search(piece))
