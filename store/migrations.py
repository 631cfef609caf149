"""The tables, as an ordered list of small steps; a database remembers how many it has taken."""

from __future__ import annotations

import sqlite3

from store.errors import NewerDataError

# Scopes partition the indexes (a user, an agent, a collection).
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

# `parts`: an item may have several vectors (several indexed fields). `unindexed`: items that wait for theirs.
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

# `searched`: the texts that an item is found by, as JSON, so that another embedder can be tried on all of them.
# `unindexed`: items without vectors of the wanted embedder. `embedders`: whose vectors there are, and who is wanted.
EMBEDDERS = (
    "CREATE TABLE searched (item INTEGER PRIMARY KEY REFERENCES items(id) ON DELETE CASCADE, texts TEXT NOT NULL)",
    "INSERT INTO searched (item, texts) SELECT item, texts FROM unindexed",
    """INSERT OR IGNORE INTO searched (item, texts)
        SELECT id, json_array(coalesce(
            json_extract(value, '$.text'), json_extract(value, '$.key') || ': ' || json_extract(value, '$.value'), value
        )) FROM items WHERE id IN (SELECT item FROM vectors)""",
    "ALTER TABLE unindexed DROP COLUMN texts",
    "CREATE INDEX unindexed_by_tries ON unindexed(tries, item)",
    "CREATE TABLE embedders (name TEXT PRIMARY KEY, wanted INTEGER NOT NULL DEFAULT 0)",
    "INSERT INTO embedders (name) SELECT DISTINCT model FROM vectors",
)

# `vector_changes`: the latest changes of vectors, so that who holds a copy of a partition's need not read them all again.
CHANGES = (
    "ALTER TABLE scopes DROP COLUMN version",
    """CREATE TABLE vector_changes (
        number INTEGER PRIMARY KEY, scope INTEGER NOT NULL, model TEXT NOT NULL, item INTEGER NOT NULL
    )""",
    """CREATE TRIGGER vector_changed AFTER INSERT ON vector_changes BEGIN
        DELETE FROM vector_changes WHERE number <= NEW.number - 10000;
    END""",
    """CREATE TRIGGER vector_written AFTER INSERT ON vectors BEGIN
        INSERT INTO vector_changes (scope, model, item) SELECT scope, NEW.model, id FROM items WHERE id = NEW.item;
    END""",
    """CREATE TRIGGER vector_removed AFTER DELETE ON vectors BEGIN
        INSERT INTO vector_changes (scope, model, item) SELECT scope, OLD.model, id FROM items WHERE id = OLD.item;
    END""",
    """CREATE TRIGGER item_removed BEFORE DELETE ON items BEGIN
        INSERT INTO vector_changes (scope, model, item) SELECT OLD.scope, model, item FROM vectors WHERE item = OLD.id;
    END""",
)

# `collections`: which partitions Chroma holds, under an opaque name; `ready` when it has all of their vectors.
# `index_queue`: vectors that came, changed or went since; triggers write it in the transaction of the item.
# `home` tells this database's collections from another's on the same Chroma server.
COLLECTIONS = (
    "CREATE TABLE home AS SELECT lower(hex(randomblob(8))) AS id",
    """CREATE TABLE collections (
        scope INTEGER NOT NULL, model TEXT NOT NULL, dimensions INTEGER NOT NULL,
        name TEXT NOT NULL UNIQUE, ready INTEGER NOT NULL DEFAULT 0, PRIMARY KEY (scope, model)
    )""",
    """CREATE TABLE index_queue (
        collection TEXT NOT NULL, item INTEGER NOT NULL, part INTEGER NOT NULL, change INTEGER NOT NULL,
        PRIMARY KEY (collection, item, part)
    ) WITHOUT ROWID""",
    """CREATE TRIGGER vector_came AFTER INSERT ON vectors BEGIN
        INSERT OR REPLACE INTO index_queue (collection, item, part, change)
        SELECT collections.name, NEW.item, NEW.part, abs(random()) FROM items JOIN collections
        ON collections.scope = items.scope AND collections.model = NEW.model WHERE items.id = NEW.item;
    END""",
    """CREATE TRIGGER vector_went AFTER DELETE ON vectors BEGIN
        INSERT OR REPLACE INTO index_queue (collection, item, part, change)
        SELECT collections.name, OLD.item, OLD.part, abs(random()) FROM items JOIN collections
        ON collections.scope = items.scope AND collections.model = OLD.model WHERE items.id = OLD.item;
    END""",
    """CREATE TRIGGER item_went BEFORE DELETE ON items BEGIN
        INSERT OR REPLACE INTO index_queue (collection, item, part, change)
        SELECT collections.name, vectors.item, vectors.part, abs(random()) FROM vectors JOIN collections
        ON collections.scope = OLD.scope AND collections.model = vectors.model WHERE vectors.item = OLD.id;
    END""",
)

MIGRATIONS: tuple[tuple[str, ...], ...] = (ITEMS + WORDS + VECTORS + PEOPLE, EMBEDDERS + CHANGES + COLLECTIONS)


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
