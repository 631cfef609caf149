"""How much an episode matters: what came of it, what it names, whether it was to be remembered."""

from __future__ import annotations

import re
import unicodedata

BASE = 0.3
FRUITFUL = 0.3
TELLING = 0.2
ASKED = 0.2

MAX_SMALL_TALK_CHARS = 60

_NUMBER = r"(?:\d[\d,]{0,20}(?:\.\d{1,9})?|[一二两三四五六七八九十百千万亿半]{1,12})"
_UNIT_ZH = (
    "元|块钱?|万元?|亿|美元|美金|欧元|日元|港币|人民币|公斤|千克|克|斤|吨|公里|千米|米|厘米|毫米|升|毫升|平米?|度"
    "|个?小时|分钟|秒|天|周|个?星期|个?月|年|岁|人|名|折|层|楼|号楼"
)
_UNIT_EN = (
    "dollars?|bucks|euros?|pounds?|yuan|rmb|usd|eur|gbp|cny|kg|g|lbs?|km|cm|mm|m|miles?|l|ml|hours?|minutes?"
    "|days?|weeks?|months?|years?|people|percent|gb|mb|ms"
)
_WEEKDAY_EN = "monday|tuesday|wednesday|thursday|friday|saturday|sunday"
_MONTH_EN = (
    "january|february|march|april|june|july|august|september|october|november|december"
    "|(?:jan|feb|mar|apr|may|jun|jul|aug|sep|sept|oct|nov|dec)(?=\\.? \\d)"
)

_IDENTIFIER = re.compile(
    r"#\w*\d\w*"  # 8842 with its number sign
    r"|\b(?=[a-z_-]{0,30}\d)(?=[\d_-]{0,30}[a-z])[a-z\d]{1,30}(?:[-_][a-z\d]{1,30}){1,6}\b"  # err-4471
    r"|\b[a-z]{1,5}\d{2,}[a-z\d]*\b"  # mu5137
    r"|(?<![\d.])\d{6,}(?![\d.])"
    r"|\bv?\d+(?:\.\d+){1,3}\b"  # a version
    r"|\b[a-z_]\w+\.[a-z_]\w+(?:\(|\b)(?!\s*@)",  # orderservice.cancel
    re.ASCII,
)
_AMOUNT = re.compile(
    rf"[¥$€£]\s?\d|\d\s?%|{_NUMBER}\s?(?:{_UNIT_ZH})|\b\d[\d,.]{{0,20}}\s?(?:{_UNIT_EN})\b|百分之{_NUMBER}"
)
_DATE = re.compile(
    r"\b\d{4}[-/.年]\d{1,2}|\b\d{1,2}[-/]\d{1,2}[-/]\d{2,4}\b"
    rf"|{_NUMBER}月(?:{_NUMBER}[日号])?|\d{{1,2}}[日号](?!码)|\b\d{{1,2}}:\d{{2}}\b|(?!一点){_NUMBER}点|午一点|一点[钟半整]"
    r"|[今明后昨前]天|[上下这本]个?(?:周|星期|礼拜|月)|[去今明后前]年|(?:周|星期|礼拜)[一二三四五六日天]"
    rf"|\b(?:today|tonight|tomorrow|yesterday|{_WEEKDAY_EN}|{_MONTH_EN})\b"
    r"|\b(?:next|last|this) (?:week|weekend|month|year)\b|\b\d{1,2} ?[ap]m\b"
)
_REMEMBER = re.compile(
    r"记住|(?<![还你我])记得(?![吗么不])|请?记一下|记下来?|别忘|不要忘|帮我记"
    r"|(?<!do you )(?<!you )\bremember\b|\bdon'?t forget\b|\bkeep in mind\b|\bnote that\b|\bmake a note\b"
)

_SMALL_ZH = (
    "非常感谢|十分感谢|感谢|多谢|谢谢|谢了|谢啦|辛苦了?|麻烦你?了|你好|您好|大家好|嗨|哈喽|哈啰|早上好|早安|早|中午好|下午好"
    "|晚上好|晚安|再见|拜拜|回头见|明天见|好的|好吧|好滴|好嘞|好|行|可以|嗯|哦|噢|喔|哈|嘿|呵|嘻|收到|明白|知道|了解|懂"
    "|没事|没关系|没问题|不客气|不用谢|还在吗|在吗|在不在|你在|还在|有人吗|对|是的|是|没错|不错|太棒|太好|真棒|厉害|牛|加油"
)
_SMALL_EN = (
    "thank you|thanks|thank|thx|ty|cheers|hi|hello|hey|good (?:morning|afternoon|evening|night|day)|morning|bye|goodbye"
    "|see you(?: (?:later|soon|tomorrow))?|ok|okay|okey|k|yes|yep|yeah|yup|no|nope|sure|cool|great|nice|fine|perfect"
    "|awesome|alright|all right|got it|i see|understood|never ?mind|no problem|no worries|you'?re welcome|welcome|lol|ha"
    "|how are you|what'?s up|(?:are )?you (?:still )?(?:there|around)|still (?:there|around)|(?:anybody|anyone) (?:there|around)"
)
_FILLER = (
    r"你|帮助|帮忙|您|大家|啊|呀|啦|呢|吧|了|的|哈|吗|嘛|哟|呐|太|很|真的?|们|so|very|much|a lot|again|too|there|everyone|all|you|for"
    r"|that|the|help|me|then|well|oh|um|hmm+|please"
)
# Atomic and possessive: what matched is never tried another way, or "哈哈哈…" would take for ever.
_SMALL_TALK = re.compile(rf"(?>(?:{_SMALL_ZH})|\b(?:{_SMALL_EN})+\b|\b(?:{_FILLER})\b|{_FILLER}|[\W_]++)++")
_SMALL_WORD = re.compile(rf"(?:{_SMALL_ZH})|\b(?:{_SMALL_EN})")
_SUM = re.compile(
    r"(?:what(?:'s| is) |calculate |compute |算一下|计算|请问)?"
    r"[\d\s.,()+\-*/x×÷^%加减乘除以]*\d[\s)]*(?:[+*x×÷^%]| - | / |加|减|乘以?|除以)[\s(]*\d[\d\s.,()+\-*/x×÷^%加减乘除以]*"
    r"(?:=|等于|是)?\s*(?:几|多少)?\s*[?]?"
    r"|[\d\s.,()+\-*/]*\d\s*[-/]\s*\d+\s*(?:=|等于)\s*(?:几|多少)?\s*[?]?"
)


def importance(text: str, *, fruitful: bool = False) -> float:
    """Say how much a message matters, 0..1.

    Args:
        text: What the user said.
        fruitful: A fact or a follow-up came of it; then it is no small talk, whatever it says.
    """
    if not fruitful and is_small_talk(text):
        return 0.0
    telling = TELLING if names_something(text) else 0.0
    asked = ASKED if asks_to_remember(text) else 0.0
    return min(BASE + (FRUITFUL if fruitful else 0.0) + telling + asked, 1.0)


def is_small_talk(text: str) -> bool:
    """Say whether a message is only greeting, thanks, assent or a sum: kept, but not indexed."""
    plain = _plain(text)
    if not any(char.isalnum() for char in plain):
        return True
    if len(plain) > MAX_SMALL_TALK_CHARS:
        return False
    return _SUM.fullmatch(plain) is not None or _is_all_small(plain)


def names_something(text: str) -> bool:
    """Say whether an identifier, an amount or a date stands in the text."""
    plain = _plain(text)
    return any(pattern.search(plain) for pattern in (_IDENTIFIER, _AMOUNT, _DATE))


def asks_to_remember(text: str) -> bool:
    """Say whether the user asks for it to be remembered ("记住…"), not whether it is ("你还记得吗")."""
    return bool(_REMEMBER.search(_plain(text)))


def _is_all_small(plain: str) -> bool:
    return bool(_SMALL_WORD.search(plain)) and bool(_SMALL_TALK.fullmatch(plain))


def _plain(text: str) -> str:
    return unicodedata.normalize("NFKC", text).casefold().strip()
