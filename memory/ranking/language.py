"""language: in which language a row is to an embedder, which puts texts of one language nearer to each other."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from memory.context_query import HAN
from memory.ranking.corpus import Corpus, Said


def chinese_rows(corpus: Corpus) -> NDArray[np.bool_]:
    """Tell which rows an embedder takes for Chinese: all but those that have letters and no Chinese character.

    One such character suffices: measured with multilingual-e5-small, "wrote a song, 名字叫《B3》" stands as near to what has
    nothing to do with it as a Chinese sentence does. A name before the text is embedded with it; what has no letters at all,
    a lone emoji, is in no language, and stands where Chinese does.
    """
    return np.array([_is_chinese(one) for one in corpus.said], dtype=bool)


def _is_chinese(said: Said) -> bool:
    has_letters = any(char.isalpha() for char in said.text)
    return not has_letters or HAN.search(f"{said.speaker} {said.text}") is not None
