"""A window run: a long thread through the product itself, with a model that notes what it is shown."""

from __future__ import annotations

import tempfile
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from pathlib import Path

from langchain_core.messages import BaseMessage

from graph.context import WindowStrategy
from graph.settings import THREADS_FILE, Settings
from jiyi.agent import open_agent
from jiyi.evals.window_script import Language, Line
from jiyi.testing import FixedClock, ScriptedModel
from memory.fence import without_fences
from memory.prompt_reading import read_prompt
from memory.tokens import count_messages, count_tokens

BEGINS = datetime(2026, 3, 2, 8, 0, tzinfo=UTC)
BETWEEN = timedelta(minutes=3)
REPLY = {
    "zh": "好，先看最要紧的一点，再看别的；要是时间不够，就留到明天，先把能定的定下来。",
    "en": "Fine: the most important point first, then the others; what there is no time for waits until tomorrow.",
}
"""What the model says each time, whatever it is shown."""
OnDone = Callable[[int], None]


@dataclass(frozen=True, kw_only=True)
class Turn:
    """What one turn took: tokens shown and said, seconds, and where what was asked for could be read.

    `in_thread`: in the window, the summary or the notes; `in_prompt`: anywhere in what the model was shown. Both are None
    where nothing was asked for.
    """

    shown: int
    said: int
    seconds: float
    in_thread: bool | None
    in_prompt: bool | None


@dataclass(frozen=True, kw_only=True)
class Course:
    """A whole thread under one strategy, and how large its threads file is in the end (bytes, log included)."""

    language: Language
    strategy: WindowStrategy
    turns: tuple[Turn, ...]
    thread_bytes: int


async def run_thread(
    lines: Sequence[Line],
    *,
    language: Language,
    strategy: WindowStrategy,
    on_done: OnDone = lambda turns: None,
) -> Course:
    """Say all lines in one thread of a memory of its own, without vectors; leave nothing behind."""
    model = ScriptedModel(replies=lambda messages: REPLY[language])
    clock = FixedClock(BEGINS)
    turns = []
    with tempfile.TemporaryDirectory(prefix="jiyi-bench-") as home:
        chosen = Settings(embeddings="none", jiyi_home=Path(home))
        async with open_agent(chosen=chosen, model=model, clock=clock) as agent:
            for line in lines:
                begun = time.perf_counter()
                await agent.say(line.text, user="bench", thread="long", window=strategy)
                took = time.perf_counter() - begun
                turns.append(_turn(line, model.seen[-1], language, took))
                clock.advance(BETWEEN)
                on_done(1)
            await agent.drainer.finish()
        size = _bytes_of_threads(Path(home))
    return Course(language=language, strategy=strategy, turns=tuple(turns), thread_bytes=size)


def _bytes_of_threads(home: Path) -> int:
    return sum(path.stat().st_size for path in home.glob(f"{THREADS_FILE}*"))


def _turn(line: Line, shown: Sequence[BaseMessage], language: Language, seconds: float) -> Turn:
    asks = bool(line.answer)
    return Turn(
        shown=count_messages(shown),
        said=count_tokens(REPLY[language]),
        seconds=seconds,
        in_thread=_in_thread(line.answer, shown) if asks else None,
        in_prompt=any(line.answer in message.text for message in shown) if asks else None,
    )


def _in_thread(answer: str, shown: Sequence[BaseMessage]) -> bool:
    prompt = read_prompt(shown)
    window = [without_fences(message.text) for message in shown[1:]]
    return any(answer in text for text in (prompt.summary, prompt.notes, *window))
