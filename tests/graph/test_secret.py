"""The secret by which owners are named is whole, or it is said that it is not."""

from __future__ import annotations

from pathlib import Path

import pytest
from pydantic import SecretStr

from graph.secret import SECRET_FILE, SecretError, owner_name, secret_of
from graph.settings import Settings


async def test_it_is_made_once_and_stays(tmp_path: Path) -> None:
    chosen = Settings(jiyi_home=tmp_path / "home")
    first = await secret_of(chosen)
    assert await secret_of(chosen) == first
    assert len(first) == 32
    assert owner_name(first, "ada") != owner_name(first, "bob")


async def test_a_given_one_counts(tmp_path: Path) -> None:
    chosen = Settings(jiyi_home=tmp_path / "home", jiyi_key=SecretStr("correct horse"))
    assert await secret_of(chosen) == b"correct horse"
    assert not (tmp_path / "home").exists()


@pytest.mark.parametrize("held", [b"", b"ab", b"not hexadecimal", b"\xff\xfe\x00", b"00" * 31])
async def test_a_damaged_one_is_named_with_what_to_do(tmp_path: Path, held: bytes) -> None:
    (tmp_path / SECRET_FILE).write_bytes(held)
    with pytest.raises(SecretError, match="backup"):
        await secret_of(Settings(jiyi_home=tmp_path))
