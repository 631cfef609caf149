"""Measure what recall would withhold if it left out what has faded: the share with R < 0.3 when asked.

    python -m bench.fading ../shared/bench/locomo.recall.jsonl jiyi/evals/data/own*.recall.jsonl

Each corpus is written by ingest's own code, so that importance is as it comes to be in use. A pair is a question and a turn
that was said by then; `gold` counts the pairs whose turn holds the answer, `questions` those that would lose all of it. No
memory was used before: a use would count as its last time, and strengthen it.
"""

from __future__ import annotations

import argparse
import asyncio
import sys
import tempfile
from collections import Counter
from datetime import UTC, datetime
from pathlib import Path

from graph.clock import utc_now
from graph.settings import STORE_FILE
from jiyi.evals.recall_file import Corpus, read_recall_file, stem_of
from jiyi.reading.keeping import keep_conversations
from memory.kinds import Episode, from_value
from memory.namespaces import Owner, user_space
from memory.strength import RECALLED_FROM, retention_of
from store.memory_store import MemoryStore

OWNER = Owner(user="bench")
COLUMNS = ("pairs", "faded", "gold", "gold faded", "questions", "lost")


def main() -> None:
    """Print a line for each corpus, and one for each file."""
    parser = argparse.ArgumentParser(prog="python -m bench.fading", description=str(__doc__).partition("\n")[0])
    parser.add_argument("files", nargs="+", type=Path, metavar="FILE.recall.jsonl")
    sys.stdout.write(f"{'':28}{''.join(f'{name:>12}' for name in COLUMNS)}\n")
    for path in parser.parse_args().files:
        whole: Counter[str] = Counter()
        for corpus in read_recall_file(path, UTC):
            counted = asyncio.run(_counted(corpus))
            whole += counted
            _print(f"{stem_of(path)}/{corpus.name}", counted)
        _print(stem_of(path), whole)


async def _counted(corpus: Corpus) -> Counter[str]:
    """Count the pairs of a question and a turn, and the questions, with those that would be withheld."""
    episodes, counted = await _kept(corpus), Counter[str]()
    for query in corpus.queries:
        now = corpus.asked_at(query)
        faded = {one.id: retention_of(one, now=now) < RECALLED_FROM for one in episodes if _said_by(one, now)}
        gold = [faded[name] for name in query.gold if name in faded]
        values = (len(faded), sum(faded.values()), len(gold), sum(gold), bool(gold), bool(gold) and all(gold))
        counted.update(dict(zip(COLUMNS, values, strict=True)))
    return counted


async def _kept(corpus: Corpus) -> list[Episode]:
    with tempfile.TemporaryDirectory(prefix="jiyi-fading-") as home:
        async with MemoryStore(Path(home) / STORE_FILE, clock=utc_now, embedder=None).opened() as store:
            await keep_conversations(store, OWNER, [corpus.conversation])
            items = await store.asearch(user_space(OWNER, "episodes"), limit=len(corpus.conversation.said))
    return [from_value(Episode, item.value) for item in items]


def _said_by(one: Episode, now: datetime) -> bool:
    return one.said_at is None or one.said_at <= now


def _print(name: str, counted: Counter[str]) -> None:
    """Write counts; of what is withheld the share."""
    of = {"faded": "pairs", "gold faded": "gold", "lost": "questions"}
    cells = [f"{counted[one] / max(counted[of[one]], 1):.1%}" if one in of else f"{counted[one]:,}" for one in COLUMNS]
    sys.stdout.write(f"{name[:28]:28}{''.join(f'{cell:>12}' for cell in cells)}\n")


if __name__ == "__main__":
    main()
