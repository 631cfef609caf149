"""Results: what a tool said, as one text in the user's language."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

from memory.prompt_texts import TEXTS, Language
from memory.words import has_cjk

_BETWEEN_LANGUAGES = " / "


def result_text(content: str, language: Language) -> str:
    """Give a tool's result as plain text: JSON told as words, and of two languages the user's."""
    told = _told(_loaded(content), language)
    return " ".join(_half(line.strip(), language) for line in told.splitlines() if line.strip())


def _loaded(content: str) -> Any:
    if not content.lstrip().startswith(("{", "[", '"')):
        return content
    try:
        return json.loads(content)
    except json.JSONDecodeError:
        return content


def _told(value: Any, language: Language) -> str:
    if isinstance(value, Mapping):
        return _told_mapping(value, language)
    if isinstance(value, list):
        return "; ".join(_told(item, language) for item in value)
    return "" if value is None else str(value)


def _told_mapping(value: Mapping[str, Any], language: Language) -> str:
    """Tell a mapping as `key: value`, or, where its keys are languages, by the right one."""
    if value.keys() <= TEXTS.keys() and language in value:
        return _told(value[language], language)
    told = {key: _told(item, language) for key, item in value.items()}
    return "; ".join(f"{key}: {text}" for key, text in told.items() if text)


def _half(text: str, language: Language) -> str:
    """Of a text said in Chinese and in English give the half that is in the language."""
    first, between, second = text.partition(_BETWEEN_LANGUAGES)
    if not between or has_cjk(first) == has_cjk(second):
        return text
    return first if has_cjk(first) == (language == "zh") else second
