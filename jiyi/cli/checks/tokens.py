"""Tokens: whether they are counted with the model's vocabulary or estimated."""

from __future__ import annotations

from graph.counting import counter_named, folder_of, vocabulary_named
from graph.settings import Settings
from jiyi.cli.checks.check import Check
from memory.tokens import ESTIMATE


def check_tokens(chosen: Settings) -> Check:
    """Say what counts tokens for the model that answers; an estimate is no fault."""
    wanted = vocabulary_named("", chosen=chosen)
    if counter_named("", chosen=chosen) is not ESTIMATE:
        return Check(name="tokens", status="ok", found=f"counted with {wanted.name}")
    found = f"estimated: {wanted.name} is not in {folder_of(chosen)} (TIKTOKEN_CACHE_DIR)"
    return Check(name="tokens", status="ok", found=found)
