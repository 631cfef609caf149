"""Phones: mobile and land lines of China and of other countries, however they are grouped."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator

from memory.detectors.detector import LEFT, RIGHT, Detector, detector, label
from memory.detectors.ordering import INTRODUCED_CHARS, is_ordered
from memory.digits import only_digits

_DATE = re.compile(
    r"(?:19|20)\d\d[-/. ](?:0?[1-9]|1[0-2])[-/. ](?:0?[1-9]|[12]\d|3[01])(?!\d)"
    r"|(?:0?[1-9]|[12]\d|3[01])[-/. ](?:0?[1-9]|[12]\d|3[01])[-/. ](?:19|20)\d\d(?!\d)"
)
_AMOUNT = re.compile(
    r"(?:浏览量|播放量|阅读量|点击量|访问量|下载量|销量|产量|金额|总额|余额|营收|市值|(?<![a-z])(?:views|revenue|bytes|balance))"
    r"(?:已经|已|达到|超过|大约|约|共|有|是|为|达|了|:|=|of|is|was|are|\s){0,4}[￥¥$€£]?$",
    re.IGNORECASE,
)
_MEASURED = re.compile(
    r"\s?(?:元(?![旦宝先女])|[美日欧港]元|块钱|人次|次(?!日)|字节|毫秒|亿[元次]|(?:views|bytes|dollars|usd|yuan|rmb)(?![a-z]))",
    re.IGNORECASE,
)
_EXTENSION = r"(?: ?(?:x|ext\.?|转|分机) ?[0-9]{1,6})?"
_WORD = (
    r"(?i:电话|手机|座机|传真|联系方式|联系号码|微信|致电|拨打|打给|回电|热线|(?:我|他|她|家|公司)的?号码|"
    r"(?<![a-z])(?:tele)?(?:phone|fax)|(?<![a-z])(?:mobile|cell|tel|desk|landline|hotline|sms)|"
    r"(?<![a-z])(?:whatsapp|reach|call|text|ring|phone|dial|contact)(?:ing|ed)?(?: (?:me|us|him|her|them|you|back))?(?: (?:at|on))?|"
    r"(?<![a-z])(?:answer(?:ing|ed|s)?(?: (?:at|on))?|messages? (?:to|on|at)|registered)|"
    r"(?<![a-z])(?:my|his|her|their|our|your) (?:[a-z]{3,6} )?number)(?![a-z])"
)
_WORDS = (
    *(
        "电话",
        "手机",
        "座机",
        "传真",
        "联系",
        "微信",
        "致电",
        "拨打",
        "打给",
        "回电",
        "热线",
        "号码",
        "phone",
        "fax",
        "mobile",
        "cell",
    ),
    *(
        "tel",
        "whatsapp",
        "desk",
        "landline",
        "hotline",
        "sms",
        "reach",
        "call",
        "text",
        "ring",
        "dial",
        "contact",
        "answer",
    ),
    *("message", "registered", "number"),
)
_LINES = (
    "office",
    "fax",
    "mobile",
    "cell",
    "home",
    "desk",
    "work",
    "direct",
    "landline",
    "tel",
    "手机",
    "座机",
    "传真",
    "办公",
)


def phones() -> Iterator[Detector]:
    """Give what finds them."""
    yield from _chinese_mobiles()
    yield from _international()
    yield from _american()
    yield from _with_trunk_zero()
    yield from _named()


def _chinese_mobiles() -> Iterator[Detector]:
    yield detector(
        "phone",
        r"(?<![0-9A-Z])(?<![0-9]\.)(?:(?:\+|00)?86[ -]?)?1[3-9][0-9](?:[ \t-]{0,2}[0-9]){8}"
        r"(?![0-9])(?!\.[0-9]{0,9}[1-9])(?!,[0-9]{3}(?![0-9]))",
        _is_mobile,
        unless=_is_no_line,
    )
    gap = r"[\s.·•・/_,—~()\ufe0f\u20e3-]{1,4}"
    yield detector("phone", rf"{LEFT}(?:\+?86{gap})?1[3-9][0-9]{gap}[0-9]{{4}}{gap}[0-9]{{4}}{RIGHT}", _is_mobile)
    # Without a comma: eleven numbers of a list are no telephone.
    single = r"[\s.·•・_\ufe0f\u20e3-]{1,3}"
    yield detector("phone", rf"{LEFT}1(?:{single}[0-9]){{10}}(?![0-9A-Za-z_])(?!{single}[0-9])", _is_mobile)
    yield detector("phone", rf"{LEFT}1[3-9](?:[ .·-][0-9]{{2}}){{4}}[ .·-]?[0-9]{RIGHT}", _is_mobile)


def _international() -> Iterator[Detector]:
    group = r"(?:[ .-]{0,2}(?:\([0-9]{1,6}\)|[0-9]{1,6}))"
    yield detector(
        "phone", rf"(?<![0-9A-Za-z+])\+[1-9][0-9]{{0,2}}{group}{{1,7}}{_EXTENSION}(?![0-9])", _has_digits(9, 15)
    )
    yield detector(
        "phone",
        rf"{LEFT}00[1-9][0-9]{{0,2}}(?:[ -][0-9]{{1,5}}){{2,6}}{_EXTENSION}{RIGHT}",
        _has_digits(9, 17),
        unless=is_ordered,
    )


def _american() -> Iterator[Detector]:
    # No area code is 400: what begins so is a company's hot line in China.
    area = r"(?!400)[2-9][0-9]{2}"
    yield detector(
        "phone",
        rf"{LEFT}(?:1[ .-]?)?(?:\({area}\)[ .-]?|{area}[ .-])[0-9]{{3}}[ .-][0-9]{{4}}{_EXTENSION}{RIGHT}",
        unless=is_ordered,
    )


def _with_trunk_zero() -> Iterator[Detector]:
    yield detector(
        "phone",
        rf"{LEFT}0[1-9][0-9]{{1,2}}(?:[ -][0-9]{{4}}[ -]?[0-9]{{3,4}}|[0-9]{{4}}[ -][0-9]{{3,4}})(?:-[0-9]{{2,5}})?{_EXTENSION}{RIGHT}",
        _has_digits(10, 18),
        unless=is_ordered,
    )
    area = r"0(?:10|2[0-9]|[3-9][0-9]{2})"
    yield detector(
        "phone",
        rf"{LEFT}{area} ?(?:[.·~-]|—{{1,2}}) ?[0-9]{{4}}[ -]?[0-9]{{3,4}}{_EXTENSION}{RIGHT}",
        _has_digits(10, 18),
        unless=is_ordered,
    )
    yield detector("phone", rf"{LEFT}0[17][0-9]{{3}}[ -][0-9]{{6}}{RIGHT}", unless=is_ordered)
    # Without a gap only where the area code and the length are Chinese.
    yield detector("phone", rf"{LEFT}{area}[0-9]{{8}}{_EXTENSION}{RIGHT}", unless=is_ordered)
    yield detector("phone", rf"{LEFT}0[3-9][0-9]{{2}}[0-9]{{7}}{_EXTENSION}{RIGHT}", unless=is_ordered)
    yield detector(
        "phone", rf"{LEFT}0[1-9][0-9]{{0,3}}(?:[ -][0-9]{{2,4}}){{2,4}}{RIGHT}", _has_digits(9, 12), unless=is_ordered
    )
    yield detector("phone", rf"{LEFT}0[1-9](?:\.[0-9]{{2}}){{4}}{RIGHT}", unless=is_ordered)
    yield detector("phone", rf"{LEFT}0[1-9][0-9]{{1,3}} ?/ ?[0-9]{{5,8}}{RIGHT}", _has_digits(9, 12), unless=is_ordered)
    yield detector(
        "phone",
        rf"(?<![0-9A-Za-z])\(0?[0-9]{{2,3}}\) ?[0-9]{{3,5}}[ -]?[0-9]{{3,5}}{_EXTENSION}{RIGHT}",
        _has_digits(8, 18),
        unless=is_ordered,
    )


def _named() -> Iterator[Detector]:
    """Give what finds numbers beside a word for a telephone: before them 电话, `call me on`; behind them `-Fax`."""
    yield detector(
        "phone",
        rf"{_WORD}{label(16)}(?P<hit>\(?\+?[0-9](?:[ .()/-]{{0,2}}[0-9]){{6,14}}{_EXTENSION})(?![0-9A-Za-z])(?!\.[0-9])",
        _is_number_by_name,
        needs=_WORDS,
    )
    line = r"(?i:office|fax|mobile|cell|home|desk|work|direct|landline|tel)(?![a-z])|手机|座机|传真|办公"
    number = r"\(?[0-9]{1,5}\)?(?:[ .-][0-9]{2,6}){1,4}"
    yield detector(
        "phone",
        rf"{LEFT}(?P<hit>{number}){_EXTENSION} ?[(-]? ?(?:{line})",
        _has_digits(7, 15),
        unless=is_ordered,
        needs=_LINES,
    )
    yield detector("phone", rf"{LEFT}(?P<hit>[0-9]{{7,15}}) ?[(-] ?(?:{line})", unless=is_ordered, needs=_LINES)


def _is_no_line(folded: str, start: int, end: int) -> bool:
    """Tell whether eleven digits count something, such as money or views, or are an order's."""
    if _MEASURED.match(folded, end) or _AMOUNT.search(folded[max(0, start - INTRODUCED_CHARS) : start]):
        return True
    return is_ordered(folded, start, end)


def _has_digits(least: int, most: int) -> Callable[[str], bool]:
    return lambda hit: least <= len(only_digits(hit)) <= most and not _DATE.match(hit)


def _is_number_by_name(hit: str) -> bool:
    """Seven to twenty-one digits that are called a number; not the version of a messenger such as 8.0.47.2560."""
    return _has_digits(7, 21)(hit) and re.match(r"[0-9]{1,2}\.[0-9]\.", hit) is None


def _is_mobile(hit: str) -> bool:
    return re.fullmatch(r"(?:00)?(?:86)?1[3-9]\d{9}", only_digits(hit)) is not None
