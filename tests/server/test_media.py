"""A picture over the server: it is in the thread's folder, in no database, and gone with the thread."""

from __future__ import annotations

import base64
from pathlib import Path
from typing import Any

import pytest

from graph.settings import MEDIA_FOLDER
from tests.server.client import AGENT, Client, context
from tests.server.dev_server import DevServer

DATA = base64.b64encode(b"\x89PNG\r\n\x1a\n" + bytes(range(256)) * 2_000).decode()
PICTURE = {"type": "image_url", "image_url": {"url": f"data:image/png;base64,{DATA}"}}


def kept(home: Path) -> list[Path]:
    return [path for path in (home / MEDIA_FOLDER).rglob("*") if path.is_file()]


@pytest.mark.parametrize(
    ("said", "told"),
    [("看看这张图", "这个模型不接受图片"), ("Look at this picture", "this model takes no images")],
    ids=["zh", "en"],
)
async def test_a_picture_stays_out_of_the_databases_and_goes_with_its_thread(
    client: Client, server: DevServer, said: str, told: str
) -> None:
    thread = await client.thread()
    content = [{"type": "text", "text": said}, PICTURE]
    given: Any = {"messages": [{"role": "user", "content": content}]}
    values: Any = await client.sdk.runs.wait(thread, AGENT, input=given, **context("ada"))
    assert told in values["messages"][-1]["content"]
    assert [path.read_bytes() for path in kept(server.home)] == [base64.b64decode(DATA)]
    piece = DATA[10_000:10_060].encode()
    assert not [path for path in server.home.glob("*.db*") if piece in path.read_bytes()]
    await client.sdk.threads.delete(thread)
    assert kept(server.home) == []
