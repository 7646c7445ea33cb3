"""A small Hermes home for tests: any columns of a session or a message, written as given."""

from __future__ import annotations

import sqlite3
from collections.abc import Mapping, Sequence
from contextlib import closing
from pathlib import Path

from source_reading import Reading, scan

from hfea.sources.hermes import HermesSource

SESSION = (
    "id source user_id chat_type session_key display_name origin_json parent_session_id started_at"
    " ended_at end_reason model_config title cwd"
).split()
MESSAGE = (
    "id session_id role content tool_call_id tool_calls tool_name timestamp finish_reason observed"
    " active compacted _compressed_summary display_kind"
).split()
T0 = 1_772_798_400.0
Rows = Sequence[Mapping[str, object]]


def home(folder: Path, messages: Rows, sessions: Rows | None = None) -> Path:
    """Write a Hermes home; rows without an id are numbered, without a time one second apart."""
    folder.mkdir(parents=True, exist_ok=True)
    given = sessions or [{"id": "s", "ended_at": T0 + 9999}]
    with closing(sqlite3.connect(folder / "state.db")) as db:
        db.execute(f"CREATE TABLE sessions ({', '.join(SESSION)}, PRIMARY KEY (id))")
        db.execute(f"CREATE TABLE messages ({', '.join(MESSAGE)}, PRIMARY KEY (id))")
        db.execute("CREATE INDEX by_session ON messages (session_id)")
        for session in given:
            insert(db, "sessions", {"source": "cli", "started_at": T0, **session})
        for number, row in enumerate(messages, 1):
            fixed = {"id": number, "session_id": "s", "role": "user", "timestamp": T0 + number}
            insert(db, "messages", {**fixed, **row})
        db.commit()
    return folder


def insert(db: sqlite3.Connection, table: str, row: Mapping[str, object]) -> None:
    marks = ", ".join("?" * len(row))
    db.execute(f"INSERT INTO {table} ({', '.join(row)}) VALUES ({marks})", tuple(row.values()))


def read(folder: Path, messages: Rows, **session: object) -> Reading:
    sessions = [{"id": "s", "ended_at": T0 + 9999, **session}] if session else None
    return scan(HermesSource(home(folder, messages, sessions)))
