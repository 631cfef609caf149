"""Explaining: of which facts a message asks how they are known, in Chinese or English."""

from __future__ import annotations

import re
from collections.abc import Sequence

from graph.models.about import facts_asked_for, topics_of
from graph.models.relations import relations_in
from graph.models.telling_words import telling_words
from memory.prompt_parts import ShownFact

_ASKS_WHY = re.compile(
    r"为(?:什么|何|啥)|凭(?:什么|啥)|怎么|如何|从哪[里儿]?|什么时候|何时|哪天|哪次|认为|觉得|以为|知道|得知|了解到?|记得|记着|依据|根据|证据|理由|谁|告诉|说过?|提过?|讲过?"
    r"|这[么样个些]?|那[么样个些]?|会|能|确定|肯定|都|是|有|的|了|呢|啊|呀|吗|你|我|跟|和|对"
    r"|\b(?:why|how|what(?:'s)?|when|where|who|which|do|did|does|would|could|can|are|is|was|makes?|made|you|your|i|me|the|so|sure|certain|that|this|those|these|it|they"
    r"|think|know|knew|believe|assume|say|said|tell|told|remember|learn(?:ed|t)?|find|found|hear|heard|get|got|mention(?:ed)?|out|of|on|from|for|about|all|and|ever"
    r"|based|basis|grounds?|evidence|source|reasons?)\b",
    re.IGNORECASE,
)


def facts_in_question(asked: str, before: Sequence[str], facts: Sequence[ShownFact]) -> list[ShownFact]:
    """Give the facts whose grounds a message asks for: what it names, and that only.

    Where it names nothing ("how do you know?"), they are those that the messages before it asked for, else all.

    Args:
        asked: A message that asks why something is believed.
        before: What the user said before it, the latest first.
        facts: Those that have grounds.
    """
    if _names_something(asked):
        return _named(asked, facts)
    return next((found for text in before if (found := _named(text, facts))), list(facts))


def _names_something(asked: str) -> bool:
    left = _ASKS_WHY.sub(" ", asked)
    return bool(telling_words(left) or topics_of(left) or relations_in(left))


def _named(asked: str, facts: Sequence[ShownFact]) -> list[ShownFact]:
    """Give what fits a question, by their values where it says some; else what is about those of whom it speaks."""
    fitting = facts_asked_for(asked, facts)
    said = [fact for fact in fitting or facts if _says(asked, fact.value)]
    return said or fitting or _of_relations(asked, facts)


def _says(asked: str, value: str) -> bool:
    """Tell whether a value stands in a question, not as a part of a longer Latin word."""
    words = re.escape(value.strip())
    return bool(words) and re.search(rf"(?<![a-z0-9]){words}(?![a-z0-9])", asked, re.IGNORECASE | re.ASCII) is not None


def _of_relations(asked: str, facts: Sequence[ShownFact]) -> list[ShownFact]:
    wanted = relations_in(asked)
    return [fact for fact in facts if wanted & relations_in(f"{fact.key.replace('.', ' ')} {fact.label} {fact.value}")]
