"""What the tests of skills share: a desk with its tools, a caller, the packaged skills."""

from __future__ import annotations

import sqlite3
from collections.abc import AsyncIterator
from datetime import UTC, datetime
from pathlib import Path

import pytest

from skills.loader import PACKAGED, SkillLibrary
from skills.order_desk import OrderDesk, order_desk_tools
from skills.registry import Caller, Tool, registered
from skills.skill_file import Skill

NOW = datetime(2026, 11, 30, 9, 0, tzinfo=UTC)


def opened(path: Path) -> sqlite3.Connection:
    return sqlite3.connect(path, timeout=10)


@pytest.fixture
async def desk(tmp_path: Path) -> AsyncIterator[OrderDesk]:
    async with OrderDesk(tmp_path / "orders.db", connect=opened) as desk:
        yield desk


@pytest.fixture
def tools(desk: OrderDesk) -> dict[str, Tool]:
    return registered(order_desk_tools(desk))


@pytest.fixture
def caller() -> Caller:
    return Caller(user="小王", thread_id="monday", now=NOW)


@pytest.fixture
def packaged(tools: dict[str, Tool]) -> tuple[Skill, ...]:
    library = SkillLibrary([PACKAGED], tools=tools)
    library.refresh()
    assert library.faults == ()
    return library.skills
