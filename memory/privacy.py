"""Privacy: replace what must not be kept (secrets, numbers that name a person) by typed placeholders.

Kept on purpose: names, cities, birthdays, order, ticket and tracking numbers, prices, versions, dates. A number that is
introduced as an order's, a ticket's or a parcel's stays, unless it is exactly a mainland mobile number or a resident's id
whose check digit is right: then privacy wins.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cache
from typing import Literal, NamedTuple, cast, get_args

from memory.digits import has_resident_check, is_account, is_card, is_resident_id, only_digits
from memory.plain_yaml import read_yaml
from memory.surrogates import visible

PrivateKind = Literal["phone", "email", "national_id", "bank_card", "iban", "us_ssn", "passport", "secret", "street"]
PLACEHOLDER = re.compile(r"\[(?:" + "|".join(get_args(PrivateKind)) + r")\]")
FULL_WIDTH = {code: code - 0xFEE0 for code in range(0xFF01, 0xFF5F)} | {0x3000: 0x20}
SEPARATORS = {0x2010: "-", 0x2011: "-", 0x2012: "-", 0x2013: "-", 0x00A0: " ", 0x2009: " ", 0x202F: " "}
INTRODUCED_CHARS = 24

_HAN = r"\u3400-\u9fff"
_LEFT = r"(?<![0-9A-Za-z_])(?<![0-9][.,])(?<!#)"
_RIGHT = r"(?![0-9A-Za-z_])(?![.,][0-9])"
_ORDERED = re.compile(
    r"(?:订单|单号|运单|快递|物流|工单|流水|交易|发票|编号|批次|票号|(?<![a-z])(?:order|tracking|ticket|invoice|"
    r"case|reference|ref|sku|shipment|parcel|transaction|serial|build))"
    r"(?:\s?(?:号码?|编号|number|no\.?|num|id|#))*\s*(?:是|为|:|=|is|was)?\s*[#(\"']?\s*$",
    re.IGNORECASE,
)
_CHINESE_DIGITS = str.maketrans("零〇○一二三四五六七八九幺两壹贰叁肆伍陆柒捌玖", "00012345678912123456789")
_SPOKEN = "0-9零〇○一二三四五六七八九幺两壹贰叁肆伍陆柒捌玖"
_SPOKEN_NUMBER = re.compile(rf"(?<![{_SPOKEN}])[{_SPOKEN}](?:[ \t,，、.·-]{{0,2}}[{_SPOKEN}]){{10,}}+")
_DATE = re.compile(r"(?:19|20)\d\d[-/. ](?:0?[1-9]|1[0-2])[-/. ](?:0?[1-9]|[12]\d|3[01])(?!\d)")


class Found(NamedTuple):
    """What was replaced: its kind and where it stood in what is visible of the text that was given."""

    kind: PrivateKind
    start: int
    end: int


@dataclass(frozen=True, kw_only=True)
class Redacted:
    """The text with placeholders, and what they stand for, in the order of the text."""

    text: str
    found: tuple[Found, ...]


@dataclass(frozen=True, kw_only=True)
class Detector:
    """A pattern (its group `hit`, else all of it, is what is private) and what must hold besides."""

    kind: PrivateKind
    pattern: re.Pattern[str]
    holds: Callable[[str], bool] = bool
    unless_ordered: bool = False


def redact(text: str) -> Redacted:
    """Replace everything private by placeholders such as `[phone]`.

    What cannot be seen is removed first. It takes any string, and redacting twice changes nothing more. Of two findings
    that overlap the longer is taken.
    """
    text = visible(text)
    found: list[Found] = []
    while fresh := _fresh(text, found):
        found = sorted([*found, *fresh], key=lambda each: each.start)
    return Redacted(text=_rendered(text, found)[0], found=tuple(found))


def fold(text: str) -> str:
    """Give full-width letters, digits and dashes as ASCII ones; every position stays what it was."""
    return text.translate(FULL_WIDTH).translate(SEPARATORS)


def _digits_folded(text: str) -> str:
    """Give every script's digits, and Chinese numerals said digit by digit, as ASCII ones; positions stay."""
    plain = text if text.isascii() else "".join(map(_as_ascii_digit, text))
    return _SPOKEN_NUMBER.sub(lambda run: run[0].translate(_CHINESE_DIGITS), plain)


def _as_ascii_digit(char: str) -> str:
    value = -1 if char.isascii() else unicodedata.digit(char, -1)
    return char if value < 0 else str(value)


def _fresh(text: str, found: list[Found]) -> list[Found]:
    current, origins = _rendered(text, found)
    taken = [match.span() for match in PLACEHOLDER.finditer(current)]
    fresh: list[Found] = []
    for each in sorted(_candidates(_digits_folded(fold(current))), key=lambda each: each.start - each.end):
        if each.start < each.end and not any(each.start < end and start < each.end for start, end in taken):
            taken.append((each.start, each.end))
            fresh.append(Found(each.kind, origins[each.start], origins[each.end - 1] + 1))
    return fresh


def _rendered(text: str, found: list[Found]) -> tuple[str, list[int]]:
    """Put the placeholders in; also say for each character where in `text` it comes from (-1: placeholder)."""
    parts: list[str] = []
    origins: list[int] = []
    done = 0
    for each in found:
        label = f"[{each.kind}]"
        parts += [text[done : each.start], label]
        origins += [*range(done, each.start), *[-1] * len(label)]
        done = each.end
    return "".join([*parts, text[done:]]), [*origins, *range(done, len(text))]


def _candidates(folded: str) -> Iterator[Found]:
    for detector in detectors():
        for match in detector.pattern.finditer(folded):
            start, end = match.span("hit" if "hit" in detector.pattern.groupindex else 0)
            if detector.holds(folded[start:end]) and not (detector.unless_ordered and _is_ordered(folded, start, end)):
                yield Found(detector.kind, start, end)


def _is_ordered(folded: str, start: int, end: int) -> bool:
    """Tell whether the number was introduced as an order's (or a ticket's …) and is no sure personal one."""
    if not _ORDERED.search(folded[max(0, start - INTRODUCED_CHARS) : start]):
        return False
    digits = only_digits(folded[start:end])
    is_mobile = re.fullmatch(r"1[3-9]\d{9}", digits) is not None
    return not is_mobile and not has_resident_check(digits)


def _has_digits(least: int, most: int) -> Callable[[str], bool]:
    return lambda hit: least <= len(only_digits(hit)) <= most and not _DATE.match(hit)


def _is_mobile(hit: str) -> bool:
    return re.fullmatch(r"(?:00)?(?:86)?1[3-9]\d{9}", only_digits(hit)) is not None


@cache
def detectors() -> tuple[Detector, ...]:
    """Give all detectors; the patterns are compiled at the first call."""
    return (*_secrets(), *_accounts(), *_phones(), *_places())


def _secrets() -> Iterator[Detector]:
    for row in secret_rows():
        yield Detector(kind="secret", pattern=re.compile(str(row["pattern"])))


def secret_rows() -> list[dict[str, object]]:
    """Read secrets.yaml: the patterns and, for the tests, the samples they must and must not find."""
    return cast(list[dict[str, object]], read_yaml("memory", "secrets.yaml"))


def _accounts() -> Iterator[Detector]:
    card = r"[0-9](?:[ -]?[0-9]){11,18}"
    local, host = r"A-Za-z0-9\u00c0-\u052f._%+-", r"(?:[A-Za-z0-9\u00c0-\u052f-]{1,63}\.){1,8}[A-Za-z]{2,24}"
    yield _of("email", rf"(?<![{local}])[{local}]['{local}]{{0,63}}[ \t]{{0,2}}@[ \t]{{0,2}}{host}")
    yield _of("email", rf"[{_HAN}]{{1,4}}[ \t]{{0,2}}@[ \t]{{0,2}}{host}")
    yield _of("national_id", rf"{_LEFT}[0-9]{{6}}[ -]?[0-9]{{8}}[ -]?[0-9]{{3}}[0-9Xx]{_RIGHT}", _is_id, True)
    yield _of("national_id", rf"{_LEFT}[0-9]{{15}}{_RIGHT}", _is_id, True)
    yield _of(
        "national_id",
        r"(?i:身份证件?|(?<![a-z])(?:national |resident )?id(?:entity)? ?(?:card)?)"
        rf"{_label(8)}(?P<hit>[0-9]{{17}}[0-9Xx]|[0-9]{{15}}){_RIGHT}",
    )
    yield _of("bank_card", rf"{_LEFT}{card}{_RIGHT}", lambda hit: is_card(only_digits(hit)), True)
    yield _of(
        "bank_card",
        rf"{_LEFT}[0-9]{{4}}(?:[\s._·/]{{1,2}}[0-9]{{4}}){{2,3}}(?:[\s._·/]{{1,2}}[0-9]{{1,4}})?{_RIGHT}",
        lambda hit: is_card(only_digits(hit)),
        True,
    )
    yield _of(
        "bank_card",
        r"(?i:银行卡|信用卡|储蓄卡|借记卡|卡号|银行账[号户]|(?<![a-z])(?:credit |debit |bank )?card|"
        rf"(?<![a-z])(?:bank )?account number){_label(10)}(?P<hit>{card}){_RIGHT}",
        _has_digits(12, 19),
    )
    yield _of(
        "iban",
        rf"{_LEFT}[A-Za-z]{{2}}[0-9]{{2}}(?: ?[A-Za-z0-9]{{4}}){{2,7}}(?: ?[A-Za-z0-9]{{1,3}})?{_RIGHT}",
        is_account,
    )
    yield _of("iban", rf"(?i:iban){_label(6)}(?P<hit>[A-Za-z]{{2}}[0-9]{{2}}(?: ?[A-Za-z0-9]){{10,30}}){_RIGHT}")
    yield _of("us_ssn", r"(?<![0-9A-Za-z-])(?!000|666)[0-9]{3}-(?!00)[0-9]{2}-(?!0000)[0-9]{4}(?![0-9A-Za-z-])")
    yield _of(
        "us_ssn",
        rf"(?i:(?<![a-z])ssn|social security){_label(8)}(?P<hit>[0-9]{{3}}[ -]?[0-9]{{2}}[ -]?[0-9]{{4}}){_RIGHT}",
    )
    yield _of(
        "passport", rf"(?i:护照|(?<![a-z])passport){_label(8)}(?P<hit>[A-Za-z]{{1,2}}[0-9]{{6,9}}|[0-9]{{9}}){_RIGHT}"
    )


def _phones() -> Iterator[Detector]:
    group = r"(?:[ .-]?\(?[0-9]{1,6}\)?)"
    yield _of(
        "phone",
        r"(?<![0-9A-Z])(?<![0-9]\.)(?:(?:\+|00)?86[ -]?)?1[3-9][0-9](?:[ \t-]{0,2}[0-9]){8}"
        r"(?![0-9])(?!\.[0-9]{0,9}[1-9])(?!,[0-9]{3}(?![0-9]))",
        _is_mobile,
        True,
    )
    gap = r"[\s.·•・/_,\ufe0f\u20e3-]{1,3}"
    yield _of("phone", rf"{_LEFT}(?:\+?86{gap})?1[3-9][0-9]{gap}[0-9]{{4}}{gap}[0-9]{{4}}{_RIGHT}", _is_mobile)
    yield _of("phone", rf"{_LEFT}1(?:{gap}[0-9]){{10}}(?![0-9A-Za-z_])(?!{gap}[0-9])", _is_mobile)
    yield _of("phone", rf"{_LEFT}1[3-9](?:[ .·-][0-9]{{2}}){{4}}[ .·-]?[0-9]{_RIGHT}", _is_mobile)
    yield _of("phone", rf"(?<![0-9A-Za-z+])\+[1-9][0-9]{{0,2}}{group}{{1,7}}(?![0-9])", _has_digits(8, 15))
    yield _of("phone", rf"{_LEFT}00[1-9][0-9]{{0,2}}(?:[ -][0-9]{{2,5}}){{2,4}}{_RIGHT}", _has_digits(9, 17), True)
    extension = r"(?: ?(?:x|ext\.?) ?[0-9]{1,6})?"
    yield _of(
        "phone",
        rf"{_LEFT}(?:1[ .-])?(?:\([2-9][0-9]{{2}}\) ?|[2-9][0-9]{{2}}[ .-])[0-9]{{3}}[ .-][0-9]{{4}}{extension}{_RIGHT}",
        unless_ordered=True,
    )
    yield _of("phone", rf"{_LEFT}0[1-9][0-9]{{1,2}}[ -]?[0-9]{{4}}[ -]?[0-9]{{3,4}}{_RIGHT}", _has_digits(10, 12), True)
    yield _of("phone", rf"{_LEFT}0[1-9][0-9]{{1,3}}(?:[ -][0-9]{{2,4}}){{2,4}}{_RIGHT}", _has_digits(9, 12), True)
    yield _of(
        "phone", rf"(?<![0-9A-Za-z])\(0?[0-9]{{2,3}}\) ?[0-9]{{3,5}}[ -]?[0-9]{{3,5}}{_RIGHT}", _has_digits(9, 12)
    )
    yield _of(
        "phone",
        r"(?i:电话|手机|座机|传真|联系方式|微信|(?<![a-z])(?:tele)?(?:phone|fax)|(?<![a-z])(?:mobile|cell|tel|whatsapp)|"
        rf"(?<![a-z])(?:reach|call|text) me (?:at|on)){_label(12)}"
        r"(?P<hit>\(?\+?[0-9](?:[ .()-]{0,2}[0-9]){6,14})(?![0-9A-Za-z])(?![.,][0-9])",
        _has_digits(7, 15),
    )


def _places() -> Iterator[Detector]:
    name = f"[{_HAN}]"
    stop = r"[省市区县州镇乡村住在于到去是址我你他她家的，、]"
    number = "(?:[0-9]{1,5}(?:-[0-9]{1,5})?|[零〇一二三四五六七八九十百千两]{1,7})"
    room = rf"(?:[ -]?{number}(?:号楼|号院|栋|幢|座|单元|楼|层|室|号)){{0,5}}"
    yield _of("street", rf"(?:(?!{stop}){name}){{1,6}}(?:大街|大道|路|街|巷|胡同|弄){number}[号弄](?!线){room}")
    yield _of("street", rf"[0-9]{{1,4}}(?:号楼|栋|幢|座){room}[0-9]{{2,5}}室?(?![0-9])")
    yield _of(
        "street",
        r"(?<![0-9A-Za-z-])[0-9]{1,6}[A-Za-z]?(?: (?:[A-Z][A-Za-z'.-]*|[0-9]{1,3}(?:st|nd|rd|th))){1,4}? "
        r"(?:Street|St|Road|Rd|Avenue|Ave|Lane|Ln|Drive|Dr|Boulevard|Blvd|Court|Ct|Place|Pl|Way|Terrace|Square|"
        r"Parkway|Pkwy|Highway|Hwy|Circle|Trail)(?![A-Za-z])(?:\.?,? (?:Apt|Apartment|Suite|Unit|Room)\.? ?#?\w+)?",
    )


def _label(most: int) -> str:
    """A pattern for what stands between a word such as 手机 and its number: 号码是, `number is`, a colon."""
    return rf"(?i:[\s:：=#是为号码()*]|(?<![a-z])(?:number|num|no\.?|of|is|was|card|code)(?![a-z])){{0,{most}}}"


def _is_id(hit: str) -> bool:
    return is_resident_id(only_digits(hit))


def _of(kind: PrivateKind, pattern: str, holds: Callable[[str], bool] = bool, unless_ordered: bool = False) -> Detector:
    return Detector(kind=kind, pattern=re.compile(pattern), holds=holds, unless_ordered=unless_ordered)
