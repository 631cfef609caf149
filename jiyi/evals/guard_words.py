"""The words by which a text is asked for: its rarest, the longest of them first."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable

from memory.words import query_words_of

ASKED_WORDS = 4
MOST_CHARS = 24
"""What is longer is a code or a link, and nobody asks for that."""


class TellingWords:
    """Knows how rare words are among texts.

    Args:
        texts: All that is compared.
    """

    def __init__(self, texts: Iterable[str]) -> None:
        self._texts_with = Counter(word for text in texts for word in set(query_words_of(text)))

    def of(self, text: str) -> tuple[str, ...]:
        """Choose the words (of Chinese: pairs of characters) that the fewest texts hold; of these the longest.

        Returns:
            `ASKED_WORDS` at most, in the order of the text; what is no word (numbers, codes) only where there is no other.
        """
        found = [word for word in query_words_of(text) if len(word) <= MOST_CHARS]
        words = [word for word in found if word.isalpha()] or found
        best = sorted(words, key=lambda word: (self._texts_with[word], -len(word), words.index(word)))[:ASKED_WORDS]
        return tuple(sorted(best, key=words.index))
