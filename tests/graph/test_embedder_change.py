"""A change of embedder in mid-conversation: the agent goes on knowing what it was told."""

from __future__ import annotations

from pathlib import Path

import pytest

from graph.settings import Settings
from jiyi.agent import open_agent
from jiyi.testing import FixedClock, HashEmbedder

TOLD, ASKED = "我把备用钥匙放在了蓝色的花盆下面", "备用钥匙放在哪里了？"


@pytest.mark.parametrize("lengths", [(384, 512, 384)])
async def test_from_one_length_to_another_and_back_nothing_is_forgotten(
    tmp_path: Path, clock: FixedClock, lengths: tuple[int, ...]
) -> None:
    chosen = Settings(jiyi_home=tmp_path)
    for turn, length in enumerate(lengths):
        async with open_agent(chosen=chosen, clock=clock, embedder=HashEmbedder(length)) as agent:
            if turn == 0:
                await agent.say(TOLD, user="ada", thread="t")
            await agent.store.indexer.catch_up()
            (first, *_) = await agent.recall(TOLD, user="ada")
            assert (first.text, first.parts.semantic) == (TOLD, 1.0)  # by the embedder of now
            found = await agent.recall(ASKED, user="ada")
            assert TOLD in [one.text for one in found]
            assert "花盆" in await agent.say(ASKED, user="ada", thread=f"t{turn}")
            await agent.say(f"第 {turn} 次搬家了", user="ada", thread="t")
            (first, *_) = await agent.recall(f"第 {turn} 次搬家了", user="ada")
            assert first.text == f"第 {turn} 次搬家了"
