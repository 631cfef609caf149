"""Usage: what an endpoint says a call took is told with what was counted."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest

from jiyi.agent import open_agent
from jiyi.testing import FixedClock
from tests.endpoint.answers import Says
from tests.endpoint.choosing import chosen
from tests.endpoint.dialects import DEEPSEEK, OLLAMA, Dialect
from tests.endpoint.endpoint import Endpoint
from tests.endpoint.wire import USAGE

TOOK = {
    "input_tokens": USAGE["prompt_tokens"],
    "output_tokens": USAGE["completion_tokens"],
    "total_tokens": USAGE["total_tokens"],
}


@pytest.mark.parametrize(
    ("dialect", "took"),
    [(DEEPSEEK, TOOK), (OLLAMA, None)],
    ids=["one that says it of its own accord", "one that says it only when asked"],
)
async def test_what_an_endpoint_says_of_itself_is_told(
    tmp_path: Path, clock: FixedClock, dialect: Dialect, took: dict[str, int] | None
) -> None:
    events: list[Mapping[str, Any]] = []
    with Endpoint(otherwise=Says(text="你好！"), dialect=dialect).serving() as endpoint:
        async with open_agent(tmp_path, chosen=chosen(endpoint), clock=clock) as agent:
            await agent.say("你好", user="ada", thread="t", on_event=events.append)

    (told,) = (one for one in events if one["event"] == "usage")
    assert told["took"] == took
    assert told["current"] > 0
