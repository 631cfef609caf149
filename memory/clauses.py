"""Clauses: what of a message the user said in earnest, cut into the pieces that rules read.

What is not the user's own telling is blanked first: code, logs, quoted messages, links, another speaker's lines, our own
`<memory>` fences and lines of prompts that lost them. Every position stays what it is in the message, so that a quote can be cut from it.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from memory.asking import BEGINS, opens_asking, tells
from memory.privacy import fold
from memory.prompt_shapes import without_prompt
from memory.same.wording import simplified

BLANK = "\ufffc"
LONGEST_QUOTED_NAME = 12
LONGEST_SENTENCE = 600
"""Characters without a full stop; what is longer was pasted."""

_BLANKED = (
    re.compile(r"<\s*(memory|memories|recalled|context|system|tool|said)\b[^>]*>[\s\S]*?(?:<\s*/\s*\1\s*>|\Z)", re.I),
    re.compile(r"```[\s\S]*?(?:```|\Z)|~~~[\s\S]*?(?:~~~|\Z)"),
    re.compile(r"`[^`\n]*`"),
    re.compile(r"(?:https?|ftp|file)://[^\s，。；）)」”]+|(?<![A-Za-z0-9])www\.[^\s，。；）)」”]+"),
    re.compile(r"(?im)^[^\S\n]*+(?:assistant|ai|bot|model|system|tool|助手|助理|机器人|客服|系统)\s*:[\s\S]*?(?=^[^\S\n]*+(?:user|human|me|用户|我)\s*:|\Z)"),
    re.compile(
        r"(?i)(?<!我的)(?<!我自己的)(?<!本人)(?:网上|网友|豆瓣|微博|知乎|小红书|朋友圈|群里|客户|同事|同学|老板|领导|老师|家长|对方|别人|有人|采访|访谈|剧本|台词|对白|病历|摘录|节选|课文|歌词|周报|日报|月报|邮件|来信|留言"
        r"|评论|热评|帖子|公告|样例|范例|范文|模板|文案|例句|原文|会议记录|纪要|转写|字幕|ocr|识别结果|导出|日志|返回|查询结果|mock|问卷|须知|说明书|提示词|人设|投稿|书评|影评|辩论稿|借条|条款|小说|报道|新闻|征婚|启事|小传|阅读理解|转发)"
        r"[^。!?,;\n:]{0,12}(?<!\d):[\s\S]*\Z"
    ),
    re.compile(
        r"(?:翻译|翻成|译成|译为|润色|校对|改写|仿写|续写|扩写|缩写|造句|填空|朗读|背诵|听写|默写|复述|抄写|排版|输出|打印|病句|错别字|写成|(?:变|改|换|转)成[^。!?\n:]{0,4}(?:句|语气|口吻|文风|时态|人称)|写[^。!?\n:]{0,4}(?:开场白|广告语|自动回复|欢迎语|台词|文案|旁白)|(?<!我)(?:发|贴|转发|回复)(?:来|给我)?的(?=:)|(?:用|拿)[^。!?\n:]{1,4}(?:怎么|咋)(?:说|写|讲|表达))[^。!?\n:]{0,16}(?<!\d):[\s\S]*\Z"
    ),
    re.compile(
        r"\A[^:]*?(?:(?:这|上面|以上|前面)一?(?:句|段|些|个)?(?:话|文字|自我介绍|内容|介绍|文案|中文)?[^。!?\n:,]{0,8}(?:翻译|翻成|译成|润色|怎么说|怎么翻|通顺|地道|语法)"
        r"|用(?:英语|英文|日语|法语|韩语|德语|西班牙语|粤语)(?:怎么|咋)(?:说|写|讲|表达)|(?:翻译?|译)(?:一下)?成(?:英|日|法|韩|德|中|粤|文言)[文语言]?)[^。!?\n:]{0,6}[。!?]?\s*\Z"
    ),
    re.compile(
        r"(?i)(?<![a-z])(?<!my )(?<!our )(?:(?:customer|client|patient|advert|ad|persona|testimonial|lyrics?|excerpt|extract|transcript|sample|user story|(?:maths?|word) problem|riddle|(?:every|typical) (?:[a-z]+ ){0,2}[a-z]+ ever"
        r"|(?:this|that|these|the|her|his|their|following|someone's|somebody's) (?:[a-z]+ )?(?:bio|profile|review|quote|monologue|script|dialogue|caption|headline|tweet|passage|paragraph|sentences?|text|message|poem|song|story|post|comment|statement|phrase|diary))(?![a-z])"
        r"[^.?!\n:]{0,28}(?<![0-9]):|(?:maths? problem|word problem|riddle)\s-)\s[\s\S]*\Z"
    ),
    re.compile(
        r"(?i)(?<![a-z])(?<!i )(?<!to )(?:translate|paraphrase|rephrase|reword|correct|fix|proofread|roast|rate|summari[sz]e|analy[sz]e|critique|grade|continue|simplify|shorten|polish|punctuate)(?![a-z])(?![^.?!\n:]{0,40}(?<![a-z])(?:my|our)(?![a-z]))"
        r"[^.?!\n:]{0,32}?(?<![a-z])(?:(?:this|these|the|it)(?![a-z])[^.?!\n:]{0,24}(?<![0-9]):|(?:the following|below)[^.?!\n:]{0,24}[.:\n])\s[\s\S]*\Z"
    ),
    re.compile(r"(?m)^[^\S\n]*+(?!我|用户|问题|需求|背景|目标|要求|补充|备注|情况|请)[\u4e00-\u9fff]{1,4}:[^\n]+\n[^\S\n]*+(?!我|用户|问题|需求|背景|目标|要求|补充|备注|情况|请)[\u4e00-\u9fff]{1,4}:[^\n]+[\s\S]*\Z"),
    re.compile(r"(?m)^[^\S\n]*+(?:>|\$ |#!|\|).*$"),
    re.compile(r"(?m)^[^\S\n]*+(?:\[?\d{4}-\d\d-\d\d[T ]\d\d:\d\d|\[?(?:TRACE|DEBUG|INFO|WARN(?:ING)?|ERROR|FATAL|CRITICAL)\]?[\s:\[]).*$"),
    re.compile(r"(?m)^Traceback \(most recent call last\)[\s\S]*?(?=^\S.*Error\b.*$|\Z)(?:^\S.*Error\b.*$)?"),
    re.compile(r"(?m)^[^\S\n]*+(?:at [\w.$<>]+\(|(?:def|class|import|from|return|const|let|var|function|public|private|SELECT|INSERT|UPDATE) [^，。]*[(){};=.*]|[{}\[\]]|[\w.\]\[\"']+\s*=(?!=)\s*\S|[\"'][\w.-]+[\"']\s*:|<\/?[a-z][^>]*>).*$"),
    re.compile(r"(?im)^[^\S\n]*+(?:fwd|forwarded|transcript|ad copy|testimonial|review|resume|cv|bio|letter(?: to [a-z ]{2,20})?|notice|abstract|obituary|lyrics|caption|headline|patient|(?:crm )?row|ocr|[a-z]+ output|chapter [a-z0-9]+|[qa]|statement of [a-z]+(?: \([a-z]+\))?|(?:ticket|case) #?\d+ opened by [^:\n]{1,40})\s*[:.]\s.*$"),
    re.compile(r"(?m)^[^\S\n]*+(?:[Pp]atient (?:is|was) |(?:Hi|Hello|Dear) (?:all|team|colleagues|(?-i:(?!Sir|Madam|AI|Claude|Assistant)[A-Z][a-z]+)),).*$(?=[\s\S]*\n)"),
    re.compile(r"\[\d{1,2}:\d\d(?::\d\d)?\][^\[\n]*"),
    re.compile(r"(?m)^From: .*\n(?:(?:To|Cc|Subject|Date|Sent): .*\n)+[\s\S]*?(?=^--|^$|\Z)"),
)  # fmt: skip
_DECORATION = re.compile(
    r"[\U0001F000-\U0001F435\U0001F437-\U0001FAFF\u2600-\u27BF\u2B00-\u2BFF\uFE0F\u200D\u20E3\ufffd]+"
    r"|[:;]-?[)(D](?![A-Za-z0-9])|\^_*\^|\[(?!狗头|滑稽|坏笑|手动)[\u4e00-\u9fff]{1,4}\]|\((?:笑|哭|捂脸)\)"
)
"""Emoji, emoticons, stickers: they end what was told, like a comma. One that marks a joke (a dog's head) stays, so that
nothing is read in its clause."""
_QUOTED = re.compile(r"「[^」]*」|『[^』]*』|“[^”]*”|《[^》]*》|\"[^\"\n]*\"|(?<![A-Za-z0-9])'[^'\n]*'(?![A-Za-z0-9])")
_SPEAKING = re.compile(r"[,，。.!?！？;；]|我|(?<![a-z])(?:i|i'm|my|is|are|am)(?![a-z])", re.I)
_OWN_PREFIX = re.compile(r"(?im)^[^\S\n]*+(?:user|human|me|用户|我)\s*:\s*")
_ASKED_ON = re.compile(r"能不能|可不可以|要不要|该不该|该?怎么|如何|咋|有没有|有什么|有啥")
_OWNS = re.compile(r"我|咱|俺")
_SENTENCE_END = re.compile(
    r"[。!?；\n…]+|;+(?!\S)|\.{2,}(?=[A-Za-z])|(?<!\bMr)(?<!\bMs)(?<!\bDr)(?<!\bMrs)(?<!\be\.g)\.+(?!(?<=\b[Nn]o\.) ?#?[A-Za-z-]*[0-9])(?=\s|$|"
    + BLANK
    + ")|"
    + BLANK
    + r"{3,}"
)
_COMMA = re.compile(
    rf"{BEGINS}|"
    r"(?<![0-9]),|,(?![0-9])|、(?=我)|:(?=\s*(?:我|i\b|my\b))|\s+[-—–]{1,2}\s+|——|\s(?=(?:but|because|bc|cos|cuz|coz|since|so|although|though|tho|while)\s+(?:i|im|ive|my|he|hes|she|shes|please|pls)\b)"
    r"|\s(?=(?:not|rather\s+than|instead\s+of)\s+(?-i:[A-Z])[a-z]+$)|(?<=[\u4e00-\u9fff])(?=而不是)|(?<=[\u4e00-\u9fff])(?<![是要可又也都还就并总才说我他她你您们它这那而])(?=不是(?!吗|的|很|说|因为)[\u4e00-\u9fffA-Za-z0-9]{2,8}$)|(?<!\bme)\s(?=and\s+(?:also\s+)?(?:i|i'm|i've|we|we've|my|he|she|please|call|keep|answer|don't|work|live|study|love|like|hate|enjoy|prefer|have|am|use|come)\b)"
    r"|(?<=[\u4e00-\u9fff0-9])(?<![我你他她它您们这那谁到底就])(?=(?:能不能|可不可以|要不要|该不该|请问|求推荐|帮我(?!们)|该?怎么(?!样|了|着|说|回事)|如何|咋(?!了|样)|有没有|有什么|有啥))"
    r"|(?<=[\u4e00-\u9fff])\s+(?=[\u4e00-\u9fff])|(?<![不非])(?=但是?[不没我也还])|(?=(?:而且|并且|不过|因为|所以|然后|同时)(?:我|他|她|请|也))",
    re.I,
)


@dataclass(frozen=True, kw_only=True)
class Clause:
    """A piece of a message: where it stands, and where the sentence around it ends.

    `asked`: it is (part of) a question. `unreal`: supposed, reported, played or joked, not told.
    """

    start: int
    end: int
    sentence_start: int
    sentence_end: int
    asked: bool
    unreal: bool


@dataclass(frozen=True, kw_only=True)
class Reading:
    """A message, folded and blanked (as long as the message), and its clauses."""

    text: str
    clauses: tuple[Clause, ...]


@dataclass(frozen=True, kw_only=True)
class Signs:
    """The words of one language by which a clause is known not to be told in earnest.

    `machine` and `played` speak for the whole message: an agent said it, or somebody who plays a part.
    """

    question: re.Pattern[str]
    check_tag: re.Pattern[str]
    supposed: re.Pattern[str]
    supposing: re.Pattern[str]
    reported: re.Pattern[str]
    joke: re.Pattern[str]
    machine: re.Pattern[str]
    played: re.Pattern[str] | None = None


def read_message(text: str, signs: tuple[Signs, ...]) -> Reading:
    """Fold, simplify and blank a message and cut it into clauses, each marked for how it is meant."""
    clean = _undecorated(blanked(simplified(fold(text)).replace("’", "'").replace("‘", "'")))
    if any(each.machine.search(clean) or (each.played and each.played.search(clean)) for each in signs):
        return Reading(text=clean, clauses=())
    sentences = list(_sentences(clean))
    joked = _joked(clean, sentences, signs)
    clauses = [
        clause
        for number, (start, end) in enumerate(sentences)
        for clause in _clauses(clean, start, end, signs, unreal=number in joked)
    ]
    return Reading(text=clean, clauses=tuple(clauses))


def blanked(text: str) -> str:
    """Blank out what is not the user's own telling; the length stays the same."""
    text = _filled(_BLANKED[:5], text)
    text = without_prompt(text, text, BLANK)
    text = _OWN_PREFIX.sub(lambda match: " " * len(match.group()), text)
    return _QUOTED.sub(_unquoted, _filled(_BLANKED[5:], text))


def _filled(patterns: tuple[re.Pattern[str], ...], text: str) -> str:
    for pattern in patterns:
        text = pattern.sub(lambda match: BLANK * len(match.group()), text)
    return text


def _undecorated(text: str) -> str:
    return _DECORATION.sub(lambda match: "," * len(match.group()), text)


def _unquoted(match: re.Match[str]) -> str:
    """Keep a quoted name (its marks stay), blank what somebody said."""
    inner = match.group()[1:-1]
    if len(inner) <= LONGEST_QUOTED_NAME and not _SPEAKING.search(inner):
        return match.group()
    return BLANK * len(match.group())


def _sentences(text: str) -> Iterator[tuple[int, int]]:
    start = 0
    ends = [match.span() for match in _SENTENCE_END.finditer(text)]
    for end, following in [*ends, (len(text), len(text))]:
        if text[start:end].strip() and end - start <= LONGEST_SENTENCE:
            yield start, end
        start = following


def _joked(text: str, sentences: list[tuple[int, int]], signs: tuple[Signs, ...]) -> set[int]:
    """Number the sentences that are jokes; a remark such as 开玩笑的 that stands alone is about the one before."""
    joked: set[int] = set()
    for number, (start, end) in enumerate(sentences):
        found = next((match for each in signs if (match := each.joke.search(text, start, end))), None)
        if found:
            alone = not text[start : found.start()].strip(" ,我是的只")
            joked |= {number, number - 1} if alone else {number}
    return joked


def _clauses(text: str, start: int, end: int, signs: tuple[Signs, ...], *, unreal: bool) -> Iterator[Clause]:
    """Cut a sentence; what is supposed or reported colours all that follows in it."""
    pieces = list(_pieces(text, start, end))
    asked_as_a_whole = _ends_asking(text, end)
    for number, (first, last) in enumerate(pieces):
        piece = text[first:last]
        unreal = unreal or any(each.supposed.search(piece) or each.reported.search(piece) for each in signs)
        before = any(each.supposing.search(text[first:end]) for each in signs)
        is_last = number + 1 == len(pieces) or _is_check(text[pieces[number + 1][0] : end], signs)
        told_after = number > 0 and tells(piece) and opens_asking(text[slice(*pieces[0])])
        asked = (asked_as_a_whole and is_last and not told_after) or any(each.question.search(piece) for each in signs)
        asked = asked or _runs_into_question(text, first, last)
        yield Clause(
            start=first, end=last, sentence_start=start, sentence_end=end, asked=asked, unreal=unreal or before
        )


def _runs_into_question(text: str, start: int, end: int) -> bool:
    """Say whether a piece is asked on without a comma, and nobody is said to be asked about but people in general."""
    return _ASKED_ON.match(text, end) is not None and not _OWNS.match(text, start)


def _ends_asking(text: str, end: int) -> bool:
    return re.match(r"[\s~!。.…]*\?", text[end : end + 6]) is not None


def _is_check(rest: str, signs: tuple[Signs, ...]) -> bool:
    """Tell whether what follows only asks whether that is right: 对吗, "right"."""
    return any(each.check_tag.fullmatch(rest.strip(" ,")) for each in signs)


def _pieces(text: str, start: int, end: int) -> Iterator[tuple[int, int]]:
    first = start
    for match in _COMMA.finditer(text, start, end):
        yield from _stripped(text, first, match.start())
        first = match.end()
    yield from _stripped(text, first, end)


def _stripped(text: str, start: int, end: int) -> Iterator[tuple[int, int]]:
    while start < end and text[start] in f" \t\r,{BLANK}":
        start += 1
    while end > start and text[end - 1] in f" \t\r,{BLANK}":
        end -= 1
    if start < end:
        yield start, end
