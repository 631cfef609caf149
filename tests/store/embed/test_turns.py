"""Turns while the endpoint for embeddings is silent: one of them waits, shortly, and nothing is forgotten."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

from graph.settings import Settings
from jiyi.agent import open_agent
from jiyi.testing import FixedClock
from store.embed.endpoint import Endpoint
from store.embed.openai import OpenAIEmbedder
from tests.endpoint.embeddings import Embeds, Silence

TOLD = "我把备用钥匙放在了蓝色的花盆下面"


async def test_a_silent_endpoint_is_waited_for_once_and_what_was_said_is_found(
    tmp_path: Path, clock: FixedClock, endpoint: Endpoint, served: Embeds
) -> None:
    served.will(*[Silence()] * 50)
    silent = OpenAIEmbedder("m", replace(endpoint, timeout_s=0.5), seconds=lambda: 0.0)
    chosen = Settings(jiyi_home=tmp_path, memory_writes="inline")
    async with open_agent(chosen=chosen, clock=clock, embedder=silent) as agent:
        await agent.say(TOLD, user="ada", thread="t")
        assert "花盆" in await agent.say("备用钥匙放在哪里了？", user="ada", thread="t2")
        await agent.say("I am allergic to peanuts", user="ada", thread="t")
        assert TOLD in [one.text for one in await agent.recall("备用钥匙", user="ada")]
    assert len(served.asked) == 1


async def test_once_it_answers_again_what_was_said_gets_its_vectors(
    tmp_path: Path, clock: FixedClock, endpoint: Endpoint, served: Embeds
) -> None:
    served.will(Silence())
    time = [0.0]
    embedder = OpenAIEmbedder("m", replace(endpoint, timeout_s=0.5), seconds=lambda: time[0])
    chosen = Settings(jiyi_home=tmp_path, memory_writes="inline")
    async with open_agent(chosen=chosen, clock=clock, embedder=embedder) as agent:
        await agent.say(TOLD, user="ada", thread="t")
        time[0] = 5.0
        await agent.say("I am allergic to peanuts", user="ada", thread="t")
    assert any(TOLD in texts for texts in served.asked[1:])
