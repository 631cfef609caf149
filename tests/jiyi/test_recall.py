"""Recall as users meet it, with the embedder that comes with Jiyi: each story in Chinese and in English, asked in both."""

from __future__ import annotations

from collections.abc import AsyncIterator, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from langchain_core.messages import HumanMessage
from langchain_core.runnables import RunnableConfig

from graph.context import Context
from jiyi.agent import Agent, open_agent
from jiyi.reading.keeping import keep_conversations
from jiyi.reading.said import Conversation, Said
from jiyi.testing import FixedClock, ScriptedModel
from memory.ids import thread_id_of
from memory.namespaces import Owner
from memory.recalled import Recalled
from store.embed.local import LocalEmbedder
from store.exchanges import exchanges_around
from store.memory_store import MemoryStore
from store.recall import recall
from store.wanted import Wanted
from tests.jiyi.command_line import jiyi, told

ADA, BOB = Owner(user="ada"), Owner(user="bob")
DAY = timedelta(days=1)
DAILY_LIFE = (
    ("周末想去爬山",),
    ("The new office is on the third floor",),
    ("妹妹下个月结婚",),
    ("I watched a science fiction film last night",),
)


@dataclass(frozen=True, kw_only=True)
class Story:
    """What was said, and what is asked.

    Attributes:
        said: Exchanges of a day and a thread each: what the user said, and what the assistant answered, if anything.
        first: Which of them are to come first, in any order.
        asked: The same question in several words, in the language of the story.
        across: The same in the other language.
    """

    name: str
    said: tuple[tuple[str, ...], ...]
    first: tuple[int, ...]
    asked: tuple[str, ...]
    across: tuple[str, ...]


PAYMENT = Story(
    name="payment",
    said=(("帮我查一下支付网关超时", "已定位到 third-party timeout……"),),
    first=(0,),
    asked=("之前支付的问题", "上次支付出了什么问题？"),
    across=("the payment problem from before", "What was wrong with the payment gateway?"),
)
PAYMENT_EN = Story(
    name="payment-en",
    said=(("Please look into the payment gateway timeout", "Found it: a third-party timeout"),),
    first=(0,),
    asked=("the payment problem from before", "What was wrong with the payments last time?"),
    across=("之前支付的问题", "支付网关出了什么问题？"),
)
MIDDLEWARE = Story(
    name="middleware",
    said=(("我在用 Node.js 做支付服务，最近在研究消息队列",), ("我对咖啡因过敏，下午只喝花草茶",)),
    first=(0,),
    asked=("帮我推荐一个中间件方案", "我该用什么中间件？"),
    across=("Recommend a middleware for me", "Which middleware should I use?"),
)
MIDDLEWARE_EN = Story(
    name="middleware-en",
    said=(
        ("I'm building a payment service with Node.js and have been looking into message queues lately",),
        ("I'm allergic to caffeine and drink only herbal tea in the afternoon",),
    ),
    first=(0,),
    asked=("Recommend a middleware for me", "Which middleware should I use?"),
    across=("帮我推荐一个中间件方案", "我该用什么中间件？"),
)
PROGRAMMING = Story(
    name="programming",
    said=(("用户偏好使用 Python 3.11 以上版本",), ("上次帮助用户解决了异步代码死锁问题",)),
    first=(0, 1),
    asked=("用户的编程偏好",),
    across=("the user's programming preferences",),
)
PROGRAMMING_EN = Story(
    name="programming-en",
    said=(
        ("The user prefers Python 3.11 or later",),
        ("Last time we helped the user fix a deadlock in asynchronous code",),
    ),
    first=(0, 1),
    asked=("the user's programming preferences",),
    across=("用户的编程偏好",),
)
COFFEE = Story(
    name="coffee",
    said=(("用户喜欢喝美式咖啡",), ("用户在上海工作",), ("2024年2月15日咨询了Python学习路径",)),
    first=(0,),
    asked=("咖啡相关的偏好", "用户爱喝什么？"),
    across=("preferences about coffee", "What does the user like to drink?"),
)
COFFEE_EN = Story(
    name="coffee-en",
    said=(
        ("The user likes to drink americano coffee",),
        ("The user works in Shanghai",),
        ("Asked about a path for learning Python on 15 February 2024",),
    ),
    first=(0,),
    asked=("preferences about coffee", "What does the user like to drink?"),
    across=("咖啡相关的偏好", "用户爱喝什么？"),
)
RESOURCES = Story(
    name="resources",
    said=(
        ("我在学习Python，想找本适合初学者的书", "推荐《Python编程：从入门到实践》，非常适合初学者"),
        ("我比较喜欢项目驱动的学习方式", "那这本书很合适，它包含大量实战项目"),
    ),
    first=(0, 1),
    asked=("还有其他推荐的学习资源吗？",),
    across=("Any other learning resources you would recommend?",),
)
RESOURCES_EN = Story(
    name="resources-en",
    said=(
        (
            "I'm learning Python and am looking for a book for beginners",
            "I recommend Python Crash Course, it suits beginners",
        ),
        ("I prefer to learn by doing projects", "Then the book suits you, it has many projects"),
    ),
    first=(0, 1),
    asked=("Any other learning resources you would recommend?",),
    across=("还有其他推荐的学习资源吗？",),
)
STUDIES = Story(
    name="studies",
    said=(("我想学习机器学习，但数学基础比较薄弱",),),
    first=(0,),
    asked=("推荐一些适合我的学习资源", "我现在想深入学习深度学习"),
    across=("Recommend some learning resources that suit me", "I want to go deeper into deep learning now"),
)
STUDIES_EN = Story(
    name="studies-en",
    said=(("I want to learn machine learning, but my maths is rather weak",),),
    first=(0,),
    asked=("Recommend some learning resources that suit me", "I want to go deeper into deep learning now"),
    across=("推荐一些适合我的学习资源", "我现在想深入学习深度学习"),
)
STORIES = (
    *(PAYMENT, PAYMENT_EN, MIDDLEWARE, MIDDLEWARE_EN, PROGRAMMING, PROGRAMMING_EN),
    *(COFFEE, COFFEE_EN, RESOURCES, RESOURCES_EN, STUDIES, STUDIES_EN),
)
of_each = pytest.mark.parametrize("story", STORIES, ids=lambda story: story.name)
GATED = pytest.mark.xfail(
    reason="Without a word in common nearness must do it alone: it is .21, and for .036 (`least`) it takes .26 where something is asked."
)
SECOND_UNSEEN = pytest.mark.xfail(
    reason="The first of both is found; the second stands at a nearness of .23, and what shares no word is shown from .30 on."
)
OVERSHADOWED = pytest.mark.xfail(
    reason="To the embedder the text in the other language has nothing to do with the question: a nearness of -.01 and .15."
)
MISSED_ACROSS = {PROGRAMMING_EN.name: SECOND_UNSEEN}


@pytest.fixture(scope="module")
def embedder() -> LocalEmbedder:
    """Give one embedder to all stories: it remembers what it has embedded."""
    return LocalEmbedder()


@pytest.fixture
async def store(tmp_path: Path, clock: FixedClock, embedder: LocalEmbedder) -> AsyncIterator[MemoryStore]:
    async with MemoryStore(tmp_path / "m.db", clock=clock, embedder=embedder).opened() as opened:
        yield opened


async def live(store: MemoryStore, clock: FixedClock, *exchanges: Sequence[str]) -> None:
    """Keep exchanges, one a day from now on, in threads `day-0`, `day-1`, …, and let three days go by."""
    for number, exchange in enumerate(exchanges):
        said = tuple(
            Said(
                name=f"{number}-{at}",
                speaker=speaker,
                text=text,
                position=at,
                said_at=clock.advance(timedelta(minutes=1)),
            )
            for at, (speaker, text) in enumerate(zip(("user", "assistant"), exchange, strict=False))
        )
        await keep_conversations(store, ADA, [Conversation(name=f"day-{number}", said=said)])
        clock.advance(DAY)
    clock.advance(3 * DAY)


def texts(found: Sequence[Recalled]) -> list[str]:
    return [one.text for one in found]


def reasons(found: Sequence[Recalled]) -> str:
    """Write what was found and why, for whoever reads a failure."""
    return "; ".join(f"{one.score:.3f} {one.text} ({one.why()})" for one in found) or "nothing"


async def missed(store: MemoryStore, clock: FixedClock, story: Story, queries: Sequence[str]) -> list[str]:
    """Say for which questions something else than the story tells comes first, and what."""
    wanted = {story.said[number] for number in story.first}
    faults = []
    for query in queries:
        found = await recall(store, ADA, query, now=clock())
        exchanges = await exchanges_around(store, ADA, [(one.agent, one.id) for one in found])
        best = {tuple(said.text for said in one.episodes) for one in exchanges[: len(wanted)]}
        if best != wanted:
            bare = await recall(store, ADA, query, Wanted(gated=False, limit=4), now=clock())
            faults.append(f"{query} found {reasons(found)} of {reasons(bare)}")
        if await recall(store, BOB, query, now=clock()):
            faults.append(f"{query} found another's")
    return faults


@of_each
async def test_what_a_story_tells_is_found_among_daily_life(
    store: MemoryStore, clock: FixedClock, story: Story
) -> None:
    await live(store, clock, *DAILY_LIFE[:2], *story.said, *DAILY_LIFE[2:])
    assert await missed(store, clock, story, story.asked) == []


@pytest.mark.parametrize(
    "story",
    [
        pytest.param(story, id=story.name, marks=[MISSED_ACROSS[story.name]] if story.name in MISSED_ACROSS else [])
        for story in STORIES
    ],
)
async def test_what_a_story_tells_is_found_in_the_other_language(
    store: MemoryStore, clock: FixedClock, story: Story
) -> None:
    await live(store, clock, *DAILY_LIFE[:2], *story.said, *DAILY_LIFE[2:])
    assert await missed(store, clock, story, story.across) == []


@of_each
async def test_what_a_story_tells_is_found_where_nothing_else_was_said(
    store: MemoryStore, clock: FixedClock, story: Story
) -> None:
    await live(store, clock, *story.said)
    assert await missed(store, clock, story, story.asked) == []


@pytest.mark.parametrize("story", [MIDDLEWARE, MIDDLEWARE_EN, COFFEE, COFFEE_EN], ids=lambda story: story.name)
async def test_what_answers_leads_and_little_else_is_shown(store: MemoryStore, clock: FixedClock, story: Story) -> None:
    await live(store, clock, *DAILY_LIFE, *story.said)
    found = await recall(store, ADA, story.asked[0], now=clock())
    wanted = [story.said[number][0] for number in story.first]
    assert texts(found)[: len(wanted)] == wanted, reasons(found)
    assert len(found) <= len(wanted) + 1, reasons(found)


@pytest.mark.parametrize("story", [COFFEE, COFFEE_EN], ids=lambda story: story.name)
async def test_the_bare_ranking_gives_all_three_with_what_each_is_worth(
    store: MemoryStore, clock: FixedClock, story: Story
) -> None:
    await live(store, clock, *story.said)
    for query in (*story.asked, *story.across):
        found = await recall(store, ADA, query, Wanted(gated=False, limit=3), now=clock())
        assert texts(found)[0] == story.said[0][0], reasons(found)
        assert {one.text for one in found} == {text for exchange in story.said for text in exchange}
        assert found[0].score > found[1].score >= found[2].score > 0


@pytest.mark.parametrize("story", [MIDDLEWARE, MIDDLEWARE_EN], ids=lambda story: story.name)
async def test_an_allergy_stands_in_every_prompt_though_it_was_not_recalled(
    tmp_path: Path, clock: FixedClock, embedder: LocalEmbedder, story: Story
) -> None:
    model = ScriptedModel(replies=lambda _: "ok")
    (topic,), (allergy,) = story.said
    async with open_agent(tmp_path / "home", clock=clock, embedder=embedder, model=model) as agent:
        await live(agent.store, clock, *story.said)
        await agent.say(story.asked[0], user="ada", thread="now")
    prompt = "\n".join(message.text for message in model.seen[-1])
    assert topic in prompt
    assert allergy not in prompt
    assert "咖啡因" in prompt or "caffeine" in prompt


@pytest.mark.parametrize("story", [RESOURCES, RESOURCES_EN, STUDIES, STUDIES_EN], ids=lambda story: story.name)
async def test_days_later_and_in_another_thread_the_model_is_shown_what_was_said(
    tmp_path: Path, clock: FixedClock, embedder: LocalEmbedder, story: Story
) -> None:
    answers = [exchange[-1] if len(exchange) > 1 else "ok" for exchange in story.said]
    model = ScriptedModel(replies=[*answers, *["ok"] * len(story.asked)])
    async with open_agent(tmp_path / "home", clock=clock, embedder=embedder, model=model) as agent:
        for exchange in story.said:
            await agent.say(exchange[0], user="ada", thread="first")
            clock.advance(timedelta(minutes=2))
        for query in story.asked:
            clock.advance(4 * DAY)
            await agent.say(query, user="ada", thread=query)
            shown = "\n".join(message.text for message in model.seen[-1])
            assert [text for exchange in story.said for text in exchange if text not in shown] == [], query


LAST_TIME = (
    "上次发生了什么",
    "上次发生了什么？",
    "上回聊到哪了？",
    "What happened last time?",
    "What did we talk about last time?",
)


async def recalled_in(agent: Agent, text: str, *, thread: str) -> list[str]:
    """Say something to the offline model, and give the texts of what was recalled for it."""
    config: RunnableConfig = {"configurable": {"thread_id": thread_id_of(thread, user="ada")}}
    result = await agent.graph.ainvoke({"messages": [HumanMessage(text)]}, config, context=Context(user_id="ada"))
    kept = await agent.store.asearch(("users", "ada", "_", "episodes"), limit=100)
    by_id = {item.key: str(item.value["text"]) for item in kept}
    return [by_id[ref["id"]] for ref in result["recalled"]]


@pytest.mark.parametrize("query", ["上次发生了什么", "What happened last time?"])
async def test_last_time_is_the_latest_day_that_was_talked_and_not_the_thread_in_which_it_is_asked(
    tmp_path: Path, clock: FixedClock, embedder: LocalEmbedder, query: str
) -> None:
    async with open_agent(tmp_path / "home", clock=clock, embedder=embedder) as agent:
        for thread, said in (("monday", "我把护照弄丢了"), ("thursday", "My bike was stolen from the yard")):
            await agent.say(said, user="ada", thread=thread)
            clock.advance(timedelta(minutes=1))
            await agent.say("好的，谢谢", user="ada", thread=thread)
            clock.advance(3 * DAY)
        await agent.say("早上好", user="ada", thread="now")
        clock.advance(timedelta(minutes=1))
        assert (await recalled_in(agent, query, thread="now"))[:1] == ["My bike was stolen from the yard"]


async def test_last_time_before_a_day_or_in_a_thread_is_the_latest_there(store: MemoryStore, clock: FixedClock) -> None:
    start = clock()
    await live(store, clock, ("我把护照弄丢了",), ("My bike was stolen from the yard",), ("我升职了",))

    async def first(query: str, now: datetime, thread_id: str | None = None) -> list[str]:
        return texts(await recall(store, ADA, query, Wanted(thread_id=thread_id), now=now))[:1]

    for query in LAST_TIME:
        assert await first(query, clock()) == ["我升职了"], query
        assert await first(query, start + 1.5 * DAY) == ["My bike was stolen from the yard"], query
        assert await first(query, start + 0.5 * DAY) == ["我把护照弄丢了"], query
        assert await first(query, clock(), "day-0") == ["我把护照弄丢了"], query


@pytest.mark.parametrize("said", ["我把护照弄丢了", "My bike was stolen from the yard"])
async def test_last_time_is_the_only_time_where_there_was_one(store: MemoryStore, clock: FixedClock, said: str) -> None:
    await live(store, clock, (said,))
    for query in LAST_TIME:
        assert texts(await recall(store, ADA, query, now=clock())) == [said], query


@pytest.mark.parametrize("query", ["上次发生了什么", "What happened last time?"])
def test_the_command_finds_the_last_time_within_days_and_threads(tmp_path: Path, query: str) -> None:
    told("ada", tmp_path / "a.jsonl", "我把护照弄丢了", "My bike was stolen", days=("2026-03-01T10:00:00", "2026-04-01T10:00:00"))  # fmt: skip
    told("ada", tmp_path / "b.jsonl", "我升职了", "谢谢", days=("2026-04-20T10:00:00", "2026-04-20T10:01:00"))

    def first(*args: str) -> str:
        found = jiyi("recall", query, "--user", "ada", "--json", *args).json["memories"]
        return str(found[0]["text"]) if found else ""

    assert first() == "我升职了"
    assert first("--thread", "a") == "My bike was stolen"
    assert first("--as-of", "2026-04-02") == "My bike was stolen"
    assert first("--until", "2026-03-31") == "我把护照弄丢了"
    assert first("--since", "2026-03-02", "--until", "2026-04-02") == "My bike was stolen"
    assert first("--since", "2026-05-01") == ""


GARDEN = (
    ("院子里的月季开花了", "The roses in the yard are in bloom"),
    ("院子里的月季生了蚜虫", "There are aphids on the roses in the yard"),
    ("院子里的月季剪枝了", "I pruned the roses in the yard"),
)
ROSES = ("院子里的月季怎么样了？", "How are the roses in the yard?")


async def live_in_the_garden(store: MemoryStore) -> None:
    """Say each of three things in both languages on a day of May, at nine."""
    for day, pair in enumerate(GARDEN, start=1):
        at = datetime(2026, 5, day, 9, tzinfo=UTC)
        said = [
            Said(name=f"{day}-{n}", speaker="user", text=text, position=n, said_at=at) for n, text in enumerate(pair)
        ]
        await keep_conversations(store, ADA, [Conversation(name=f"may-{day}", said=tuple(said))])


@pytest.mark.parametrize("query", ROSES)
async def test_a_time_a_thread_and_the_day_of_asking_narrow_what_is_found(store: MemoryStore, query: str) -> None:
    await live_in_the_garden(store)
    second, fourth = (datetime(2026, 5, day, 9, tzinfo=UTC) for day in (2, 4))

    async def days(wanted: Wanted, now: datetime = fourth) -> set[int]:
        return {one.said_at.day for one in await recall(store, ADA, query, wanted, now=now) if one.said_at}

    assert await days(Wanted()) == {1, 2, 3}
    assert await days(Wanted(since=second)) == {2, 3}
    assert await days(Wanted(until=second)) == {1, 2}
    assert await days(Wanted(since=second, until=second)) == {2}
    assert await days(Wanted(thread_id="may-3")) == {3}
    assert await days(Wanted(thread_id="elsewhere")) == set()
    assert await days(Wanted(), now=second) == {1, 2}
    assert await days(Wanted(since=second + DAY), now=second) == set()


@OVERSHADOWED
@pytest.mark.parametrize("query", ROSES)
async def test_what_was_told_in_either_language_is_found_together(
    store: MemoryStore, clock: FixedClock, query: str
) -> None:
    roses = {"院子里的月季开花了", "There are aphids on the roses in the yard"}
    await live(store, clock, *DAILY_LIFE, *((text,) for text in sorted(roses)))
    found = await recall(store, ADA, query, now=clock())
    assert set(texts(found)[:2]) == roses, reasons(found)


@pytest.mark.parametrize(
    ("said", "query", "fact"),
    [
        ("我住在杭州，我对花生过敏", "我对什么过敏？", "user.allergy: 花生"),
        ("我住在杭州，我对花生过敏", "Where do I live?", "user.lives_in: 杭州"),
        ("I live in Paris and I'm allergic to peanuts", "What am I allergic to?", "user.allergy: peanuts"),
        pytest.param(
            "I live in Paris and I'm allergic to peanuts", "我住在哪里？", "user.lives_in: Paris", marks=GATED
        ),
    ],
)
async def test_the_kind_says_whether_the_fact_or_the_words_are_found(
    store: MemoryStore, clock: FixedClock, said: str, query: str, fact: str
) -> None:
    await live(store, clock, (said,))
    facts = await recall(store, ADA, query, Wanted(kind="facts"), now=clock())
    assert texts(facts)[:1] == [fact], reasons(facts)
    assert texts(await recall(store, ADA, query, now=clock())) == [said]
