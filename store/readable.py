"""Readable: rows as nouns; what others put among them in another shape is passed over and logged."""

from __future__ import annotations

import logging
from collections.abc import Iterable, Iterator
from dataclasses import replace
from datetime import UTC, datetime

from memory.kinds import Episode, from_value
from store.transaction import Row

log = logging.getLogger(__name__)


def episode_of(row: Row) -> Episode | None:
    """Read an episode; None where it is none. A time without a zone is taken to be in UTC."""
    try:
        episode = from_value(Episode, row.value)
    except ValueError as error:
        log.warning("Passing over %r in %s, which is no episode: %s", row.key, row.namespace, error)
        return None
    return replace(episode, said_at=_aware(episode.said_at), last_used_at=_aware(episode.last_used_at))


def episodes_of(rows: Iterable[Row]) -> Iterator[Episode]:
    """Read those rows that are episodes."""
    return (episode for row in rows if (episode := episode_of(row)) is not None)


def _aware(moment: datetime | None) -> datetime | None:
    return moment.replace(tzinfo=UTC) if moment is not None and moment.tzinfo is None else moment
