"""Pictures over the wire: they reach an endpoint whole, and one that takes none stops nobody from talking on."""

from __future__ import annotations

import base64
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest
from langchain_core.runnables import RunnableConfig

from graph.models.sentences import SENTENCES
from jiyi.agent import Agent, open_agent
from jiyi.testing import FixedClock
from memory.ids import thread_id_of
from memory.notices import NO_MEDIA, reason_of
from tests.endpoint.answers import Answer, Fails, Says
from tests.endpoint.choosing import chosen
from tests.endpoint.endpoint import Endpoint

ZH, EN = "看看这张图", "Look at this picture"
BOTH = pytest.mark.parametrize("said", [ZH, EN], ids=["zh", "en"])
DATA = base64.b64encode(b"\x89PNG\r\n\x1a\n" + bytes(range(256)) * 400).decode()
IMAGE = {"type": "image", "base64": DATA, "mime_type": "image/png"}
ON_THE_WIRE = {"type": "image_url", "image_url": {"url": f"data:image/png;base64,{DATA}"}}
# DeepSeek: rikkahub/rikkahub#1433; vLLM: studio-dots-ai/dots.ocr#61; Ollama: ollama/ollama#17301
REFUSALS = (
    "Failed to deserialize the JSON body into the target type: messages[1]: unknown variant `image_url`, expected `text`",
    "m is not a multimodal model None",
    "this model does not support image input",
    "Invalid content type. image_url is only supported by certain models.",
    "No endpoints found that support image input",
)


async def said_in(agent: Agent) -> list[Any]:
    config: RunnableConfig = {"configurable": {"thread_id": thread_id_of("t", user="ada")}}
    return list((await agent.graph.aget_state(config)).values["messages"])


def blocks_sent(body: Mapping[str, Any]) -> list[Any]:
    contents = [message["content"] for message in body["messages"]]
    return [block for content in contents if isinstance(content, list) for block in content]


@BOTH
async def test_a_picture_reaches_the_endpoint_in_each_turn_whose_window_holds_it(
    tmp_path: Path, endpoint: Endpoint, clock: FixedClock, said: str
) -> None:
    endpoint.will(Says(text="一只猫 a cat"), Says(text="灰的 grey"))
    async with open_agent(tmp_path, chosen=chosen(endpoint), clock=clock) as agent:
        await agent.say([said, IMAGE], user="ada", thread="t")
        await agent.say("什么颜色？what colour?", user="ada", thread="t")
    assert [ON_THE_WIRE in blocks_sent(body) for body in endpoint.chats] == [True, True]


@BOTH
@pytest.mark.parametrize("message", REFUSALS)
async def test_a_refused_picture_is_told_and_the_thread_goes_on_without_it(
    tmp_path: Path, endpoint: Endpoint, clock: FixedClock, said: str, message: str
) -> None:
    answers: tuple[Answer, ...] = (Fails(status=400, message=message), Says(text="好 fine"))
    endpoint.will(*answers)
    async with open_agent(tmp_path, chosen=chosen(endpoint), clock=clock) as agent:
        reply = await agent.say([said, IMAGE], user="ada", thread="t")
        assert reply.startswith(SENTENCES["no_media"].in_language("zh" if said == ZH else "en").partition("{")[0])
        assert reason_of((await said_in(agent))[-1]) == NO_MEDIA
        assert await agent.say(said, user="ada", thread="t") == "好 fine"
    assert ON_THE_WIRE not in blocks_sent(endpoint.chats[-1])


@BOTH
async def test_what_the_client_cannot_send_is_told_and_does_not_break_the_thread(
    tmp_path: Path, endpoint: Endpoint, clock: FixedClock, said: str
) -> None:
    block = {"type": "video", "base64": base64.b64encode(bytes(20_000)).decode(), "mime_type": "video/mp4"}
    endpoint.will(Says(text="好 fine"))
    async with open_agent(tmp_path, chosen=chosen(endpoint), clock=clock) as agent:
        await agent.say([said, block], user="ada", thread="t")
        assert reason_of((await said_in(agent))[-1]) == NO_MEDIA
        assert endpoint.chats == []
        assert await agent.say(said, user="ada", thread="t") == "好 fine"


@BOTH
async def test_a_model_that_is_known_to_take_no_pictures_is_sent_a_note(
    tmp_path: Path, endpoint: Endpoint, clock: FixedClock, said: str
) -> None:
    endpoint.will(Says(text="好 fine"))
    async with open_agent(tmp_path, chosen=chosen(endpoint, model="openai:gpt-3.5-turbo"), clock=clock) as agent:
        reply = await agent.say([said, IMAGE], user="ada", thread="t")
    note = blocks_sent(endpoint.chats[0])[-1]["text"]
    assert note == (
        "[图片，png，100 KB：这个模型不接受图片]" if said == ZH else "[image, png, 100 KB: this model takes no images]"
    )
    assert reply.startswith("好 fine\n\n")
    assert note in reply
