"""The tables, as an ordered list of small steps; a database remembers how many it has taken."""

from __future__ import annotations

import sqlite3

from store.errors import NewerDataError

# Scopes partition the indexes (a user, an agent, a collection). Their `version` counts writes, so that what
# was cached of a scope is known to be stale in every process.
ITEMS = (
    """CREATE TABLE scopes (
        id INTEGER PRIMARY KEY, label TEXT NOT NULL UNIQUE, version INTEGER NOT NULL DEFAULT 0
    )""",
    """CREATE TABLE items (
        id INTEGER PRIMARY KEY AUTOINCREMENT,
        namespace TEXT NOT NULL,
        key TEXT NOT NULL,
        value TEXT NOT NULL,
        scope INTEGER NOT NULL REFERENCES scopes(id),
        created_at TEXT NOT NULL,
        updated_at TEXT NOT NULL,
        ttl_minutes REAL,
        expires_at REAL,
        UNIQUE (namespace, key)
    )""",
    "CREATE INDEX items_by_scope ON items(scope)",
    "CREATE INDEX items_by_fact_key ON items(namespace, json_extract(value, '$.key'))",
    "CREATE INDEX items_by_turn ON items(namespace, json_extract(value, '$.turn_id'))",
    "CREATE INDEX items_pending ON items(id) WHERE namespace GLOB '*.pending.'",
    "CREATE INDEX items_expiring ON items(expires_at) WHERE expires_at IS NOT NULL",
)

# Words are written already split (memory/words.py), each with its scope in front, so that one user's words
# are never counted, nor walked over, for another's. Only white space separates.
WORDS = (
    """CREATE VIRTUAL TABLE words USING fts5(
        body, tokenize = "unicode61 remove_diacritics 2 categories 'L* M* N* P* S* Co'"
    )""",
    "CREATE VIRTUAL TABLE vocabulary USING fts5vocab(words, row)",
)

# `parts`: a text may have several vectors (several indexed fields). `unindexed`: items that wait for theirs.
VECTORS = (
    """CREATE TABLE vectors (
        item INTEGER NOT NULL REFERENCES items(id) ON DELETE CASCADE,
        model TEXT NOT NULL,
        part INTEGER NOT NULL DEFAULT 0,
        embedding BLOB NOT NULL,
        PRIMARY KEY (item, model, part)
    ) WITHOUT ROWID""",
    """CREATE TABLE unindexed (
        item INTEGER PRIMARY KEY REFERENCES items(id) ON DELETE CASCADE,
        texts TEXT NOT NULL,
        tries INTEGER NOT NULL DEFAULT 0
    )""",
)

PEOPLE = (
    "CREATE TABLE user_keys (user TEXT PRIMARY KEY, key BLOB NOT NULL)",
    """CREATE TABLE refusals (
        user TEXT NOT NULL, reason TEXT NOT NULL, count INTEGER NOT NULL DEFAULT 0, PRIMARY KEY (user, reason)
    )""",
    """CREATE TABLE audit (
        id INTEGER PRIMARY KEY AUTOINCREMENT,
        at TEXT NOT NULL, actor TEXT NOT NULL, action TEXT NOT NULL,
        subject TEXT NOT NULL, kind TEXT NOT NULL, item TEXT NOT NULL
    )""",
)

MIGRATIONS: tuple[tuple[str, ...], ...] = (ITEMS + WORDS + VECTORS + PEOPLE,)


def migrate(connection: sqlite3.Connection, *, path: str) -> None:
    """Take the steps that this database has not taken yet, all or none.

    Raises:
        NewerDataError: It has taken more steps than this version knows.
    """
    with connection:
        connection.execute("BEGIN IMMEDIATE")  # two processes that open a new file at once take turns
        (taken,) = connection.execute("PRAGMA user_version").fetchone()
        if taken > len(MIGRATIONS):
            raise NewerDataError(path=path, found=taken, known=len(MIGRATIONS))
        for step in MIGRATIONS[taken:]:
            for statement in step:
                connection.execute(statement)
        connection.execute(f"PRAGMA user_version = {len(MIGRATIONS)}")
