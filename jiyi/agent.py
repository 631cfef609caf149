"""open_agent: the whole agent in this process, opened and closed together."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable, Mapping, Sequence
from contextlib import AsyncExitStack, asynccontextmanager
from pathlib import Path
from typing import Any, cast
from zoneinfo import ZoneInfo

from langchain_core.language_models import BaseChatModel
from langchain_core.messages import AIMessage, HumanMessage
from langchain_core.runnables import RunnableConfig
from langgraph._internal._constants import CONFIG_KEY_DURABILITY, INTERRUPT
from langgraph.graph.state import CompiledStateGraph
from langgraph.types import Command, StreamMode

from graph.agent import build_graph
from graph.clock import utc_now
from graph.context import Context
from graph.drainer import Drainer
from graph.parts import Parts, make_parts
from graph.server import saver_with, store_with
from graph.settings import OFFLINE, Settings, settings
from jiyi.threads.threads import Threads
from jiyi.threads.told import NothingToResumeError
from memory.changes import Applied
from memory.consent import is_verdict
from memory.context_query import text_of
from memory.ids import is_thread_id, thread_id_of
from memory.media import media_in
from memory.namespaces import SHARED_AGENT, Owner, checked_id
from memory.notices import MEDIA_LEFT_OUT, reason_of
from memory.privacy import redact
from memory.recalled import Recalled
from memory.seams import Clock, Embedder, Tagger
from nodes.llm import llm
from skills.registry import Tool
from store.checkpoint_owners import USER_KEY
from store.checkpointer import ThreadSaver
from store.memory_store import MemoryStore
from store.recall import recall
from store.remember import remember
from store.wanted import Wanted

Compiled = CompiledStateGraph[Any, Context, Any, Any]

Words = str | Sequence[str | dict[str, Any]]
"""What is said: a text, or content blocks."""

OnEvent = Callable[[Mapping[str, Any]], None]
"""Is told of each custom event of a run as it comes: what was recalled, what a call of the model took (`usage`), …"""

ONE_CHECKPOINT_A_TURN: RunnableConfig = {"configurable": {CONFIG_KEY_DURABILITY: "exit"}}
"""The default in process, which a call's own `durability` overrides: a third of the size (ADR 2). What a killed
turn had to remember is with its pending record, not in the thread."""

DECIDED = "好的。 / Done."
"""What is said where a yes or no decided something and nothing more was to be said."""


class Agent:
    """An open agent: the compiled graph (all of whose methods it has) with its store and its threads.

    Attributes:
        graph: The compiled graph.
        store: Where memories are kept.
        saver: Where threads are kept.
        drainer: What finishes turns that were left.
    """

    def __init__(self, graph: Compiled, store: MemoryStore, saver: ThreadSaver, drainer: Drainer, parts: Parts) -> None:
        self.graph = graph
        self.store = store
        self.saver = saver
        self.drainer = drainer
        self.parts = parts

    @property
    def threads(self) -> Threads:
        """Give the threads: to list, read through, take back, branch off and delete."""
        return Threads(self.graph, self.store, self.saver)

    def __getattr__(self, name: str) -> Any:
        """Give the compiled graph's methods (`ainvoke`, `astream`, `aget_state`, …) as one's own."""
        if name == "graph":
            raise AttributeError(name)
        return getattr(self.graph, name)

    async def say(self, text: Words, *, user: str, thread: str, on_event: OnEvent | None = None, **context: Any) -> str:
        """Say something in a thread and wait for the whole reply.

        Args:
            text: What the user says, or content blocks: what they say and show (LangChain's standard ones, `image_url`, …).
                A yes or no answers a question that the thread waits with.
            user: Who speaks.
            thread: A UUID, or any name; the same name is another thread for another user.
            on_event: Is told of each custom event of the run, such as `{"event": "usage", …}`.
            **context: Further fields of `Context`.

        Returns:
            The reply, or the question that the user is asked before anything is changed.

        Raises:
            BlankIdError: `user` names nobody.
        """
        config, given, said = await self._call(text, user=user, thread=thread)
        chosen = Context(user_id=user, **context)
        result = await self._result(given, config, chosen, on_event)
        return _reply(result, since=said)

    async def stream(
        self, text: Words, *, user: str, thread: str, on_event: OnEvent | None = None, **context: Any
    ) -> AsyncIterator[str]:
        """Say something and give the reply piece by piece as it comes, or the question that the user is asked.

        The arguments are those of `say`. What the model says before and after it used a tool stands on lines of its own.
        """
        config, given, _ = await self._call(text, user=user, thread=thread)
        chosen = Context(user_id=user, **context)
        speaking = ""
        async for mode, part in self._streamed(given, config, chosen, "messages", "updates"):
            if mode == "messages" and (piece := _piece(*part)):
                before, speaking = speaking, str(part[0].id)
                yield f"\n{piece}" if before not in ("", speaking) else piece
            elif mode == "updates" and INTERRUPT in part:
                before, speaking = speaking, INTERRUPT
                yield _question(part[INTERRUPT]) if not before else f"\n{_question(part[INTERRUPT])}"
            elif mode == "custom" and on_event is not None:
                on_event(part)
        if not speaking:
            yield DECIDED

    async def resume(self, thread: str, *, user: str, **context: Any) -> str:
        """Go on with a run that was cut off between two steps, and give the reply; its memories are written once.

        Only a run that wrote checkpoints as it went (`durability="sync"` or `"async"`, as under a server) can go on. One
        that did not is not in its thread; what was said is remembered all the same.

        Raises:
            NothingToResumeError: No run was cut off in this thread, or it waits for the user's word.
        """
        thread_id = thread_id_of(thread, user=checked_id(user, "user id"))
        config: RunnableConfig = {"configurable": {"thread_id": thread_id}}
        state = await self.graph.aget_state({"configurable": {"thread_id": thread_id, USER_KEY: user}})
        if not state.next or state.interrupts:
            raise NothingToResumeError(thread, waits=bool(state.interrupts))
        result = await self.graph.ainvoke(None, config, context=Context(user_id=user, **context))
        return _reply(result, since=0)

    async def _result(
        self, given: Any, config: RunnableConfig, context: Context, on_event: OnEvent | None
    ) -> dict[str, Any]:
        """Run to the end and give the state, and with it the question that the user is asked, where there is one."""
        result: dict[str, Any] = {}
        asked: dict[str, Any] = {}
        async for mode, part in self._streamed(given, config, context, "values", "updates"):
            if mode == "values":
                result = part
            elif mode == "updates" and INTERRUPT in part:
                asked = {INTERRUPT: part[INTERRUPT]}
            elif mode == "custom" and on_event is not None:
                on_event(part)
        return {**result, **asked}

    async def _streamed(
        self, given: Any, config: RunnableConfig, context: Context, *modes: StreamMode
    ) -> AsyncIterator[tuple[str, Any]]:
        """Run, and give each part with the mode it came in; custom events are always among them."""
        async for part in self.graph.astream(given, config, context=context, stream_mode=[*modes, "custom"]):
            yield cast(tuple[str, Any], part)

    async def failure_in(self, thread: str, *, user: str) -> str:
        """Say why the last reply in a thread tells of a failure instead of answering (`limited`, `unreachable`, …); "" if not."""
        thread_id = thread_id_of(thread, user=checked_id(user, "user id"))
        state = await self.graph.aget_state({"configurable": {"thread_id": thread_id, USER_KEY: user}})
        messages = state.values.get("messages", [])
        reason = reason_of(messages[-1]) if messages else ""
        return "" if reason in (OFFLINE, MEDIA_LEFT_OUT) else reason

    async def remember(self, text: str, *, user: str, agent: str = SHARED_AGENT, **said: Any) -> Applied:
        """Keep something said outside the graph; see `store.remember.remember`."""
        return await remember(self.store, Owner(user=user, agent=agent), text, tagger=self.parts.tagger, **said)

    async def recall(self, query: str, *, user: str, agent: str = SHARED_AGENT, **wanted: Any) -> tuple[Recalled, ...]:
        """Find what is known of a user that bears on a query; see `store.wanted.Wanted` for what may be wanted."""
        owner = Owner(user=user, agent=agent)
        now = self.parts.clock().astimezone(ZoneInfo(self.parts.settings.jiyi_timezone))
        if wanted.get("max_tokens") is not None and "count" not in wanted:
            wanted["count"] = (await asyncio.to_thread(self.parts.counter, "")).text
        return await recall(self.store, owner, query, Wanted(**wanted), now=now)

    async def _call(self, text: Words, *, user: str, thread: str) -> tuple[RunnableConfig, Any, int]:
        """Work out in which thread a text is said, whether it is a message or the answer to a question, and after how many."""
        thread_id = thread_id_of(thread, user=checked_id(user, "user id"))
        state = await self.graph.aget_state({"configurable": {"thread_id": thread_id, USER_KEY: user}})
        message = HumanMessage(text if isinstance(text, str) else [*text])
        answers = bool(state.interrupts) and not media_in(message) and is_verdict(message.text)
        if not is_thread_id(thread):
            await self.saver.name_thread(thread_id, redact(thread, policy=self.parts.policies.privacy).text)
        given: Any = Command(resume=message.text) if answers else {"messages": [message]}
        return {"configurable": {"thread_id": thread_id}}, given, len(state.values.get("messages", []))


@asynccontextmanager
async def open_agent(
    home: Path | str | None = None,
    *,
    model: BaseChatModel | None = None,
    small_model: BaseChatModel | None = None,
    embedder: Embedder | None = None,
    tagger: Tagger | None = None,
    tools: Sequence[Tool] = (),
    persona: str = "",
    skills_dirs: Sequence[Path] = (),
    keys_files: Sequence[Path] = (),
    clock: Clock = utc_now,
    chosen: Settings | None = None,
) -> AsyncIterator[Agent]:
    """Open an agent with its store, its threads and its writer, and close them in the end.

    A customer-service bot, a knowledge assistant and a game character are three calls of this.

    Args:
        home: Where everything is kept; None: as the settings say.
        model: What answers; None: as the settings say (offline without a key).
        small_model: For side calls, and to extract memories besides the rules; None: as the settings say (with a
            `model` given here memories are extracted by rules only).
        embedder: Where vectors come from; None: as the settings say.
        tagger: What marks facts besides the rules; None: as the settings say.
        tools: What the agent can do besides the order desk's tools.
        persona: Who the agent is, in a few sentences.
        skills_dirs: Folders of skills (YAML files, `<name>/SKILL.md`, `agents/<agent>/`) or single files; they come before
            SKILLS_DIRS, the home's `skills`, and what comes with Jiyi.
        keys_files: Further families of facts that may be kept.
        clock: The time, for everything.
        chosen: Settings; None: those of the environment.

    Raises:
        ValueError: A setting means nothing, or a keys file or a tool's name cannot be used.
        NewerDataError: The home was written by a newer Jiyi.
    """
    base = chosen or settings()
    where = base if home is None else base.model_copy(update={"jiyi_home": Path(home)})
    parts = make_parts(
        where,
        clock=clock,
        model=model,
        small_model=small_model,
        embedder=embedder,
        tagger=tagger,
        tools=tools,
        skills_dirs=skills_dirs,
        persona=persona,
        keys_files=keys_files,
    )
    async with AsyncExitStack() as opened:
        opened.push_async_callback(parts.aclose)
        store = await opened.enter_async_context(store_with(parts))
        saver = await opened.enter_async_context(saver_with(parts))
        drainer = await opened.enter_async_context(Drainer(store, saver, parts).running())
        compiled: Compiled = build_graph(parts).compile(checkpointer=saver, store=store, name="agent")
        yield Agent(compiled.with_config(ONE_CHECKPOINT_A_TURN), store, saver, drainer, parts)


def _reply(result: dict[str, Any], *, since: int) -> str:
    """Give what was answered after the first messages, and the question that the user is asked."""
    messages, asked = result["messages"], result.get(INTERRUPT)
    new = messages[since:]
    said = text_of(new[-1]) if new and isinstance(new[-1], AIMessage) and not new[-1].tool_calls else ""
    told = [part for part in (said, _question(asked) if asked else "") if part]
    return "\n".join(told) or DECIDED


def _question(interrupts: Sequence[Any]) -> str:
    asked = interrupts[0].value
    return f"{asked['zh']} / {asked['en']}" if isinstance(asked, dict) and "zh" in asked else str(asked)


def _piece(message: Any, about: dict[str, Any]) -> str:
    """Give the text of a piece of the reply; nothing for what other nodes stream."""
    return str(message.text) if about.get("langgraph_node") == llm.__name__ else ""
