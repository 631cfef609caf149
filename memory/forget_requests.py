"""Forget requests: what a user asks to have forgotten: what they just said, a statement, or all about somebody.

What they ask about by the name of a field ("forget my birthday") is read by the rules (memory/rules/*.yaml). "Forget it" asks
for nothing: people say it for "never mind". Nothing here forgets all that is known of the user: that needs more than a sentence.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace

from memory.keys import LAST_TURN
from memory.kinds import TAKES_AWAY, Draft
from memory.privacy import fold

SURE = 0.9
THIS_TURN = "this"
SHOWN_CHARS = 60
"""So much of what was said is repeated in the reply."""
EVERY = ".*"
"""Ends what stands for all keys that begin so."""
_BETWEEN = " ,，。.!！?？;；\n\t"

_ASKED_EN = (
    r"(?:(?:please|pls|plz|kindly|(?:can|could|would|will) (?:you|u)|i want you to|i'd like you to|i would like you to|you should|ok(?:ay)?|actually|well|now|also|and"
    r"|but|hey|hi|oh|wait|no|hmm|sorry)[\s,!.]*)*"
)
_POLITE = re.compile(r"\b(?:can|could|would|will) (?:you|u)\b|请|麻烦|能不能|可不可以|可以|能|好吗|行吗|好不好|可以吗")
_VERB_EN = r"(?:forget|delete|erase|remove|scrub|wipe(?: out)?)"
_DROP_EN = r"(?:forget(?: about)?|delete|erase|strike)"
_KEEP_NOT_EN = r"(?:(?:do not|don't|never) (?:remember|keep|store|save|memori[sz]e|note(?: down)?)|stop (?:remembering|keeping|storing))"
_END_EN = r"(?:[\s,]*(?:please|now|again|completely|for good|entirely|altogether|from (?:your |the )?memory|if you (?:can|could)|will you|would you|could you|thanks|thank you))*[\s.!?~]*$"
_JUST_SAID_EN = (
    r"(?:that|this|(?:everything |all |the (?:thing|stuff) )?(?:that |what )?i(?:'ve| have)? (?:just )?(?:said|told you|wrote|typed|mentioned|shared)(?: (?:just now|before|above|a moment ago))?"
    r"|(?:my|the) (?:last|previous) (?:message|sentence|line|remark)|the last (?:thing|bit|part)(?: i (?:said|told you|wrote))?)"
)
_ASKED_ZH = r"(?:(?:请|麻烦|拜托)(?:你|您)?|帮我|给我|替我|(?:你|您)?(?:能不能|可不可以|可以|能)|现在|直接|那就|那|但是?|不过|还是|啊|嗯|不好意思|[\s,。!])*"
_VERB_ZH = r"(?:忘掉|忘了|忘记|忘却|删掉|删除|删了|清除|抹掉|抹去|清掉)"
_DROP_ZH = r"(?:忘掉|删掉|删除|清除|抹掉|抹去|清掉|忘了吧)"
_KEEP_NOT_ZH = (
    r"(?:(?:别|不要|不用|不必|无需|不许)(?:再)?(?:记(?:住|着|录|下来?|得)?|保存|存(?:下来?|着)?|留(?:着|下来?)?))"
)
_END_ZH = r"(?:了|吧|好吗|行吗|可以吗|好不好|谢谢|哈|啊|呗|掉|给我|都|全部|[\s,。.!！?~])*$"
_JUST_SAID_ZH = (
    r"(?:我?(?:刚才|刚刚|方才|刚|上面|前面)(?:跟你|对你|和你)?(?:说|讲|提|发|打|写|告诉你)(?:过)?的?(?:那|这)?(?:些|句|段|条|番)?(?:话|内容|东西|事情?|消息)?"
    r"|(?:刚才|刚刚|上面|上一?|前一?|最后)(?:那|这)?(?:些|句|段|条|番)(?:话|内容|消息)?|(?:这|那)(?:些|句|段|条|番)(?:话|消息|内容)?|我(?:上一?|前一?)(?:句|条)(?:话|消息)?)"
)
_STATED_EN = r"(?:about )?(?:the fact )?that (?P<said>(?:i|i'm|i've|my|we|we're|our)\b[^,;]{3,120}?(?:, (?!i\b|my\b|and\b|but\b|or\b|so\b|it\b)[^,;]{2,30})?)"
_STATED_ZH = r"(?:关于)?(?P<said>我(?!的\w{1,6}$)(?!刚才|刚刚|刚|说|讲|上)[^,;]{2,60}?)(?:这件事情?|这回事|这个事情?|这一点|这点|这条(?:信息|记录)?|的事情?)?"
_WHO_EN = r"(?:my )?(?P<who>(?!me\b|myself\b|us\b|you\b|it\b|that\b|this\b)[a-z][\w'-]*(?: [a-z][\w'-]*)?)"
_ABOUT_EN = rf"(?:everything|all|anything|whatever|what)(?: (?:that )?(?:you know|i(?:'ve| have)? (?:said|told you)|you (?:have|remember)))? (?:about|of|on) {_WHO_EN}"
_WHO_ZH = r"我?(?:的|家)?(?P<who>(?!我|你|您|这|那|它)[\w·]{1,10}?)"
_ABOUT_ZH = rf"(?:关于|有关)?{_WHO_ZH}的?(?:一切|所有(?:的)?(?:事情?|信息|内容|资料|记录)?|全部(?:的)?(?:事情?|信息|内容|资料|记录)?|事情?|信息|资料|记录)"

_FORMS_OF_LAST = (
    rf"{_ASKED_EN}(?:{_DROP_EN}|{_KEEP_NOT_EN}) {_JUST_SAID_EN}{_END_EN}",
    rf"{_ASKED_EN}forget i (?:ever )?said (?:that|it|anything){_END_EN}",
    rf"{_ASKED_ZH}(?:{_VERB_ZH}|{_KEEP_NOT_ZH}){_JUST_SAID_ZH}{_END_ZH}",
    rf"{_ASKED_ZH}(?:把|将){_JUST_SAID_ZH}(?:都|全|给我|就|请|\s)*{_VERB_ZH}{_END_ZH}",
    rf"{_ASKED_ZH}{_JUST_SAID_ZH}(?:都|全|给我|就|请|\s)*(?:{_DROP_ZH}|{_KEEP_NOT_ZH}){_END_ZH}",
    rf"{_ASKED_ZH}(?:就)?当我(?:刚才|刚刚)?没(?:有)?说过?{_END_ZH}",
)
_FORMS_OF_STATEMENT = (
    rf"{_ASKED_EN}{_VERB_EN} {_STATED_EN}{_END_EN}",
    rf"{_ASKED_ZH}{_VERB_ZH}{_STATED_ZH}{_END_ZH}",
    rf"{_ASKED_ZH}(?:把|将){_STATED_ZH}(?:都|全|给我|\s)*{_VERB_ZH}{_END_ZH}",
)
_FORMS_OF_SOMEBODY = (
    rf"{_ASKED_EN}{_VERB_EN} {_ABOUT_EN}{_END_EN}",
    rf"{_ASKED_ZH}{_VERB_ZH}{_ABOUT_ZH}{_END_ZH}",
    rf"{_ASKED_ZH}(?:把|将){_ABOUT_ZH}(?:都|全|给我|\s)*{_VERB_ZH}{_END_ZH}",
)
_SENTENCE = re.compile(r"[^。！!？?\n;；]+[。！!？?\n;；]*|[。！!？?\n;；]+")
_SENTENCE_EN = re.compile(r"(?<=\w)\.\s+")

Reader = Callable[[str], list[Draft]]


@dataclass(frozen=True, kw_only=True)
class _Form:
    kind: str
    pattern: re.Pattern[str]


_FORMS = tuple(
    _Form(kind=kind, pattern=re.compile(pattern))
    for kind, patterns in (
        ("last", _FORMS_OF_LAST),
        ("statement", _FORMS_OF_STATEMENT),
        ("somebody", _FORMS_OF_SOMEBODY),
    )
    for pattern in patterns
)


def forget_requests(text: str, read: Reader) -> tuple[list[Draft], str]:
    """Read what a message asks to have forgotten.

    Args:
        text: The message.
        read: Gives what a statement tells, as drafts.

    Returns:
        The drafts (act `forget`; what was just said under `LAST_TURN`, with `THIS_TURN` for its value where it was said in
        the same message; somebody under `person.<who>.*`), and the message with blanks in the place of the requests that
        were understood and of what they take back.
    """
    found: list[Draft] = []
    left = text
    for start, end in _sentences(text):
        drafts = _asked(text[start:end], read)
        if drafts and drafts[0].key == LAST_TURN and left[:start].strip(_BETWEEN):
            found += [replace(one, value=THIS_TURN) for one in drafts]
            left = f"{' ' * end}{left[end:]}"
        elif drafts:
            found += drafts
            left = f"{left[:start]}{' ' * (end - start)}{left[end:]}"
    return found, left


def is_forget_request(quote: str) -> bool:
    """Say whether a sentence asks to have what was just said, or somebody, forgotten."""
    plain = _plain(quote)
    return not _only_asks(plain) and any(form.pattern.match(plain) for form in _FORMS)


def _sentences(text: str) -> Iterator[tuple[int, int]]:
    """Give where each sentence stands; one that ends in a clause of its own that asks to forget, as two."""
    for sentence in _SENTENCE.finditer(text):
        start = sentence.start()
        for stop in _SENTENCE_EN.finditer(sentence[0]):
            yield from _parts(text, start, sentence.start() + stop.end())
            start = sentence.start() + stop.end()
        yield from _parts(text, start, sentence.end())


def _parts(text: str, start: int, end: int) -> Iterator[tuple[int, int]]:
    comma = max(text.rfind(mark, start, end) for mark in ",，") + 1
    if comma > start and any(form.kind == "last" and form.pattern.match(_plain(text[comma:end])) for form in _FORMS):
        yield start, comma
        start = comma
    if start < end:
        yield start, end


def _plain(text: str) -> str:
    return fold(text).lower().replace("’", "'").strip()


def _only_asks(folded: str) -> bool:
    """Say whether a sentence asks or complains about forgetting, and does not ask for it."""
    return folded.rstrip().endswith(("?", "吗", "么")) and not _POLITE.search(folded)


def _asked(sentence: str, read: Reader) -> list[Draft]:
    folded = fold(sentence).lower().replace("’", "'")
    begins = len(folded) - len(folded.lstrip())
    if _only_asks(folded):
        return []
    for form in _FORMS:
        match = form.pattern.match(folded, begins)
        if match:
            drafts = list(_drafts(form, match, sentence, read))
            if drafts:
                return drafts
    return []


def _drafts(form: _Form, match: re.Match[str], sentence: str, read: Reader) -> Iterator[Draft]:
    quote = sentence.strip()
    if form.kind == "last":
        yield Draft(key=LAST_TURN, value="", confidence=SURE, quote=quote, act="forget")
    elif form.kind == "somebody":
        who = sentence[match.start("who") : match.end("who")].strip().removesuffix("'s")
        for group in ("person", "pet"):
            yield Draft(key=f"{group}.{who}{EVERY}", value="", confidence=SURE, quote=quote, act="forget")
    else:
        for told in read(sentence[match.start("said") : match.end("said")]):
            if told.act in TAKES_AWAY:
                continue  # "forget that I don't …" asks for nothing that can be forgotten
            yield Draft(key=told.key, value=told.value, confidence=SURE, quote=quote, act="forget")
