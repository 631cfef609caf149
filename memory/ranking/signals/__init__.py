"""signals: what speaks for a row of the corpus, a file each; every signal gives a number for each row."""

from __future__ import annotations

from collections.abc import Mapping

from memory.ranking.corpus import Floats

Signals = Mapping[str, Floats]
