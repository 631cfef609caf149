"""The prompt: one pure function from what is known to the messages that a chat model gets.

One system message comes first: our rules, the persona, the user's preferences as our own instructions, then
the facts, the summary and the notes, fenced. The window follows as it is. What was recalled for this one message
(episodes and skills) is put in front of the last user message's own text, in a copy with the same id: providers
want the system message first and alone, and what stands before the last user message should stay the same from
turn to turn, so that their caches hold. `without_fences` takes the block off again.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Callable, Sequence
from dataclasses import replace
from itertools import pairwise
from typing import Any

from langchain_core.messages import BaseMessage, HumanMessage, SystemMessage

from memory.fence import escaped_lines, fenced, neutralised, without_fences
from memory.prompt_lines import exchange_lines, fact_lines, shown_name, skill_lines, whole_lines
from memory.prompt_parts import PromptParts, ShownExchange, ShownFact, ShownSkill
from memory.prompt_texts import TEXTS, Language, PromptTexts
from memory.words import has_cjk

__all__ = [
    "PromptParts",
    "ShownExchange",
    "ShownFact",
    "ShownSkill",
    "assemble",
    "language_of",
    "within_budget",
    "without_fences",
]

SAFETY_KEY_PARTS = frozenset({"allergy", "allergies", "allergen", "safety", "medical", "medication", "emergency"})
LONG_LINE_CHARS = 400
"""A line of an episode up to this length is never cut, only left out with its exchange."""
TELLING_WORDS = 3
"""From so many words on a message shows which language its user speaks."""
_CLAUSE_END = re.compile(r"[。！？；，、\n]|[.!?;,](?=\s)")
_CUT = "…"
_MARKS = ".,;:!?'\"()…"


def assemble(parts: PromptParts) -> list[BaseMessage]:
    """Put the messages together that a chat model gets, within the budget.

    Returns:
        One system message, then the window. Ids stay; a message is copied only where its text changes.
    """
    texts = TEXTS[language_of(parts)]
    shown = within_budget(parts)
    system, block = _system_text(shown, texts), _beside_text(shown, texts)
    window = [_harmless(message) for message in shown.window]
    asked = _last_human(window)
    if asked is None:
        return [SystemMessage(_paragraphs(system, block)), *window]
    if block:
        window[asked] = _with_text_before(window[asked], f"{block}\n\n")
    return [SystemMessage(system), *window]


def within_budget(parts: PromptParts) -> PromptParts:
    """Cut what is remembered to `max_tokens`; what is left is what the model sees.

    First go skills (of the last one its body, from the end, then all of it), then the ends of long lines in episodes, so that
    one long text does not drive out the rest, then episodes (the last, which fit worst, first), the notes' tail, the
    summary's tail, and facts of least confidence. Facts that are always shown stay, whatever the budget.
    """
    texts = TEXTS[language_of(parts)]
    for cut in (_less_of_skills, _shorter_lines, _fewer_episodes, _shorter_notes, _shorter_summary, _fewer_facts):
        parts = _cut_until_it_fits(parts, cut, texts)
    return parts


def language_of(parts: PromptParts) -> Language:
    """Say in which language the prompt is written: the preferred one, else that of the last user message.

    A word or two ("ok", "好的") change it only when said twice in a row: all of the prompt changes with it. Where a message
    has no words (an image, a number), the hint decides, else what was said before.
    """
    preferred = parts.preferences.get("language", "")
    if preferred in TEXTS["en"].answer_in:
        return "zh" if preferred == "zh" else "en"
    said = [message.text for message in reversed(parts.window) if isinstance(message, HumanMessage)]
    if said and _language_heard(said[0]) is None and parts.language_hint:
        return parts.language_hint
    return _language_spoken(said) or parts.language_hint or "en"


def _language_spoken(said: Sequence[str]) -> Language | None:
    """Say in which language the newest texts are that show it: one that says enough, or two that agree."""
    heard = [(language, _words(text) >= TELLING_WORDS) for text in said if (language := _language_heard(text))]
    for (language, is_telling), (before, _) in pairwise(heard):
        if is_telling or language == before:
            return language
    return heard[-1][0] if heard else None


def is_always_shown(fact: ShownFact) -> bool:
    """Tell whether a fact must never be cut: it is marked so, or its key speaks of the user's safety."""
    return fact.always or not SAFETY_KEY_PARTS.isdisjoint(fact.key.casefold().replace("_", ".").split("."))


def _system_text(parts: PromptParts, texts: PromptTexts) -> str:
    persona = neutralised(parts.persona.strip()) or texts.default_persona
    return _paragraphs(texts.rules, persona, _preferences(parts, texts), *_lasting(parts, texts))


def _preferences(parts: PromptParts, texts: PromptTexts) -> str:
    name = shown_name(parts.name)
    lines = [
        texts.styles.get(parts.preferences.get("style", ""), ""),
        texts.answer_in.get(parts.preferences.get("language", ""), ""),
        texts.address_as.format(name=name) if name else "",
    ]
    wanted = [line for line in lines if line]
    return "\n".join([texts.preferences, *wanted]) if wanted else ""


def _lasting(parts: PromptParts, texts: PromptTexts) -> list[str]:
    """Fence what holds for the whole thread."""
    facts = fact_lines(parts.facts)
    summary, notes = escaped_lines(parts.summary), escaped_lines(parts.notes)
    return [
        fenced("facts", facts, note=texts.data_note) if facts else "",
        fenced("summary", summary, note=texts.data_note) if summary else "",
        fenced("notes", notes, note=texts.data_note) if notes else "",
    ]


def _beside_text(parts: PromptParts, texts: PromptTexts) -> str:
    """Fence what was found for this one message."""
    episodes, skills = exchange_lines(parts.recalled, texts), skill_lines(parts.skills, texts)
    blocks = [
        fenced("episodes", episodes, note=texts.data_note) if episodes else "",
        fenced("skills", skills, note=texts.skill_note) if skills else "",
    ]
    return "\n".join(block for block in blocks if block)


def _paragraphs(*texts: str) -> str:
    return "\n\n".join(text for text in texts if text)


_Cut = Callable[[PromptParts, int], PromptParts]
"""Takes the n least wanted pieces away; taking more than there are takes all that may go."""


def _cut_until_it_fits(parts: PromptParts, cut: _Cut, texts: PromptTexts) -> PromptParts:
    """Take away as little as makes it fit, or all that this cut may take."""

    def fits(gone: int) -> bool:
        return _tokens(cut(parts, gone), texts) <= parts.max_tokens

    return parts if fits(0) else cut(parts, bisect_left(range(_most_pieces(parts)), True, key=fits))


def _tokens(parts: PromptParts, texts: PromptTexts) -> int:
    remembered = _paragraphs(*_lasting(parts, texts), _beside_text(parts, texts))
    return parts.count(remembered) if remembered else 0


def _most_pieces(parts: PromptParts) -> int:
    skills = sum(map(_pieces, parts.skills))
    most = (skills, _longest_line(parts), len(parts.recalled), len(parts.notes), len(parts.summary), len(parts.facts))
    return max(most)


def _less_of_skills(parts: PromptParts, gone: int) -> PromptParts:
    """Take the last skill first, for it fits least: its body from the end, where lines stay whole, then all of it."""
    skills: list[ShownSkill] = []
    for skill in reversed(parts.skills):
        taken = min(gone, _pieces(skill))
        gone -= taken
        if taken == 0:
            skills.insert(0, skill)
        elif taken < _pieces(skill):
            body = whole_lines(skill.body, len(skill.body) - taken)
            skills.insert(0, replace(skill, body=body, body_cut=True))
    return replace(parts, skills=tuple(skills))


def _pieces(skill: ShownSkill) -> int:
    return len(skill.body) + 1


def _shorter_lines(parts: PromptParts, gone: int) -> PromptParts:
    """Cut what is longer than the longest line less so many characters, but no line that is not long."""
    most = max(_longest_line(parts) - gone, LONG_LINE_CHARS)
    return replace(parts, recalled=tuple(replace(one, lines=_cut_lines(one, most)) for one in parts.recalled))


def _longest_line(parts: PromptParts) -> int:
    return max((len(text) for one in parts.recalled for _, text in one.lines), default=0)


def _cut_lines(exchange: ShownExchange, max_chars: int) -> tuple[tuple[str, str], ...]:
    return tuple((speaker, _whole_clauses(text, max_chars)) for speaker, text in exchange.lines)


def _whole_clauses(text: str, max_chars: int) -> str:
    """Cut a text to so many characters, behind its last whole clause where one ends in the second half."""
    if len(text) <= max_chars:
        return text
    head = text[: max_chars - len(_CUT)]
    ends = [end.end() for end in _CLAUSE_END.finditer(head) if end.end() > max_chars // 2]
    return head[: ends[-1] if ends else None].rstrip() + _CUT


def _fewer_episodes(parts: PromptParts, gone: int) -> PromptParts:
    return replace(parts, recalled=parts.recalled[: max(len(parts.recalled) - gone, 0)])


def _shorter_notes(parts: PromptParts, gone: int) -> PromptParts:
    return replace(parts, notes=_without_tail(parts.notes, gone))


def _shorter_summary(parts: PromptParts, gone: int) -> PromptParts:
    return replace(parts, summary=_without_tail(parts.summary, gone))


def _without_tail(text: str, gone: int) -> str:
    if not gone:
        return text
    left = text[: max(len(text) - gone - len(_CUT), 0)].rstrip()
    return left + _CUT if left else ""


def _fewer_facts(parts: PromptParts, gone: int) -> PromptParts:
    may_go = [at for at, fact in enumerate(parts.facts) if not is_always_shown(fact)]
    least = sorted(may_go, key=lambda at: (parts.facts[at].confidence, at))[:gone]
    return replace(parts, facts=tuple(fact for at, fact in enumerate(parts.facts) if at not in least))


def _last_human(window: Sequence[BaseMessage]) -> int | None:
    return next((at for at in range(len(window) - 1, -1, -1) if isinstance(window[at], HumanMessage)), None)


def _language_heard(text: str) -> Language | None:
    """Say which language a text is in, if it has words."""
    if has_cjk(text):
        return "zh"
    return "en" if any(word.strip(_MARKS).isalpha() for word in text.split()) else None


def _words(text: str) -> int:
    """Count words: Han characters, two a word, and what stands between spaces."""
    han = sum("\u4e00" <= char <= "\u9fff" for char in text)
    return (han + 1) // 2 + sum(word.strip(_MARKS).isalpha() and not has_cjk(word) for word in text.split())


def _harmless(message: BaseMessage) -> BaseMessage:
    """Copy a message only if somebody typed a fence tag into it."""
    content = _mapped(message.content, neutralised)
    return message if content == message.content else message.model_copy(update={"content": content})


def _mapped(content: str | list[Any], change: Callable[[str], str]) -> str | list[Any]:
    if isinstance(content, str):
        return change(content)
    return [_mapped_block(block, change) for block in content]


def _mapped_block(block: Any, change: Callable[[str], str]) -> Any:
    if isinstance(block, str):
        return change(block)
    if isinstance(block, dict) and isinstance(block.get("text"), str):
        return {**block, "text": change(block["text"])}
    return block


def _with_text_before(message: BaseMessage, text: str) -> BaseMessage:
    content = message.content
    before = text + content if isinstance(content, str) else [{"type": "text", "text": text}, *content]
    return message.model_copy(update={"content": before})
