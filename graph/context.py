"""Context: what is chosen for each run; plain values, which Studio shows as a form."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, Literal

LAYERS = ("profile", "episodes", "skills", "summary", "notes")

MemoryUse = Literal["on", "read_only", "off"]
Writes = Literal["inline", "background"]
WindowStrategy = Literal["fixed", "budget", "summary", "compressed", "attention"]


def _shown(description: str, *nodes: str) -> dict[str, Any]:
    return {"description": description, "json_schema_extra": {"langgraph_nodes": list(nodes)}}


@dataclass(kw_only=True)
class Context:
    """Whose memory is used, and how; every field may be left as it is."""

    user_id: str = field(
        default="",
        metadata=_shown("Whose memory to use. Blank: `local`, on this machine only.", "perceive", "recall"),
    )
    agent: str = field(
        default="_", metadata=_shown("Which agent remembers; `_` is shared by all.", "perceive", "recall")
    )
    model: str = field(default="", metadata=_shown("`offline` or `openai:<name>`; blank: as the settings say.", "llm"))
    memory: MemoryUse = field(
        default="on", metadata=_shown("Use memory, only read it, or leave it alone.", "recall", "extract")
    )
    layers: list[str] = field(
        default_factory=lambda: list(LAYERS),
        metadata=_shown("Which memories go into the prompt: profile, episodes, skills, summary, notes.", "llm"),
    )
    memory_writes: Writes | None = field(
        default=None, metadata=_shown("Write before the run ends, or afterwards.", "extract", "consolidate")
    )
    window: WindowStrategy = field(
        default="summary",
        metadata=_shown(
            "What the model sees of a long thread: the last turns (`fixed`), the newest within the tokens (`budget`), "
            "with a summary or the key information of the rest (`summary`, `compressed`), or what bears on the "
            "question (`attention`).",
            "llm",
            "summarize",
        ),
    )
    timezone: str = field(default="", metadata=_shown("IANA name, for “tomorrow”; blank: as set.", "extract"))
    now: str = field(default="", metadata=_shown("ISO 8601; a game's clock. Blank: the real one.", "perceive"))
    run_kind: Literal["user", "system"] = field(
        default="user", metadata=_shown("`system`: the messages are not the user's words.", "extract")
    )
    review: Literal["queue", "ask"] = field(
        default="queue", metadata=_shown("Queue what needs the user's verdict, or ask.", "consolidate")
    )
