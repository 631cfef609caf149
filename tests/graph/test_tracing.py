"""Traces: what LangSmith is sent holds nothing private, and all the rest."""

from __future__ import annotations

import base64
import gzip
import json
import os
import re
import subprocess
import sys
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import Thread
from typing import Any

import pytest
import zstandard
from hypothesis import given
from hypothesis import strategies as st
from langsmith import Client, run_trees, tracing_context

from graph.tracing import MEDIA_UNSENT, UNREDACTED, Redaction, redact_traces
from memory.privacy import Policy, default_policy, read_policy, redact

ROOT = Path(__file__).parents[2]
PHONE_ZH, PHONE_EN, MAIL_ZH, MAIL_EN = "13812345678", "415-555-0132", "li.wei@example.com", "kim@example.org"
KEY = "sk-" + "a1B2c3D4" * 5  # in pieces, so that nobody takes it for a key that somebody lost
PRIVATE = (PHONE_ZH, PHONE_EN, MAIL_ZH, MAIL_EN, KEY)
SAID = (
    f"我叫小王，手机号是{PHONE_ZH}，邮箱是 {MAIL_ZH}，密钥是 {KEY}，我喜欢龙井茶",
    f"Call me Kim, my phone number is {PHONE_EN}, my email is {MAIL_EN}, my API key is {KEY}, and I like oolong tea",
)
ORDINARY = ("我喜欢龙井茶", "小王", "and I like oolong tea", "Call me Kim")
BATCHES = {
    "scale_up_qsize_trigger": 1000,
    "scale_up_nthreads_limit": 2,
    "scale_down_nempty_trigger": 4,
    "size_limit": 100,
    "size_limit_bytes": 20_000_000,
}
TALK = """
import asyncio, json, sys
from langchain_core.messages import HumanMessage
from langchain_core.tracers.langchain import wait_for_all_tracers
from graph.context import Context
from graph.settings import Settings
from jiyi.agent import open_agent
from jiyi.testing import ScriptedModel

home, *said = sys.argv[1:]

def reply(messages):
    text = messages[-1].text
    return LookupError(f"nothing is known of {text}") if text.endswith("!") else f"heard: {text}"

async def talk():
    chosen = Settings(embeddings="none", jiyi_home=home)
    async with open_agent(home, model=ScriptedModel(replies=reply), chosen=chosen) as agent:
        for text in said:
            print(await agent.say(text, user="ada", thread="t"))
            try:
                await agent.say(text + "!", user="ada", thread="failing")
            except LookupError as error:
                print(error)
            blocks = [{"type": "text", "text": text}]
            config = {"configurable": {"thread_id": "22114e6c-afa6-4589-ac43-18116237656b"}, "metadata": {"note": text}}
            await agent.ainvoke({"messages": [HumanMessage(blocks)]}, config, context=Context(user_id="ada"))

asyncio.run(talk())
wait_for_all_tracers()
"""


class LangSmith:
    """What LangSmith is for a client: it takes everything, and remembers the bodies as they were before compression."""

    def __init__(self, flags: Mapping[str, bool], *, multipart: bool) -> None:
        batches = {**BATCHES, "use_multipart_endpoint": multipart}
        info = {"version": "0", "instance_flags": flags, "batch_ingest_config": batches}
        self.bodies: list[bytes] = []
        self.kinds: set[tuple[str, str]] = set()
        self._server = ThreadingHTTPServer(("127.0.0.1", 0), self._handler(json.dumps(info).encode()))
        self.url = f"http://127.0.0.1:{self._server.server_address[1]}"

    @contextmanager
    def serving(self) -> Iterator[LangSmith]:
        thread = Thread(target=self._server.serve_forever, kwargs={"poll_interval": 0.02})
        thread.start()
        try:
            yield self
        finally:
            self._server.shutdown()
            thread.join()
            self._server.server_close()

    @property
    def received(self) -> str:
        """Give all that was received as text, with what JSON may have escaped put back."""
        text = b"\n".join(self.bodies).decode("utf-8", "replace")
        return re.sub(r"\\u([0-9a-f]{4})", lambda code: chr(int(code[1], 16)), text)

    def take(self, path: str, encoding: str, body: bytes) -> None:
        self.kinds.add((path, encoding))
        self.bodies.append(_plain(body, encoding))

    def _handler(self, info: bytes) -> type[BaseHTTPRequestHandler]:
        take = self.take

        class Handler(BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"

            def answer(self) -> None:
                take(self.path, self.headers.get("Content-Encoding", ""), _body(self))
                self.send_response(200)
                self.send_header("Content-Type", "application/json")
                self.send_header("Content-Length", str(len(info)))
                self.end_headers()
                self.wfile.write(info)

            do_GET = do_POST = do_PATCH = answer  # noqa: N815 - the library's names

            def log_message(self, *_: object) -> None:
                pass

        return Handler


def _body(request: BaseHTTPRequestHandler) -> bytes:
    if "chunked" not in request.headers.get("Transfer-Encoding", ""):
        return request.rfile.read(int(request.headers.get("Content-Length", 0)))
    parts = []
    while size := int(request.rfile.readline().strip(), 16):
        parts.append(request.rfile.read(size))
        request.rfile.readline()
    request.rfile.readline()
    return b"".join(parts)


def _plain(body: bytes, encoding: str) -> bytes:
    match encoding:
        case "zstd":
            return zstandard.ZstdDecompressor().decompressobj().decompress(body)
        case "gzip":
            return gzip.decompress(body)
    return body


def talk(home: Path, *said: str, **settings: str) -> str:
    """Say it to an agent in a process of its own; give what was printed."""
    outside = dict(os.environ)  # noqa: TID251 - handed on to a process
    environment = {**outside, "PYTHONPATH": str(ROOT), **settings}
    command = [sys.executable, "-c", TALK, str(home), *said]
    done = subprocess.run(command, env=environment, capture_output=True, text=True, timeout=90, check=False)
    assert done.returncode == 0, done.stderr
    return done.stdout


@pytest.mark.parametrize(
    ("flags", "multipart", "kind"),
    [
        ({"zstd_compression_enabled": True}, True, ("/runs/multipart", "zstd")),
        ({}, True, ("/runs/multipart", "")),
        ({}, False, ("/runs/batch", "")),
    ],
)
def test_nothing_private_is_in_any_byte_that_langsmith_receives_and_the_rest_is(
    tmp_path: Path, flags: Mapping[str, bool], *, multipart: bool, kind: tuple[str, str]
) -> None:
    with LangSmith(flags, multipart=multipart).serving() as langsmith:
        traced = {"LANGSMITH_TRACING": "true", "LANGSMITH_ENDPOINT": langsmith.url, "LANGSMITH_API_KEY": "test"}
        printed = talk(tmp_path / "home", *SAID, **traced)
        received = langsmith.received
    assert kind in langsmith.kinds
    assert all(private in printed for private in PRIVATE)
    assert {private: private in received for private in PRIVATE} == dict.fromkeys(PRIVATE, False)
    assert {words: words in received for words in ORDINARY} == dict.fromkeys(ORDINARY, True)
    assert all(placeholder in received for placeholder in ("[phone]", "[email]", "[secret]"))
    assert "nothing is known of" in received  # the errors
    assert "22114e6c-afa6-4589-ac43-18116237656b" in received  # the thread, by which traces are joined
    assert UNREDACTED not in received


def test_what_the_privacy_file_keeps_is_sent_and_secrets_are_not(tmp_path: Path) -> None:
    (tmp_path / "privacy.yaml").write_text("phone: keep\nemail: keep\n")
    with LangSmith({}, multipart=True).serving() as langsmith:
        traced = {"LANGSMITH_TRACING": "true", "LANGSMITH_ENDPOINT": langsmith.url, "LANGSMITH_API_KEY": "test"}
        talk(tmp_path / "home", *SAID, PRIVACY_FILE=str(tmp_path / "privacy.yaml"), **traced)
        received = langsmith.received
    assert {private: private in received for private in PRIVATE} == {one: one != KEY for one in PRIVATE}


def test_with_tracing_off_nothing_is_sent(tmp_path: Path) -> None:
    with LangSmith({}, multipart=True).serving() as langsmith:
        printed = talk(tmp_path / "home", SAID[0], LANGSMITH_ENDPOINT=langsmith.url, LANGSMITH_API_KEY="test")
    assert PHONE_ZH in printed
    assert langsmith.bodies == []


def _strings(value: Any) -> Iterator[str]:
    match value:
        case str():
            yield value
        case dict():
            yield from _strings([*value.keys(), *value.values()])
        case list():
            for one in value:
                yield from _strings(one)


class BrokenPolicy(Mapping[Any, Any]):
    """A policy that cannot be asked."""

    def __init__(self, error: Exception) -> None:
        self.error = error

    def __getitem__(self, kind: object) -> Any:
        raise self.error

    def __iter__(self) -> Iterator[Any]:
        raise self.error

    def __len__(self) -> int:
        raise self.error


@pytest.mark.parametrize("error", [RuntimeError("broken"), ValueError("broken"), RecursionError()])
def test_a_string_that_cannot_be_redacted_is_never_sent(caplog: pytest.LogCaptureFixture, error: Exception) -> None:
    sent = Redaction(BrokenPolicy(error))({"messages": [SAID[0], {"text": SAID[1]}], "step": None})
    assert set(_strings(sent)) == {UNREDACTED}
    assert "could not be redacted" in caplog.text
    assert not any(private in caplog.text for private in PRIVATE)


@pytest.fixture
def langsmith() -> Iterator[LangSmith]:
    with LangSmith({}, multipart=False).serving() as served:
        yield served
    run_trees.configure(client=None)


def client_of(langsmith: LangSmith, **chosen: Any) -> Client:
    return Client(api_url=langsmith.url, api_key="test", auto_batch_tracing=False, **chosen)


def trace_both() -> None:
    """Send, as a tracer does, by the client of the process."""
    for text in SAID:
        run_trees.get_cached_client().create_run("turn", {"said": text}, "chain", error=text)


def test_what_breaks_in_an_unforeseen_way_sends_nothing(langsmith: LangSmith) -> None:
    client = client_of(langsmith, anonymizer=Redaction(BrokenPolicy(OSError("gone"))))
    with pytest.raises(OSError, match="gone"):
        client.create_run("turn", {"said": SAID[0]}, "chain")
    assert langsmith.bodies == []


def test_a_client_that_was_set_up_before_stays_and_redacts(langsmith: LangSmith) -> None:
    own = client_of(langsmith)
    run_trees.configure(client=own)
    with tracing_context(enabled=True):
        redact_traces(default_policy())
        redact_traces(default_policy())
    assert run_trees.get_cached_client() is own
    trace_both()
    assert "龙井茶" in langsmith.received
    assert "oolong" in langsmith.received
    assert not any(private in langsmith.received for private in PRIVATE)


@pytest.mark.parametrize("hiding", ["anonymizer", "hide_inputs"])
def test_a_client_that_hides_by_itself_is_left_as_it_is(
    langsmith: LangSmith, caplog: pytest.LogCaptureFixture, hiding: str
) -> None:
    def hide(given: dict[str, Any]) -> dict[str, Any]:
        return dict.fromkeys(given, "hidden by its owner")

    run_trees.configure(client=client_of(langsmith, **{hiding: hide}))
    with tracing_context(enabled=True):
        redact_traces(default_policy())
    trace_both()
    assert "hidden by its owner" in langsmith.received
    assert "Jiyi's privacy policy is not applied" in caplog.text


def test_with_tracing_off_no_client_is_made_and_none_is_touched(langsmith: LangSmith) -> None:
    run_trees.configure(client=client_of(langsmith))
    redact_traces(default_policy())
    trace_both()
    assert all(private in langsmith.received for private in PRIVATE)


@pytest.mark.parametrize("written", ["{}", "data:image/png;base64,{}"])
def test_the_bytes_of_a_picture_are_not_sent(written: str) -> None:
    text = written.format(base64.b64encode(bytes(range(256)) * 4000).decode())
    assert Redaction(default_policy())({"inputs": [text, SAID[0][:5]]}) == {"inputs": [MEDIA_UNSENT, SAID[0][:5]]}


def test_an_id_is_sent_as_it_is_though_its_digits_look_like_a_number() -> None:
    ids = {"thread_id": "22114e6c-afa6-4589-ac43-18116237656b"}
    assert redact(ids["thread_id"]).text != ids["thread_id"]
    assert Redaction(default_policy())(ids) == ids


@pytest.mark.parametrize("number", [PHONE_ZH, PHONE_EN])
def test_keys_and_numbers_are_redacted_as_strings_are(number: str) -> None:
    sent = Redaction(default_policy())({f"电话 {number}": {"phone": int(PHONE_ZH), "tokens": 8842, "cached": True}})
    assert sent == {"电话 [phone]": {"phone": "[phone]", "tokens": 8842, "cached": True}}


def test_what_one_of_several_policies_replaces_is_replaced() -> None:
    lenient: Policy = read_policy({"phone": "keep"})
    redaction = Redaction(lenient)
    said = {"zh": f"电话{PHONE_ZH}", "en": f"phone {PHONE_EN}"}
    assert redaction(said) == said
    redaction.add(default_policy())
    redaction.add(lenient)
    assert redaction(said) == {"zh": "电话[phone]", "en": "phone [phone]"}


json_values: st.SearchStrategy[Any] = st.recursive(
    st.sampled_from([*SAID, *PRIVATE, "好", "ok"]) | st.integers(0, 999) | st.booleans() | st.none(),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.sampled_from(["a", "b", PHONE_ZH]), inner),
    max_leaves=8,
)


@given(st.dictionaries(st.sampled_from(["inputs", "outputs", MAIL_EN]), json_values))
def test_whatever_the_shape_nothing_private_is_left(data: dict[str, Any]) -> None:
    sent = json.dumps(Redaction(default_policy())(data), ensure_ascii=False)
    assert not any(private in sent for private in PRIVATE)
