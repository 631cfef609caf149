"""Noting: what may be said to be remembered of a message: only what the rules of extraction find in it."""

from __future__ import annotations

from memory.extraction import propose
from memory.keys import ASKED_FOR, Keys, default_keys
from memory.kinds import Draft
from memory.privacy import PLACEHOLDER, redact
from memory.prompt_texts import Language
from memory.words import has_cjk

NAME_KEY = "user.name"
LANGUAGE_KEY = "pref.language"
WHO_IT_IS = (".relation", ".species")
SURE = 0.5
"""What is stated with less confidence is not said to be noted: it may only be proposed."""
FORGET = "forget"


def drafts_of(text: str) -> list[Draft]:
    """Give what a message surely tells and may be kept."""
    keys = default_keys()
    drafts = propose(redact(text).text, said_at=None)
    return [one for one in drafts if one.act == FORGET or _may_be_kept(one, keys)]


def _may_be_kept(draft: Draft, keys: Keys) -> bool:
    return draft.confidence >= SURE and keys.spec(draft.key) is not None and not PLACEHOLDER.search(draft.value)


def has_private(text: str) -> bool:
    """Tell whether a message holds something that is never kept, such as a phone number."""
    return any(found.kind != "street" for found in redact(text).found)


def shown_value(key: str, value: str, language: Language) -> str:
    """Say a value of a closed vocabulary in a language; any other as it is."""
    spec = default_keys().spec(key)
    ways = spec.values.get(value, ()) if spec else ()
    if language == "zh":
        return next((way for way in ways if has_cjk(way)), value)
    return next((way.title() for way in ways if way.isascii()), value) if key == LANGUAGE_KEY else value


def shown(draft: Draft, language: Language) -> str:
    """Say what a draft tells, as label and value; what was to be remembered word by word, as it was said."""
    value = shown_value(draft.key, draft.value, language)
    if draft.key == ASKED_FOR:
        return f"“{value}”"
    if draft.key.endswith(WHO_IT_IS):
        return f"{value} {draft.key.split('.')[1]}".strip()
    return f"{default_keys().label(draft.key, language)} {value}".strip()
