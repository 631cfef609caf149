"""Opening the threads for a command: with their memories, without a model that talks or a writer in the background."""

from __future__ import annotations

import tempfile
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, asynccontextmanager
from pathlib import Path
from typing import TYPE_CHECKING

from graph.settings import THREADS_FILE, settings
from jiyi.cli.opening import store_to_read, store_to_write

if TYPE_CHECKING:
    from jiyi.threads.threads import Threads


@asynccontextmanager
async def threads_opened(*, write: bool) -> AsyncIterator[Threads]:
    """Open the home's threads; to read where there are none, empty ones that leave no trace.

    Args:
        write: Something may be changed: what is forgotten leaves the indexes too.
    """
    from graph.agent import build_graph  # noqa: PLC0415  (the graph: seconds)
    from graph.parts import make_parts  # noqa: PLC0415
    from graph.server import saver_with  # noqa: PLC0415
    from jiyi.threads.threads import Threads  # noqa: PLC0415

    async with AsyncExitStack() as opened:
        store = await opened.enter_async_context(store_to_write() if write else store_to_read())
        chosen = settings()
        if not write and not (chosen.jiyi_home / THREADS_FILE).exists():
            empty = opened.enter_context(tempfile.TemporaryDirectory(prefix="jiyi-"))
            chosen = chosen.model_copy(update={"jiyi_home": Path(empty)})
        parts = make_parts(chosen)
        opened.push_async_callback(parts.aclose)
        saver = await opened.enter_async_context(saver_with(parts))
        graph = build_graph(parts).compile(checkpointer=saver, name="agent")
        yield Threads(graph, store, saver)
