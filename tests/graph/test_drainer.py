"""The drainer: turns that were left are finished, whoever left them and however; none is lost, none stops the others."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from dataclasses import replace
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest
from langchain_core.language_models import BaseChatModel
from langchain_core.messages import AIMessage, BaseMessage
from langchain_core.outputs import ChatGeneration, ChatResult
from pydantic import PrivateAttr

from graph.agent import build_graph
from graph.drainer import MOST_LOOKS, Drainer, Pauses
from graph.identity import RunError
from graph.parts import make_parts
from graph.server import saver_with, store_with
from graph.settings import Settings
from jiyi.agent import ONE_CHECKPOINT_A_TURN, Agent, open_agent
from jiyi.testing import FixedClock
from memory.changes import AnswerTurn, AwaitTurn
from memory.kinds import Episode, Pending
from memory.namespaces import Owner
from store.apply import apply
from store.health import store_health
from store.memory_store import MemoryStore
from store.profile import facts_of
from store.waiting import LEASE, MAX_TRIES, claim_turns, waiting_turns
from store.waiting_rows import Waiting

ALLERGY = "我对花生过敏"
NOBODYS_ZONE = "Nowhere/Land"


class WaitingModel(BaseChatModel):
    """A model that answers only when it is let."""

    _asked: asyncio.Event = PrivateAttr(default_factory=asyncio.Event)
    _let: asyncio.Event = PrivateAttr(default_factory=asyncio.Event)

    @property
    def _llm_type(self) -> str:
        return "waiting"

    def bind_tools(self, tools: Any, **_: Any) -> Any:
        return self

    def _generate(self, *_: Any, **__: Any) -> ChatResult:
        raise NotImplementedError

    async def _agenerate(self, messages: list[BaseMessage], *_: Any, **__: Any) -> ChatResult:
        self._asked.set()
        await self._let.wait()
        return ChatResult(generations=[ChatGeneration(message=AIMessage("noted"))])

    async def is_asked(self) -> None:
        await self._asked.wait()

    def let_it_answer(self) -> None:
        self._let.set()


@pytest.fixture
def chosen(tmp_path: Path) -> Settings:
    return Settings(embeddings="none", jiyi_home=tmp_path / "home")


@asynccontextmanager
async def undrained(chosen: Settings, clock: FixedClock, model: BaseChatModel | None = None) -> AsyncIterator[Agent]:
    """Open an agent whose drainer works only when it is told to."""
    parts = make_parts(chosen, clock=clock, model=model)
    async with store_with(parts) as store, saver_with(parts) as saver:
        graph = build_graph(parts).compile(checkpointer=saver, store=store).with_config(ONE_CHECKPOINT_A_TURN)
        yield Agent(graph, store, saver, Drainer(store, saver, parts), parts)
    await parts.aclose()


@pytest.fixture
async def agent(chosen: Settings, clock: FixedClock) -> AsyncIterator[Agent]:
    async with undrained(chosen, clock) as opened:
        yield opened


def left_turn(clock: FixedClock, *, user: str = "ada", text: str = ALLERGY, number: int = 1, **known: Any) -> AwaitTurn:
    turn_id = f"turn-{number}"
    pending = Pending(
        turn_id=turn_id,
        user=user,
        agent="_",
        thread_id=f"thread-of-{user}",
        message_id=f"m{number}",
        text=text,
        said_at=clock(),
    )
    episode = Episode(
        id=f"{turn_id}-0",
        speaker="user",
        text=text,
        thread_id=pending.thread_id,
        turn_id=turn_id,
        position=0,
        said_at=clock(),
    )
    return AwaitTurn(pending=replace(pending, **known), episode=episode)


async def leave(agent: Agent, change: AwaitTurn) -> None:
    await apply(agent.store, Owner(user=change.pending.user), [change])


async def allergies(agent: Agent, user: str = "ada") -> list[str]:
    facts = await facts_of(agent.store, Owner(user=user))
    return [fact.value for fact in facts if fact.key == "user.allergy"]


async def spoken(agent: Agent, user: str = "ada") -> list[tuple[str, str]]:
    items = await agent.store.asearch(("users", user, "_", "episodes"), limit=100)
    ordered = sorted(items, key=lambda item: (item.value["said_at"], item.value["position"]))
    return [(item.value["speaker"], item.value["text"]) for item in ordered]


async def until(holds: Callable[[], bool]) -> None:
    while not holds():  # noqa: ASYNC110  (another task brings it about)
        await asyncio.sleep(0.01)


async def nothing_waits(agent: Agent) -> None:
    while await waiting_turns(agent.store):  # noqa: ASYNC110  (another task works on it)
        await asyncio.sleep(0.01)


async def test_a_dead_ones_turn_is_taken_over_at_once(agent: Agent, clock: FixedClock) -> None:
    await leave(agent, left_turn(clock, holder="4194305-dead", lease_until=clock() + LEASE))
    assert await agent.drainer.drain() == 1
    assert await allergies(agent) == ["花生"]
    assert await waiting_turns(agent.store) == []


async def test_a_living_ones_turn_is_left_to_it_until_the_lease_is_over(agent: Agent, clock: FixedClock) -> None:
    async with MemoryStore(agent.store.path, clock=clock).opened() as other:
        await leave(agent, left_turn(clock, holder=other.holder, lease_until=clock() + LEASE))
        assert await agent.drainer.drain() == 0
        clock.advance(LEASE - timedelta(seconds=1))
        assert await agent.drainer.drain() == 0
        clock.advance(timedelta(seconds=1))
        assert await agent.drainer.drain() == 1
    assert await allergies(agent) == ["花生"]


async def test_what_a_closed_store_held_is_taken_over_at_once(agent: Agent, clock: FixedClock) -> None:
    async with MemoryStore(agent.store.path, clock=clock).opened() as other:
        await leave(agent, left_turn(clock, holder=other.holder, lease_until=clock() + LEASE))
    assert await agent.drainer.drain() == 1


async def test_two_who_claim_at_once_never_get_the_same_turn(agent: Agent, clock: FixedClock) -> None:
    for number in range(12):
        await leave(agent, left_turn(clock, number=number))
    async with MemoryStore(agent.store.path, clock=clock).opened() as other:
        claims = await asyncio.gather(
            *(claim_turns(store, limit=2) for store in (agent.store, other) for _ in range(4))
        )
    claimed = [one.pending.turn_id for claim in claims for one in claim]
    assert sorted(claimed) == sorted({f"turn-{number}" for number in range(12)})


async def test_a_turn_that_waits_for_consent_is_left_alone_and_its_answer_is_kept_after_it(
    agent: Agent, clock: FixedClock
) -> None:
    asked = await agent.say("取消订单 #8843", user="ada", thread="t")
    clock.advance(LEASE * 2)
    assert await agent.drainer.drain() == 0
    (waiting,) = await waiting_turns(agent.store)
    assert (waiting.pending.tries, waiting.pending.drafts) == (0, None)
    for _ in range(MAX_TRIES + 2):  # however long the user thinks about it
        clock.advance(LEASE * 2)
        await agent.drainer.drain()
    done = await agent.say("好的", user="ada", thread="t")
    assert await waiting_turns(agent.store) == []
    assert done != asked
    assert ("assistant", done.split("（")[0]) in [(who, text.split("（")[0]) for who, text in await spoken(agent)]


async def test_many_who_think_about_their_consent_keep_nobody_else_waiting(agent: Agent, clock: FixedClock) -> None:
    for number in range(25):
        await agent.say("取消订单 #8843", user=f"u{number}", thread="t")
    await leave(agent, left_turn(clock))
    clock.advance(LEASE * 2)
    assert await agent.drainer.drain() == 1
    assert await allergies(agent) == ["花生"]
    assert len(await waiting_turns(agent.store)) == 25


async def test_a_turn_that_cannot_be_extracted_is_tried_three_times_and_set_aside_where_the_doctor_sees_it(
    agent: Agent, clock: FixedClock, caplog: pytest.LogCaptureFixture
) -> None:
    await leave(agent, left_turn(clock, number=1, text="明天上午我要开会", timezone=NOBODYS_ZONE))
    await leave(agent, left_turn(clock, number=2, user="bob"))
    with caplog.at_level(logging.ERROR, logger="graph.drainer"):
        assert await agent.drainer.drain() == 1
        for _ in range(MAX_TRIES + 2):
            clock.advance(LEASE)
            assert await agent.drainer.drain() == 0
    assert await allergies(agent, "bob") == ["花生"]
    assert [record.levelname for record in caplog.records] == ["ERROR"] * MAX_TRIES
    assert "turn-1" in caplog.text
    (aside,) = await waiting_turns(agent.store)
    assert aside.pending.tries == MAX_TRIES
    assert [one.turn_id for one in store_health(agent.store.path).waiting] == ["turn-1"]
    assert await spoken(agent) == [("user", "明天上午我要开会")]  # what was said is there and found all the same


async def test_a_failing_turn_waits_for_its_lease_before_it_is_tried_again(agent: Agent, clock: FixedClock) -> None:
    await leave(agent, left_turn(clock, text="明天上午我要开会", timezone=NOBODYS_ZONE))
    for _ in range(5):
        await agent.drainer.drain()
    (waiting,) = await waiting_turns(agent.store)
    assert waiting.pending.tries == 1


async def test_more_turns_than_are_claimed_at_once_are_finished_in_one_go(agent: Agent, clock: FixedClock) -> None:
    for number in range(45):
        await leave(agent, left_turn(clock, user=f"u{number}", number=number))
    assert await agent.drainer.drain() == 45
    assert [await allergies(agent, f"u{number}") for number in range(45)] == [["花生"]] * 45


@pytest.mark.parametrize(
    "value",
    [
        {"text": "no turn at all"},
        {"turn_id": "x", "user": "bob", "agent": "_", "thread_id": "t", "message_id": "m", "text": ALLERGY},
        {"user": "", "agent": "", "turn_id": "x"},
    ],
)
async def test_rubbish_where_turns_wait_stops_nothing(agent: Agent, clock: FixedClock, value: dict[str, Any]) -> None:
    for place in (("users", "ada", "_", "pending"), ("pending",), ("elsewhere", "pending")):
        await agent.store.aput(place, "x", value)
    await leave(agent, left_turn(clock))
    assert await agent.drainer.drain() == 1
    assert await agent.say("我住在杭州", user="ada", thread="t")
    assert await allergies(agent) == ["花生"]
    assert store_health(agent.store.path).waiting == ()


async def test_a_turn_put_in_ones_own_place_in_anothers_name_writes_nothing_to_the_other(
    agent: Agent, clock: FixedClock
) -> None:
    forged = left_turn(clock, user="bob")
    await apply(agent.store, Owner(user="ada"), [forged])
    assert await agent.drainer.drain() == 0
    assert await allergies(agent, "bob") == []


async def test_the_background_task_survives_a_store_that_cannot_write(
    agent: Agent, clock: FixedClock, caplog: pytest.LogCaptureFixture
) -> None:
    await leave(agent, left_turn(clock))
    drainer = Drainer(agent.store, agent.saver, agent.parts, look_again_s=0.01)
    with caplog.at_level(logging.ERROR, logger="graph.drainer"):
        await agent.store.database.outside_transaction(lambda connection: connection.execute("PRAGMA query_only = ON"))
        async with drainer.running():
            await until(lambda: bool(caplog.records))
            await agent.store.database.outside_transaction(
                lambda connection: connection.execute("PRAGMA query_only = OFF")
            )
            await nothing_waits(agent)
    assert "readonly" in caplog.text
    assert await allergies(agent) == ["花生"]


async def test_in_the_background_the_answer_is_kept_though_the_model_is_slow(
    chosen: Settings, clock: FixedClock
) -> None:
    model = WaitingModel()
    async with undrained(chosen, clock, model) as agent:
        saying = asyncio.create_task(agent.say(ALLERGY, user="ada", thread="t", memory_writes="background"))
        await model.is_asked()
        assert await agent.drainer.drain() == 0  # the run is still at work on it
        model.let_it_answer()
        await saying
        while await waiting_turns(agent.store):
            await agent.drainer.drain()
        assert await spoken(agent) == [("user", ALLERGY), ("assistant", "noted")]
        assert await allergies(agent) == ["花生"]


async def test_in_the_background_only_the_words_are_written_before_the_run_ends(
    agent: Agent, clock: FixedClock
) -> None:
    reply = await agent.say(ALLERGY, user="ada", thread="t", memory_writes="background")
    (waiting,) = await waiting_turns(agent.store)
    answer = reply.removesuffix("（离线模式：未配置模型）")
    assert (waiting.pending.drafts, waiting.pending.replies) == (None, (answer,))
    assert await allergies(agent) == []
    assert await agent.drainer.drain() == 1
    assert await allergies(agent) == ["花生"]
    assert await spoken(agent) == [("user", ALLERGY), ("assistant", answer)]


async def test_an_open_agent_drains_by_itself(chosen: Settings, clock: FixedClock) -> None:
    async with undrained(chosen, clock) as first:
        await first.say(ALLERGY, user="ada", thread="t", memory_writes="background")
    async with open_agent(chosen=chosen, clock=clock) as second:
        await nothing_waits(second)
        assert await allergies(second) == ["花生"]


async def test_an_answer_noted_with_the_turn_is_kept_though_the_thread_is_gone(agent: Agent, clock: FixedClock) -> None:
    await leave(agent, left_turn(clock, holder=agent.store.holder, lease_until=clock() + LEASE))
    answered = AnswerTurn(turn_id="turn-1", replies=("noted, write to someone@example.com",), tools_used=("look_up",))
    await apply(agent.store, Owner(user="ada"), [answered])
    assert await agent.drainer.drain() == 1
    (user, assistant) = await spoken(agent)
    assert user == ("user", ALLERGY)
    assert assistant[1].startswith("noted")
    assert "someone@example.com" not in assistant[1]


async def test_a_turn_whose_words_were_forgotten_meanwhile_writes_nothing(agent: Agent, clock: FixedClock) -> None:
    await leave(agent, left_turn(clock))
    await agent.store.adelete(("users", "ada", "_", "pending"), "turn-1")
    await agent.store.adelete(("users", "ada", "_", "episodes"), "turn-1-0")
    assert await agent.drainer.drain() == 0
    assert await allergies(agent) == []


async def test_a_left_turn_is_settled_by_the_threads_next_turn(chosen: Settings, clock: FixedClock) -> None:
    model = WaitingModel()
    async with undrained(chosen, clock, model) as agent:
        saying = asyncio.create_task(agent.say(ALLERGY, user="ada", thread="t"))
        await model.is_asked()
        saying.cancel()
        with pytest.raises(asyncio.CancelledError):
            await saying
        assert await allergies(agent) == []
        model.let_it_answer()
        await agent.say("我住在杭州", user="ada", thread="t")
        assert await allergies(agent) == ["花生"]
        assert await waiting_turns(agent.store) == []


async def test_a_games_clock_does_not_move_the_lease(chosen: Settings, clock: FixedClock) -> None:
    for now in ("1999-01-01T00:00:00Z", "2999-01-01T00:00:00Z"):
        model = WaitingModel()
        async with undrained(chosen, clock, model) as agent:
            saying = asyncio.create_task(agent.say(ALLERGY, user="ada", thread=now, now=now))
            await model.is_asked()
            assert await agent.drainer.drain() == 0
            (waiting,) = await waiting_turns(agent.store)
            assert waiting.pending.lease_until == clock() + LEASE
            model.let_it_answer()
            await saying


async def test_a_run_in_no_time_zone_is_refused_before_anything_waits(agent: Agent) -> None:
    for zone in (NOBODYS_ZONE, "America", "../etc/passwd", " "):
        with pytest.raises(RunError, match="timezone"):
            await agent.say("明天上午我要开会", user="ada", thread="t", timezone=zone)
    assert await waiting_turns(agent.store) == []


def waiting_of(clock: FixedClock, user: str, number: int) -> Waiting:
    return Waiting(owner=Owner(user=user), pending=left_turn(clock, user=user, number=number).pending)


def test_who_goes_on_talking_is_waited_for_and_who_has_paused_is_not(clock: FixedClock) -> None:
    pauses = Pauses()
    first, second, bob = (waiting_of(clock, user, number) for user, number in (("ada", 1), ("ada", 2), ("bob", 3)))

    assert pauses.paused([first, bob]) == frozenset()
    assert pauses.paused([first, second, bob]) == {"bob"}
    assert pauses.paused([first, second, bob]) == {"ada", "bob"}


def test_nobody_is_waited_for_for_ever(clock: FixedClock) -> None:
    pauses = Pauses()
    looks = [pauses.paused([waiting_of(clock, "ada", look)]) for look in range(MOST_LOOKS)]

    assert looks == [frozenset()] * (MOST_LOOKS - 1) + [frozenset({"ada"})]


async def test_only_the_turns_of_those_asked_for_are_finished(agent: Agent, clock: FixedClock) -> None:
    for number, user in enumerate(("ada", "bob"), start=1):
        await leave(agent, left_turn(clock, user=user, number=number))

    assert await agent.drainer.drain(users={"bob"}) == 1
    assert [one.owner.user for one in await waiting_turns(agent.store)] == ["ada"]
