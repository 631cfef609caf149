"""Phrases: a value as it is kept, once a rule has cut it out of a sentence."""

from __future__ import annotations

import re
from functools import cache

from memory.clauses import BLANK
from memory.privacy import PLACEHOLDER
from memory.times import phrase_pattern

LONGEST_NAME = 20
LONGEST_VALUE = 60
LONGEST_TEXT = 200
LONGEST_PART_WORDS, LONGEST_PART_CHARS = 4, 14
_INTENDED = frozenset({"plan", "todo", "goal"})
LONG_FIELDS = frozenset({"主要内容", "内容", "主题", "remember"})

_AROUND = " \t\r\n　,，.。、;；:：!！?？~～…「」『』“”\"'()（）"
_TAIL = re.compile(
    r"(?:就(?:行|好|可以|成)了?|即可|好吗|可以吗|行吗|好不好|谢谢你?|(?<=.)[了吧哦呢啊呀啦嘛喔噢哟哈]|(?<=[\u3400-\u9fff])的|"
    r"(?<![a-z])(?:please|thanks|thank you|too|as well|though|now|by the way|from now on|these days|right now|a lot|very much|so much|instead))"
    r"[\s~～!！。.,，]*$",
    re.IGNORECASE,
)
_HEAD = re.compile(
    r"^(?:(?:a(?!\s+levels?(?![a-z]))|an|the|some)\s+(?=\S)|一[个名位](?=..)(?!月|礼拜|星期|人|季)|(?:一点点?|一些|几句)(?=.{1,4}[语话]$))",
    re.IGNORECASE,
)
_VAGUE = re.compile(
    r"(?:不|没|别|什么|怎么|哪|谁|多少|吗)|(?:这|那|它|他|她|你|您|我)(?:个|些|们|里|儿|边|样|种)*$|(?:这里|那里|附近|酒店|宾馆|楼上|楼下|家里|学校|公司|宿舍|朋友家|医院|外面|国外|海边|一起)$|"
    r"(?:their|his|her|its|the (?:thought|idea|way|fact)) |(?:it|that|this|them|those|these|you|him|her|me|us|to|not|no|nothing|everything|something|what|how|when|if|here|there|"
    r"(?:a |the |my )?(?:hotel|home|house|apartment|dorm|hospital|office|moment|fear|denial|love|pain|trouble))(?![a-z])(?!.{12})",
    re.IGNORECASE,
)
_NOT_NAMES = re.compile(
    r"(?:起床|一声|一下|过来|过去|回来|回家|吃饭|加班|帮忙|开会|外卖|救命|出去|进去|上课|下班|睡觉|买|做|写|去|来|回|等|想|怎么|先生|女士|爸爸|妈妈|别|该|要|把|给|和|跟|在|是)"
    r"|(?:back|later|tomorrow|today|tonight|now|when|if|at|on|in|by|maybe|crazy|old|a|an|the|and|or|not|anything|whatever|asap|soon|again|"
    r"before|after|around|out|up|over|names?|any ?time|every|this|that|your|my|what|mom|dad|sir)(?![a-z])",
    re.IGNORECASE,
)
_UNITS = (
    (re.compile(r"(?:厘米|公分|cm)$", re.I), "cm"),
    (re.compile(r"(?<![a-z] )(?:公斤|千克|kgs?|kilos?|kilograms?)$", re.I), "kg"),
)
_NUMBERED = frozenset({"age", "birthday", "height", "weight"})
_NUMBER = re.compile(
    r"[0-9零〇一二两三四五六七八九十百]|(?<![a-z])(?:one|two|three|four|five|six|seven|eight|nine|ten|jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec|teen|(?:twen|thir|for|fif|six|seven|eigh|nine)ties|twenty|thirty|forty|fifty)",
    re.I,
)
_BEGINS_CLAUSE = re.compile(
    r"(?:i|i'm|i've|my|so|but|please|can|could|would|he|she|it|we|they|you|your|which|that|because|call|keep|answer|if|unless|when|though|although|since|not|live|work|study|have|am|want|need|hate|love|like|don't|do|was|will|would|prefer|use|then|also|what|how)(?![a-z'-])|"
    r"(?:i|they|it|that|he|she|we|you|there|who|what)'|(?:get|gets|keep|make|makes|go|play|looks?|love)(?![a-z'-])|(?:gimme|give|suggest|recommend|any|help|needs?|tips?|ideas?|whats|hows|im|ive|hes|shes|dont|cant|can't|pls|plz|put|leave|skip|swap|redo|plan|find|tell|send|show|write|draft|thanks?|hates?|prefers?|works|lives|lol|lmao|ugh|right|is|are|was|has|which|who|where|just|still|never|always|usually|send)(?![a-z'-])|(?:我|你|他|她|它|请|帮|所以|但|的|住|在|今年)",
    re.IGNORECASE,
)
_HONEST = re.compile(r"(?<![a-z])(?:ai|assistant|language model|chatbot)(?![a-z])|人工智能|助手|模型", re.IGNORECASE)


def tidy(value: str, field: str) -> str:
    """Trim what surrounds a value (particles, quotation marks, articles) and write its unit in one way.

    Args:
        value: As it was said.
        field: The last part of its key, which says what it is.
    """
    before = None
    value = value[1:-1] if value[:1] == "《" and value.find("》") == len(value) - 1 else value
    while before != value:
        before, value = value, _TAIL.sub("", value.strip(_AROUND))
    value = value.strip(_AROUND) if field != "order" else value
    value = PLACEHOLDER.sub("", value).strip(_AROUND) if field == "lives_in" else value
    if field in ("height", "weight"):
        for unit, written in _UNITS:
            value = unit.sub(written, value).replace(f" {written}", written)
    return value if field in LONG_FIELDS else _HEAD.sub("", value)


def parts_of(value: str, listing: re.Pattern[str]) -> list[str]:
    """Give the parts of an enumeration ("nuts, shellfish and eggs"), or the value itself where it is none.

    A list ends before the first part that is too long for one: what follows is another clause.
    """
    parts: list[str] = []
    for part in listing.split(value):
        if not part.strip(_AROUND) or _is_clause(part):
            break
        parts.append(part)
    return parts or [value]


def _is_clause(part: str) -> bool:
    if _BEGINS_CLAUSE.match(part.strip()):
        return True
    return len(part.split()) > LONGEST_PART_WORDS or len(re.findall(r"[\u3400-\u9fff]", part)) > LONGEST_PART_CHARS


@cache
def _day_names() -> re.Pattern[str]:
    return re.compile(phrase_pattern(), re.IGNORECASE)


def is_plausible(value: str, field: str) -> bool:
    """Tell whether a tidied value can be what its field says: no pronoun, no question, no placeholder, no name too long, no plan that is only a day."""
    if not value or BLANK in value or PLACEHOLDER.search(value):
        return False
    if field in LONG_FIELDS:
        return len(value) <= LONGEST_TEXT
    if field == "name":
        return len(value) <= LONGEST_NAME and not _NOT_NAMES.match(value) and not _HONEST.search(value)
    if field in _NUMBERED and not _NUMBER.search(value):
        return False
    if field in _INTENDED and not re.search(r"\w", _day_names().sub("", value)):
        return False
    return len(value) <= LONGEST_VALUE and (field == "diet" or not _VAGUE.match(value))
