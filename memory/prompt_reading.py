"""Reading a prompt back: what a model can see in the messages that `memory.prompt.assemble` made."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from langchain_core.messages import BaseMessage, HumanMessage, SystemMessage

from memory.fence import fences_in, unescaped
from memory.prompt_lines import exchanges_of, facts_of, skills_of
from memory.prompt_parts import ShownExchange, ShownFact, ShownSkill
from memory.prompt_texts import TEXTS


@dataclass(frozen=True, kw_only=True)
class ReadPrompt:
    """What stands in a prompt besides the conversation; empty where it says nothing."""

    style: str = ""
    language: str = ""
    name: str = ""
    facts: tuple[ShownFact, ...] = ()
    summary: str = ""
    notes: str = ""
    recalled: tuple[ShownExchange, ...] = ()
    skills: tuple[ShownSkill, ...] = ()


def read_prompt(messages: Sequence[BaseMessage]) -> ReadPrompt:
    """Read the first system message and the block beside the last user message; nothing else is believed."""
    system = messages[0].text if messages and isinstance(messages[0], SystemMessage) else ""
    asked = next((message.text for message in reversed(messages) if isinstance(message, HumanMessage)), "")
    fences = dict([*fences_in(system), *fences_in(asked)])
    lines = system.splitlines()
    return ReadPrompt(
        style=_chosen(lines, [texts.styles for texts in TEXTS.values()]),
        language=_chosen(lines, [texts.answer_in for texts in TEXTS.values()]),
        name=_name_in(lines),
        facts=facts_of(fences.get("facts", ())),
        summary=unescaped("\n".join(fences.get("summary", ()))),
        notes=unescaped("\n".join(fences.get("notes", ()))),
        recalled=exchanges_of(fences.get("episodes", ())),
        skills=skills_of(fences.get("skills", ())),
    )


def _chosen(lines: Sequence[str], tables: Sequence[object]) -> str:
    """Say which value's sentence stands among the lines."""
    sentences = {text: value for table in tables if isinstance(table, dict) for value, text in table.items()}
    return next((str(sentences[line]) for line in lines if line in sentences), "")


def _name_in(lines: Sequence[str]) -> str:
    for texts in TEXTS.values():
        before, after = texts.address_as.split("{name}")
        pattern = re.compile(f"{re.escape(before)}(.+){re.escape(after)}")
        for line in lines:
            if match := pattern.fullmatch(line):
                return match[1]
    return ""
