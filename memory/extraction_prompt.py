"""What a model is asked when it extracts memories: the rules, the keys it may use, and the user's words as data."""

from __future__ import annotations

from langchain_core.messages import BaseMessage, HumanMessage, SystemMessage

from memory.extraction_prompt_texts import EXTRACTION_TEXTS, ExtractionTexts
from memory.fence import escaped_lines
from memory.keys import ANY, Keys, KeySpec, Language
from memory.words import has_cjk

MAX_KEYS = 80
TAG = "said"


def extraction_messages(text: str, *, keys: Keys, with_notes: bool = False) -> list[BaseMessage]:
    """Make the prompt that asks what is worth remembering of one message.

    Args:
        text: The user's message, redacted; it is fenced and escaped, so that it cannot pass for anything else.
        keys: What may be kept; at most `MAX_KEYS` families are offered, those always shown in prompts first.
        with_notes: Ask in the same breath what the message tells of the thread's work.

    Returns:
        A system message, the same for every message in a language, and the user's words.
    """
    language: Language = "zh" if has_cjk(text) else "en"
    texts = EXTRACTION_TEXTS[language]
    offered = "\n".join(_line(spec, language, texts) for spec in _offered(keys))
    rules = f"{texts.rules}\n\n{texts.notes}" if with_notes else texts.rules
    return [SystemMessage(f"{rules}\n\n{texts.keys}\n{offered}"), HumanMessage(_fenced(text, texts))]


def _offered(keys: Keys) -> list[KeySpec]:
    """Take the most important families, and give them in the order in which they are known."""
    ranked = sorted(keys.specs, key=lambda spec: not spec.always)[:MAX_KEYS]
    return [spec for spec in keys.specs if spec in ranked]


def _line(spec: KeySpec, language: Language, texts: ExtractionTexts) -> str:
    label: str = getattr(spec.label, language)
    for place in range(spec.pattern.split(".").count(ANY)):
        label = label.replace(f"{{{place}}}", ANY)
    values = f"{texts.one_of}{' / '.join(spec.values)}" if spec.values else ""
    many = "" if spec.single else texts.many
    return f"- {spec.pattern}: {label}{many}{values}"


def _fenced(text: str, texts: ExtractionTexts) -> str:
    return "\n".join([f'<{TAG} note="{texts.data_note}">', *escaped_lines(text), f"</{TAG}>"])
