"""What Studio and other clients find: the forms, the store, and whom the server lets in."""

from __future__ import annotations

from typing import Any
from urllib.parse import quote

import httpx
import pytest

from graph.context import Context
from memory.namespaces import user_root
from tests.server.client import Client
from tests.server.dev_server import DevServer

STUDIO = "https://smith.langchain.com"
STRANGER = "https://evil.example"
NOTES = (*user_root("zoe@example.com"), "_", "notes")


async def schemas(client: Client, graph: str) -> dict[str, Any]:
    (assistant,) = await client.sdk.assistants.search(graph_id=graph)
    return dict(await client.sdk.assistants.get_schemas(assistant["assistant_id"]))


async def test_the_context_is_shown_as_a_form_whose_fields_say_what_they_mean(client: Client) -> None:
    fields = (await schemas(client, "agent"))["context_schema"]["properties"]
    assert set(fields) == set(Context.__dataclass_fields__)
    assert [name for name, field in fields.items() if not field.get("description")] == []
    assert fields["memory"]["enum"] == ["on", "read_only", "off"]
    assert fields["window"]["enum"] == ["fixed", "budget", "summary", "compressed", "attention"]
    assert fields["run_kind"]["enum"] == ["user", "system"]
    assert fields["user_id"]["langgraph_nodes"]


async def test_the_context_form_may_be_left_as_it_is(client: Client) -> None:
    schema = (await schemas(client, "agent"))["context_schema"]
    assert not schema.get("required")


@pytest.mark.parametrize("graph", ["agent", "write", "sleep"])
async def test_every_graph_is_served_with_its_input_schema(client: Client, graph: str) -> None:
    found = await schemas(client, graph)
    assert found["graph_id"] == graph
    assert "messages" in found["input_schema"]["properties"]


async def test_studio_draws_the_way_of_a_message(client: Client) -> None:
    (assistant,) = await client.sdk.assistants.search(graph_id="agent")
    drawn = await client.sdk.assistants.get_graph(assistant["assistant_id"])
    named = [str(node["id"]) for node in drawn["nodes"]]
    steps = ["perceive", "recall", "inject_skills", "llm", "tools", "extract", "consolidate", "review", "summarize"]
    assert [name for name in named if not name.startswith("__")] == steps


async def test_the_store_keeps_gives_and_forgets_items(client: Client) -> None:
    store = client.sdk.store
    await store.put_item(NOTES, "one", {"text": "茶", "level": 1})
    await store.put_item(NOTES, "two", {"text": "tea", "level": 2})
    await store.put_item(NOTES, "two", {"text": "green tea", "level": 2})
    item = await store.get_item(NOTES, "two")
    assert item["value"] == {"text": "green tea", "level": 2}
    assert item["created_at"] < item["updated_at"]
    await store.delete_item(NOTES, "one")
    left = await store.search_items(NOTES)
    assert [one["key"] for one in left["items"]] == ["two"]


async def test_the_store_filters_before_it_limits(client: Client) -> None:
    place, store = ["users", "yan", "_", "notes"], client.sdk.store
    for level in range(6):
        await store.put_item(place, f"n{level}", {"level": level, "text": f"第{level}条"})

    async def found(**wanted: Any) -> list[str]:
        items = (await store.search_items(place, filter=wanted, limit=2))["items"]
        return sorted(one["key"] for one in items)

    assert await found(level={"$in": [1, 4]}) == ["n1", "n4"]
    assert await found(level={"$gte": 5}) == ["n5"]
    assert await found(**{"$or": [{"level": 0}, {"level": 3}]}) == ["n0", "n3"]


async def test_the_store_finds_words_of_both_languages_for_their_owner_only(client: Client) -> None:
    await client.say("我养了一只叫豆豆的猫", user="xia")
    found = await client.sdk.store.search_items(["users", "xia"], query="猫", limit=3)
    assert "豆豆" in found["items"][0]["value"]["text"]
    others = await client.sdk.store.search_items(["users", "nobody"], query="猫", limit=3)
    assert others["items"] == []


async def test_namespaces_are_listed_under_whole_segments(client: Client) -> None:
    store = client.sdk.store
    await store.put_item(["users", "wu", "_", "notes"], "k", {"text": "a"})
    await store.put_item(["users", "wulan", "_", "notes"], "k", {"text": "b"})
    listed = (await store.list_namespaces(prefix=["users", "wu"]))["namespaces"]
    assert listed == [["users", "wu", "_", "notes"]]
    short = (await store.list_namespaces(prefix=["users", "wulan"], max_depth=2))["namespaces"]
    assert short == [["users", "wulan"]]


def preflight(server: DevServer, origin: str) -> httpx.Response:
    asked = {
        "Origin": origin,
        "Access-Control-Request-Method": "POST",
        "Access-Control-Request-Headers": "content-type",
    }
    return httpx.options(f"{server.url}/store/items/search", headers=asked)


def test_studio_may_read_and_a_stranger_may_not(server: DevServer) -> None:
    wanted = {"namespace_prefix": ["users"]}
    for origin, allowed in ((STUDIO, STUDIO), (STRANGER, None), ("null", None), (f"{STUDIO}.evil.example", None)):
        answer = httpx.post(f"{server.url}/store/items/search", json=wanted, headers={"Origin": origin})
        assert answer.headers.get("access-control-allow-origin") == allowed
        assert preflight(server, origin).headers.get("access-control-allow-origin") == allowed
        assert preflight(server, origin).is_success == bool(allowed)


def test_the_start_page_brings_nothing_with_it_and_says_so(server: DevServer) -> None:
    page = httpx.get(server.url)
    assert page.status_code == 200
    assert page.headers["content-security-policy"].startswith("default-src 'none'")
    assert page.headers["x-content-type-options"] == "nosniff"
    assert page.headers["referrer-policy"] == "no-referrer"
    assert "<script" not in page.text
    assert f"baseUrl={quote(server.url, safe='')}" in page.text
    assert "Jiyi" in page.text


def test_what_is_switched_off_is_not_served(server: DevServer) -> None:
    assert httpx.post(f"{server.url}/mcp/", json={}).status_code == 404
    assert httpx.post(f"{server.url}/a2a/agent", json={}).status_code == 404
