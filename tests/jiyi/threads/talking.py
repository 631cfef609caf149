"""Say something in a thread with a model that answers only when a line comes in; tell when it was asked.

python talking.py HOME TEXT
"""

from __future__ import annotations

import asyncio
import sys
from collections.abc import Sequence
from pathlib import Path

from langchain_core.messages import BaseMessage

from graph.settings import Settings
from jiyi.agent import open_agent
from jiyi.testing import ScriptedModel


def answer(_: Sequence[BaseMessage]) -> str:
    """Tell that it was asked, and wait."""
    sys.stdout.write("asked\n")
    sys.stdout.flush()
    sys.stdin.readline()
    return "answered"


async def main() -> None:
    """Talk."""
    chosen = Settings(embeddings="none", jiyi_home=Path(sys.argv[1]))
    async with open_agent(chosen=chosen, model=ScriptedModel(replies=answer)) as agent:
        sys.stdout.write(await agent.say(sys.argv[2], user="ada", thread="monday") + "\n")


if __name__ == "__main__":
    asyncio.run(main())
