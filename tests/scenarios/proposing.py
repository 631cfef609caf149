"""Proposing: a scripted model that extracts what a good one would, from a table, and answers as badly as it is told to."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence
from typing import Any

from langchain_core.messages import BaseMessage

from jiyi.testing import Reply, ScriptedModel
from memory.fence import escaped
from memory.privacy import redact
from tests.scenarios.told import Fault, Step

_SENTENCES = re.compile(r"[^。！？!?\n]+[。！？!?\n]*")
_PLACEHOLDER = re.compile(r"\[(\w+):[^\]]*\]")
_FIELDS = ("key", "value", "quote", "confidence", "act", "source", "when")


class WholeModel(ScriptedModel):
    """A scripted model that streams whole replies, so that long ones cost nothing."""

    def pieces_of(self, text: str) -> list[str]:
        """Leave it whole."""
        return [text]


class Table:
    """What the model makes of each message; `asked_about` are those that it was asked about."""

    def __init__(self, steps: Sequence[Step]) -> None:
        self.steps = [(text, step) for step in steps for text in step.say]
        self.mended = False
        self.asked_about: set[str] = set()
        self.model = WholeModel(replies=self._answer)

    @property
    def unasked(self) -> list[str]:
        """Give the messages of which something was to be proposed and about which nobody asked."""
        return [text for text, step in self.steps if step.proposes and text not in self.asked_about]

    def _answer(self, messages: Sequence[BaseMessage]) -> Reply:
        shown = "\n".join(message.text for message in messages)
        found = [(text, step) for text, step in self.steps if _is_shown(text, shown)]
        text, step = max(found, key=lambda each: len(each[0]), default=("", Step()))
        self.asked_about.add(text)
        good = json.dumps({"memories": [proposal(one, text) for one in step.proposes]}, ensure_ascii=False)
        return good if self.mended else spoilt(good, step.fault)


def proposal(given: Mapping[str, Any], text: str) -> dict[str, Any]:
    """Fill in what a proposal leaves out: a quote is the sentence that the value stands in."""
    fields = dict(given) if "key" in given else dict(zip(("key", "value"), next(iter(given.items())), strict=True))
    value = str(fields.get("value", ""))
    plain = {"value": value, "quote": _sentence(value, text), "confidence": 0.75, "act": "state", "source": "user"}
    unknown = set(fields) - set(_FIELDS)
    if unknown:
        raise ValueError(f"Cannot propose {given!r}: no proposal has {sorted(unknown)}.")
    return plain | {"when": ""} | fields


def spoilt(good: str, fault: Fault) -> Reply:
    """Give a good answer as a bad model would."""
    answers: dict[Fault, Reply] = {
        "": good,
        "chatty": f"Sure! Here is what I found worth remembering:\n\n{good}\n\nLet me know if you need anything else 😊",
        "fenced": f"```json\n{good}\n```",
        "thinking": f'<think>用户说了什么？ maybe {{"memories": []}} or not…</think>\n{good}',
        "truncated": good[: len(good) * 2 // 3],
        "prose": "The user seems to be a nice person. I would remember what they said.",
        "blank": "",
        "error": ConnectionError("unreachable"),
        "nothing": '{"memories": []}',
    }
    return answers[fault]


def _sentence(value: str, text: str) -> str:
    return next((found[0].strip() for found in _SENTENCES.finditer(text) if value in found[0]), text)


def _is_shown(text: str, shown: str) -> bool:
    """Say whether a message is what was asked about; what it quotes of ours is cut away, numbers are replaced."""
    last = redact(text).text.strip().splitlines()[-1].strip()
    return escaped(_PLACEHOLDER.sub(r"[\1]", last)) in _PLACEHOLDER.sub(r"[\1]", shown)
