"""Fusion: one score from how well the words and how well the meaning of an item fit a query."""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

SATURATION = 0.6
COMMON = 0.3
NOWHERE = 0.2
LEXICAL_WEIGHT = 0.3
KEYWORD_BONUS = 0.2
IDENTIFIER_BONUS = 0.4
MAX_KEYWORDS = 2
FAR_SIGMAS = 3.0


_IDENTIFIER = re.compile(r"\d|\w[-_.:/#+]\w|[#+]")


@dataclass(frozen=True, kw_only=True)
class Baseline:
    """How similar texts are that have nothing to do with the query: mean and spread of their cosines.

    Embedding models use a narrow band of the cosine (multilingual-e5-small: about .75 to .9), so a bare
    cosine says little; how far it stands above the unrelated says much, for every model alike.
    """

    mean: float
    spread: float


@dataclass(frozen=True, kw_only=True)
class Fused:
    """An item's score, 0..1, with its parts."""

    item: int
    score: float
    lexical: float
    semantic: float


def rarity(*, documents: int, with_word: int) -> float:
    """Say how telling a word is: BM25's idf, but never nothing, and little for a word that is nowhere.

    In a small memory one word may stand in every text and still be what the user means. A word that stands in
    none (half of a question's character pairs) cannot tell one text from another, it only makes all fit less.
    """
    telling = math.log1p((documents - max(with_word, 1) + 0.5) / (max(with_word, 1) + 0.5))
    return max(telling, COMMON) * (NOWHERE if with_word == 0 else 1.0)


def lexical_score(asked: Mapping[str, float], words: Sequence[str]) -> float:
    """Say which share of the query's telling words stand in a text, 0..1.

    Args:
        asked: The query's words with their rarity.
        words: The text's words, with repetitions (frequency saturates as in BM25, length is not punished:
            on short turns b = 0 is best).
    """
    total = sum(asked.values())
    if not total:
        return 0.0
    counts = Counter(word for word in words if word in asked)
    found = sum(asked[word] * count * (1 + SATURATION) / (count + SATURATION) for word, count in counts.items())
    return min(found / total, 1.0)


def lexical_weight(asked: Mapping[str, float]) -> float:
    """Say how much the words count beside the meaning, 0.3 for a sentence up to 0.9 for a bare identifier.

    Whoever types one or two words, or an identifier (`#8842`, `err-4471`, `orderservice.cancel`), means these; what an
    embedder makes of them is a guess.
    """
    total = sum(asked.values())
    if not total:
        return LEXICAL_WEIGHT
    identifiers = sum(weight for word, weight in asked.items() if _IDENTIFIER.search(word)) / total
    keywords = KEYWORD_BONUS if len(asked) <= MAX_KEYWORDS else 0.0
    return LEXICAL_WEIGHT + keywords + IDENTIFIER_BONUS * identifiers


def semantic_score(similarity: float, baseline: Baseline) -> float:
    """Say how far a cosine stands above what unrelated texts have, 0..1."""
    sigmas = (similarity - baseline.mean) / max(baseline.spread, 1e-6)
    return min(max(sigmas / (2 * FAR_SIGMAS), 0.0), 1.0)


def baseline_of(similarities: Sequence[float]) -> Baseline:
    """Measure the baseline over cosines of unrelated texts."""
    mean = sum(similarities) / len(similarities)
    variance = sum((one - mean) ** 2 for one in similarities) / len(similarities)
    return Baseline(mean=mean, spread=math.sqrt(variance))


def fuse(lexical: Mapping[int, float], semantic: Mapping[int, float], *, weight: float = LEXICAL_WEIGHT) -> list[Fused]:
    """Join both kinds of scores (each 0..1, by item) into one ranking, best first.

    An item found by one kind only counts with what it has: a keyword hit without a vector is never lost. `weight`
    is how much the words count (0..1); all where there are no vectors.
    """
    weight = weight if semantic else 1.0
    joined = [
        Fused(
            item=item,
            score=weight * lexical.get(item, 0.0) + (1 - weight) * semantic.get(item, 0.0),
            lexical=lexical.get(item, 0.0),
            semantic=semantic.get(item, 0.0),
        )
        for item in lexical.keys() | semantic.keys()
    ]
    return sorted(joined, key=lambda one: (-one.score, one.item))
