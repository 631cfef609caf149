"""signals: what speaks for a row of the corpus, a file each; every signal gives a number for each row."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from memory.ranking.corpus import Corpus, Floats
from memory.ranking.question import Question

Signals = Mapping[str, Floats]
Lexical = Callable[[Corpus, Question], Signals]
