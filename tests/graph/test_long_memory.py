"""Told on one day and asked long after: what lasts is still there, what fades has faded."""

from __future__ import annotations

from datetime import timedelta
from pathlib import Path

import pytest

from graph.settings import Settings
from jiyi.agent import open_agent
from jiyi.testing import FixedClock, ScriptedModel

TOLD = {
    "zh": ("叫我小周。以后请简短回答。我对花生过敏。我喜欢爬山。", "小周", "简短回答", "花生", "爬山"),
    "en": (
        "Call me Zoe. Please keep your answers short. I'm allergic to peanuts. I like hiking.",
        "Zoe",
        "briefly",
        "peanuts",
        "hiking",
    ),
}


@pytest.mark.parametrize("language", TOLD)
@pytest.mark.parametrize(
    ("days", "likes_last"), [(20, True), (60, False), (3650, False)], ids=["three weeks", "two months", "ten years"]
)
async def test_name_style_and_allergy_hold_and_a_liking_fades(
    tmp_path: Path, clock: FixedClock, language: str, days: int, likes_last: bool
) -> None:
    told, name, style, allergy, liking = TOLD[language]
    model = ScriptedModel(replies=lambda _: "ok")
    async with open_agent(
        chosen=Settings(embeddings="none", jiyi_home=tmp_path / "home"), clock=clock, model=model
    ) as agent:
        await agent.say(told, user="ada", thread="one")
        clock.advance(timedelta(days=days))
        await agent.say("你好，今天天气不错" if language == "zh" else "hello, nice weather", user="ada", thread="two")

    system = model.seen[-1][0].text
    assert all(word in system for word in (name, style, allergy))
    assert (liking in system) == likes_last
