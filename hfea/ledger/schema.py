"""The ledger's tables and the triggers that make its event tables append-only."""

from __future__ import annotations

import sqlite3

_EVENTS = """
CREATE TABLE night_started (
    id INTEGER PRIMARY KEY, day TEXT NOT NULL, reason TEXT NOT NULL, at TEXT NOT NULL
) STRICT;
CREATE TABLE night (
    id INTEGER PRIMARY KEY, started INTEGER REFERENCES night_started(id),
    day TEXT NOT NULL, kind TEXT NOT NULL
        CHECK (kind IN ('sealed', 'late', 'empty', 'noop', 'failed')),
    zone TEXT NOT NULL, window_start TEXT NOT NULL, window_end TEXT NOT NULL,
    inputs TEXT NOT NULL, outputs TEXT NOT NULL, counts TEXT NOT NULL CHECK (json_valid(counts)),
    problems INTEGER NOT NULL CHECK (problems >= 0), error TEXT NOT NULL, narrator TEXT NOT NULL,
    tokens_in INTEGER NOT NULL CHECK (tokens_in >= 0),
    tokens_out INTEGER NOT NULL CHECK (tokens_out >= 0),
    wall_seconds REAL NOT NULL, cpu_seconds REAL NOT NULL, bytes INTEGER NOT NULL,
    money REAL NOT NULL CHECK (money >= 0),
    sequence INTEGER NOT NULL, head TEXT NOT NULL, at TEXT NOT NULL
) STRICT;
CREATE INDEX night_by_day ON night (day, id);
CREATE INDEX night_by_kind ON night (kind, day);
CREATE INDEX night_by_start ON night (started);
CREATE TABLE seen_session (
    id INTEGER PRIMARY KEY, source TEXT NOT NULL, session TEXT NOT NULL, UNIQUE (source, session)
) STRICT;
CREATE TABLE seen_unit (
    session INTEGER NOT NULL REFERENCES seen_session(id), unit TEXT NOT NULL,
    PRIMARY KEY (session, unit)
) STRICT, WITHOUT ROWID;
CREATE TABLE seen (
    session INTEGER NOT NULL, identity BLOB NOT NULL, nth INTEGER NOT NULL,
    message_id TEXT NOT NULL, at TEXT, day TEXT NOT NULL, position INTEGER NOT NULL,
    first_seen TEXT NOT NULL,
    PRIMARY KEY (session, identity, nth)
) STRICT, WITHOUT ROWID;
CREATE INDEX seen_by_day ON seen (day, session);
CREATE TABLE head (
    sequence INTEGER PRIMARY KEY, day TEXT NOT NULL, hex TEXT NOT NULL, at TEXT NOT NULL
) STRICT;
CREATE TABLE spend (
    id INTEGER PRIMARY KEY, night TEXT NOT NULL, day TEXT NOT NULL, what TEXT NOT NULL,
    tokens_in INTEGER NOT NULL CHECK (tokens_in >= 0),
    tokens_out INTEGER NOT NULL CHECK (tokens_out >= 0),
    money REAL NOT NULL CHECK (money >= 0), at TEXT NOT NULL
) STRICT;
CREATE INDEX spend_by_night ON spend (night);
CREATE INDEX spend_by_day ON spend (day);
CREATE TABLE breaker (
    id INTEGER PRIMARY KEY, name TEXT NOT NULL, worked INTEGER NOT NULL, at TEXT NOT NULL
) STRICT;
CREATE INDEX breaker_by_name ON breaker (name, id);
CREATE TABLE question (
    id TEXT PRIMARY KEY, text INTEGER NOT NULL REFERENCES ledger_text(id),
    language TEXT NOT NULL, class TEXT NOT NULL, at TEXT NOT NULL
) STRICT;
CREATE TABLE question_result (
    question TEXT PRIMARY KEY REFERENCES question(id), verdict TEXT NOT NULL,
    outcome TEXT NOT NULL, grounded_in TEXT NOT NULL,
    reasons TEXT NOT NULL CHECK (json_valid(reasons)),
    routes TEXT NOT NULL CHECK (json_valid(routes)), archive_opened INTEGER NOT NULL,
    degraded INTEGER NOT NULL, tokens_returned INTEGER NOT NULL,
    embedding_calls INTEGER NOT NULL, model_calls INTEGER NOT NULL,
    milliseconds REAL NOT NULL, money REAL NOT NULL CHECK (money >= 0),
    details TEXT NOT NULL CHECK (json_valid(details)), at TEXT NOT NULL
) STRICT;
CREATE TABLE feedback (
    id INTEGER PRIMARY KEY, question TEXT NOT NULL REFERENCES question(id),
    value TEXT NOT NULL CHECK (value IN ('needed', 'not_needed', 'wrong', 'missing')),
    note INTEGER REFERENCES ledger_text(id), by TEXT NOT NULL, at TEXT NOT NULL
) STRICT;
CREATE INDEX feedback_by_question ON feedback (question);
CREATE TABLE ticket (
    hash BLOB PRIMARY KEY, question TEXT NOT NULL, archive TEXT NOT NULL,
    class TEXT NOT NULL CHECK (class IN ('answer', 'shadow')),
    verdict TEXT NOT NULL CHECK (verdict IN ('insufficient', 'contradictory')
        OR (class = 'shadow' AND verdict = 'sufficient')),
    at TEXT NOT NULL, expires TEXT NOT NULL
) STRICT;
CREATE INDEX ticket_by_question ON ticket (question);
CREATE TABLE ticket_use (
    ticket BLOB PRIMARY KEY REFERENCES ticket(hash), at TEXT NOT NULL
) STRICT;
"""
_FREE_TEXT = """
CREATE TABLE ledger_text (
    id INTEGER PRIMARY KEY AUTOINCREMENT, text TEXT NOT NULL, erased TEXT
) STRICT;
CREATE TRIGGER ledger_text_is_only_blanked BEFORE UPDATE ON ledger_text
WHEN NEW.id <> OLD.id OR NEW.text <> '' OR NEW.erased IS NULL
BEGIN SELECT RAISE(ABORT, 'ledger_text may only be erased'); END;
CREATE TRIGGER ledger_text_keeps_its_rows BEFORE DELETE ON ledger_text
BEGIN SELECT RAISE(ABORT, 'ledger_text keeps its rows'); END;
CREATE TRIGGER ledger_text_is_not_replaced BEFORE INSERT ON ledger_text
WHEN EXISTS (SELECT 1 FROM ledger_text WHERE id = NEW.id)
BEGIN SELECT RAISE(ABORT, 'ledger_text keeps its rows'); END;
"""
_STATE = """
CREATE TABLE source_state (
    source TEXT NOT NULL, unit TEXT NOT NULL, fingerprint TEXT NOT NULL, cursor TEXT NOT NULL,
    sessions TEXT NOT NULL CHECK (json_valid(sessions)), messages INTEGER NOT NULL,
    PRIMARY KEY (source, unit)
) STRICT, WITHOUT ROWID;
CREATE TABLE source (
    name TEXT PRIMARY KEY, stamp TEXT NOT NULL, missing_since TEXT, seen_at TEXT
) STRICT, WITHOUT ROWID;
CREATE TABLE source_problem (
    source TEXT NOT NULL, code TEXT NOT NULL, place TEXT NOT NULL, detail TEXT NOT NULL,
    severity TEXT NOT NULL, times INTEGER NOT NULL, first_at TEXT NOT NULL, last_at TEXT NOT NULL,
    PRIMARY KEY (source, code, place, detail)
) STRICT, WITHOUT ROWID;
"""
_PROMOTIONS = """
CREATE TABLE promotion (
    id INTEGER PRIMARY KEY, proposal TEXT NOT NULL, event TEXT NOT NULL, digest TEXT NOT NULL,
    level TEXT NOT NULL, act TEXT NOT NULL, place INTEGER NOT NULL REFERENCES ledger_text(id),
    profile TEXT NOT NULL, reasons TEXT NOT NULL CHECK (json_valid(reasons)),
    cited TEXT NOT NULL CHECK (json_valid(cited)), by TEXT NOT NULL, via TEXT NOT NULL,
    at TEXT NOT NULL
) STRICT;
CREATE INDEX promotion_by_proposal ON promotion (proposal, id);
"""
_SHADOWS = """
CREATE TABLE shadow (
    question TEXT PRIMARY KEY REFERENCES question(id),
    verdict TEXT NOT NULL CHECK (verdict IN ('sufficient', 'insufficient', 'contradictory')),
    found INTEGER NOT NULL CHECK (found >= 0), milliseconds REAL NOT NULL, at TEXT NOT NULL
) STRICT;
"""
# Event tables and the columns that make a row of theirs: the row may be added, nothing else.
EVENT_KEYS = {
    "night_started": ("id",),
    "night": ("id",),
    "seen_session": ("id",),
    "seen_unit": ("session", "unit"),
    "seen": ("session", "identity", "nth"),
    "head": ("sequence",),
    "spend": ("id",),
    "breaker": ("id",),
    "question": ("id",),
    "question_result": ("question",),
    "feedback": ("id",),
    "ticket": ("hash",),
    "ticket_use": ("ticket",),
    "promotion": ("id",),
    "shadow": ("question",),
}
_LATER = frozenset({"promotion", "shadow"})


def _append_only(table: str, keys: tuple[str, ...]) -> str:
    same = " AND ".join(f"{key} = NEW.{key}" for key in keys)
    refuse = f"BEGIN SELECT RAISE(ABORT, '{table} is append-only'); END;"
    return (
        f"CREATE TRIGGER {table}_no_update BEFORE UPDATE ON {table} {refuse}\n"
        f"CREATE TRIGGER {table}_no_delete BEFORE DELETE ON {table} {refuse}\n"
        # REPLACE deletes without a trigger on connections that leave recursive_triggers off.
        f"CREATE TRIGGER {table}_no_replace BEFORE INSERT ON {table}\n"
        f"WHEN EXISTS (SELECT 1 FROM {table} WHERE {same}) {refuse}\n"
    )


def _run(db: sqlite3.Connection, script: str) -> None:
    """Execute statement after statement; `executescript` would commit the open transaction."""
    statement = ""
    for line in script.splitlines(keepends=True):
        statement += line
        if sqlite3.complete_statement(statement):
            db.execute(statement)
            statement = ""


def _m1_ledger(db: sqlite3.Connection) -> None:
    _run(db, _FREE_TEXT)
    _run(db, _EVENTS)
    _run(db, _STATE)
    for table, keys in EVENT_KEYS.items():
        if table not in _LATER:
            _run(db, _append_only(table, keys))


def _m2_promotions(db: sqlite3.Connection) -> None:
    _run(db, _PROMOTIONS)
    _run(db, _append_only("promotion", EVENT_KEYS["promotion"]))


def _m3_shadows(db: sqlite3.Connection) -> None:
    _run(db, _SHADOWS)
    _run(db, _append_only("shadow", EVENT_KEYS["shadow"]))


STEPS = (_m1_ledger, _m2_promotions, _m3_shadows)
