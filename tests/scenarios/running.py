"""Running: act out a scenario, with the rules alone or with a model that extracts, and fail with all that does not hold."""

from __future__ import annotations

import asyncio
from contextlib import AbstractAsyncContextManager, AsyncExitStack
from dataclasses import replace
from datetime import datetime, timedelta
from pathlib import Path

from jiyi.agent import Agent
from jiyi.testing import FixedClock
from memory.changes import MarkFact
from memory.namespaces import Owner
from store.apply import apply
from store.reviewing import judge_review, reviews_of
from tests.scenarios.holding import faults_of
from tests.scenarios.proposing import Table
from tests.scenarios.stage import Stage, opened
from tests.scenarios.told import Holds, Mode, Scenario, Step

ONE_AFTER_THE_OTHER = timedelta(seconds=1)
"""Between the messages of a step, so that it is never left to chance which was the last."""


class Play:
    """One scenario on its stage."""

    def __init__(self, scenario: Scenario, mode: Mode, home: Path) -> None:
        self.scenario = scenario
        self.mode = mode
        self.home = home
        self.clock = FixedClock(datetime.fromisoformat(scenario.start))
        self.table = Table(scenario.talk)
        self.faults: list[str] = []
        self._extra = AsyncExitStack()
        self._second: Stage | None = None

    async def act(self) -> list[str]:
        """Act the scenario out, and give what does not hold."""
        async with self._open() as stage, self._extra:
            for time in range(self.scenario.times):
                for number, step in enumerate(self.scenario.talk, 1):
                    placed = replace(step, thread=f"{step.thread}-{time}") if time else step
                    await self._step(placed, stage, where=f"step {number}")
            await self._look(self.scenario.holds, stage, where="in the end")
        if self.mode == "model" and self.table.unasked:
            self.faults.append(f"the model was never asked about {self.table.unasked!r}")
        return self.faults

    def _open(self) -> AbstractAsyncContextManager[Stage]:
        extractor = self.table.model if self.mode == "model" else None
        return opened(
            self.home,
            self.clock,
            extractor=extractor,
            timezone=self.scenario.timezone,
            embedder=self.scenario.embedder,
        )

    async def _step(self, step: Step, stage: Stage, *, where: str) -> None:
        self.clock.advance(duration(step.after))
        if step.together:
            await self._all_at_once(step, stage)
        else:
            for user in step.users or [step.user]:
                for text in step.say:
                    self.clock.advance(ONE_AFTER_THE_OTHER)
                    await self._say(text, replace(step, user=user), stage, where=where)
        await self._do(step, stage)
        if step.mark:
            marked = MarkFact(which=step.mark.which, act=step.mark.act, value=step.mark.value)
            await apply(stage.offline.store, Owner(user=step.user), [marked])
        if step.judge:
            for one in await reviews_of(stage.offline.store, Owner(user=step.user)):
                await judge_review(stage.offline.store, Owner(user=step.user), one.review.id, step.judge)
        await self._look(step.holds, stage, where=where)

    async def _say(self, text: str, step: Step, stage: Stage, *, where: str) -> None:
        stage.answer = step.answered or stage.answer
        agent = await self._agent(step, stage)
        reply = await agent.say(
            text,
            user=step.user,
            thread=step.thread,
            memory_writes=step.writes,
            run_kind=step.run_kind,
            review=step.review,
        )
        self.faults += [
            f"{where}: the reply to {text!r} lacks {one!r}: {reply!r}" for one in step.reply_has if one not in reply
        ]
        self.faults += [
            f"{where}: the reply to {text!r} has {one!r}: {reply!r}" for one in step.reply_lacks if one in reply
        ]

    async def _agent(self, step: Step, stage: Stage) -> Agent:
        if step.second and self._second is None:
            self._second = await self._extra.enter_async_context(self._open())
        chosen = self._second if step.second and self._second else stage
        return chosen.scripted() if step.answered else chosen.offline

    async def _all_at_once(self, step: Step, stage: Stage) -> None:
        said = (
            stage.offline.say(text, user=user, thread=f"{step.thread}-{number}", memory_writes=step.writes)
            for user in step.users
            for number, text in enumerate(step.say)
        )
        await asyncio.gather(*said)

    async def _do(self, step: Step, stage: Stage) -> None:
        if step.do == "restart":
            await stage.open(step.embedder or self.scenario.embedder)
        elif step.do == "drain":
            await stage.drain()
        elif step.do == "mend":
            self.table.mended = True
        elif step.do == "replay":
            await stage.replay(step.thread, step.user)

    async def _look(self, wanted: Holds | None, stage: Stage, *, where: str) -> None:
        if wanted:
            self.faults += await faults_of(stage, wanted, self.mode, where=where)


def duration(text: str) -> timedelta:
    """Read "5 minutes", "2 days"; a unit is a word of `timedelta`."""
    number, unit = text.split()
    return timedelta(**{unit if unit.endswith("s") else f"{unit}s": float(number)})


async def play(scenario: Scenario, mode: Mode, home: Path) -> None:
    """Act a scenario out.

    Raises:
        AssertionError: Something does not hold; it names the scenario and all that is wrong.
    """
    faults = await Play(scenario, mode, home).act()
    assert not faults, "\n".join([f"{scenario.id} ({scenario.about}, {mode}):", *faults])
