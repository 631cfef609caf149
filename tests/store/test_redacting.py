"""Redacting in the store: the same number has one name for one user, another for another, and none without the key."""

from __future__ import annotations

import re
from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from jiyi.testing import FixedClock
from memory.namespaces import Owner, user_root
from store.memory_store import MemoryStore
from store.redacting import redactor_of
from store.remember import remember

ADA, BOB = Owner(user="ada"), Owner(user="bob")
NAME = re.compile(r"\[phone:([0-9a-zA-Z]{6,10})\]")
WRITINGS = [
    "我的手机号是13812345678",
    "call me on +86 138-1234-5678",
    "手机：１３８１２３４５６７８",
    "138 1234 5678 is my mobile number",
]


@pytest.fixture
async def store(tmp_path: Path, clock: FixedClock) -> AsyncIterator[MemoryStore]:
    async with MemoryStore(tmp_path / "m.db", clock=clock).opened() as opened:
        yield opened


def names(text: str) -> set[str]:
    return set(NAME.findall(text))


async def kept(store: MemoryStore) -> str:
    rows = await store.look(lambda transaction: transaction.find(user_root("ada")))
    return "\n".join(str(row.value) for row in rows)


@pytest.mark.parametrize("text", WRITINGS)
async def test_however_a_number_is_written_it_has_one_name(store: MemoryStore, text: str) -> None:
    redacted = await redactor_of(store, ADA)

    [name] = names(redacted(text))
    assert names(redacted(WRITINGS[0])) == {name}
    assert "138" not in redacted(text)


async def test_another_user_has_another_name_for_it(store: MemoryStore) -> None:
    ada, bob = await redactor_of(store, ADA), await redactor_of(store, BOB)

    assert names(ada(WRITINGS[0])) != names(bob(WRITINGS[0]))


async def test_what_is_kept_bears_the_name_and_not_the_number(store: MemoryStore) -> None:
    await remember(store, ADA, "我的手机号是13812345678，我喜欢爬山")
    await remember(store, ADA, "My number is +86 138 1234 5678 and I like hiking")

    redacted = await redactor_of(store, ADA)
    assert names(await kept(store)) == names(redacted(WRITINGS[0]))
    assert "13812345678" not in await kept(store)


async def test_without_the_key_nobody_finds_the_name_again(store: MemoryStore) -> None:
    before = (await redactor_of(store, ADA))(WRITINGS[0])
    await store.transact("ada", lambda transaction: transaction.connection.execute("DELETE FROM user_keys"))

    assert names((await redactor_of(store, ADA))(WRITINGS[0])) != names(before)


async def test_a_secret_has_no_name(store: MemoryStore) -> None:
    redacted = await redactor_of(store, ADA)

    assert redacted("我的密码是hunter2-x9") == "我的密码是[secret]"
    assert redacted("my password is hunter2-x9") == "my password is [secret]"
