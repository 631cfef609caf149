"""Measure how much of each prompt begins as the one before did, which is what a provider's cache can serve.

    python -m bench.prefix --turns 20 --window-tokens 8000

The whole agent talks for so many turns in each language with a scripted model, under each strategy of the window: facts are
told in passing, earlier things asked about, and skills and episodes come beside the question. Tokens are those of the
messages, from the second turn on, counted as the agent counts them; tools, which never change, are left out. `changed` says in
which part of the prompt the beginning ended, and how often: `nothing` where all of the prompt before is the beginning.
"""

from __future__ import annotations

import argparse
import asyncio
import sys
import tempfile
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path
from typing import Any, Literal, get_args

from langchain_core.messages import BaseMessage, HumanMessage, SystemMessage

from graph.context import WindowStrategy
from graph.settings import Settings
from jiyi.agent import open_agent
from jiyi.testing import HashEmbedder, ScriptedModel
from memory.fence import fence_texts
from memory.tokens import TokenCounter
from memory.usage import shared_beginning

Language = Literal["zh", "en"]
LEAST_WINDOW = 100

SAID: dict[Language, tuple[str, ...]] = {
    "zh": (
        "你好，我叫林岚，在厦门做室内设计",
        "最近接了一套老房子的改造，客户想保留原来的木地板",
        "地板有几处被水泡过，你觉得先换还是先修？",
        "预算一共十二万，木工大概要占四成",
        "对了，我对甲醛特别敏感，材料要选环保的",
        "客户姓周，家里有两个孩子，一个五岁一个八岁",
        "儿童房想做上下铺，层高两米七够不够？",
        "我们定了每周三下午四点去工地",
        "厨房要不要做开放式的？他们家炒菜多",
        "那就不做开放式，用一扇玻璃移门",
        "瓷砖的样品编号是 KT-5521，颜色偏暖",
        "我平时喜欢喝手冲咖啡，赶图的时候一天三杯",
        "刚才说的预算里，木工占多少来着？",
        "灯光方面客户喜欢暖光，书房除外",
        "周三的工地改到周四上午十点了",
        "阳台要放一张工作台，宽度一米二",
        "ok",
        "瓷砖的编号帮我再念一遍",
        "下个月我要去广州看家具展",
        "好，今天先到这里，把定下来的几件事说一遍",
    ),
    "en": (
        "Hello, I'm Maren and I restore old boats in Bristol",
        "A customer brought me a wooden dinghy from 1962 that has sat in a garden for years",
        "Two of the planks are soft. Would you splice them or replace them whole?",
        "The budget is 4,800 pounds, and about a third of that goes on timber",
        "By the way, I'm allergic to epoxy dust, so I always wear a mask",
        "The customer is called Mr Adeyemi and wants to sail with his two grandchildren",
        "Is a mast of five metres too tall for a boat of that length?",
        "We agreed that he visits the yard every Tuesday at three",
        "Should the deck be painted or varnished? It will lie in the sun a lot",
        "Painted then, in a pale grey",
        "The sail number is K-7714 and the old sail is torn near the clew",
        "I drink far too much tea when I'm planing, six cups a day",
        "How much of the budget did I say goes on timber?",
        "He'd like bronze fittings, except for the cleats",
        "The visits moved to Wednesday at ten",
        "I need a workbench outside that is at least two metres long",
        "My own daughter learned to sail in a boat like this one",
        "Tell me the sail number once more",
        "Next month I'm going to Falmouth for the classics regatta",
        "That's all for today, go over what we settled",
    ),
}
REPLIES: dict[Language, str] = {
    "zh": "好的，这一点我记下了。先看现场的情况再定，能修的尽量修，修不了的再换；时间和费用都留一点余地。",
    "en": "Right, that is noted. Look at what is there first, mend what can be mended and replace the rest; leave some room "
    "in both the time and the money.",
}


@dataclass(frozen=True, kw_only=True)
class Shared:
    """What two prompts that follow each other share: tokens of the second, of these as before, and where that ended."""

    tokens: int
    shared: int
    ended_in: str


async def measured(
    home: Path, strategy: WindowStrategy, language: Language, *, turns: int, window_tokens: int
) -> tuple[Shared, ...]:
    """Talk for so many turns, and compare each prompt with the one before."""
    model = ScriptedModel(replies=lambda _: REPLIES[language])
    chosen = Settings(jiyi_home=home, window_tokens=window_tokens)
    async with open_agent(model=model, embedder=HashEmbedder(), chosen=chosen) as agent:
        for turn in range(turns):
            text = SAID[language][turn % len(SAID[language])]
            await agent.say(text, user="someone", thread="talk", window=strategy)
        counter = agent.parts.counter("")
    return tuple(_compared(before, after, counter) for before, after in pairwise(model.seen))


def share_of(compared: Sequence[Shared]) -> float:
    """Give which share of all tokens was as before, in per cent."""
    return 100 * sum(one.shared for one in compared) / max(sum(one.tokens for one in compared), 1)


def _compared(before: Sequence[BaseMessage], after: Sequence[BaseMessage], counter: TokenCounter) -> Shared:
    shared = shared_beginning(before, after)
    return Shared(
        tokens=sum(map(counter.message, after)),
        shared=sum(map(counter.message, shared)),
        ended_in=_part_after(shared, before, after),
    )


def _part_after(shared: Sequence[BaseMessage], before: Sequence[BaseMessage], after: Sequence[BaseMessage]) -> str:
    """Name the part of the later prompt in which the shared beginning ends."""
    whole = len(shared) - (bool(shared) and shared[-1].text != after[len(shared) - 1].text)
    if whole == len(before):
        return "nothing"
    at = after[whole]
    if isinstance(at, SystemMessage):
        return _part_of_system(shared[-1].text, at.text) if shared else "system"
    questions = [one for one in before if isinstance(one, HumanMessage)]
    return "last question" if questions and whole == before.index(questions[-1]) else "window"


def _part_of_system(shared: str, text: str) -> str:
    starts = [(text.index(fence), kind) for kind, fence in fence_texts(text)]
    return next((kind for start, kind in reversed(starts) if len(shared) >= start), "system")


async def table(turns: int, window_tokens: int) -> None:
    """Print a line for each strategy and language."""
    sys.stdout.write(f"{'strategy':<12}{'language':<10}{'tokens':>8}{'shared':>8}{'share':>8}{'least':>8}  changed\n")
    for strategy in get_args(WindowStrategy):
        for language in get_args(Language):
            with tempfile.TemporaryDirectory() as home:
                compared = await measured(Path(home), strategy, language, turns=turns, window_tokens=window_tokens)
            sys.stdout.write(f"{strategy:<12}{language:<10}{_line(compared)}\n")
            sys.stdout.flush()


def _line(compared: Sequence[Shared]) -> str:
    tokens, shared = sum(one.tokens for one in compared), sum(one.shared for one in compared)
    least = min(100 * one.shared / one.tokens for one in compared)
    ended = ", ".join(_counted(one.ended_in for one in compared))
    return f"{tokens:>8}{shared:>8}{share_of(compared):>7.1f}%{least:>7.1f}%  {ended}"


def _counted(names: Iterator[str]) -> Iterator[str]:
    return (f"{name} {number}" for name, number in Counter(names).most_common())


def main() -> int:
    """Print the table."""
    reading = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    reading.add_argument("--turns", type=_whole(2), default=20, help="turns of each conversation")
    reading.add_argument("--window-tokens", type=_whole(LEAST_WINDOW), default=8_000, help="what the window may take")
    given = reading.parse_args()
    asyncio.run(table(given.turns, given.window_tokens))
    return 0


def _whole(least: int) -> Any:
    def number(text: str) -> int:
        if not text.isdecimal() or int(text) < least:
            raise argparse.ArgumentTypeError(f"{text!r} is no whole number from {least} on")
        return int(text)

    return number


if __name__ == "__main__":
    sys.exit(main())
