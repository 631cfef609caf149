"""Meant: which of what is believed somebody means who says that something ended, in fewer or in other words."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from memory.believed.heard import same
from memory.believed.mentions import literal
from memory.drafting_heard import says
from memory.kinds import Fact

_WORDS = re.compile(r"[\u3400-\u9fff]|[^\W\d_]{3,}")
LEAST_SHARE = 0.4
"""Words that are a smaller part of a value do not name it."""
KINDS = (
    frozenset({"hobby", "habit", "skill", "learning", "likes", "project", "plan", "goal", "todo", "uses", "other"}),
    frozenset({"employer", "works_in", "occupation", "position", "school", "major", "education"}),
    frozenset({"allergy", "health", "diet", "dislikes"}),
)
"""What one may be taken for another: whether somebody likes pottery or has it for a hobby is seldom said."""


def meant(words: str, key: str, believed: Sequence[Fact]) -> Iterator[Fact]:
    """Give what is believed and named by the words of what ended, under its key or one of that kind.

    A small part of a value names it too where no other value under the key has these words.
    """
    alike = [fact for fact in believed if is_alike(fact.key, key)]
    holding = [fact for fact in alike if fact.key == key and _holds(words, fact)]
    return (fact for fact in alike if _names(words, fact) or holding == [fact])


def replaced(value: str, key: str, believed: Sequence[Fact]) -> Iterator[Fact]:
    """Give the one value under a key that says the same of another number or kind than a new value (50 books, 24 books)."""
    under = [fact for fact in believed if fact.key == key and not same(fact.value, value, key)]
    like = [fact for fact in under if _is_like(fact.value, value)]
    yield from like if len(like) == 1 else ()


def _is_like(one: str, other: str) -> bool:
    """Say whether two values share half of their words, numbers aside; Chinese ones of their characters."""
    ones, others = (set(_WORDS.findall(text.casefold())) for text in (one, other))
    return 2 * len(ones & others) >= min(len(ones), len(others)) > 0


def is_alike(key: str, other: str) -> bool:
    """Say whether two keys tell the same kind of thing of the same owner."""
    if is_narrower(key, other) or is_narrower(other, key):
        return True
    (whose, _, what), (others, _, about) = key.rpartition("."), other.rpartition(".")
    whose, others = whose.replace("pref", "user"), others.replace("pref", "user")
    return whose == others and (what == about or any({what, about} <= kind for kind in KINDS))


def is_narrower(key: str, other: str) -> bool:
    """Say whether a key is another one or stands under it (`user.uses.phone` under `user.uses`)."""
    return f"{key}.".startswith(f"{other}.")


def _names(words: str, fact: Fact) -> bool:
    if same(words, fact.value, fact.key) or says(words, fact.value):
        return True
    return len(words) >= LEAST_SHARE * len(fact.value) and _holds(words, fact)


def _holds(words: str, fact: Fact) -> bool:
    return any(literal(fact.value.lower(), words.lower()))
