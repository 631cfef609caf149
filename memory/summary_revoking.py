"""Revoking: which earlier statement of a thread a later one takes back ("scrap the 9 o'clock rule", 那个作废)."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from functools import cache

from memory.ranking.terms import terms_of
from memory.summary_lines import Item
from memory.summary_signs import BINDS, CHANGES, NO_LONGER, REVOKED, TELLS, TOLD_OF_A_DAY, is_revoked
from memory.words import has_cjk

MAX_REVOKED_CHARS = {"zh": 16, "en": 40}
ENOUGH = 0.34
"""So much of what a revocation speaks of must stand in what it takes back, weighed by how few statements speak of it."""
BIND_MORE = 1.25

_CLOSE = r"""作废|取消|撤销|撤回|废除|废掉|废了|推翻|收回|放弃|解除|失效|不作数|不算数?了|划掉|去掉|改主意|免了|算了|不搞了|不做了|不办了
    |不管了|拉倒|黄了|吹了|泡汤|没戏|来不了|去不了|办不成|用不了|不行(?=\W|了|$)|不[用要]了|不必了|不需要了|不再|别再?(?:按|用|管|遵守|执行)|当我没说|忘了吧|没必要
    |\b(?:scrap\w*|cancel\w*|revok\w+|undo|withdr[ae]w\w*|drop(?:ped|ping)?|ditch\w*|abandon\w*|overturn\w*|revers(?:e|ed|ing)
    |rescind\w*|scratch|strike|abolish\w*|lift(?:ed|ing)?|retract\w*|void|null|off\ the\ table|out\ the\ window
    |pull(?:ed|s)?\ out|back(?:ed|s)?\ out|fell\ through|falls\ through|not\ happening|(?:can't|cannot)\ (?:do|make)\b
    |never\ ?mind|forget\ (?:it|that|about|the|our|what)|no\ longer|changed?\ (?:my|our)\ minds?
    |(?:don't|do\ not|needn't)\ (?:need|bother|have\ to)|done\ with|get(?:ting)?\ rid\ of|is\ (?:off|gone|dead|history)
    |doesn't\ (?:apply|hold|count|stand))\b"""
REVOKES = re.compile(
    rf"""{_CLOSE}|[不别甭].{{1,10}}了\W*$
    |\b(?:call(?:ed|ing)?\ .{{0,30}}?\ ?off|(?:not|\w*n't)\b.{{0,60}}?\b(?:any\ ?more|after\ all)
    |tak(?:e|ing)\ (?:it|that|this|the|my|our).{{0,30}}?\ back)\b""",
    re.VERBOSE | re.IGNORECASE,
)
_NO_MORE = re.compile(r"[不别甭][去开来办做用要搞坐住]?(?=.{0,10}了\W*$)|(?<=[\u4e00-\u9fff])了\W*$")
TAKING_BACK_ALONE = re.compile(_CLOSE, re.VERBOSE | re.IGNORECASE)
"""The words that take back, with nothing of what."""
_KEPT = re.compile(
    r"(?:别|不要|不能|不可|不许|没有|没|不会|不准|未经.{0,6})(?:.{0,3})(?:作废|取消|撤销|撤回|放弃|推翻|去掉|收回)"
    r"|\b(?:don't|do not|didn't|did not|never|cannot|can't|won't|not|without|no)\s+(?:\w+\s+){0,2}?"
    r"(?:scrap|cancel|revok|undo|withdr|drop|ditch|abandon|overturn|revers|rescind|forget|lift|retract|call)",
    re.IGNORECASE,
)
_IF = re.compile(
    r"如果|要是|万一|假如|除非|可以(?:随时)?取消|\b(?:if|unless|whether|in case|(?:may|might|could|can) (?:only )?be)\b",
    re.IGNORECASE,
)
_MOVED = re.compile(
    rf"""{CHANGES.pattern}|改(?:用|天|期|个|喝|由|走|坐|吃|订|做|(?=[\d一二三四五六七八九十周星]))|换(?:用|个(?!话题|题目|角度|说法|问法|问题|思路|心情|口气)|为|一)|调(?:到|成|整)|提高到|降到|砍到|减到|涨到|加到|压到|缩到|放宽|延到|延长到
    |(?:推|挪|移|顺延)(?:到|后|至)|现在.{{0,20}}不是|不是.{{1,12}}(?:了|而是)
    |\b(?:mov(?:e|es|ed|ing)|chang(?:e|es|ed|ing)\ (?:(?:the|my)\ (?!subject|topic|tone|tune)|(?:that|this|it|our|to|from)\b)|push(?:ed|ing)?|shift(?:ed|ing)?|rais(?:e|ed|ing)|lower(?:ed|ing)?|bump(?:ed)?
    |(?:went|gone|goes|going|came|comes)\ (?:down|up)\ to|cut\ (?:down\ )?to|extend(?:ed)?|instead|rather\ than|replac\w+|swap\w*|make\ (?:it|that)|now\b.{{0,20}}?\bnot|not\b.{{1,20}}\bbut|used\ to\ be)\b""",
    re.VERBOSE | re.IGNORECASE,
)
_SAYING_NOTHING = (
    "each every all new rule thing idea plan agreement deal policy point decision arrangement bit part said say told limit "
    "stuff whole actual please let forget never mind drop scrap cancel undo revoke ditch change back need anymore longer apply "
    "hold more any don doe 那条 那个 这条 这个 个规 条规 规定 规矩 规则 约定 的规 的约 作废 取消 撤销 撤回 算了 不用 不再 之前 前说 说的 "
    "的那 条作 个作 吧那 了吧 把那 定作 矩作 定取 消吧 废吧 就作 也作 的事 事情 计划 安排 决定 不算 算数 数了 废了 改主 主意 必了 我改 意了 "
    "以前 原来 原先 先说 先定 地方 个地"
)
_NUMBERS = {
    **dict(
        zip(
            ["one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve"],
            range(1, 13),
            strict=True,
        )
    ),
    "noon": 12,
}
_CHINESE_NUMBER = re.compile(
    r"(?:十[一二三四五六七八九]?|[一二两三四五六七八九]十?[一二三四五六七八九]?)(?=[点月号日天周人元块千百万楼次条页份折成半]|个|小时|分钟)"
)
_DAYS = frozenset(
    [
        "monday",
        "tuesday",
        "wednesday",
        "thursday",
        "friday",
        "saturday",
        "sunday",
        "today",
        "tomorrow",
        "week",
        "day",
        "morn",
        "even",
        "night",
        "time",
    ]
)
_OF_A_DAY = 0.4
"""What a day, which is said in passing of much, weighs beside another word."""
_CHINESE_DIGITS = {char: at for at, char in enumerate("零一二三四五六七八九")} | {"两": 2}
_CLAUSES = re.compile(r"[，,；;]\s*")
_DIGITS = re.compile(r"\d+(?:[.,]\d+)*(?!\d|st|nd|rd|th)")


def revokes(text: str) -> bool:
    """Say whether a statement takes back another one, or puts itself in its place."""
    if text.rstrip().endswith(("?", "？")) or _KEPT.search(text) or _IF.search(text):
        return False
    return REVOKES.search(text) is not None or (_MOVED.search(text) is not None and not TOLD_OF_A_DAY.search(text))


def replaces(text: str, item: Item) -> bool:
    """Say whether what takes back a statement also says what holds in its stead."""
    moved = _MOVED.search(REVOKES.sub(" ", text))
    return moved is not None or not numbers_in(text) <= numbers_in(item.text)


def what_it_revokes(text: str, items: Sequence[Item]) -> int | None:
    """Give the place of the user's statement that a text takes back: the one that speaks most of the same.

    What is common to many statements says little of any; where all of a text speaks of none, its clauses that take back do. None where nothing is spoken of in both, or only something
    that is told of and binds nobody.
    """
    found = _spoken_of(text, items)
    if found is None and len(parts := _CLAUSES.split(text)) > 1:
        telling = " ".join(part for part in parts if REVOKES.search(part) or _MOVED.search(part))
        found = _spoken_of(telling, items)
    return found


def _spoken_of(text: str, items: Sequence[Item]) -> int | None:
    asked = terms_in(_NO_MORE.sub(" ", text)) - _empty_terms()
    open_ones = [at for at, item in enumerate(items) if _may_be_revoked(item)]
    spoken = {at: terms_in(items[at].text) for at in open_ones}
    common = Counter(term for terms in spoken.values() for term in terms & asked)
    if not common:
        return None
    worth = {term: (_OF_A_DAY if term in _DAYS else 1) / (common[term] or 4) for term in asked}
    whole = sum(worth.values())
    fits = {at: sum(worth[term] for term in terms & asked) / whole for at, terms in spoken.items()}
    best = max(open_ones, key=lambda at: (fits[at] * (BIND_MORE if items[at].rank >= BINDS else 1), at))
    return best if fits[best] >= ENOUGH and items[best].rank >= TELLS else None


def as_revoked(item: Item) -> Item:
    """Give a statement as one that no longer holds, in a few words."""
    end = NO_LONGER[item.language]
    most = MAX_REVOKED_CHARS["zh" if has_cjk(item.text) else "en"]
    text = item.text if len(item.text) <= most else item.text[: most - 1].rstrip() + "…"
    return Item(speaker=item.speaker, text=text + end, rank=REVOKED, label=item.label)


def _may_be_revoked(item: Item) -> bool:
    return item.speaker != "identifiers" and item.rank > 0 and not is_revoked(item.text)


def terms_in(text: str) -> set[str]:
    """Give what a text speaks of, its numbers in one form."""
    return set(terms_of(text)) | {f"={number}" for number in numbers_in(text)}


@cache
def _empty_terms() -> frozenset[str]:
    return frozenset(terms_of(_SAYING_NOTHING))


def numbers_in(text: str) -> set[str]:
    """List the numbers in a text, written in digits (nine, 九点 and 9 are one)."""
    numbers = {each.replace(",", "") for each in _DIGITS.findall(text)}
    numbers |= {str(_NUMBERS[word]) for word in re.findall(r"[a-z]+", text.casefold()) if word in _NUMBERS}
    return numbers | {str(_value(match.group())) for match in _CHINESE_NUMBER.finditer(text)}


def _value(written: str) -> int:
    tens, ten, ones = written.partition("十")
    if not ten:
        return _CHINESE_DIGITS[tens[0]]
    return (_CHINESE_DIGITS[tens] if tens else 1) * 10 + (_CHINESE_DIGITS[ones] if ones else 0)
