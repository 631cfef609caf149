"""Rendering: a skill as the model reads it."""

from __future__ import annotations

from collections.abc import Iterator

from skills.bilingual import Language, Text
from skills.skill_file import Skill

TOOLS = Text(zh="工具", en="Tools")
CHECKS = Text(zh="安全检查", en="Safety checks")
PAUSE = Text(zh="；", en="; ")


def rendered(skill: Skill, language: Language | None = None) -> str:
    """Write a skill as a title, numbered steps, its tools, safety checks and body; in one language or in both.

    Tools stand under the names they are offered by (`orderService_cancel`), in the steps too.
    """
    text = "\n".join(_lines(skill, language))
    for tool in sorted(skill.tools, key=len, reverse=True):
        text = text.replace(tool, tool.replace(".", "_"))
    return text


def _lines(skill: Skill, language: Language | None) -> Iterator[str]:
    yield f"{skill.id}: {skill.description.in_language(language)}"
    yield from (f"{number}. {step.in_language(language)}" for number, step in enumerate(skill.steps, start=1))
    if skill.tools:
        yield f"{TOOLS.in_language(language)}: {', '.join(skill.tools)}"
    if skill.safety_checks:
        checks = (check.in_language(language) for check in skill.safety_checks)
        yield f"{CHECKS.in_language(language)}: {(PAUSE.zh if language == 'zh' else PAUSE.en).join(checks)}"
    if skill.body:
        yield skill.body.text
