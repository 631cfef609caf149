"""Counting: a vocabulary's file is used where it is here and whole; nothing is ever fetched."""

from __future__ import annotations

import base64
import hashlib
from pathlib import Path

import pytest

from graph.counting import CL100K, O200K, Vocabulary, counter_for, counter_in, counter_named, vocabulary_of
from graph.parts import make_parts
from graph.settings import Settings
from jiyi.testing import ScriptedModel
from memory.tokens import ESTIMATE

TOKENS = [*(bytes([one]) for one in range(256)), b"\xe4\xbd", b"\xe4\xbd\xa0", b"he", b"ll"]
WORDS = r"[\s\S]{1,4}"


def written(folder: Path, *, as_: str = "small.tiktoken") -> Vocabulary:
    """Write a vocabulary of 260 tokens: the bytes, 你 in two steps, and two pairs of letters."""
    lines = "".join(f"{base64.b64encode(token).decode()} {rank}\n" for rank, token in enumerate(TOKENS)).encode()
    (folder / as_).write_bytes(lines)
    return Vocabulary(name="small", cached_as="0" * 40, sha256=hashlib.sha256(lines).hexdigest(), pattern=WORDS)


@pytest.mark.parametrize("name", ["small.tiktoken", "0" * 40])
@pytest.mark.parametrize(
    ("text", "tokens"), [("hello", 3), ("你好", 4), ("你你你", 3), ("", 0), ("😀", 4), ("<|endoftext|>", 13)]
)
def test_a_vocabulary_that_is_here_counts_exactly(tmp_path: Path, name: str, text: str, tokens: int) -> None:
    counter = counter_in(tmp_path, written(tmp_path, as_=name))

    assert (counter.name, counter.text(text)) == ("small", tokens)


def test_one_that_is_not_here_is_not_fetched_but_estimated(tmp_path: Path) -> None:
    for model in ("", "offline", "openai:gpt-4.1-mini", "openai:gpt-4", "openai:qwen3"):
        assert counter_named(model, chosen=Settings(tiktoken_cache_dir=tmp_path / "nowhere")) is ESTIMATE
    assert not (tmp_path / "nowhere").exists()


def test_one_that_is_damaged_is_neither_used_nor_fetched_nor_removed(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    damaged = tmp_path / O200K.cached_as
    damaged.write_bytes(b"IQ== 0\n")

    assert counter_named("openai:gpt-4.1", chosen=Settings(tiktoken_cache_dir=tmp_path)) is ESTIMATE
    assert damaged.read_bytes() == b"IQ== 0\n"
    assert "is not the o200k_base that was published" in caplog.text


def test_a_file_that_is_put_there_later_is_found(tmp_path: Path) -> None:
    vocabulary = written(tmp_path)
    (tmp_path / "small.tiktoken").rename(tmp_path / "elsewhere")
    assert counter_in(tmp_path, vocabulary) is ESTIMATE

    (tmp_path / "elsewhere").rename(tmp_path / "small.tiktoken")
    assert counter_in(tmp_path, vocabulary).name == "small"


@pytest.mark.parametrize(
    ("model", "vocabulary"),
    [
        ("gpt-4.1-mini", O200K),
        ("gpt-5", O200K),
        ("gpt-4o", O200K),
        ("gpt-4", CL100K),
        ("gpt-3.5-turbo", CL100K),
        ("deepseek-chat", O200K),
        ("offline", O200K),
        ("", O200K),
    ],
)
def test_each_model_has_its_vocabulary_and_an_unknown_one_the_newest(model: str, vocabulary: Vocabulary) -> None:
    assert vocabulary_of(model) is vocabulary


def test_a_model_that_is_given_is_counted_whatever_the_run_names(tmp_path: Path) -> None:
    chosen = Settings(jiyi_home=tmp_path, embeddings="none", tiktoken_cache_dir=tmp_path)
    given = make_parts(chosen, model=ScriptedModel(replies=[]))

    assert given.counter("openai:gpt-4") is given.counter("") is counter_for(ScriptedModel(), chosen=chosen) is ESTIMATE


def test_the_folder_is_the_one_that_tiktoken_uses(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("TIKTOKEN_CACHE_DIR")
    monkeypatch.setenv("DATA_GYM_CACHE_DIR", str(tmp_path / "older"))
    assert (Settings().tiktoken_cache_dir, Settings().data_gym_cache_dir) == (None, tmp_path / "older")

    monkeypatch.setenv("TIKTOKEN_CACHE_DIR", str(tmp_path / "newer"))
    assert Settings().tiktoken_cache_dir == tmp_path / "newer"
