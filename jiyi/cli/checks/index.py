"""The index: who keeps it, what waits for it, whose vectors are in it, and whether they serve."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from jiyi.cli.checks.check import Check, Measured, Status
from store.chroma.index import LOCK
from store.health import CollectionHealth, StoreHealth, is_held

LONG_QUEUE = 10_000
MOST_NAMED = 3


@dataclass(frozen=True, kw_only=True)
class IndexHealth:
    """How the vectors and their index stand.

    Attributes:
        owner: Which process keeps the index; None where none does.
        queued: Changes that the index has not got yet.
        collections: What is in the index; none below the size from which it is used.
        embedders: How many vectors each embedder has made.
        serving: The embedder whose vectors are searched; None where search is by keyword only.
        missing: Items that wait for their vectors.
        failed: How many of those could not be embedded when it was tried.
    """

    owner: str | None = None
    queued: int = 0
    collections: tuple[CollectionHealth, ...] = ()
    embedders: Mapping[str, int] = field(default_factory=dict)
    serving: str | None = None
    missing: int = 0
    failed: int = 0


def index_health(store: StoreHealth, *, serving: str | None, owner: str | None = None) -> IndexHealth:
    """Tell of the index what the store's own tables tell."""
    return IndexHealth(
        owner=owner,
        queued=store.queued,
        collections=store.collections,
        embedders=store.vectors,
        serving=serving,
        missing=store.unindexed,
        failed=store.failed,
    )


def index_owner(home: Path) -> str | None:
    """Say who keeps the index: a process that holds its lock, or nobody."""
    return "a running process" if is_held(home / LOCK) else None


def check_index(health: IndexHealth) -> Check:
    """Judge an index; with search by keyword only, nothing about it needs anybody."""
    warnings = list(_warnings(health)) if health.serving is not None else []
    advice = " ".join(warnings or _remarks(health))
    status: Status = "warn" if warnings else "ok"
    return Check(name="index", status=status, found=_found(health), advice=advice, measured=_measured(health))


def _warnings(health: IndexHealth) -> Iterator[str]:
    if health.failed:
        yield "Items without vectors are found by keyword meanwhile; see the check of the embedder."
    if health.embedders and health.serving not in health.embedders:
        yield (
            f"The embedder is now {health.serving}: all items get its vectors while Jiyi runs, or at once by `jiyi reindex`; "
            "until then the old ones serve where their embedder can be asked, else keywords. Or set EMBEDDINGS back."
        )
    if health.queued > LONG_QUEUE and health.owner is None:
        yield "Nobody keeps the index and much waits for it: start Jiyi (`make dev`); search is exact, but slower."
    elif health.queued > LONG_QUEUE:
        yield "Much waits for it: if that does not fall, see the log, and make the index anew with `jiyi reindex`."


def _remarks(health: IndexHealth) -> Iterator[str]:
    if health.serving is None:
        return
    if health.missing:
        yield "They get their vectors while Jiyi runs."
    if health.queued or not all(one.ready and one.model == health.serving for one in health.collections):
        yield "The index is brought up to date while Jiyi runs; search is exact meanwhile."


def _found(health: IndexHealth) -> str:
    made = ", ".join(f"{number} vectors by {name}" for name, number in health.embedders.items()) or "no vectors"
    tried = f" ({health.failed} were tried)" if health.failed else ""
    told = [f"{health.missing} items without vectors{tried}", made]
    if health.collections or health.queued or health.owner:
        told += [
            _collections(health.collections),
            f"{health.queued} changes queued",
            f"kept by {health.owner or 'nobody'}",
        ]
    if health.serving is None:
        told.append("search is by keyword")
    return "; ".join(told)


def _collections(collections: tuple[CollectionHealth, ...]) -> str:
    ready = [one for one in collections if one.ready]
    vectors = sum(one.vectors for one in ready)
    building = [one for one in collections if not one.ready]
    told = f"{len(ready)} large partitions in Chroma with {vectors} vectors"
    return told + (f", {_named(building)} being filled" if building else "")


def _named(collections: Sequence[CollectionHealth]) -> str:
    named = ", ".join(one.scope.rstrip(".") for one in collections[:MOST_NAMED])
    more = f" and {len(collections) - MOST_NAMED} more" if len(collections) > MOST_NAMED else ""
    return f"{named}{more}"


def _measured(health: IndexHealth) -> Measured:
    return {
        "owner": health.owner,
        "queued": health.queued,
        "collections": len(health.collections),
        "collections_ready": sum(one.ready for one in health.collections),
        "vectors": sum(health.embedders.values()),
        "serving": health.serving,
        "missing": health.missing,
        "failed": health.failed,
    }
