"""The forms of asked times: each way to name a time, in Chinese and English."""

from __future__ import annotations

import re
from dataclasses import dataclass

from memory.ranking.asked_time_readings import (
    Found,
    Reading,
    Seen,
    from_today,
    read_festival,
    read_iso,
    read_month,
    read_season,
    read_slashed,
    read_year,
)
from memory.ranking.asked_time_relative import (
    read_ago,
    read_day_a_year_ago,
    read_lately,
    read_moment,
    read_month_zh,
    read_near_day,
    read_period,
    read_trailing,
    read_week_zh,
    read_weekday_en,
    read_weekday_zh,
)
from memory.times import COUNT, DAY_NAMES, ENGLISH_COUNT, MONTH_NAMES, NEAR_DAYS

_TOKEN = re.compile(r"[a-z]+|[\u3400-\u9fff]|/|(?:19|20)[0-9]{2}")
_START, _STOP = r"(?<![a-z0-9])", r"(?![a-z0-9])"
_YEAR = r"(?:19|20)[0-9]{2}"
_DAY = r"(?P<day>3[01]|[12][0-9]|0?[1-9])(?:st|nd|rd|th)?(?![0-9a-z])"
_HAN_MONTH = r"(?P<month>1[0-2]|0?[1-9]|十[一二]?|[一二三四五六七八九])"
_HAN_DAY = r"(?P<day>3[01]|[12][0-9]|0?[1-9]|三十一?|二?十[一二三四五六七八九]?|[一二三四五六七八九])[日号](?!码|楼|线)"
_HAN_YEAR = (
    rf"(?:(?P<year>{_YEAR}|[〇零一二三四五六七八九]{{4}}|(?<![0-9])[0-9]{{2}})年|(?P<near>前年|去年|今年|明年|后年))"
)
_HAN_PART = r"(?P<part>初|上旬|中旬|下旬|中(?!秋|国|心|间)|底|末)"
_PART = r"(?:(?P<part>early|mid|late|(?:the )?(?:beginning|start|middle|end) of)[ -](?:in )?(?:the )?)?"
_WHICH = r"(?:(?P<which>last|this|next|past) )?"
_OF_YEAR = rf"(?:,? (?:of )?(?P<year>{_YEAR})(?![0-9])|,? (?:of )?(?P<near>last|this|next) year)?"
_UNITS = r"(?P<unit>days?|weeks?|weekends?|months?|years?)"
_HAN_UNITS = r"(?P<unit>天|日|周|星期|礼拜|月|年)"
_FESTIVALS_EN = (
    r"(?P<festival>christmas(?: eve| day)?|xmas|new year(?:'?s)?(?: eve| day)?|thanksgiving|halloween|valentine'?s day|easter|"
    r"(?:the )?(?:spring|mid-autumn|dragon boat) festival|(?:chinese|lunar) new year|national day|labou?r day)"
)
_FESTIVALS_ZH = (
    r"(?P<festival>除夕|年三十|春节|过年|新春|大年初[一二三]|元宵节?|端午节?|中秋节?|清明节?|元旦|新年|跨年|五一(?:假期|节|黄金周)|劳动节|"
    r"国庆节?|十一(?:假期|长假)|圣诞节?|平安夜|情人节|万圣节?|感恩节|复活节|暑假|寒假)"
)


@dataclass(frozen=True, kw_only=True)
class Form:
    """One way to name a time, and how to read it; a text that has none of its hints cannot have it.

    Hints are English words, single Chinese characters, "/", and "0" for what looks like the number of a year.
    """

    hints: frozenset[str]
    pattern: re.Pattern[str]
    read: Reading


def hinted(text: str) -> list[Form]:
    """Give the forms that a text can have at all: most have none."""
    tokens = {"0" if token.isdigit() else token for token in _TOKEN.findall(text.lower())}
    return [form for form in FORMS if not form.hints.isdisjoint(tokens)]


def phrases(text: str, seen: Seen) -> list[Found]:
    """Find the times that a text names, in order; of two that overlap the one that begins first, then the longer."""
    matches = [(match, form) for form in hinted(text) for match in form.pattern.finditer(text)]
    matches.sort(key=lambda each: (each[0].start(), -each[0].end()))
    kept: list[Found] = []
    for match, form in matches:
        if (not kept or match.start() >= kept[-1][0].end()) and (days := form.read(match, seen)) is not None:
            kept.append((match, days))
    return kept


def _form(hints: str, pattern: str, read: Reading) -> Form:
    return Form(hints=frozenset(hints.split()), pattern=re.compile(pattern, re.IGNORECASE), read=read)


_MONTHS = (
    "jan january feb february mar march apr april may jun june jul july aug august sep sept september oct october "
    "nov november dec december"
)
_ENGLISH_DAYS = "|".join(word for word in NEAR_DAYS if word.isascii())
_HAN_DAYS = "|".join(sorted((word for word in NEAR_DAYS if not word.isascii()), key=len, reverse=True))

FORMS = (
    _form(
        "0",
        rf"(?<![0-9./-])(?P<year>{_YEAR})[-/.](?P<month>1[0-2]|0?[1-9])[-/.](?P<day>3[01]|[12][0-9]|0?[1-9])(?![0-9])",
        read_iso,
    ),
    _form("0", rf"(?<![0-9./-])(?P<year>{_YEAR})[-/](?P<month>1[0-2]|0[1-9])(?![0-9/.-])", read_iso),
    _form("/", r"(?<![0-9./-])(?P<first>[0-3][0-9])/(?P<second>[0-3][0-9])(?![0-9./-])", from_today(read_slashed)),
    _form(
        "月",
        rf"(?<![0-9一二三四五六七八九十几.每])(?:{_HAN_YEAR}的?)?(?<![0-9一二三四五六七八九十])"
        rf"{_HAN_MONTH}月(?![天饼亮经薪租票球])份?(?:的?(?:{_HAN_DAY}|{_HAN_PART}))?",
        read_month,
    ),
    _form(
        "月",
        rf"(?P<which>上{{1,2}}个?|下{{1,2}}个?|本|这个?)月(?!底薪|经)份?(?:的?月?(?:{_HAN_DAY}|{_HAN_PART}))?",
        from_today(read_month_zh),
    ),
    _form("年", rf"{_HAN_YEAR}(?![前后代级])(?:的?年?(?:(?P<half>[上下])半年|{_HAN_PART}))?", read_year),
    _form("春 夏 秋 冬", rf"(?:{_HAN_YEAR}的?)?(?P<season>[春夏秋冬])(?:天|季)", read_season),
    _form(
        "节 年 春 宵 午 秋 明 旦 庆 一 诞 夜 夕 圣 假",
        rf"(?:{_HAN_YEAR}的?)?{_FESTIVALS_ZH}",
        read_festival,
    ),
    _form("天 日 晚 早", rf"(?<![目以之])(?:{_HAN_DAYS})(?!气)", from_today(read_near_day)),
    _form(
        "今 today this",
        r"去年的?今[天日]|\b(?:a|one) year ago today\b|\bthis (?:very )?day last year\b|\bthis time last year\b",
        from_today(read_day_a_year_ago),
    ),
    _form("刚 now ago", r"刚才|刚刚|\bjust now\b|\ba (?:moment|minute) ago\b", from_today(read_moment)),
    _form(
        "近 前 这 recently lately days day",
        r"最近(?!一次|的)|近来|近期|近日|\b(?:recently|lately|these days)\b|(?P<days>前几天|前两天|前些天|前阵子?|这几天|这两天|\bthe other day\b)",
        from_today(read_lately),
    ),
    _form(
        "周 星 礼",
        r"(?<![每一二三四五六七八九十两几0-9])(?P<which>上{1,2}个?|下{1,2}个?|本|这个?)?(?:周|星期|礼拜)"
        r"(?P<weekday>[一二三四五六日天])(?![年个天周次])",
        from_today(read_weekday_zh),
    ),
    _form(
        "周 星 礼",
        r"(?P<which>上{1,2}个?|下{1,2}个?|本|这个?)(?:周末?|星期|礼拜)(?![一二三四五六日天末])",
        from_today(read_week_zh),
    ),
    _form("末", r"(?P<which>)(?<![每个])周末(?!都|一般|通常|经常)", from_today(read_week_zh)),
    _form(
        "前",
        rf"(?P<count>半|几|好几|数|一两|两三|{COUNT})个?{_HAN_UNITS}多?(?:之|以)?前(?![年天])",
        from_today(read_ago),
    ),
    _form("后", rf"(?P<count>半|几|{COUNT})个?{_HAN_UNITS}(?P<ahead>(?:之|以)?后)(?!年)", from_today(read_ago)),
    _form(
        "去 近 这 前",
        rf"(?:过去|最近|近|这|前)的?(?P<count>几|一两|两三|{COUNT})个?{_HAN_UNITS}(?!前|之前|以前)(?:里|内|来|以来)?",
        from_today(read_trailing),
    ),
    _form(
        _MONTHS,
        rf"{_START}{_PART}{_WHICH}(?P<month>{MONTH_NAMES})(?: (?:the )?{_DAY})?{_OF_YEAR}{_STOP}",
        read_month,
    ),
    _form(
        _MONTHS,
        rf"(?<![0-9a-z])(?:the )?{_DAY}(?: of)? (?P<month>{MONTH_NAMES}){_OF_YEAR}{_STOP}",
        read_month,
    ),
    _form(
        "spring summer autumn fall winter",
        rf"{_START}{_PART}{_WHICH}(?P<season>spring|summer|autumn|fall|winter)(?! festival){_OF_YEAR}{_STOP}",
        read_season,
    ),
    _form(
        "christmas xmas year years thanksgiving halloween valentine valentines easter festival national labor labour",
        rf"{_START}{_WHICH}{_FESTIVALS_EN}{_OF_YEAR}{_STOP}",
        read_festival,
    ),
    _form("0", rf"(?<![0-9a-z./:-]){_PART}(?P<year>{_YEAR})(?![0-9a-z]|[/.:-][0-9])", read_year),
    _form(
        "yesterday today tonight tomorrow night morning afternoon evening",
        rf"{_START}(?:{_ENGLISH_DAYS}|(?:earlier )?today|this (?:morning|afternoon|evening)){_STOP}",
        from_today(read_near_day),
    ),
    _form(
        "monday tuesday wednesday thursday friday saturday sunday mon tue tues wed thu thurs fri sat sun",
        rf"{_START}{_WHICH}(?P<weekday>{DAY_NAMES})(?:,? (?:of )?(?P<week>last|this|next) week)?{_STOP}",
        from_today(read_weekday_en),
    ),
    _form(
        "week weekend month year",
        rf"{_START}{_PART}(?:(?:earlier|later) )?(?:the )?(?P<which>last|this|next|past) (?P<unit>week|weekend|month|year){_STOP}",
        from_today(read_period),
    ),
    _form(
        "before",
        rf"{_START}the (?P<unit>week|weekend|month|year) (?P<twice>before last){_STOP}",
        from_today(read_period),
    ),
    _form("weekend", rf"{_START}the (?P<unit>weekend){_STOP}", from_today(read_period)),
    _form(
        "ago earlier back prior",
        rf"{_START}(?P<count>half an?|(?:a )?few|several|some|{ENGLISH_COUNT}) {_UNITS} (?:ago|earlier|back|prior){_STOP}",
        from_today(read_ago),
    ),
    _form(
        "day days week weeks weekend weekends month months year years",
        rf"{_START}(?P<ahead>in) (?!an? (?:day|year))(?P<count>{ENGLISH_COUNT}) {_UNITS}{_STOP}",
        from_today(read_ago),
    ),
    _form(
        "days weeks months years",
        rf"{_START}(?:the|these) (?:last|past)(?: (?P<count>few|couple of|couple|several|{ENGLISH_COUNT}))? (?P<unit>days|weeks|months|years){_STOP}",
        from_today(read_trailing),
    ),
)
"""All forms; which of them reads a text first does not matter."""
