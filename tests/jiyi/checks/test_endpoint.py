"""An endpoint is asked for its models, and only for them; whatever it answers, the key stays hidden."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from graph.settings import Settings
from jiyi.cli.checks.check import Check
from jiyi.cli.checks.endpoint import JUDGED, Answer, ask_for_models, found_in, models_address, read_answer
from jiyi.cli.checks.model import check_models
from tests.jiyi.checks.listing import Listing, answering_bytes, models, nobody
from tests.jiyi.command_line import Ran, jiyi


def embedder_of(done: Ran) -> Any:
    (embedder,) = [check for check in done.json["checks"] if check["name"] == "embedder"]
    return embedder


KEY = "sk-very-hushed-0123"


def checked(base_url: str, *, model: str = "openai:qwen-plus", **others: str) -> dict[str, Check]:
    values = {"openai_api_key": KEY, "openai_base_url": base_url, "model": model, **others}
    return {check.name: check for check in check_models(Settings.model_validate(values), ask=True)}


def test_a_model_that_is_listed_is_there_and_no_prompt_was_sent() -> None:
    with Listing(body=models("qwen-plus", "qwen-max")).serving() as endpoint:
        found = checked(endpoint.base_url, small_model="openai:qwen-max")

    assert {check.status for check in found.values()} == {"ok"}
    assert "lists the model" in found["model"].found
    assert endpoint.asked == [("GET", "/v1/models", f"Bearer {KEY}")]  # once for both models


def test_a_model_that_is_not_listed_is_told_with_those_that_sound_like_it() -> None:
    with Listing(body=models("qwen-plus", "text-embedding-v3", "deepseek-chat")).serving() as endpoint:
        found = checked(endpoint.base_url, model="openai:qwen-pluss", small_model="openai:deepseek-chatt")

    assert (found["model"].status, "qwen-plus" in found["model"].advice) == ("warn", True)
    assert (found["small model"].status, "deepseek-chat" in found["small model"].advice) == ("warn", True)


@pytest.mark.parametrize(
    ("status", "body", "expected", "words"),
    [
        (401, b"", "fail", "refused the key (HTTP 401)"),
        (403, b"", "fail", "refused the key (HTTP 403)"),
        (404, b"not found", "warn", "does not list its models"),
        (405, b"", "warn", "does not list its models"),
        (429, b"", "warn", "in trouble (HTTP 429)"),
        (503, b"", "warn", "in trouble (HTTP 503)"),
        (400, b"", "warn", "no list of models (HTTP 400)"),
        (200, b"<html>hello</html>", "warn", "no list of models"),
        (200, b'{"data": [1]}', "warn", "no list of models"),
        (200, b"[" * 100_000, "warn", "no list of models"),
        (200, models(), "warn", "does not list the model (0 others)"),
    ],
)
def test_each_answer_is_told_with_what_to_do(status: int, body: bytes, expected: str, words: str) -> None:
    with Listing(status, body).serving() as endpoint:
        found = checked(endpoint.base_url)["model"]

    assert (found.status, words in found.found, bool(found.advice)) == (expected, True, True), found
    assert KEY not in found.found + found.advice


def test_where_nobody_listens_there_is_no_answer() -> None:
    found = checked(nobody())["model"]

    assert (found.status, "no answer" in found.found) == ("fail", True)


def test_what_does_not_speak_http_is_told() -> None:
    with answering_bytes(b"SSH-2.0-something\r\n") as address:
        found = checked(address)["model"]

    assert (found.status, "does not speak HTTP" in found.found) == ("fail", True)


def test_what_stays_silent_is_not_waited_for() -> None:
    with answering_bytes(b"") as address:
        answer = ask_for_models(address, KEY, timeout_s=0.2)

    assert (answer.kind, "0.2 s" in answer.told) == ("silent", True)


def test_a_redirect_is_told_and_the_key_does_not_follow_it() -> None:
    with Listing(body=models("qwen-plus")).serving() as other:
        goal = other.base_url.replace("http://", "http://me:fourth-hushed@") + "/models?token=fifth-hushed"
        with Listing(307, headers={"Location": goal}).serving() as endpoint:
            found = checked(endpoint.base_url)["model"]

    assert other.asked == []
    assert (found.status, "points elsewhere" in found.found) == ("warn", True)
    assert "hushed" not in found.found + found.advice


def test_a_key_that_comes_back_as_a_models_name_is_not_shown() -> None:
    with Listing(body=models(KEY)).serving() as endpoint:
        found = checked(endpoint.base_url, model="openai:sk-very")["model"]

    assert KEY not in found.found + found.advice
    assert "(key)" in found.advice


def test_an_endpoint_of_ones_own_is_asked_without_a_key_where_there_is_none() -> None:
    with Listing(body=models("llama3:latest")).serving() as endpoint:
        chosen = Settings.model_validate({"model": "openai:llama3", "openai_base_url": endpoint.base_url})
        found = next(check_models(chosen, ask=True))

    assert (found.status, endpoint.asked) == ("ok", [("GET", "/v1/models", "")])


def test_a_remote_embedder_embeds_one_sentence_of_ours_unless_offline() -> None:
    vectors = json.dumps({"data": [{"index": 0, "embedding": [0.6, 0.8]}]}).encode()
    with Listing(body=vectors).serving() as endpoint:
        env = {"EMBEDDINGS": "openai:small", "EMBEDDINGS_BASE_URL": endpoint.base_url, "EMBEDDINGS_API_KEY": KEY}
        offline, asked = (embedder_of(jiyi("doctor", "--json", *flags, env=env)) for flags in (("--offline",), ()))

    assert [method for method, _, _ in endpoint.asked] == ["POST"]
    assert ("not asked" in offline["found"], asked["status"]) == (True, "ok")
    assert (asked["measured"]["dimensions"], KEY in asked["found"]) == (2, False)


def test_a_password_in_the_address_is_not_shown() -> None:
    with Listing(body=models("qwen-plus")).serving() as endpoint:
        found = checked(endpoint.base_url.replace("http://", "http://me:third-hushed@"))["model"]

    assert (found.status, "hushed" in found.found, "(set)@127.0.0.1" in found.found) == ("ok", False, True)


def test_offline_nothing_is_asked() -> None:
    with Listing(body=models("qwen-plus")).serving() as endpoint:
        env = {"OPENAI_API_KEY": KEY, "OPENAI_BASE_URL": endpoint.base_url, "MODEL": "openai:qwen-plus"}
        for flag in ("--offline", "--no-network"):
            done = jiyi("doctor", flag, env=env)
            assert (done.status, "it was not asked" in done.out) == (0, True)
        assert endpoint.asked == []
        asked = jiyi("doctor", env=env)
        assert (asked.status, "lists the model" in asked.out, KEY in asked.out + asked.err) == (0, True, False)


def test_a_model_named_with_a_folder_or_as_latest_is_the_same() -> None:
    answer = Answer(kind="listed", models=("models/gemini-x", "llama3:latest"))

    assert [found_in(answer, name)[0] for name in ("gemini-x", "llama3", "llama3:latest", "llama")] == [
        *["ok"] * 3,
        "warn",
    ]


@pytest.mark.parametrize(
    ("base_url", "address"),
    [
        ("http://h:1/v1", "http://h:1/v1/models"),
        ("http://h:1/v1/", "http://h:1/v1/models"),
        ("https://h", "https://h/models"),
        ("https://h/x/v1?api-version=2", "https://h/x/v1/models?api-version=2"),
    ],
)
def test_models_are_listed_under_the_base_address(base_url: str, address: str) -> None:
    assert models_address(base_url) == address


@given(st.integers(100, 999), st.text(max_size=30), st.binary(max_size=60), st.text(min_size=1, max_size=8))
def test_whatever_comes_it_is_judged_and_what_is_not_good_has_its_advice(
    status: int, location: str, body: bytes, model: str
) -> None:
    judged, found, advice = found_in(read_answer(status, location, body), model)

    assert (bool(found), bool(advice)) == (True, judged != "ok")


def test_every_judgement_has_its_advice() -> None:
    assert all(status != "ok" and found and advice for status, found, advice in JUDGED.values())
