"""The endpoint that the settings name; a key goes to no other server than its own."""

from __future__ import annotations

import pytest
from pydantic import SecretStr

from graph.settings import Settings

LOCAL = "http://localhost:11434/v1"


@pytest.mark.parametrize(
    ("embeddings_url", "model_url", "embeddings_key", "model_key", "asked", "sent"),
    [
        ("", "", "", "sk-model", "https://api.openai.com/v1", "sk-model"),
        ("", LOCAL, "", "", LOCAL, ""),
        ("", LOCAL, "", "sk-model", LOCAL, "sk-model"),
        (LOCAL, "", "", "sk-model", LOCAL, ""),
        (LOCAL, LOCAL, "", "sk-model", LOCAL, "sk-model"),
        (LOCAL, "", "sk-embeds", "sk-model", LOCAL, "sk-embeds"),
        ("https://api.openai.com/v1", "", "", "sk-model", "https://api.openai.com/v1", "sk-model"),
    ],
)
def test_the_endpoint_is_the_models_unless_another_is_set(
    embeddings_url: str, model_url: str, embeddings_key: str, model_key: str, asked: str, sent: str
) -> None:
    endpoint = Settings(
        embeddings_base_url=embeddings_url,
        openai_base_url=model_url,
        embeddings_api_key=SecretStr(embeddings_key) if embeddings_key else None,
        openai_api_key=SecretStr(model_key) if model_key else None,
        model_timeout_s=7,
    ).embeddings_endpoint
    assert (endpoint.address, endpoint.api_key, endpoint.timeout_s) == (asked, sent, 7)
    assert not sent or sent not in repr(endpoint)
