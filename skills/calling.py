"""Calling: which of an agent's skills a message calls for, their bodies looked at before they count."""

from __future__ import annotations

import asyncio

from skills.loader import SkillLibrary
from skills.matcher import Judgement, judge
from skills.similarity import Similarity


async def called_for(library: SkillLibrary, agent: str, text: str, *, similarity: Similarity | None) -> Judgement:
    """Refresh the library and judge; a skill whose body turns out to be refused makes room for the next.

    Args:
        library: Where the skills are.
        agent: Whose own skills count besides the shared ones.
        text: What the user said.
        similarity: The measure of meaning; None for triggers and words only.
    """
    await asyncio.to_thread(library.refresh)
    while True:
        skills = library.for_agent(agent)
        judgement = await judge(skills, text, similarity=similarity)
        wanted = {one.skill_id for one in judgement.called}
        chosen = [skill for skill in skills if skill.id in wanted]
        if len(await asyncio.to_thread(library.with_bodies, chosen)) == len(chosen):
            return judgement
