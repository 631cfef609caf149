"""Text in both languages: what a skill says and what a tool answers."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

Language = Literal["zh", "en"]


@dataclass(frozen=True, kw_only=True)
class Text:
    """The same thing said in Chinese and in English; both are equal where only one was written."""

    zh: str
    en: str

    def in_language(self, language: Language | None) -> str:
        """Say it in one language, or in both where none is asked for."""
        if language == "zh":
            return self.zh
        return self.en if language == "en" else str(self)

    def __str__(self) -> str:
        """Say it in both languages, once where they are the same."""
        return self.zh if self.zh == self.en else f"{self.zh} / {self.en}"


def same(text: str) -> Text:
    """Take a text that was written in one language only."""
    return Text(zh=text, en=text)
