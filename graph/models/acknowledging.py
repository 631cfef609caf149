"""Acknowledging: whether a message states something of the user, wishes for something, or asks for something."""

from __future__ import annotations

import re

from graph.models.intents import is_question

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
    r"帮我|帮忙|替我|给我|麻烦|推荐|^请|^(?:写|画|翻译|解释|总结|讲|算|计算|介绍|列出|查|找|比较|设计|编|说说|谈谈)|\b(?:can|could|would|will) you\b|\bplease\b"
    r"|^(?:translate|summari[sz]e|compare|calculate|list|draw|design|define|write|find|show|tell|give|help|recommend|suggest|make|explain|translate)\b",
    _I,
)
_FORGETTING = re.compile(
    r"忘掉|忘记(?!了)|忘了(?!带|拿|说|问)(?=我|这|那|它|关于)|别记|不要记|不用记|(?:删掉|删除)(?:关于)?我|^(?:please |can you |could you )*(?:forget|erase)\b"
    r"|\bforget (?:my|that|what|about)\b|\b(?:don't|do not) (?:remember|keep|store)\b",
    _I,
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


def _is_statement(clause: str) -> bool:
    return not is_question(clause) and (_STATED.search(clause) or _WISHED.search(clause)) is not None


def asks_to_forget(text: str) -> bool:
    """Tell whether the message asks that something be forgotten or not kept."""
    return _FORGETTING.search(text) is not None


def is_only_request(text: str) -> bool:
    """Tell whether the message asks for something to be done and states nothing."""
    return asks_for_more(text) and not statements_in(text)


def asks_to_be_done(text: str) -> bool:
    """Tell whether the message is a request: something a model would be needed for."""
    return asks_for_more(text) or not any(char.isalpha() for char in text)
