"""Identity: who speaks, where, when; nobody is never everybody."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest
from langgraph.runtime import ExecutionInfo, Runtime, ServerInfo
from langgraph.store.memory import InMemoryStore

from graph.context import Context
from graph.identity import (
    LOCAL_USER,
    NoStoreError,
    RunError,
    now_of,
    owner_of,
    store_of,
    thread_of,
    timezone_of,
    user_of,
)
from graph.secret import owner_name, secret_of
from graph.settings import Settings
from jiyi.testing import FixedClock
from memory.namespaces import BlankIdError, Owner

HERE, ELSEWHERE = Settings(langgraph_api_url="http://127.0.0.1:2024"), Settings(langgraph_api_url="https://a.example")


@dataclass
class Authenticated:
    identity: Any


def runtime(context: Context | None, *, served: bool = False, authenticated: Any = None) -> Runtime[Context]:
    user: Any = None if authenticated is None else Authenticated(authenticated)
    info = ServerInfo(assistant_id="a", graph_id="agent", user=user) if served or user else None
    return Runtime(context=context, server_info=info)  # type: ignore[arg-type]


def test_whom_the_server_has_authenticated_counts_before_what_the_client_says() -> None:
    run = runtime(Context(user_id="bob"), authenticated="ada")
    assert user_of(run, HERE) == "ada"
    assert owner_of(run, ELSEWHERE) == Owner(user="ada")


@pytest.mark.parametrize("identity", ["", "  ", 7, None])
def test_an_authentication_that_names_nobody_does_not_count(identity: Any) -> None:
    with pytest.raises(BlankIdError):
        user_of(runtime(Context(), authenticated=identity or ""), ELSEWHERE)


def test_a_blank_user_is_local_on_this_machine_only() -> None:
    assert user_of(runtime(Context(), served=True), HERE) == LOCAL_USER
    assert user_of(runtime(None, served=True), HERE) == LOCAL_USER
    with pytest.raises(BlankIdError):
        user_of(runtime(Context(), served=True), ELSEWHERE)
    with pytest.raises(BlankIdError):
        user_of(runtime(Context()), HERE)  # in process, whatever the settings say


@pytest.mark.parametrize("nobody", ["  ", "\n", None, 0, 1, b"ada", ["ada"], {}, False])
def test_what_is_no_name_is_refused_even_on_this_machine(nobody: Any) -> None:
    with pytest.raises(BlankIdError):
        user_of(runtime(Context(user_id=nobody), served=True), HERE)


def test_the_text_zero_is_a_user_like_any_other() -> None:
    assert owner_of(runtime(Context(user_id="0", agent="0")), HERE) == Owner(user="0", agent="0")


@pytest.mark.parametrize("agent", ["", " ", None, 0])
def test_an_agent_must_be_named_too(agent: Any) -> None:
    with pytest.raises(BlankIdError, match="agent id"):
        owner_of(runtime(Context(user_id="ada", agent=agent)), HERE)


def test_a_run_has_a_thread() -> None:
    named = ExecutionInfo(checkpoint_id="c", checkpoint_ns="", task_id="t", thread_id="thread")
    assert thread_of(Runtime(execution_info=named)) == "thread"
    for without in (None, ExecutionInfo(checkpoint_id="c", checkpoint_ns="", task_id="t")):
        with pytest.raises(RunError, match="thread_id"):
            thread_of(Runtime(execution_info=without))


def test_another_store_is_refused_with_what_to_do() -> None:
    for other in (None, InMemoryStore()):
        with pytest.raises(NoStoreError, match="open_agent"):
            store_of(Runtime(store=other))


def test_a_run_may_have_its_own_time(clock: FixedClock) -> None:
    assert now_of(runtime(Context()), clock) == clock()
    assert now_of(runtime(Context(now="2024-03-01T12:00:00")), clock) == datetime(2024, 3, 1, 12, tzinfo=UTC)
    east = now_of(runtime(Context(now="2024-03-01T12:00:00+08:00")), clock)
    assert east.utcoffset() == timedelta(hours=8)


@pytest.mark.parametrize("now", ["yesterday", "2024-13-01", " "])
def test_what_is_no_time_is_refused(clock: FixedClock, now: str) -> None:
    with pytest.raises(RunError, match="ISO 8601"):
        now_of(runtime(Context(now=now)), clock)


def test_a_run_may_have_its_own_time_zone() -> None:
    assert timezone_of(runtime(Context()), Settings(jiyi_timezone="Asia/Shanghai")) == "Asia/Shanghai"
    assert timezone_of(runtime(Context(timezone="Europe/Paris")), HERE) == "Europe/Paris"
    for wrong in ("Nowhere/Land", "America", "../etc/passwd", " ", "UTC\x00"):
        with pytest.raises(RunError, match="Asia/Shanghai"):
            timezone_of(runtime(Context(timezone=wrong)), HERE)


async def test_a_home_has_one_secret_that_only_its_owner_can_read(tmp_path: Path) -> None:
    chosen = Settings(jiyi_home=tmp_path / "home")
    secret = await secret_of(chosen)
    assert len(secret) == 32
    assert await secret_of(chosen) == secret
    assert (tmp_path / "home" / "key").stat().st_mode & 0o077 == 0
    assert await secret_of(Settings(jiyi_home=tmp_path / "other")) != secret
    assert await secret_of(Settings(jiyi_home=tmp_path / "home", jiyi_key="given")) == b"given"  # type: ignore[arg-type]


async def test_an_owners_name_tells_nothing_and_differs_between_homes(tmp_path: Path) -> None:
    one, other = [await secret_of(Settings(jiyi_home=tmp_path / name)) for name in ("one", "other")]
    assert owner_name(one, "ada") == owner_name(one, "ada") != owner_name(one, "bob")
    assert owner_name(one, "ada") != owner_name(other, "ada")
    assert "ada" not in owner_name(one, "ada")
