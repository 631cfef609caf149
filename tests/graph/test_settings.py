"""Settings: what the environment says, read once."""

from __future__ import annotations

import os
from pathlib import Path

import pytest
from pydantic import ValidationError

from graph.settings import DEFAULT_REMOTE_MODEL, OFFLINE, Settings, settings


def test_without_anything_set_it_runs_offline_in_one_folder() -> None:
    chosen = settings()
    assert (chosen.chosen_model, chosen.embeddings, chosen.memory_writes) == (OFFLINE, "local", None)
    assert chosen.jiyi_timezone == "UTC"
    assert not chosen.on_loopback


def test_the_window_takes_8000_tokens_and_what_is_remembered_2000_unless_set(monkeypatch: pytest.MonkeyPatch) -> None:
    assert (Settings().window_tokens, Settings().memory_tokens) == (8_000, 2_000)
    monkeypatch.setenv("WINDOW_TOKENS", "32000")
    monkeypatch.setenv("MEMORY_TOKENS", " 500 ")
    assert (Settings().window_tokens, Settings().memory_tokens) == (32_000, 500)


def test_what_a_model_takes_is_not_set_unless_it_is_and_then_takes_text_besides() -> None:
    assert Settings().kinds_taken is None
    assert Settings(model_takes=" Image, audio ").kinds_taken == frozenset({"text", "image", "audio"})
    with pytest.raises(ValidationError, match=r"'smell' is no kind .* text, image, audio, video, file"):
        Settings(model_takes="text,smell")


def test_settings_are_read_once() -> None:
    assert settings() is settings()


def test_a_key_chooses_a_remote_model_unless_one_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", "not-a-real-one")
    assert Settings().chosen_model == DEFAULT_REMOTE_MODEL
    monkeypatch.setenv("MODEL", "offline")
    assert Settings().chosen_model == "offline"


def test_a_key_is_not_shown() -> None:
    shown = repr(Settings(openai_api_key="very-secret-words", jiyi_key="more-secret-words"))  # type: ignore[arg-type]
    assert "secret-words" not in shown


def test_a_blank_variable_counts_as_not_set(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("OPENAI_API_KEY", "MODEL", "EMBEDDINGS", "JIYI_TIMEZONE", "MEMORY_WRITES", "JIYI_KEY"):
        monkeypatch.setenv(name, "")
    chosen = Settings()
    assert (chosen.chosen_model, chosen.embeddings, chosen.jiyi_timezone) == (OFFLINE, "local", "UTC")
    assert chosen.jiyi_key is None


def test_the_environment_wins_over_the_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / ".env").write_text("JIYI_TIMEZONE=Asia/Shanghai\nEMBEDDINGS=none\nUNKNOWN_TO_US=1\n", encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    assert (Settings().jiyi_timezone, Settings().embeddings) == ("Asia/Shanghai", "none")
    monkeypatch.setenv("JIYI_TIMEZONE", "Europe/Paris")
    assert Settings().jiyi_timezone == "Europe/Paris"


@pytest.mark.parametrize(
    ("name", "value", "hint"),
    [
        ("JIYI_TIMEZONE", "Nowhere/Land", "Asia/Shanghai"),
        ("JIYI_TIMEZONE", "America", "Asia/Shanghai"),
        ("JIYI_TIMEZONE", "../../etc/passwd", "Asia/Shanghai"),
        ("EMBEDDINGS", "locall", "local"),
        ("MEMORY_WRITES", "later", "inline"),
        ("WINDOW_TOKENS", "many", "valid integer"),
        ("WINDOW_TOKENS", "99", "greater than or equal to 100"),
        ("WINDOW_TOKENS", "10000001", "less than or equal to 10000000"),
        ("MEMORY_TOKENS", "0", "greater than or equal to 1"),
        ("MEMORY_TOKENS", "2k", "valid integer"),
    ],
)
def test_a_value_that_means_nothing_is_an_error_that_says_what_does(
    monkeypatch: pytest.MonkeyPatch, name: str, value: str, hint: str
) -> None:
    monkeypatch.setenv(name, value)
    with pytest.raises(ValidationError, match=hint):
        Settings()


def test_a_home_may_be_written_with_a_tilde() -> None:
    assert Settings(jiyi_home=Path("~/memories")).jiyi_home == Path.home() / "memories"


@pytest.mark.parametrize(
    ("url", "expected"),
    [
        ("http://127.0.0.1:2024", True),
        ("http://localhost:2024", True),
        ("http://[::1]:2024", True),
        ("http://0.0.0.0:2024", False),
        ("https://example.com", False),
        ("http://localhost.example.com", False),
        ("http://127.0.0.1.example.com", False),
        ("http://localhost@example.com", False),
        ("", False),
        ("nonsense", False),
    ],
)
def test_loopback_is_this_machine_and_nothing_that_looks_like_it(url: str, *, expected: bool) -> None:
    assert Settings(langgraph_api_url=url).on_loopback is expected


def test_folders_of_skills_are_written_as_in_path() -> None:
    assert Settings(skills_dirs=f"/a{os.pathsep}~/b{os.pathsep}").skill_folders == (Path("/a"), Path.home() / "b")


@pytest.mark.parametrize("name", ["chroma_url", "openai_base_url", "embeddings_base_url"])
def test_an_address_is_one_of_the_web(name: str) -> None:
    Settings.model_validate({name: "http://127.0.0.1:8000/v1"})
    with pytest.raises(ValidationError, match="http://host:port"):
        Settings.model_validate({name: "localhost:8000"})
    for url in ("http://127.0.0.1:99999/v1", "http://[::1", "http://:80", "ftp://host"):
        with pytest.raises(ValidationError, match="http://host:port"):
            Settings.model_validate({name: url})


@pytest.mark.parametrize("name", ["openai_api_key", "embeddings_api_key"])
def test_a_key_that_cannot_be_sent_is_refused_and_not_shown(name: str) -> None:
    for key in ("密钥-of-mine", "two\nlines"):
        with pytest.raises(ValidationError, match="copy it again") as refused:
            Settings.model_validate({name: key})
        assert key not in str(refused.value)


def test_a_time_out_ends() -> None:
    for seconds in ("0", "-1", "inf", "nan"):
        with pytest.raises(ValidationError):
            Settings.model_validate({"model_timeout_s": seconds})
