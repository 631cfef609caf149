"""Where threads are kept: LangGraph's SQLite checkpointer, with owners, bounded threads and strict types.

A thread belongs to the identity of its first run. A run of somebody else neither reads nor writes it: the
saver sees who runs in LangGraph's own runtime object. Calls without one (reading or editing a state from
outside a run) are not judged here; who may make them is decided where they come in.

What is written is written whole or not at all, even if the caller is cancelled in the middle.

    StoreError
    ├── IdentityError           a thread belongs to somebody else
    ├── BrokenChainError        a checkpoint's parent was deleted while the run went on
    └── TakenThreadError        a copy's target is in use (also a ValueError)
"""

from __future__ import annotations

import asyncio
import json
import sqlite3
from collections.abc import AsyncIterator, Callable, Coroutine, Iterable, Mapping, Sequence
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any, Literal, TypeVar, assert_never, cast

import aiosqlite
from langchain_core.runnables import RunnableConfig
from langgraph.checkpoint.base import (
    ChannelVersions,
    Checkpoint,
    CheckpointMetadata,
    CheckpointTuple,
    get_checkpoint_metadata,
)
from langgraph.checkpoint.serde.jsonplus import JsonPlusSerializer
from langgraph.checkpoint.sqlite.aio import AsyncSqliteSaver

from store import checkpoint_tables as tables
from store.checkpoint_turns import KEEP_TURNS, SLACK_TURNS, Mark, all_but_latest, readable_with, superfluous
from store.connect import connect
from store.errors import StoreError

RUNTIME_KEY = "__pregel_runtime"
USER_KEY = "jiyi_user"
TURN_CHANNEL = "turn_id"
UNFOLDED_KEY = "counters_since_delta_snapshot"
LOG_PAGES = 256
"""The write-ahead log is folded into the file at this many pages (1 MB): it counts as the thread's size too."""

Strategy = Literal["keep_latest", "delete"]
T = TypeVar("T")
