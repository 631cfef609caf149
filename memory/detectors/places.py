"""Places: Chinese addresses down to a house, whole; of them the city is told again, and a city or a district alone stays."""

from __future__ import annotations

import re
from collections.abc import Iterator

from memory.detectors.detector import HAN, Detector, detector

_NAME = f"[{HAN}]"
_PROVINCE = (
    r"(?:(?:北京|天津|上海|重庆)市?|(?:河北|山西|辽宁|吉林|黑龙江|江苏|浙江|安徽|福建|江西|山东|河南|湖北|湖南|广东|海南|四川|贵州|"
    r"云南|陕西|甘肃|青海|台湾)省?|内蒙古(?:自治区)?|广西(?:壮族自治区)?|西藏(?:自治区)?|宁夏(?:回族自治区)?|"
    r"新疆(?:维吾尔自治区)?|(?:香港|澳门)(?:特别行政区)?)"
)
_BREAK = r"[在于到去是址我你他她它的了，、。]"
"""What no name of a place holds."""
_BEFORE = rf"(?:{_BREAK}|[住居家寄送回来从往为叫搬把给和与跟及离至位省市区县镇乡村])"
"""What does not belong to the first name of an address, which nothing but the sentence stands before."""
_UNIT = rf"(?:(?!{_BREAK}){_NAME}){{1,8}}?(?:自治州|地区|市|州|盟|新区|区|自治县|县|旗|街道|镇|乡|村)[ ,]?"
_FIRST = rf"(?:(?!{_BEFORE}){_NAME}){{1,6}}(?:自治州|地区|市|新区|区|自治县|县|旗|街道|镇|乡|村)[ ,]?"
_UPPER = rf"(?:{_PROVINCE}[ ,]?(?:{_UNIT}){{0,4}}|{_FIRST}(?:{_UNIT}){{0,4}})"
_NUMBER = "(?:[甲乙丙丁附新]?[0-9]{1,5}(?:-[0-9]{1,5}){0,2}|[零〇一二三四五六七八九十百千两]{1,7})"
_HOUSE = (
    rf"(?:(?!{_BEFORE}){_NAME}){{0,8}}?(?:{_NUMBER}|[A-Z][0-9]{{0,3}}) ?(?:号楼|号院|号门|栋|幢|座|单元|楼|层|室|房|户)"
)
# No street is a 思路, a 电路, a 频道; 水电路 is one.
_ROAD = r"(?:大街|大道|大路|(?<!(?<![水相日])[思电套出线退歧末绝短销赶迷陌])路|街|巷|胡同|弄|里弄|(?<![知频味隧跑报难轨管渠])道|条)(?:东|西|南|北|中)?(?:[段路]|[一二三四五六七八九十1-9]段)?"
_NOT_A_CHOICE = "(?!线|方案|方法|选手|作品)"
_ESTATE = r"(?:小区|花园|花苑|公寓|家园|新村|新城|大厦|广场|庄园|别墅|宿舍|佳苑|雅苑|名苑|苑|府|湾|城|庭|阁|轩)"
_ROOM = (
    rf"(?:[ ,-]?(?:{_HOUSE}|{_NUMBER}(?:号|弄|组))){{0,6}}(?:(?<=[座栋幢元楼层])-?[0-9]{{2,5}})?"
    rf"(?:(?<=号)(?:(?!{_BEFORE}){_NAME}){{1,6}}?(?:小区|花园|花苑|公寓|家园|新村|大厦|园区|广场|[^\W一二三四五六七八九十]苑|府邸)(?:[A-Z]?[0-9]{{2,5}}室?)?)?"
)


_CITY = re.compile(
    rf"(?:{_PROVINCE}[ ,]?)?(?:(?!{_BREAK}){_NAME}){{2,8}}?(?:市|自治州|地区|盟)(?![场区政])|{_PROVINCE}"
)


def city_of(address: str) -> str:
    """Give the province and city that a Chinese address begins with, "" where it names none."""
    found = _CITY.match(address)
    return found[0].strip(" ,") if found else ""


def places() -> Iterator[Detector]:
    """Give what finds them."""
    needs = ("号", "弄", "栋", "幢", "座", "组", "室")
    street = rf"(?:(?!{_BEFORE}){_NAME}|和){{1,8}}?{_ROAD}"
    yield detector(
        "street", rf"(?:{_UPPER})?{street}{_NUMBER}(?:[号弄]{_NOT_A_CHOICE}|室){_ROOM}", needs=needs, digits=False
    )
    apart = rf"(?:(?!{_BEFORE}){_NAME}|和){{2,8}}?{_ROAD}(?<=[路街巷弄道段])(?<![人车行]道)"
    yield detector(
        "street", rf"(?:{_UPPER})?{apart} ?{_NUMBER} ?(?:[号弄]{_NOT_A_CHOICE}|室){_ROOM}", needs=needs, digits=False
    )
    # After a province, a city and so on the names of streets may hold any character.
    after = rf"(?:(?!{_BREAK}){_NAME}){{1,10}}?{_ROAD}"
    yield detector(
        "street", rf"{_UPPER}{after} ?{_NUMBER} ?(?:[号弄]{_NOT_A_CHOICE}|室){_ROOM}", needs=needs, digits=False
    )
    yield detector(
        "street",
        rf"(?:{_UPPER})?(?:(?!{_BEFORE}){_NAME}){{0,10}}?{_ESTATE}(?:[一二三四五六七八九十0-9]{{1,2}}期)?"
        rf"(?:[0-9A-Z]{{1,4}}|[一二三四五六七八九十]{{1,3}})(?:号楼|栋|幢|座)(?:{_ROOM})(?:[0-9]{{2,5}}室?)?",
        needs=needs,
        digits=False,
    )
    yield detector(
        "street", rf"[0-9A-Z]{{1,4}}(?:号楼|栋|幢|座){_ROOM}[0-9]{{2,5}}室?(?![0-9])", needs=needs, digits=False
    )
    # A new town, a village or an estate in which the houses are numbered without a street.
    yield detector("street", rf"{_PROVINCE}[ ,]?(?:{_UNIT}){{1,4}}{_NUMBER}号(?!线){_ROOM}", needs=needs, digits=False)
    yield detector(
        "street",
        rf"(?:{_UPPER})?(?:(?!{_BEFORE}){_NAME}){{1,8}}?{_ESTATE}{_NUMBER}(?:室|号[0-9]{{1,4}}室){_ROOM}",
        needs=("室",),
        digits=False,
    )
    yield detector(
        "street",
        rf"(?:{_UPPER}|(?:(?!{_BEFORE}){_NAME}){{1,6}}?[村屯庄])(?:(?!{_BEFORE}){_NAME}){{0,6}}?{_NUMBER}[组队社]{_NUMBER}号?",
        needs=("组", "队", "社"),
        digits=False,
    )
