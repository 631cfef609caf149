"""Attention: the turns that bear on what is asked now, that matter and that are fresh, wherever they stand."""

from __future__ import annotations

import math
import re
import unicodedata
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from functools import lru_cache

from langchain_core.messages import BaseMessage

from memory.context_query import in_context, text_of
from memory.importance import importance
from memory.score import attention
from memory.summary_signs import BINDING, TAKE_BACK
from memory.tokens import MessageCounter
from memory.window.blocks import Turn, joined, system_of
from memory.window.budget import Chosen, needed
from memory.window.shown import View
from memory.words import has_cjk, query_words_of

HALF_LIFE_TURNS = 10
MOST_PASSED_OVER = 20
"""When so many do not fit one after another the window is as good as full; the rest need not be counted."""
KNOWN_TEXTS = 2_048
"""So many messages' importance is kept in mind, so that a long thread is not judged anew each turn."""
READ_CHARS = 2_000
"""So much of each message is read for its words, so that one long paste does not bear on everything."""


def by_attention(
    messages: Sequence[BaseMessage], turns: Sequence[Turn], view: View, max_tokens: int, count: MessageCounter
) -> Chosen:
    """Take the last turn, then whole turns by their weight as far as each fits; one that does not is passed over."""
    chosen = needed(messages, turns, view, max_tokens, count)
    positions, room, passed_over = list(chosen.positions), chosen.room, 0
    for block in _by_weight(messages, turns, chosen):
        cost = sum(count(chosen.view(at)) for at in block)
        if cost <= room:
            positions.extend(block)
            room, passed_over = room - cost, 0
        elif (passed_over := passed_over + 1) == MOST_PASSED_OVER:
            break
    return Chosen(positions=tuple(positions), view=chosen.view, room=room)


def weights(messages: Sequence[BaseMessage], turns: Sequence[Turn]) -> list[float]:
    """Weigh each turn by .5 · relevance + .3 · importance + .2 · recency, each 0..1.

    Relevance is the share of what is asked, rare words counting more, that the turn's words have; a question that
    leans on what went before is completed from there.

    Source:
        Seed 002 (the attention manager); the parts and their weights as in memory/score.py.
    """
    asked = query_words_of(in_context(messages))
    found = _found(asked, [_text(messages, turn) for turn in turns])
    rarity = _rarity(asked, found)
    return [
        attention(
            relevance=sum(rarity[word] for word in found[at]) / (sum(rarity.values()) or 1.0),
            importance=_importance(messages, turn),
            recency=0.5 ** ((len(turns) - 1 - at) / HALF_LIFE_TURNS),
        )
        for at, turn in enumerate(turns)
    ]


def _by_weight(messages: Sequence[BaseMessage], turns: Sequence[Turn], chosen: Chosen) -> Iterator[tuple[int, ...]]:
    """Give the last turn's blocks first, newest first, then the system's later messages, then turns by weight."""
    if turns:
        yield from (block for block in reversed(turns[-1][1:]) if block[-1] not in chosen.positions)
    yield from ((at,) for at in system_of(messages) if at not in chosen.positions)
    weight = weights(messages, turns)
    for at in sorted(range(len(turns) - 1), key=lambda at: (-weight[at], -at)):
        yield tuple(joined([turns[at]]))


def _text(messages: Sequence[BaseMessage], turn: Turn) -> str:
    said = "\n".join(text_of(messages[at])[:READ_CHARS] for at in joined([turn]))
    return unicodedata.normalize("NFKC", said).casefold()


def _found(asked: Sequence[str], texts: Sequence[str]) -> list[frozenset[str]]:
    """Say which of the asked words each text has: Chinese ones anywhere in it, others between their ends."""
    ends = {word: re.compile(rf"(?<!\w){re.escape(word)}(?!\w)", re.ASCII) for word in asked if not has_cjk(word)}
    return [
        frozenset(word for word in asked if word in text and (word not in ends or ends[word].search(text)))
        for text in texts
    ]


def _rarity(asked: Sequence[str], found: Sequence[frozenset[str]]) -> Mapping[str, float]:
    """Say how much each word tells; one that all turns have tells little."""
    having = Counter(word for one in found for word in one)
    return {word: math.log(1 + len(found) / (1 + having[word])) for word in asked}


def _importance(messages: Sequence[BaseMessage], turn: Turn) -> float:
    return _importance_of(text_of(messages[turn[0][0]])[:READ_CHARS])


@lru_cache(maxsize=KNOWN_TEXTS)
def _importance_of(text: str) -> float:
    return importance(text, fruitful=bool(BINDING.search(text) or TAKE_BACK.search(text)))
