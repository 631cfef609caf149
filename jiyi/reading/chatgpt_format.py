"""ChatGPT's export (conversations.json): each conversation is a tree; what was said is the way to its current leaf."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import tzinfo
from typing import Any

from jiyi.reading.fields import Part, given_name, mended, moment_in
from jiyi.reading.messages_format import name_by_content
from jiyi.reading.said import Conversation, Said

EXPECTED = (
    'ChatGPT\'s conversations.json: a list of conversations with "mapping" (its nodes by id, each with "parent" and '
    '"message") and "current_node"'
)
SPOKEN = frozenset({"user", "assistant"})
IN_WORDS = frozenset({"text", "multimodal_text"})
NAME_FIELDS = ("conversation_id", "id")


def read_conversation(part: Part, zone: tzinfo) -> Conversation:
    """Read one conversation: only what its user and the assistant said to each other, in words.

    Raises:
        FormatError: It is no tree, or a message cannot be understood.
    """
    named = (given_name(part.mapping().get(field)) for field in NAME_FIELDS)
    name = next((name for name in named if name), None) or name_by_content(part.value)
    path = _path(part)
    said = [_said(node, node_id, position, zone) for position, (node_id, node) in enumerate(path)]
    kept = tuple(one for one in said if one is not None and one.text.strip())
    empty = sum(1 for _, node in path if node.mapping().get("message") is None)
    return Conversation(name=name, said=kept, skipped=len(path) - empty - len(kept))


def _path(part: Part) -> list[tuple[str, Part]]:
    """Give the nodes from the root to the current one."""
    nodes = part.below("mapping", part.mapping()["mapping"]).mapping()
    at = part.mapping().get("current_node")
    path: list[tuple[str, Part]] = []
    passed: set[str] = set()
    while at is not None or not path:
        if not isinstance(at, str) or at not in nodes or at in passed:
            raise part.fault(f"the way from its current node to the root ends at {at!r}")
        passed.add(at)
        node = part.below(f"node {at!r}", nodes[at])
        path.append((at, node))
        at = node.mapping().get("parent")
    return path[::-1]


def _said(node: Part, node_id: str, position: int, zone: tzinfo) -> Said | None:
    message = node.mapping().get("message")
    if message is None:
        return None
    part = node.below("message", message)
    role = _mapping(part, "author").get("role")
    if role not in SPOKEN or not _is_meant_for_reading(part):
        return None
    return Said(
        name=node_id,
        speaker=role,
        text=_text(part),
        position=position,
        said_at=moment_in(part, "create_time", zone),
    )


def _is_meant_for_reading(part: Part) -> bool:
    """Tell speech from calls of tools, thoughts, custom instructions and what the page hides."""
    message = part.mapping()
    hidden = _mapping(part, "metadata", needed=False).get("is_visually_hidden_from_conversation")
    addressed = message.get("recipient") in (None, "all")
    return addressed and not hidden and _mapping(part, "content").get("content_type") in IN_WORDS


def _text(part: Part) -> str:
    parts = _mapping(part, "content").get("parts")
    if not isinstance(parts, list):
        raise part.fault("its content has no parts")
    return mended("\n".join(each for each in parts if isinstance(each, str) and each))


def _mapping(part: Part, field: str, *, needed: bool = True) -> Mapping[str, Any]:
    value = part.mapping().get(field)
    if value is None and not needed:
        return {}
    return part.below(field, value).mapping()
