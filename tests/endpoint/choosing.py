"""Choosing the endpoint: the settings with which an agent, or a model, speaks to it and to nothing else."""

from __future__ import annotations

from typing import Any

from graph.settings import Settings
from tests.endpoint.endpoint import Endpoint

KEY = "sk-a-key-that-nobody-may-see"


def chosen(endpoint: Endpoint, **changed: Any) -> Settings:
    """Give settings with the endpoint's model for the answers, and rules for side calls; fields may be changed."""
    fields: dict[str, Any] = {
        "model": "openai:m",
        "small_model": "offline",
        "openai_base_url": endpoint.url,
        "openai_api_key": KEY,
        "embeddings": "none",
        "memory_writes": "inline",
        **changed,
    }
    return Settings(**fields)
