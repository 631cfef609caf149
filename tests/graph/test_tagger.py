"""The tagger in the graph: what it marks is remembered with the user's words, and nothing depends on it."""

from __future__ import annotations

from datetime import timedelta
from pathlib import Path

import pytest

from graph.settings import Settings
from jiyi.agent import open_agent
from jiyi.testing import FailingTagger, FixedClock, WordTagger
from memory.kinds import Fact
from memory.namespaces import Owner
from memory.seams import Tagger
from memory.tagging.marks import Mark
from store.profile import facts_of

ADA = Owner(user="ada")


async def after(home: Path, clock: FixedClock, tagger: Tagger, *texts: str) -> tuple[tuple[Fact, ...], str]:
    """Say one after the other, a week apart; give what is believed then, and all that is kept."""
    chosen = Settings(embeddings="none", jiyi_home=home)
    async with open_agent(chosen=chosen, clock=clock, tagger=tagger) as agent:
        for text in texts:
            clock.advance(timedelta(days=7))
            await agent.say(text, user="ada", thread="t")
        kept = await agent.store.asearch(("users", "ada"), limit=1000)
        return await facts_of(agent.store, ADA), "\n".join(str(item.value) for item in kept)


@pytest.mark.parametrize(
    ("text", "said", "expected"),
    [
        ("nobody warns you that Zwettl gets dark at four", {"lives_in": "Zwettl"}, ("user.lives_in", "Zwettl")),
        ("盐城这边四点就天黑，谁受得了", {"lives_in": "盐城"}, ("user.lives_in", "盐城")),
    ],
)
async def test_what_is_marked_is_believed(
    text: str, said: dict[str, str], expected: tuple[str, str], tmp_path: Path, clock: FixedClock
) -> None:
    facts, _ = await after(tmp_path, clock, WordTagger(**said), text)
    assert expected in {(fact.key, fact.value) for fact in facts}


async def test_what_is_marked_anew_takes_the_place_of_the_old(tmp_path: Path, clock: FixedClock) -> None:
    class Moving:
        name = "moving"

        def tag(self, text: str) -> tuple[Mark, ...]:
            return WordTagger(lives_in="Zwettl").tag(text) or WordTagger(lives_in="Krems").tag(text)

        def witness(self, text: str, start: int, end: int) -> None:
            raise AssertionError(f"no model claimed {text[start:end]!r}")

    facts, _ = await after(tmp_path, clock, Moving(), "Zwettl gets dark at four", "Krems has a market, at last")
    assert [fact.value for fact in facts if fact.key == "user.lives_in"] == ["Krems"]


@pytest.mark.parametrize("text", ["I live in Leeds", "我住在杭州"])
async def test_where_the_tagger_fails_the_rules_read_alone(text: str, tmp_path: Path, clock: FixedClock) -> None:
    facts, _ = await after(tmp_path, clock, FailingTagger(), text)
    assert [fact.key for fact in facts] == ["user.lives_in"]


async def test_the_tagger_sees_no_private_numbers(tmp_path: Path, clock: FixedClock) -> None:
    tagger = WordTagger(lives_in="Zwettl")
    await after(tmp_path, clock, tagger, "Zwettl it is, call me on +43 664 1234567", "我的手机号是13812345678")
    assert tagger.seen
    assert "1234567" not in "".join(tagger.seen)
    assert "13812345678" not in "".join(tagger.seen)


async def test_a_turn_that_waits_tells_nothing_of_what_was_forgotten(tmp_path: Path, clock: FixedClock) -> None:
    tagger = WordTagger(lives_in="Zwettl")
    facts, kept = await after(
        tmp_path, clock, tagger, "Zwettl gets dark at four", "Zwettl, still", "Forget that I live in Zwettl"
    )
    assert facts == ()
    assert "Zwettl" not in kept
