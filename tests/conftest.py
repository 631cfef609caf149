"""What holds for every test: no network beyond loopback, no real data directory, no settings from outside."""

from __future__ import annotations

import ipaddress
import os
import sys
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path

import pytest
from hypothesis import settings as hypothesis_settings

from jiyi.testing import FixedClock

hypothesis_settings.register_profile("untimed", deadline=None)  # a busy machine is no fault of a rule
hypothesis_settings.load_profile("untimed")

SETTINGS = (
    *("MODEL", "SMALL_MODEL", "CHROMA_URL", "DATABASE_URL", "SKILLS_DIRS", "LANGGRAPH_API_URL"),
    *("KEYS_FILES", "PRIVACY_FILE", "GUARD_FILES", "REDACT_THREADS", "COMPRESSOR"),
)
PREFIXES = (
    "JIYI_",
    "OPENAI_",
    "MODEL_",
    "MEMORY_",
    "MEDIA_",
    "WINDOW_",
    "TIKTOKEN_",
    "DATA_GYM_",
    "EMBEDDINGS",
    "TAGGER",
    "LANGSMITH_",
    "LANGCHAIN_",
)
READ_ONCE = (("graph.settings", "settings"), ("graph.parts", "process_parts"))
PROXIES = ("HTTP_PROXY", "HTTPS_PROXY", "ALL_PROXY")
SOCKET_EVENTS = frozenset({"socket.connect", "socket.bind", "socket.sendto", "socket.sendmsg"})
LOOKUP_EVENTS = frozenset({"socket.getaddrinfo", "socket.gethostbyname"})

_refused: list[str] = []


class NetworkRefusedError(RuntimeError):
    """A test tried to leave this machine."""

    def __init__(self, event: str, host: object) -> None:
        super().__init__(
            f"Refused {event} to {host!r}: no test may open a socket beyond loopback. "
            "Serve a fake on 127.0.0.1, or pass a fake model or embedder."
        )


def pytest_addoption(parser: pytest.Parser) -> None:
    """Let the scenarios be run with the tagger too (`make test-tagger`)."""
    parser.addoption("--tagger", default="none", choices=["none", "local"], help="What reads beside the rules.")


def pytest_configure(config: pytest.Config) -> None:
    """Watch the sockets and clear the environment before any fixture or test module can use either."""
    sys.addaudithook(_refuse_the_network)
    patch = pytest.MonkeyPatch()
    for name in [name for name in os.environ if _steers_jiyi(name)]:  # noqa: TID251 - to clear it
        patch.delenv(name)
    config.add_cleanup(patch.undo)


@pytest.fixture(scope="session", autouse=True)
def _home_for_wide_fixtures(tmp_path_factory: pytest.TempPathFactory, pytestconfig: pytest.Config) -> Iterator[None]:
    """Give fixtures of a module or of the session a data directory too."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("JIYI_HOME", str(tmp_path_factory.mktemp("session-home")))
        patch.setenv("TIKTOKEN_CACHE_DIR", str(tmp_path_factory.mktemp("no-vocabulary")))
        patch.setenv("TAGGER", pytestconfig.getoption("--tagger"))
        yield


@pytest.fixture(autouse=True)
def _home_of_its_own(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, pytestconfig: pytest.Config) -> None:
    """Give the test, and processes that it starts, a data directory not yet made and a folder without `.env`."""
    monkeypatch.setenv("JIYI_HOME", str(tmp_path / "jiyi-home"))
    monkeypatch.setenv("TIKTOKEN_CACHE_DIR", str(tmp_path / "no-vocabulary"))  # the same figures on every machine
    monkeypatch.setenv(
        "TAGGER", pytestconfig.getoption("--tagger")
    )  # "none" in each run: tests of the tagger choose it
    monkeypatch.chdir(tmp_path)
    _forget_what_was_read_once()


@pytest.fixture(autouse=True)
def _no_network() -> Iterator[None]:
    """Fail the test that tried the network, even where the code under test swallowed the refusal."""
    _refused.clear()
    yield
    tried = list(_refused)
    _refused.clear()
    if tried:
        pytest.fail("\n".join(tried), pytrace=False)


def _forget_what_was_read_once() -> None:
    """Let the next reader of the settings see this test's; where nobody imported them there is nothing to forget."""
    for module, function in READ_ONCE:
        if module in sys.modules:
            getattr(sys.modules[module], function).cache_clear()


def _steers_jiyi(name: str) -> bool:
    upper = name.upper()
    return upper in SETTINGS or upper in PROXIES or upper.startswith(PREFIXES)


def _refuse_the_network(event: str, args: tuple[object, ...]) -> None:
    if event in SOCKET_EVENTS:
        host = _host_of(args[-1])
    elif event in LOOKUP_EVENTS:
        host = args[0]
    else:
        return
    if not _is_loopback(host):
        refusal = NetworkRefusedError(event, host)
        _refused.append(str(refusal))
        raise refusal


def _host_of(address: object) -> object:
    """Give the host of an internet address; None for a Unix socket's path or a connected socket's message."""
    if isinstance(address, tuple) and address and isinstance(address[0], str):
        return address[0]
    return None


def _is_loopback(host: object) -> bool:
    if host is None:
        return True
    name = host.decode() if isinstance(host, bytes) else str(host)
    if name == "localhost":
        return True
    try:
        address = ipaddress.ip_address(name.partition("%")[0])
    except ValueError:
        return False
    return address.is_loopback


@pytest.fixture
def clock() -> FixedClock:
    """Give a clock that stands at a Monday morning until it is moved."""
    return FixedClock(datetime(2026, 5, 4, 9, 0, tzinfo=UTC))
