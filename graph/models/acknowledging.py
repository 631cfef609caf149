"""Acknowledging: saying back, in the second person, what a user has stated about themselves or wished for."""

from __future__ import annotations

import re

from graph.models.intents import is_question, stated_name

_I = re.IGNORECASE
_CLAUSE_ENDS = re.compile(r"[，,。；;！!\n]+|\.(?=\s|$)")
_STATED = re.compile(
    r"^(?:其实|对了|另外|还有|顺便说?|记住|请记住)?[:：\s]*(?:我的|咱|俺|我(?!想(?:要|问|知道|查|让|请)|要(?!求)|能|可以|该|应该|们?是不是|需要你|希望你))"
    r"|^(?:remember(?: that)?|by the way|also|and|actually)?[\s,:]*\b(?:i(?! want| need| would like|'d like| wonder)"
    r"|i'm|i've|my|we|our)\b",
    _I,
)
_WISHED = re.compile(
    r"^(?:请|麻烦|以后|今后|希望你)*(?:都|尽量)?(?:用\S{1,4}(?:回答|回复|说|写)|(?:简短|简洁|详细|简单)\S{0,2}(?:回答|回复|说|讲|点|些|一点|一些)"
    r"|(?:回答|回复|说话)\S{0,3}(?:简短|简洁|详细|简单)|少说\S{0,3}|叫我|称呼我|别(?:再)?叫|不要(?:再)?叫)"
    r"|^(?:请|帮我|麻烦你?)?(?:忘掉|忘记|忘了|别记|不要记)|^(?:please )?forget\b"
    r"|^(?:please|from now on|always)?[\s,]*(?:please )?(?:(?:answer|reply|speak|write|respond)\b.{0,20}\b"
    r"(?:in \w+|briefly|concisely|short|in detail)|(?:be|keep it|keep your answers) (?:brief|concise|short|detailed)"
    r"|(?:do not |don't )?call me)\b",
    _I,
)
_REQUESTED = re.compile(
    r"帮我|帮忙|替我|给我|麻烦|推荐|^请|\b(?:can|could|would|will) you\b|\bplease\b"
    r"|^(?:write|find|show|tell|give|help|recommend|suggest|make|explain|translate)\b",
    _I,
)
_POLITE = re.compile(
    r"^(?:请记住|记住|请|麻烦(?:你)?|希望你|please|remember(?: that)?|by the way|also|and)[\s,:：]*", _I
)
_NAMING = re.compile(
    r"^(?:以后|请|就)*(?:叫我|我叫|我的名字(?:是|叫)|称呼我|(?:please )?call me|my name|i am called|i'm called)", _I
)
_ATTRIBUTE_ZH = re.compile(r"^我的(?P<what>[^是为]{1,12}?)(?:是|为|[:：])\s*(?P<value>.+)$")
_ATTRIBUTE_EN = re.compile(r"^my (?P<what>[\w ]{1,30}?) (?:is|are|:) (?P<value>.+)$", _I)
_KEEPS_ITS_CAPITAL = re.compile(r"[A-Z]{2,}|[A-Z]\w*\d|[^A-Za-z]")
_SECOND_ZH = re.compile(r"(?<!自)我")
_SECOND_EN: tuple[tuple[str, str], ...] = (
    (r"\bi am\b|\bi'm\b", "you are"),
    (r"\bi was\b", "you were"),
    (r"\bi've\b", "you have"),
    (r"\bi\b|\bme\b", "you"),
    (r"\bmy\b", "your"),
    (r"\bmine\b", "yours"),
)


def statements_in(text: str) -> list[str]:
    """Give the clauses that state something of the user or wish for a way of answering, as they were said."""
    clauses = [clause.strip() for clause in _CLAUSE_ENDS.split(text)]
    return [clause for clause in clauses if clause and _is_statement(clause)]


def is_only_statements(text: str) -> bool:
    """Tell whether the message says nothing else: no question, no request."""
    clauses = [clause.strip() for clause in _CLAUSE_ENDS.split(text) if clause.strip()]
    return bool(clauses) and not is_question(text) and all(_is_statement(clause) for clause in clauses)


def asks_for_more(text: str) -> bool:
    """Tell whether the message also asks for something to be done."""
    clauses = [clause.strip() for clause in _CLAUSE_ENDS.split(text)]
    return any(_REQUESTED.search(clause) for clause in clauses if not _is_statement(clause))


def said_back(clauses: list[str]) -> list[str]:
    """Put statements into the second person, without their politeness; how to call the user is left out."""
    return [_second_person(_POLITE.sub("", clause)) for clause in clauses if not names_user(clause)]


def names_user(clause: str) -> bool:
    """Tell whether a clause says no more than how to call the user."""
    return _NAMING.search(clause) is not None and bool(stated_name(clause))


def _is_statement(clause: str) -> bool:
    return not is_question(clause) and (_STATED.search(clause) or _WISHED.search(clause)) is not None


def _second_person(clause: str) -> str:
    if match := _ATTRIBUTE_ZH.match(clause) or _ATTRIBUTE_EN.match(clause):
        return f"{match['what'].strip()} {match['value'].strip()}"
    said = _SECOND_ZH.sub("你", clause)
    for pattern, second in _SECOND_EN:
        said = re.sub(pattern, second, said, flags=_I)
    return said if _KEEPS_ITS_CAPITAL.match(said) else said[:1].lower() + said[1:]
