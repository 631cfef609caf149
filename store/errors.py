"""Errors of keeping and finding.

RuntimeError
└── StoreError              the caller can do something about it; the text says what
    ├── HomeError           the data directory cannot be made or used
    ├── ClosedError         used before it was opened or after it was closed
    ├── NewerDataError      the files were written by a newer Jiyi
    └── FilterError         a search filter that cannot be understood (also a ValueError)
"""

from __future__ import annotations


class StoreError(RuntimeError):
    """Something about keeping or finding went wrong."""


class HomeError(StoreError):
    """The place where everything is kept cannot be used."""

    def __init__(self, path: object, why: object) -> None:
        super().__init__(
            f"Cannot keep anything in {str(path)!r}: {why}. Set JIYI_HOME to a directory that can be made and written to."
        )


class ClosedError(StoreError):
    """The store is not open."""

    def __init__(self, what: str) -> None:
        super().__init__(f"Cannot use {what}: it is not open. Use it inside `async with`, and not after it.")


class NewerDataError(StoreError):
    """The database was written by a newer version."""

    def __init__(self, *, path: str, found: int, known: int) -> None:
        super().__init__(
            f"Cannot open {path!r}: its schema is version {found}, this Jiyi knows up to {known}. "
            "Upgrade Jiyi, or point JIYI_HOME at another directory; nothing was changed."
        )


class FilterError(StoreError, ValueError):
    """A search filter cannot be understood."""

    def __init__(self, part: object, why: str) -> None:
        super().__init__(
            f"Cannot search with filter part {part!r}: {why}. Use field names (dots for nested fields) with "
            "a value or {'$eq'|'$ne'|'$gt'|'$gte'|'$lt'|'$lte': value}, {'$in': [values]}, and "
            "{'$and'|'$or': [filters]}, {'$not': filter}."
        )
