"""Injecting: what of a memory a query brings into the prompt, after the gate and the budget."""

from __future__ import annotations

from dataclasses import dataclass

from langchain_core.messages import HumanMessage

from memory.fence import neutralised
from memory.namespaces import Owner
from memory.prompt import assemble, within_budget
from memory.prompt_parts import PromptParts
from memory.recalled import Recalled
from memory.tokens import count_tokens
from store.exchanges import exchanges_around
from store.memory_store import MemoryStore


@dataclass(frozen=True, kw_only=True)
class Injected:
    """What stands in the prompt.

    Attributes:
        recalled: Ids of all that passed the gate, best first, as the node puts them into the state.
        kept: Those of them that the budget leaves in the prompt.
        shown: Ids of all that is shown: the kept with what was said around them.
        tokens: How many tokens all that takes, its fence included.
    """

    recalled: tuple[str, ...]
    kept: tuple[str, ...]
    shown: frozenset[str]
    tokens: int


async def injected(store: MemoryStore, owner: Owner, query: str, found: tuple[Recalled, ...]) -> Injected:
    """Put what was recalled for a query into a prompt that holds nothing else that is remembered.

    Args:
        store: Where the words around it are.
        owner: Whose memory.
        query: The user's message.
        found: What passed the gate, best first.
    """
    exchanges = await exchanges_around(store, owner, [(one.agent, one.id) for one in found])
    parts = PromptParts(
        window=(HumanMessage(query),), count=count_tokens, recalled=tuple(one.shown for one in exchanges)
    )
    kept = {one.id for one in within_budget(parts).recalled}
    block = assemble(parts)[-1].text.removesuffix(neutralised(query))
    return Injected(
        recalled=tuple(one.id for one in found),
        kept=tuple(one.id for one in found if one.turn_id in kept),
        shown=frozenset(episode.id for one in exchanges if one.turn_id in kept for episode in one.episodes),
        tokens=count_tokens(block),
    )
