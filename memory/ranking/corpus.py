"""The corpus: everything that one partition holds, as arrays, in the order of threads and of what was said in them."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, NamedTuple, TypeVar

import numpy as np
from numpy.typing import NDArray

from memory.ranking.letters import Runs, runs_of
from memory.ranking.terms import terms_of

Floats = NDArray[np.float64]
Whole = NDArray[np.int64]
Found = Mapping[str, tuple[Sequence[int], Sequence[float]]]

Made = TypeVar("Made")

EVEN = 1e-9
RAREST = 25.0
"""In standard deviations: how far a row can stand out, as the only one of some 600."""
ODD = 4.0
"""The same for what a row looks like, whatever is asked."""
TAIL_CHARS = 40
_ASKS = re.compile(r"[?？吗呢]\W*$")


@dataclass(frozen=True, kw_only=True)
class Said:
    """One thing that was said, as ranking needs it; `said_at` in seconds since 1970, None where it is not known."""

    item: int
    text: str
    speaker: str
    thread: str
    position: int
    said_at: float | None
    turn: str = ""


@dataclass(frozen=True, kw_only=True)
class Corpus:
    """What can be ranked; row i of every array is `said[i]`.

    `found` maps a term to the rows that it stands in and how often it does in each; `letters` are the numbered runs of characters.
    """

    said: tuple[Said, ...]
    terms: tuple[tuple[str, ...], ...]
    letters: tuple[Runs, ...] = field(repr=False)
    found: Found = field(repr=False)
    _made: dict[object, Any] = field(default_factory=dict, repr=False, compare=False)
    _read: dict[object, dict[Said, Any]] = field(default_factory=dict, repr=False, compare=False)

    def __len__(self) -> int:
        """Count the rows."""
        return len(self.said)

    @cached_property
    def items(self) -> Whole:
        """Give the items' ids."""
        return np.array([one.item for one in self.said], dtype=np.int64)

    @cached_property
    def threads(self) -> Whole:
        """Number the threads."""
        return _numbered([one.thread for one in self.said])

    @cached_property
    def speakers(self) -> Whole:
        """Number the speakers, in the order of `names`."""
        known = {name: number for number, name in enumerate(self.names)}
        return np.array([known[one.speaker] for one in self.said], dtype=np.int64)

    @cached_property
    def names(self) -> tuple[str, ...]:
        """Name the speakers, each once."""
        return tuple(dict.fromkeys(one.speaker for one in self.said))

    @cached_property
    def asks(self) -> Floats:
        """Tell (1 or 0) what was a question."""
        return np.array(self.each(_is_question))

    def only(self, items: Collection[int]) -> Corpus:
        """Give the corpus of some of the items, as if nothing else had been said."""
        return corpus_of([one for one in self.said if one.item in items], self)

    def same_speaker(self, by: int) -> NDArray[np.bool_]:
        """Tell in which rows the one who speaks also said what stands `by` places later in the thread."""
        speakers = self.speakers.astype(np.float64) + 1  # 0 is nobody: past the end of the thread
        same: NDArray[np.bool_] = self.shifted(speakers, by) == speakers
        return same

    @cached_property
    def answers(self) -> Floats:
        """Tell (1 or 0) what another's question stands just before."""
        return self.shifted(self.asks, -1) * ~self.same_speaker(-1)

    def once(self, make: Callable[[Corpus], Made]) -> Made:
        """Give what follows from the rows alone, whatever is asked, and is therefore worked out for one question only."""
        if make not in self._made:
            self._made[make] = make(self)
        made: Made = self._made[make]
        return made

    def each(self, read: Callable[[Said], Made]) -> list[Made]:
        """Give what follows from each row alone; what a corpus before this one has read is not read again."""
        known = self._read.setdefault(read, {})
        for one in self.said:
            if one not in known:
                known[one] = read(one)
        return [known[one] for one in self.said]

    def still_read(self, said: Sequence[Said]) -> dict[object, dict[Said, Any]]:
        """Give what `each` has read of these rows; nothing is remembered of the others."""
        return {read: {one: known[one] for one in said if one in known} for read, known in list(self._read.items())}

    def count(self, term: str) -> Floats:
        """Say how often a term stands in each row."""
        counts = np.zeros(len(self))
        if term in self.found:
            rows, times = self.found[term]
            counts[list(rows)] = times
        return counts

    def rarity(self, term: str) -> float:
        """Say how telling a term is: BM25's idf; 0 for one that stands nowhere."""
        if term not in self.found:
            return 0.0
        within = len(self.found[term][0])
        return float(np.log1p((len(self) - within + 0.5) / (within + 0.5)))

    def shifted(self, values: Floats, by: int) -> Floats:
        """Give each row the value of the one `by` places later in its thread (earlier where negative); 0 past its ends."""
        if by not in self._inside:
            self._inside[by] = self._near(by)
        return np.where(self._inside[by], np.roll(values, -by), 0.0)

    @cached_property
    def _inside(self) -> dict[int, NDArray[np.bool_]]:
        return {}

    def _near(self, by: int) -> NDArray[np.bool_]:
        inside: NDArray[np.bool_] = np.roll(self.threads, -by) == self.threads
        if by > 0:
            inside[-by:] = False
        elif by < 0:
            inside[:-by] = False
        return inside


def corpus_of(said: Sequence[Said], known: Corpus | None = None) -> Corpus:
    """Make a corpus; the order of what is given does not matter.

    Args:
        said: What was said.
        known: A corpus whose texts have been split before; what is said alike in it is not split again.
    """
    ordered = tuple(sorted(said, key=lambda one: (one.thread, one.position, one.item)))
    before = _split(known)
    pieces = [
        before.get((one.item, one.text)) or _Pieces(tuple(terms_of(one.text)), runs_of(one.text)) for one in ordered
    ]
    terms = tuple(one.terms for one in pieces)
    found: dict[str, tuple[list[int], list[float]]] = {}
    for row, own in enumerate(terms):
        for term, number in Counter(own).items():
            rows, times = found.setdefault(term, ([], []))
            rows.append(row)
            times.append(float(number))
    letters = tuple(one.letters for one in pieces)
    return Corpus(
        said=ordered, terms=terms, letters=letters, found=found, _read=known.still_read(ordered) if known else {}
    )


class _Pieces(NamedTuple):
    """What a text is split into."""

    terms: tuple[str, ...]
    letters: Runs


def _split(known: Corpus | None) -> Mapping[tuple[int, str], _Pieces]:
    if known is None:
        return {}
    both = zip(known.terms, known.letters, strict=True)
    return {(one.item, one.text): _Pieces(*pieces) for one, pieces in zip(known.said, both, strict=True)}


def _is_question(one: Said) -> float:
    return float(bool(_ASKS.search(one.text[-TAIL_CHARS:])))


def standard(values: Floats, *, most: float = RAREST) -> Floats:
    """Give values as distances from their mean, in standard deviations, at most so many; 0 where all are equal.

    What stands out in one row of n is √n deviations away: without a limit it would count the more, the more there is.
    """
    spread = float(values.std()) if len(values) else 0.0
    if spread <= EVEN:
        return np.zeros(len(values))
    distances: Floats = np.clip((values - values.mean()) / spread, -most, most)
    return distances


def _numbered(labels: Sequence[str]) -> Whole:
    numbers: dict[str, int] = {}
    return np.array([numbers.setdefault(label, len(numbers)) for label in labels], dtype=np.int64)
