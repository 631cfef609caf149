"""Taking back: which words of the user say that something kept no longer holds, or is to be forgotten.

A model's retraction must rest on unmistakable ones (`unmistakably_takes_back`); the gate refuses anybody's that rests on
words to keep it, and one of what could do harm without any such word (`may_take_back`). All texts are folded before.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from memory.keys import KeySpec

_FORGET_EN = re.compile(r"\b(?:forget|delete|remove|erase|drop|scrub|wipe)\b")
_FORGET_ZH = re.compile(r"忘掉|忘记|忘了|删掉|删除|删了|删|去掉|抹掉|清除|(?:别|不用|不要)(?:再)?记(?!得|错)")
_ASKING_EN = re.compile(
    r"(?:(?:please|kindly|can you|could you|will you|would you|you (?:can|may|should|must)|now|just|also|and|so|then|ok|okay|hey|hi|well|actually"
    r"|go ahead and|i (?:want|need|would like) you to|i'd like you to|feel free to|i want to|it's (?:ok|okay|fine|time) to)[\s,!:]*)*"
)
_ASKING_ZH = re.compile(
    r"(?:请|麻烦|帮我|给我|替我|你|您|可以|能不能|可不可以|能否|能|现在|直接|那就|那|就|都|,|\s)*(?:把[^,]{1,16}?)?(?:给我|给|都|全部|全)?"
)
_BLAMING_ZH = re.compile(r"(?:请|麻烦|帮我|替我|给我|可以|\s)*(?:把[^,]{1,16}?)?(?:给我|都)?")
_ELSEWHERE = re.compile(r"\b(?:and|but|or|then|so)\b(?! my)|[,;，；]|但|(?<!我)和(?!我)")
_TAIL = re.compile(
    r"[\s.!~]*(?:(?:information|info|data|entry|entries|record|records|details|fact|note|from (?:your |the )?memory|for good|completely|entirely|please|now|again"
    r"|any ?more|的|信息|记录|资料|数据|这件事|这一?条|这个|事|吧|了|掉|删除|删掉|忘掉|忘了|清除|抹掉|给|都|全部|谢谢)[\s.!~]*)*"
)
_KEEPING = re.compile(
    r"(?:别|不要|不许|不准|不能|不可以|不可|不想|不希望|不愿|不该|不得|勿|莫|从不|不会|没(?:有)?(?:想|要|让|说))[^,。!?]{0,8}?(?:忘|删|清除|去掉|抹掉|丢)"
    r"|(?<![a-z])(?:not|never|n't|cannot|without|stop|avoid|refuse)\b[^,.;!?]{0,30}?\b(?:forget(?:ting)?|delet(?:e|ing)|remov(?:e|ing)|eras(?:e|ing)|drop(?:ping)?|clear(?:ing)?|wip(?:e|ing)|los(?:e|ing))\b"
    r"|n't\b[^,.;!?]{0,30}?\b(?:forget(?:ting)?|delet(?:e|ing)|remov(?:e|ing)|eras(?:e|ing)|drop(?:ping)?|wip(?:e|ing)|los(?:e|ing))\b"
)
_NO_LONGER = re.compile(
    r"\bno longer\b|(?:\bnot|n't|\bnever)\b[^,.;]*\bany ?more\b(?=\W*$| (?:and|but|because|since|now|so)\b)|\b(?:i|we)(?:'ve| have)? (?:\w+ly |already |just )?(?:quit|gave up|given up|stopped(?! (?:to|at|by|for)\b))\b|\bi used to\b"
    r"|不再|再也不|(?:已经|早就|早已)(?:不|戒|取消|放弃|停|没)|不(?!小心|知|得不|但|仅|只|管|论)[^,]{1,14}了(?!吗|没)|戒[^,]{0,4}了|(?:取消|放弃|停)[^,]{0,8}了"
)
_TOPICS = {
    "allergy": r"allerg(?:y|ies|ic)|过敏",
    "name": r"name|名字|称呼|姓名|昵称",
    "diet": r"diet|饮食",
    "health": r"health|健康",
}
_DENIED_ZH = r"不(?!喜欢|想|希望|愿|知道|管|小心|断|得不|高兴|爽|幸|要|能|该|可以|敢)"
ILLNESSES = frozenset({"health", "allergy"})
"""The last words of keys under which stands what one can get over."""
_ENDED = re.compile(
    r"\b(?:no longer|any ?more|used to|quit|stop(?:ped)?|gave up|given up|outgrew|outgrown|gone)\b|不再|再也不|戒|没了|消失|别(?:再)?[叫喊称]|不用|又(?:开始|能)?[吃喝]"
)


_ILL = "\0"
"""Stands for the illness in a clause."""
_SO = r"(?:的?(?:过敏|毛病|问题|症状|病)|已经|早|都|全|完全|彻底|终于|总算|现在|基本上?|差不多|也|就|算是|真的|被|给|治|养|医|调理|[ ,]){0,8}"
_WELL_ZH = r"(?:康复(?!训练|中心|科|医|期|师|治疗|操|锻炼|中)|痊愈|治好|治愈|断根|除根|好利索)"
_OVER_ZH = re.compile(
    rf"{_ILL}{_SO}(?:好(?:了|全了|透了|彻底了?|干净了?)|没事了|消失了|消了)|{_ILL}[^,。]{{0,10}}{_WELL_ZH}|{_WELL_ZH}[^,。]{{0,6}}{_ILL}(?!的)"
)
_OVER_EN = re.compile(
    rf"(?:\bis|\bare|'s|'re) over (?:the |my |that |this |her |his |their )?{_ILL}|\b(?:recovered|healed|cured)(?: \w+ly)? (?:from|of)(?: (?:the|my|an?|that|this|all))* {_ILL}|\b(?:got|gotten|i'm|i am|we're|finally|well|all) over (?:the |my |that |this )?{_ILL}"
    rf"|{_ILL}(?:'s| (?:allergy|symptoms?|problems?|has|have|is|are|was|been|got|all|now|just|\w+ly)){{0,6}} (?:cleared(?: up)?|gone|went away|healed|passed|cured|over(?=\W*$| (?:now|and|for good))|all[- ]clear)\b"
    rf"|\ball[- ]clear (?:\w+ )?(?:on|for|from|about|after) (?:the |my )?{_ILL}"
)
_WELL_AGAIN = re.compile(
    rf"(?:^|我|病|身体)(?:的?病|已经|早就?|都|全|完全|彻底|终于|总算|现在|差不多|也|算是| ){{0,6}}(?:{_WELL_ZH}|病好了)"
    r"|\b(?:i|we|he|she)(?:'ve|'m| have| am|'s| has| is)?(?: \w+ly| now){0,3} (?:recovered(?! (?:the|my|our|an?|all|it|\w+ed)\b)|cured|over it)\b|\b(?:given|got|have|had|gave me) the all[- ]clear\b"
)
_NOT_YET_ZH = re.compile(
    r"(?:没|未|不|难|快|等|盼|希望|祝|想|如果|要是|假如|万一|一旦|只要|怎么|如何|怎样|什么时候|何时|多久|能)[^,。]{0,8}(?:好|康复|痊愈|治愈|断根|除根|消)"
    r"|(?:好|康复|痊愈|治愈|断根|除根)[了全]?(?:一?(?:点|些|半)|很?多|以后|之后|后|再|的话|就|才|吗|没|么|时)|(?:吗|没有?|么|\?)\W*$"
)
_NOT_YET_EN = re.compile(
    r"\b(?:not|no|never|hardly|nearly|almost|partly|hope|hoping|when|once|until|till|if|unless|before|wish|want|can|could|may|might|will|would|should|to)\b|n't\b|'ll\b|\?\W*$|\bhow (?:long|do|does)\b"
)


def is_over(clause: str, what: str) -> bool:
    """Say whether a clause says that somebody got over an illness or an allergy (贫血好了, "my anemia cleared up").

    Args:
        clause: What the user said, folded.
        what: A pattern of what the illness is called there.
    """
    rest = re.sub(what, _ILL, clause)
    over_zh = _OVER_ZH.search(rest) and not _NOT_YET_ZH.search(rest)
    return bool(over_zh or (_OVER_EN.search(rest) and not _NOT_YET_EN.search(rest)))


def _is_well_again(clause: str) -> bool:
    """Say whether somebody says that they got well, without a word of what they had."""
    return bool(_WELL_AGAIN.search(clause)) and not (_NOT_YET_ZH.search(clause) or _NOT_YET_EN.search(clause))


def is_harmful(key: str, spec: KeySpec) -> bool:
    """Say whether to lose what is kept under a key could do harm: what stands in every prompt in the user's own words."""
    return spec.always and not spec.values


def unmistakably_takes_back(clause: str, key: str, value: str, *, labels: Sequence[str], spec: KeySpec) -> bool:
    """Say whether a clause takes back this value, or all under this key where the value is blank.

    Args:
        clause: What the user said, folded.
        key: Whose value it is.
        value: What is taken back.
        labels: How the key is called, in each language.
        spec: Its family; what could do harm needs the key's own word and nothing after it.
    """
    if _KEEPING.search(clause):
        return False
    about = key.rpartition(".")[2]
    called = "|".join([*(re.escape(each.casefold()) for each in labels), *filter(None, [_TOPICS.get(about)])])
    wanted = _pattern(value) if value else called
    if is_harmful(key, spec):
        return _is_to_be_forgotten(clause, wanted, called, strict=True) or _has_ended(clause, about, value)
    named = re.search(wanted, clause)
    if named and about in ILLNESSES and is_over(clause, wanted):
        return True
    return bool(named) and (
        bool(_NO_LONGER.search(clause)) or _is_to_be_forgotten(clause, wanted, called, strict=False)
    )


def may_take_back(clauses: Sequence[str], key: str, value: str, *, spec: KeySpec) -> bool:
    """Say whether clauses may take something back, whoever proposes it: none asks to keep it, and one shows that it ends."""
    if any(_KEEPING.search(each) for each in clauses):
        return False
    return not is_harmful(key, spec) or any(_shows_an_end(each, key.rpartition(".")[2], value) for each in clauses)


def _shows_an_end(clause: str, about: str, value: str) -> bool:
    if any(sign.search(clause) for sign in (_FORGET_EN, _FORGET_ZH, _ENDED)):
        return True
    ill = "|".join(filter(None, [_pattern(value), _TOPICS.get(about), r"\b(?:it|that)\b"]))
    if about in ILLNESSES and (is_over(clause, ill) or _is_well_again(clause)):
        return True
    what = "|".join(filter(None, [_pattern(value), _TOPICS.get(about), r"\bcall me"]))
    between = r"(?: (?!like|want|know|think|mind|that|eat|have|drink|only|just)[\w'-]+){0,3}?"
    return bool(
        re.search(rf"(?:\bnot|n't|\bnever|\bno){between} (?:{what})|(?:{what})[^,。]{{0,4}}[不没]", clause)
        or re.search(rf"(?:{_DENIED_ZH}|没)[^,。!?]{{0,10}}(?:{what}|了)", clause)
    )


def _pattern(value: str) -> str:
    """Give the pattern of a value; a blank one has none."""
    words = re.findall(r"\w+|[^\w\s]", value.casefold())
    body = r"\W*".join(re.escape(word) for word in words)
    return rf"(?<![a-z0-9]){body}(?![a-z0-9])" if body and body[:1].isascii() else body


def _is_to_be_forgotten(clause: str, wanted: str, called: str, *, strict: bool) -> bool:
    """Say whether a clause asks to forget what is wanted: the verb first and unhindered, or after 把."""
    for verb in [*_FORGET_EN.finditer(clause), *_FORGET_ZH.finditer(clause)]:
        if not _is_request(clause, verb):
            continue
        spans = [m for m in re.finditer(wanted, clause) if _is_its_object(clause, verb, m)]
        if any(not strict or _is_all(clause, verb, m.end(), called) for m in spans):
            return True
    return False


def _is_request(clause: str, verb: re.Match[str]) -> bool:
    before = clause[: verb.start()]
    if verb[0].isascii():
        return bool(_ASKING_EN.fullmatch(before))
    if re.search(r"[吗没么]\W*$", clause) and not re.search(r"能|可以|可不可以", before):
        return False
    return bool((_BLAMING_ZH if verb[0] == "忘了" and "吧" not in clause else _ASKING_ZH).fullmatch(before))


def _is_its_object(clause: str, verb: re.Match[str], named: re.Match[str]) -> bool:
    if named.start() >= verb.end():
        return named.start() - verb.end() <= 40 and not _ELSEWHERE.search(clause, verb.end(), named.start())  # noqa: PLR2004
    return "把" in clause[: named.start()]


def _is_all(clause: str, verb: re.Match[str], end: int, called: str) -> bool:
    """Say whether the key's word is there and what follows it is no other thing ("my allergy medicine")."""
    topic = re.search(called, clause)
    last = max([end, *(m.end() for m in re.finditer(called, clause))])
    return bool(topic) and bool(_TAIL.fullmatch(clause[last:]))


def _has_ended(clause: str, about: str, value: str) -> bool:
    """Say whether a clause says that what could do harm no longer holds, in so many words."""
    what = _pattern(value) if value else ""
    if about == "allergy" and what and is_over(clause, what):
        return True
    more = r"[^,.;]*\b(?:any ?more|after all|at all)\b"
    few = r"(?: [\w'-]+){0,3}?"
    if about == "allergy":
        topic = rf"allergic to{few} {what}" if what else r"allergic to anything"
        owned = rf"have (?:any |an |my |a )?(?:{what} )?allerg(?:y|ies)"
        en = rf"\bno longer (?:[a-z]+ly )?(?:{topic}|{owned})|(?:\bnot|n't)(?: [a-z]+ly)? (?:{topic}|{owned}){more}"
        zh = rf"(?:不再|再也不|已经不|早就不)(?:会|是)?对{what}过敏|对{what}(?:已经|早就|早已)?(?:不再|再也不|不|没有?)(?:会)?过敏了|{what}过敏[^,。]{{0,6}}(?:搞错|弄错|记错|误诊|虚惊)"
        return bool(re.search(f"{en}|{zh}", clause)) if what else bool(re.search(en, clause))
    if not what:
        return False
    if about == "health" and is_over(clause, what):
        return True
    linked = r"(?: (?:an?|the|on|be|being|have|having|suffer(?:ing)? from|called|named|go by|going by|use the name))*"
    en = rf"\b(?:i|i'm|i am|my name is)\b(?: \w+)?\s?(?:no longer){linked} {what}|(?:\bnot|n't)(?: to)?{linked} {what}{more}"
    return bool(
        re.search(rf"{en}|(?:不再|再也不|已经不|早就不)[^,。]{{0,4}}{what}|不[^,。吃喝]{{0,3}}{what}了", clause)
    )
