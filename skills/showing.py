"""Showing: an agent's skills, by their ids, as they go into the prompt."""

from __future__ import annotations

from collections.abc import Sequence

from memory.prompt_parts import ShownSkill
from skills.bilingual import Language
from skills.loader import SkillLibrary
from skills.skill_file import Skill


def shown_skills(
    library: SkillLibrary, ids: Sequence[str], *, agent: str, language: Language
) -> tuple[ShownSkill, ...]:
    """Give the skills with these ids that the agent sees, in the order of the ids; those that are gone are left out.

    Looks at the disk, so on an event loop call it through `asyncio.to_thread`: a turn may go on in another process
    than it began in, and bodies of Agent-Skills folders are read here.
    """
    library.refresh()
    known = {skill.id: skill for skill in library.for_agent(agent)}
    sound = library.with_bodies(known[skill_id] for skill_id in ids if skill_id in known)
    return tuple(_shown(skill, language) for skill in sound)


def _shown(skill: Skill, language: Language) -> ShownSkill:
    return ShownSkill(
        id=skill.id,
        description=skill.description.in_language(language),
        steps=tuple(step.in_language(language) for step in skill.steps),
        tools=tuple(name.replace(".", "_") for name in skill.tools),
        safety_checks=tuple(check.in_language(language) for check in skill.safety_checks),
        body=skill.body.text if skill.body else "",
        body_in=f"{skill.folder.name}/{skill.source.name}" if skill.folder else "",
        body_cut=bool(skill.body and skill.body.cut),
    )
