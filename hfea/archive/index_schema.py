"""Tables of the derived index; everything in them can be rebuilt from the archive's files."""

from __future__ import annotations

import sqlite3

# A term never holds white space and is folded already: only ASCII separators may part terms,
# so every sign that `memory_core.text` leaves inside one is a token character here.
_TOKENIZER = "\"ascii tokenchars '.-''_/@:+#|='\""
_FROM_FILES = (
    # `digest` is the archive's own of the day; `files` the hash of its files' bytes and `stamp`
    # their stat, by which a hit is checked against the files before it is served.
    """CREATE TABLE day (
        day TEXT PRIMARY KEY, digest TEXT NOT NULL, state TEXT NOT NULL,
        statements INTEGER NOT NULL, terms INTEGER NOT NULL, detail TEXT NOT NULL,
        stamp TEXT NOT NULL, files TEXT NOT NULL
    ) STRICT, WITHOUT ROWID""",
    # `n` = (ordinal of the day << 20) + place in the day: a pure function of the files, so a
    # rebuilt index has the same numbers, and a range of days is a range of `n`.
    """CREATE TABLE statement (
        n INTEGER PRIMARY KEY, id TEXT NOT NULL, day TEXT NOT NULL, at TEXT,
        kind TEXT NOT NULL, theme TEXT NOT NULL, polarity TEXT NOT NULL,
        provisional INTEGER NOT NULL, author TEXT NOT NULL, author_kind TEXT NOT NULL,
        origin TEXT NOT NULL, holder TEXT NOT NULL, thread TEXT NOT NULL, title TEXT NOT NULL,
        text TEXT NOT NULL, text_hash BLOB NOT NULL, addendum INTEGER NOT NULL,
        citations TEXT NOT NULL CHECK (json_valid(citations))
    ) STRICT""",
    "CREATE INDEX statement_by_id ON statement (id)",
    """CREATE TABLE link (
        n INTEGER NOT NULL, relation TEXT NOT NULL, target TEXT NOT NULL, target_day TEXT NOT NULL,
        PRIMARY KEY (n, relation, target)
    ) STRICT, WITHOUT ROWID""",
    "CREATE INDEX link_by_target ON link (target)",
    # What FTS5 indexes, term by term: words of the statement, of its thread's title, of the
    # messages it cites, and facets (|kind=quote) that filter inside a match.
    """CREATE TABLE terms (
        n INTEGER PRIMARY KEY, said TEXT NOT NULL, title TEXT NOT NULL, cited TEXT NOT NULL,
        facets TEXT NOT NULL
    ) STRICT""",
    f"""CREATE VIRTUAL TABLE words USING fts5(
        said, title, cited, facets, content='terms', content_rowid='n', detail='none',
        columnsize=0, tokenize={_TOKENIZER}
    )""",
    "CREATE VIRTUAL TABLE word_count USING fts5vocab(words, 'row')",
    """CREATE TRIGGER terms_added AFTER INSERT ON terms BEGIN
        INSERT INTO words (rowid, said, title, cited, facets)
        VALUES (NEW.n, NEW.said, NEW.title, NEW.cited, NEW.facets); END""",
    """CREATE TRIGGER terms_removed AFTER DELETE ON terms BEGIN
        INSERT INTO words (words, rowid, said, title, cited, facets)
        VALUES ('delete', OLD.n, OLD.said, OLD.title, OLD.cited, OLD.facets); END""",
    """CREATE TRIGGER terms_changed AFTER UPDATE ON terms BEGIN
        INSERT INTO words (words, rowid, said, title, cited, facets)
        VALUES ('delete', OLD.n, OLD.said, OLD.title, OLD.cited, OLD.facets);
        INSERT INTO words (rowid, said, title, cited, facets)
        VALUES (NEW.n, NEW.said, NEW.title, NEW.cited, NEW.facets); END""",
)
_KEPT = (
    # Vectors are optional: a text without one is pending, never an error.
    """CREATE TABLE vector (
        text_hash BLOB NOT NULL, model TEXT NOT NULL, dimension INTEGER NOT NULL,
        vector BLOB NOT NULL, PRIMARY KEY (text_hash, model)
    ) STRICT, WITHOUT ROWID""",
)


def _m1_index(db: sqlite3.Connection) -> None:
    for table in (*_FROM_FILES, *_KEPT):
        db.execute(table)


def empty(db: sqlite3.Connection) -> None:
    """Drop and make anew all that comes from the files, inside the caller's transaction."""
    for table in ("word_count", "words", "terms", "link", "statement", "day"):
        db.execute(f"DROP TABLE {table}")
    for table in _FROM_FILES:
        db.execute(table)


STEPS = (_m1_index,)
