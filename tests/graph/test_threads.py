"""Threads of an open agent: listed, read through, taken back, branched off and deleted, with what rests on them."""

from __future__ import annotations

from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import pytest
from langchain_core.messages import HumanMessage, RemoveMessage
from langchain_core.runnables import RunnableConfig

from graph.context import Context
from graph.settings import Settings
from jiyi.agent import Agent, open_agent
from jiyi.testing import FixedClock, ScriptedModel, tool_call
from jiyi.threads.told import ThreadError, UnknownThreadError, UnknownTurnError
from memory.ids import thread_id_of
from memory.namespaces import BlankIdError, Owner
from store.profile import facts_of
from store.waiting import waiting_turns

SAID = {
    "zh": ("我住在杭州", "我对花生过敏", "我养了一只猫", "我喜欢爬山"),
    "en": ("I live in Leeds", "I'm allergic to peanuts", "I have a cat", "I like hiking"),
}
KEYS = ("user.lives_in", "user.allergy")
LANGUAGES = pytest.mark.parametrize("language", SAID)


@pytest.fixture
def model() -> ScriptedModel:
    return ScriptedModel(replies=lambda messages: f"re: {messages[-1].text}")


@pytest.fixture
async def agent(tmp_path: Path, clock: FixedClock, model: ScriptedModel) -> AsyncIterator[Agent]:
    chosen = Settings(embeddings="none", jiyi_home=tmp_path / "home")
    async with open_agent(chosen=chosen, clock=clock, model=model) as opened:
        yield opened


async def told(agent: Agent, *texts: str, thread: str = "monday", user: str = "ada") -> None:
    for text in texts:
        await agent.say(text, thread=thread, user=user)


def config_of(thread: str, user: str = "ada") -> RunnableConfig:
    return {"configurable": {"thread_id": thread_id_of(thread, user=user)}}


async def values_of(agent: Agent, thread: str = "monday") -> dict[str, Any]:
    return dict((await agent.aget_state(config_of(thread))).values)


async def said(agent: Agent, thread: str = "monday") -> list[str]:
    return [one.text for one in (await values_of(agent, thread))["messages"] if one.type == "human"]


async def shown(agent: Agent, thread: str = "monday") -> list[tuple[int, str, bool]]:
    turns = (await agent.threads.show(thread, user="ada")).turns
    return [(one.number, one.said, one.taken_back) for one in turns]


async def keys(agent: Agent, user: str = "ada") -> set[str]:
    return {fact.key for fact in await facts_of(agent.store, Owner(user=user))}


@LANGUAGES
async def test_threads_are_listed_the_last_first_by_name_with_their_first_words(agent: Agent, language: str) -> None:
    await told(agent, *SAID[language][:2], thread="monday")
    await told(agent, SAID[language][2], thread="周二")
    await told(agent, "hi", thread="monday", user="bob")
    lines = await agent.threads.list(user="ada")
    assert [(one.name, one.turns, one.first) for one in lines] == [
        ("周二", 1, SAID[language][2]),
        ("monday", 2, SAID[language][0]),
    ]
    assert [one.thread_id for one in lines] == [thread_id_of(one.name, user="ada") for one in lines]
    assert all(one.last_at and one.begun_at for one in lines)
    assert await agent.threads.list(user="ada", limit=1) == lines[:1]
    assert await agent.threads.list(user="nobody") == ()


@LANGUAGES
async def test_a_listed_thread_tells_its_task_and_what_left_its_window(agent: Agent, language: str) -> None:
    begins = {"zh": "帮我策划一场发布会", "en": "Help me plan a launch party"}[language]
    await told(agent, begins, *(f"{begins}, {number}" for number in range(12)), thread="monday")
    (line,) = await agent.threads.list(user="ada")
    assert line.task.startswith(begins)
    assert begins in line.summary


@pytest.mark.parametrize("text", ["我的手机号是 13800138000", "My phone number is +44 7700 900123"])
async def test_first_words_and_names_are_listed_without_what_is_private(agent: Agent, text: str) -> None:
    await told(agent, text, thread="13800138000")
    (line,) = await agent.threads.list(user="ada")
    assert "[phone" in line.first
    assert "[phone" in line.name
    assert not any(number in line.first + line.name for number in ("13800138000", "7700"))


async def test_a_thread_that_is_called_by_its_id_has_no_name(agent: Agent) -> None:
    thread_id = thread_id_of("x", user="y").upper()
    await told(agent, "hello", thread=thread_id)
    (line,) = await agent.threads.list(user="ada")
    assert (line.thread_id, line.name) == (thread_id.lower(), "")


@LANGUAGES
async def test_a_thread_is_taken_back_to_the_end_of_a_turn_and_goes_on_from_there(
    agent: Agent, model: ScriptedModel, language: str
) -> None:
    one, two, three, four = SAID[language]
    await told(agent, one, two, three, four)
    done = await agent.threads.rewind("monday", to=2, user="ada")
    assert [turn.said for turn in done.taken_back] == [three, four]
    assert (done.to.number, done.restored, done.forgotten) == (2, (), False)
    assert await said(agent) == [one, two]
    await told(agent, "hm")
    assert [message.text for message in model.seen[-1] if message.type == "human"] == [one, two, "hm"]
    assert await shown(agent) == [
        (1, one, False),
        (2, two, False),
        (3, three, True),
        (3, "hm", False),
        (4, four, True),
    ]


@LANGUAGES
async def test_what_was_taken_back_can_stand_again(agent: Agent, language: str) -> None:
    one, two, three, four = SAID[language]
    await told(agent, one, two, three, four)
    first = await agent.threads.rewind("monday", to=1, user="ada")
    await told(agent, "hm")
    done = await agent.threads.rewind("monday", to=first.taken_back[-1].turn_id[:8], user="ada")
    assert [turn.said for turn in done.restored] == [two, three, four]
    assert [turn.said for turn in done.taken_back] == ["hm"]
    assert await said(agent) == [one, two, three, four]
    await told(agent, "on")
    assert await said(agent) == [one, two, three, four, "on"]


@LANGUAGES
async def test_a_thread_whose_runs_wrote_every_step_is_taken_back_and_branched_off_alike(
    agent: Agent, language: str
) -> None:
    for text in SAID[language] * 2:
        given = {"messages": [HumanMessage(text)]}
        await agent.ainvoke(given, config_of("monday"), context=Context(user_id="ada"), durability="async")
    for turn in (7, 3, 1):
        await agent.threads.branch("monday", at=turn, name=f"from {turn}", user="ada")
        await agent.threads.rewind("monday", to=turn, user="ada")
        await told(agent, "hm", thread=f"from {turn}")
        assert await said(agent) == list(SAID[language] * 2)[:turn]
        assert await said(agent, f"from {turn}") == [*(SAID[language] * 2)[:turn], "hm"]
    assert [gone for *_, gone in await shown(agent)] == [False] + [True] * 7


@pytest.mark.parametrize("text", ["我的手机号是 13800138000", "My phone number is +44 7700 900123"])
async def test_redacted_threads_stay_redacted_when_they_are_taken_back_and_branched_off(
    tmp_path: Path, text: str
) -> None:
    chosen = Settings(embeddings="none", jiyi_home=tmp_path / "redacted", redact_threads=True)
    async with open_agent(chosen=chosen) as agent:
        await told(agent, "hello", text, "hm")
        before = await said(agent)
        await agent.threads.rewind("monday", to=2, user="ada")
        await agent.threads.branch("monday", at=2, name="another", user="ada")
        assert await said(agent) == await said(agent, "another") == before[:2]
    kept = b"".join(file.read_bytes() for file in chosen.jiyi_home.glob("threads.db*"))
    assert not any(number in kept for number in (b"13800138000", b"7700 900123"))


@LANGUAGES
async def test_what_was_remembered_of_turns_taken_back_stays_and_is_told(agent: Agent, language: str) -> None:
    await told(agent, *SAID[language])
    done = await agent.threads.rewind("monday", to=1, user="ada")
    assert "user.allergy" in {one.fact.key for one in done.resting.facts}
    assert "user.lives_in" not in {one.fact.key for one in done.resting.facts}
    assert all(one.alone for one in done.resting.facts)
    assert len(done.resting.episodes) == 6
    assert await keys(agent) >= set(KEYS)


@LANGUAGES
async def test_what_was_remembered_of_turns_taken_back_is_forgotten_when_asked(agent: Agent, language: str) -> None:
    one, two, three, four = SAID[language]
    await told(agent, two, thread="tuesday")
    await told(agent, one, two, three, four)
    done = await agent.threads.rewind("monday", to=1, user="ada", memories=True)
    assert done.forgotten
    assert {one.fact.key: one.alone for one in done.resting.facts}["user.allergy"] is False
    assert await keys(agent) == set(KEYS)
    recalled = await agent.recall(four, user="ada")
    assert four not in [one.text for one in recalled]


async def test_what_an_agent_of_its_own_remembers_is_found_and_can_be_meant_alone(agent: Agent) -> None:
    await agent.say("我住在杭州", user="ada", thread="monday")
    await agent.say("我对花生过敏", user="ada", thread="monday", agent="smith")
    await agent.say("我对芒果过敏", user="ada", thread="monday")
    assert [one.name for one in await agent.threads.list(user="ada", agent="smith")] == ["monday"]
    assert await agent.threads.list(user="ada", agent="potter") == ()
    with pytest.raises(UnknownThreadError):
        await agent.threads.show("monday", user="ada", agent="potter")
    done = await agent.threads.rewind("monday", to=1, user="ada", agent="smith", memories=True)
    assert [(one.agent, one.fact.value) for one in done.resting.facts] == [("smith", "花生")]
    assert "芒果" in {fact.value for fact in await facts_of(agent.store, Owner(user="ada", agent="smith"))}
    assert "花生" not in {fact.value for fact in await facts_of(agent.store, Owner(user="ada", agent="smith"))}


@LANGUAGES
async def test_a_branch_goes_its_own_way(agent: Agent, language: str) -> None:
    one, two, three, four = SAID[language]
    await told(agent, one, two, three, four)
    done = await agent.threads.branch("monday", at=2, name="another", user="ada")
    assert (done.at.said, done.source_name, done.name) == (two, "monday", "another")
    await told(agent, "hm", thread="another")
    assert await said(agent, "another") == [one, two, "hm"]
    assert await said(agent) == [one, two, three, four]
    assert not any(gone for *_, gone in await shown(agent, "another"))
    await agent.threads.rewind("another", to=1, user="ada")
    assert await said(agent, "another") == [one]


async def test_a_branch_needs_a_name_of_its_own(agent: Agent) -> None:
    await told(agent, "hello")
    await told(agent, "hello", thread="tuesday")
    with pytest.raises(ThreadError, match="there is one already"):
        await agent.threads.branch("monday", at=1, name="tuesday", user="ada")
    with pytest.raises(ThreadError, match="give it a name"):
        await agent.threads.branch("monday", at=1, name=" ", user="ada")
    assert await said(agent, "tuesday") == ["hello"]


@LANGUAGES
async def test_a_deleted_thread_is_gone_and_what_was_remembered_stays(agent: Agent, language: str) -> None:
    await told(agent, *SAID[language])
    done = await agent.threads.delete("monday", user="ada")
    assert (done.turns, done.name, done.forgotten, done.scrubbed) == (4, "monday", False, True)
    assert {one.fact.key for one in done.resting.facts} >= set(KEYS)
    assert await agent.threads.list(user="ada") == ()
    with pytest.raises(UnknownThreadError):
        await agent.threads.show("monday", user="ada")
    assert await keys(agent) >= set(KEYS)


@LANGUAGES
async def test_a_thread_is_deleted_with_its_memories_those_of_ways_given_up_too(agent: Agent, language: str) -> None:
    one, two, three, four = SAID[language]
    await told(agent, one, two)
    await agent.threads.rewind("monday", to=1, user="ada")
    await told(agent, three, four)
    done = await agent.threads.delete("monday", user="ada", memories=True)
    assert done.forgotten
    assert await keys(agent) == set()
    assert await agent.recall(two, user="ada") == ()


async def test_memories_of_a_thread_that_is_gone_can_still_be_forgotten(agent: Agent) -> None:
    await told(agent, "我对花生过敏")
    await agent.threads.delete("monday", user="ada")
    assert (await agent.threads.delete("monday", user="ada", memories=True)).forgotten
    assert await keys(agent) == set()
    with pytest.raises(UnknownThreadError):
        await agent.threads.delete("monday", user="ada", memories=True)


async def test_nobody_sees_or_changes_another_users_thread(agent: Agent) -> None:
    await told(agent, "我住在杭州", "我对花生过敏")
    thread = thread_id_of("monday", user="ada")
    for name in ("monday", thread):
        for work in (
            agent.threads.show(name, user="bob"),
            agent.threads.rewind(name, to=1, user="bob", memories=True),
            agent.threads.branch(name, at=1, name="mine", user="bob"),
            agent.threads.delete(name, user="bob", memories=True),
        ):
            with pytest.raises(UnknownThreadError, match="no thread"):
                await work
    assert await agent.threads.list(user="bob") == ()
    with pytest.raises(BlankIdError):
        await agent.threads.list(user=" ")
    assert len(await said(agent)) == 2
    assert await keys(agent) == set(KEYS)


@pytest.mark.parametrize("which", [0, 3, 99, "abcdef12", "abc", "", "zwei", "-1"])
async def test_a_turn_that_is_not_there_is_told_with_those_that_are(agent: Agent, which: int | str) -> None:
    await told(agent, "one", "two")
    with pytest.raises(UnknownTurnError, match="end of turn 1 to 2"):
        await agent.threads.rewind("monday", to=which, user="ada")


async def test_only_the_last_fifty_turns_can_be_gone_back_to(agent: Agent) -> None:
    turns_said = [f"{at}?" for at in range(1, 141)]
    await told(agent, *turns_said)
    with pytest.raises(UnknownTurnError, match="only the last turns are kept") as caught:
        await agent.threads.rewind("monday", to=3, user="ada")
    first = int(str(caught.value).split("end of turn ")[1].split(" to ")[0])
    assert first <= 140 - 50
    await agent.threads.rewind("monday", to=first, user="ada")
    assert len(await said(agent)) == first
    turns = (await agent.threads.show("monday", user="ada")).turns
    assert [one.said for one in turns] == turns_said
    assert [one.taken_back for one in turns] == [False] * first + [True] * (140 - first)


@LANGUAGES
async def test_the_whole_conversation_is_shown_after_it_was_folded(agent: Agent, language: str) -> None:
    texts = [f"{SAID[language][at % 4]} ({at})" for at in range(30)]
    await told(agent, *texts)
    assert (await values_of(agent))["summary"]
    assert await shown(agent) == [(at, text, False) for at, text in enumerate(texts, start=1)]


async def test_a_question_that_waits_is_taken_back_with_its_turn(agent: Agent, model: ScriptedModel) -> None:
    await told(agent, "hello")
    model.replies = lambda messages: (
        tool_call("orderService_cancel", order_id="#8843", reason="x") if messages[-1].type == "human" else "done"
    )
    asked = await agent.say("取消订单 #8843", user="ada", thread="monday")
    assert "8843" in asked
    assert (await agent.threads.show("monday", user="ada")).unfinished
    with pytest.raises(UnknownTurnError, match="waits for an answer"):
        await agent.threads.rewind("monday", to=2, user="ada")
    await agent.threads.rewind("monday", to=1, user="ada", memories=True)
    assert await said(agent) == ["hello"]
    assert not (await agent.aget_state(config_of("monday"))).next
    assert await waiting_turns(agent.store) == []


SECRETS = {"zh": ("合同找青松公司签", "青松"), "en": ("The contract goes to Pinewood", "Pinewood")}


async def told_long(agent: Agent, language: str, thread: str = "monday") -> None:
    """Say so much that the first turns are folded."""
    await told(
        agent, SECRETS[language][0], *(f"{SAID[language][at % 4]} #{9000 + at}" for at in range(24)), thread=thread
    )
    assert SECRETS[language][1] in (await values_of(agent, thread))["summary"]


@pytest.mark.parametrize("language", SECRETS)
@pytest.mark.parametrize("removed", [False, True], ids=["edited", "removed"])
async def test_nothing_of_an_edited_message_stays_in_the_summary(
    agent: Agent, model: ScriptedModel, language: str, removed: bool
) -> None:
    await told_long(agent, language)
    secret = SECRETS[language][1]
    values = await values_of(agent)
    first, reply = values["messages"][:2]
    change: list[Any] = [RemoveMessage(id=first.id), RemoveMessage(id=reply.id)]
    edit: list[Any] = [HumanMessage("ok", id=first.id), reply.model_copy(update={"content": "re: ok"})]
    await agent.aupdate_state(config_of("monday"), {"messages": change if removed else edit}, as_node="summarize")
    await told(agent, "hm")
    after = await values_of(agent)
    assert secret not in after["summary"]
    assert "#9003" in after["summary"]
    assert after["summarized_upto"]
    assert secret not in model.seen[-1][0].text
    assert "#9003" in model.seen[-1][0].text


@pytest.mark.parametrize("language", SECRETS)
async def test_an_edit_of_what_is_not_folded_yet_leaves_the_summary_alone(agent: Agent, language: str) -> None:
    await told_long(agent, language)
    before = await values_of(agent)
    last = before["messages"][-2]
    await agent.aupdate_state(config_of("monday"), {"messages": [HumanMessage("x", id=last.id)]}, as_node="summarize")
    await told(agent, "hm")
    assert (await values_of(agent))["summary"] == before["summary"]


@pytest.mark.parametrize("language", SECRETS)
async def test_each_way_has_the_summary_of_its_own_messages(agent: Agent, language: str) -> None:
    await told(agent, *(f"{SAID[language][at % 4]} #{8000 + at}" for at in range(14)))
    then = await values_of(agent)
    await told(agent, *(f"{SECRETS[language][0]} #{9000 + at}" for at in range(14)))
    assert "#900" in (await values_of(agent))["summary"]
    await agent.threads.branch("monday", at=14, name="another", user="ada")
    await agent.threads.rewind("monday", to=14, user="ada")
    for thread in ("another", "monday"):
        values = await values_of(agent, thread)
        assert {name: values[name] for name in ("summary", "summarized_upto", "summarized_from")} == {
            name: then[name] for name in ("summary", "summarized_upto", "summarized_from")
        }
        await told(agent, *(f"{at}? #{7000 + at}" for at in range(14)), thread=thread)
        summary = (await values_of(agent, thread))["summary"]
        assert "#700" in summary
        assert "#900" not in summary
        assert SECRETS[language][1] not in summary


async def test_a_summary_of_which_nobody_noted_what_it_was_folded_from_stays(agent: Agent) -> None:
    await told_long(agent, "zh")
    await agent.aupdate_state(config_of("monday"), {"summarized_from": ""}, as_node="summarize")
    before = (await values_of(agent))["summary"]
    await told(agent, "hm")
    after = await values_of(agent)
    assert after["summary"] == before
    assert after["summarized_from"]
