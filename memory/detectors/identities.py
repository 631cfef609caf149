"""Identities: what an authority gave a person or a vehicle, and names in messengers."""

from __future__ import annotations

import re
from collections.abc import Iterator

from memory.detectors.detector import LEFT, RIGHT, Detector, detector, label
from memory.detectors.ordering import is_ordered
from memory.digits import is_date, is_resident_id, only_digits

_PROVINCE = "京津沪渝冀豫云辽黑湘皖鲁苏浙赣鄂桂甘晋蒙陕吉闽贵粤青藏川宁琼新"
_ID_WORD = (
    r"(?i:身份证件?|证件|户口本|(?<![a-z])(?:(?:national |resident |identity |personal )(?:id|identity|identification|card)|"
    r"id(?:entity|entification)? ?(?:card|number|no))(?![a-z]))"
)


_NO_NAME = (
    r"(?i:(?:android|iphone|windows|desktop|mobile|version|updates?|payments?|messages?|pending|unknown|nothing|anything|"
    r"[a-z]{2,16}(?:ed|ing|tion|able))(?![A-Za-z0-9_-]))"
)
"""Words that a remark about a messenger has."""
_IS_CHINESE = r"(?:就|才)?是(?:我|咱|他|她|您|你|家|妈|爸|本人|们){0,3}的?"
_IS_ENGLISH = r" (?:is|was) (?:my|our|his|her|their|your)"


def identities() -> Iterator[Detector]:
    """Give what finds them."""
    yield from _national()
    yield from _social_security()
    yield from _documents()
    yield from _plates()
    yield from _messengers()
    yield from _names_before_their_messenger()
    yield from _names_of_letters()


def _national() -> Iterator[Detector]:
    yield detector(
        "national_id",
        rf"{LEFT}[0-9]{{6}}[ -]?[0-9]{{4}}[ -]?[0-9]{{4}}[ -]?[0-9]{{3}}[0-9Xx]{RIGHT}",
        _is_id,
        unless=is_ordered,
    )
    yield detector("national_id", rf"{LEFT}[0-9]{{15}}{RIGHT}", _is_id, unless=is_ordered)
    yield detector(
        "national_id",
        rf"{_ID_WORD}{label(12)}(?P<hit>[0-9]{{17}}[0-9Xx]|[0-9]{{15}}|[A-Z]{{1,2}}[0-9]{{6}}\(?[0-9A]\)?|[A-Z][12][0-9]{{8}})"
        r"(?![0-9A-Za-z_])",
        unless=is_ordered,
        needs=("证", "户口", "id", "resident", "national", "personal"),
    )


def _social_security() -> Iterator[Detector]:
    yield detector(
        "us_ssn",
        r"(?<![0-9A-Za-z-])(?!000|666)[0-9]{3}-(?!00)[0-9]{2}-(?!0000)[0-9]{4}(?![0-9A-Za-z-])",
        unless=is_ordered,
    )
    yield detector(
        "us_ssn",
        rf"(?i:(?<![a-z])ssn|social security|社会?安全?号码?){label(12)}"
        rf"(?P<hit>[0-9]{{3}}[ -]?[0-9]{{2}}[ -]?[0-9]{{4}}){RIGHT}",
        needs=("ssn", "social security", "社"),
    )


def _documents() -> Iterator[Detector]:
    number = r"[A-Za-z]{1,2}[0-9]{6,9}|[A-Z]{1,2} [0-9]{6,9}|[0-9]{8,9}|(?=[A-Za-z]{0,8}[0-9])[A-Z0-9]{8,9}"
    yield detector(
        "passport",
        rf"(?i:护照|通行证|回乡证|台胞证|(?<![a-z])passport){label(16)}(?P<hit>{number}){RIGHT}",
        _is_no_date,
        needs=("护照", "证", "passport"),
    )
    yield detector(
        "passport",
        rf"{LEFT}(?P<hit>[A-Za-z]{{1,2}}[0-9]{{7,8}}|[0-9]{{9}})(?:\s?{_IS_CHINESE}[^，。,.\s0-9]{{0,4}}?(?:护照|通行证|回乡证|台胞证)|"
        rf"(?i:{_IS_ENGLISH} (?:[a-z]{{2,12}} ){{0,2}}passport(?![a-z])))",
        _is_no_date,
        unless=is_ordered,
        needs=("护照", "证", "passport"),
    )
    licence = r"(?=(?:[A-Za-z]{0,5}[ -]?[0-9]){3})[A-Za-z0-9](?:[ -]?[A-Za-z0-9]){4,17}"
    yield detector(
        "driver_license",
        r"(?i:(?<![a-z])(?:driver'?s?'?|driving) licen[sc]e(?![a-z])|驾驶证|驾照|行驶证|(?<=驾驶证)档案)"
        rf"(?:档案)?(?:编号)?{label(16)}(?P<hit>(?=[A-Z0-9]){licence}){RIGHT}",
        _has_many_digits,
        needs=("licen", "驾", "行驶证"),
    )


def _plates() -> Iterator[Detector]:
    # 北京A12345 is no plate but the city, and 最新A12345 no 新.
    yield detector(
        "plate",
        rf"(?:(?<![北南东])京|(?<![最全更创])新|(?<![阿里讯为百])云|[{_PROVINCE.replace('京', '').replace('新', '').replace('云', '')}])"
        r"[A-HJ-NP-Z][·•・. -]?(?=[A-HJ-NP-Z]{0,3}[0-9][A-HJ-NP-Z]{0,3}[0-9])"
        r"(?:[A-HJ-NP-Z0-9]{6}|[A-HJ-NP-Z0-9]{5}|[A-HJ-NP-Z0-9]{4}[挂学警港澳])(?![0-9A-Za-z_-])",
        needs=tuple(_PROVINCE),
    )
    yield detector(
        "plate",
        r"(?i:(?<![a-z])(?:licen[sc]e|number|registration|car|vehicle) plates?|(?<![a-z])plates?(?: (?:number|no\.?))?|"
        rf"(?<![a-z])(?:car|vehicle) registration|车牌){label(16)}"
        r"(?P<hit>(?=[A-Z -]{0,6}[0-9])[A-Z0-9ÄÖÜ]{1,7}(?:[ ·-][A-Z0-9]{1,4}){0,2})(?![0-9A-Za-z_-])",
        _is_plate,
        needs=("plate", "registration", "车牌"),
    )


def _is_plate(hit: str) -> bool:
    compact = re.sub(r"[ ·-]", "", hit)
    return re.fullmatch(r"(?=.*[A-ZÄÖÜ])[0-9A-ZÄÖÜ]{4,9}|[0-9]{5,8}", compact) is not None


def _messengers() -> Iterator[Detector]:
    name = r"[A-Za-z][A-Za-z0-9_-]{5,19}"
    telling = rf"(?=[A-Za-z]{{0,19}}[0-9_-]){name}"
    end = r"(?![A-Za-z0-9_@-])(?!\.[A-Za-z0-9])"
    wechat = r"微信|加我?[vV](?![A-Za-z])|薇信|威信|V信|v信|(?<![A-Za-z])(?:[vVwW][xX]|(?i:we ?chat))(?![a-zA-Z])"
    words = ("微信", "薇信", "威信", "v信", "加v", "加我v", "vx", "wx", "chat")
    called = r"(?:号码?|账号|(?i: ?(?:id|account|handle|name|username)(?![a-z])))?"
    yield detector("im_id", rf"(?:{wechat}){called}{label(8)}(?P<hit>{telling}){end}", needs=words, digits=False)
    yield detector(
        "im_id",
        rf"(?:微信|薇信|V信|v信)(?:号码?|账号|ID|id)[\s:是为叫]{{1,4}}(?P<hit>{name}){end}",
        needs=words,
        digits=False,
    )
    yield detector(
        "im_id", rf"(?i:we ?chat ?(?:id|handle|username)) ?[:=] ?(?P<hit>{name}){end}", needs=("chat",), digits=False
    )
    yield detector(
        "im_id",
        rf"(?<![A-Za-z])(?:[Qq][Qq]|扣扣)(?:号码?|账号)?{label(8)}(?P<hit>[1-9][0-9]{{4,10}}){RIGHT}",
        needs=("qq", "扣"),
    )
    handle = r"@?[A-Za-z][A-Za-z0-9_.]{3,30}[A-Za-z0-9]"
    yield detector(
        "im_id",
        r"(?i:(?<![a-z])(?:telegram|skype|signal|discord|line|snapchat|instagram)(?: (?:id|handle|name|username|user|account)){1,2}"
        rf"|(?:电报|飞书|钉钉|抖音|小红书|微博|快手)(?:号|账号|ID))(?:\s?(?:is|是|为|:|=)\s?)(?P<hit>{handle}|[0-9]{{6,12}}){end}",
        _is_telling,
        needs=("handle", "name", "id", "user", "account", "号"),
        digits=False,
    )
    yield detector(
        "im_id",
        rf"(?i:(?<![a-z])(?:telegram|skype|signal|discord|snapchat|instagram)){label(6)}(?P<hit>@[A-Za-z0-9_.]{{4,31}}[A-Za-z0-9]){end}",
        needs=("@",),
        digits=False,
    )


def _names_before_their_messenger() -> Iterator[Detector]:
    """Give what finds the name where the messenger comes after it: 12345678 是我的 QQ."""
    what = "音乐飞车空间邮箱群支付公众"
    yield detector(
        "im_id",
        rf"{LEFT}(?P<hit>[1-9][0-9]{{4,10}})(?:\s?{_IS_CHINESE}\s?(?:[Qq][Qq]|扣扣)(?![{what}])|(?i:{_IS_ENGLISH} qq(?![a-z])))",
        unless=is_ordered,
        needs=("qq", "扣"),
    )
    yield detector(
        "im_id",
        r"(?<![A-Za-z0-9_@.-])(?P<hit>(?=[A-Za-z]{0,19}[0-9_-])[A-Za-z][A-Za-z0-9_-]{5,19})"
        rf"(?:\s?{_IS_CHINESE}\s?微信(?![{what}])|(?i:{_IS_ENGLISH} we ?chat(?![a-z])))",
        needs=("微信", "chat"),
        digits=False,
    )


def _names_of_letters() -> Iterator[Detector]:
    """Give what finds a name that is a word, where somebody's own messenger is said or nothing follows it."""
    name = r"[A-Za-z][A-Za-z0-9_-]{5,19}(?![A-Za-z0-9_@-])(?!\.[A-Za-z0-9])"
    yield detector(
        "im_id",
        rf"(?:我|咱|他|她|你|您|加)的?微信(?:号码?)?\s?(?:就?是|叫|:)\s?(?!{_NO_NAME})(?P<hit>{name})(?!\s?(?:版|端|的|了|手机|系统|账号|[A-Za-z0-9]))",
        needs=("微信",),
        digits=False,
    )
    yield detector(
        "im_id",
        rf"(?:微信|(?i:(?<![a-z])we ?chat)) ?[:=] ?(?!{_NO_NAME})(?P<hit>{name})(?=\s{{0,3}}(?:[,.;，。；、!！?？)）\n]|\Z))",
        needs=("微信", "chat"),
        digits=False,
    )


def _is_no_date(hit: str) -> bool:
    return not (re.fullmatch("[0-9]{8}", hit) and is_date(hit))


def _is_telling(hit: str) -> bool:
    """A word alone may be the next one of the sentence."""
    return hit.startswith("@") or re.search(r"[0-9_.]", hit) is not None


def _is_id(hit: str) -> bool:
    return is_resident_id(only_digits(hit))


def _has_many_digits(hit: str) -> bool:
    return sum(char.isdigit() for char in hit) >= 5  # noqa: PLR2004
