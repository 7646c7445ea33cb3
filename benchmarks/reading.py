"""Reading big sources: a Hermes database of a million rows, and a rollout of 2 GB.

    python benchmarks/reading.py hermes|noop|rollout|read_rollout FOLDER [SIZE…]

`hermes FOLDER ROWS` makes the database, reads it whole once and leaves a ledger that has seen
every message and sealed every day. `noop FOLDER` then runs whole passes over it: unchanged,
touched (its stat changed, its content did not), and with one row appended in a day not yet over.
`rollout FOLDER MEGABYTES LINE` streams a rollout with one line of LINE MB between short ones.
"""

from __future__ import annotations

import datetime as dt
import hashlib
import json
import os
import random
import sqlite3
import time
from collections import defaultdict
from collections.abc import Iterator, Sequence
from contextlib import closing
from pathlib import Path
from typing import Any

from figures import answer, peak_megabytes

from hfea import wiring
from hfea.config import Settings, from_table
from hfea.ledger.nights import NightKind, NightRow
from hfea.ledger.seen import Sighting
from hfea.night.run import Order, Watch
from hfea.sources.base import Problem, RawMessage, SessionState
from hfea.sources.registry import build
from memory_core.model import Message

A_SESSION = 500
T0 = dt.datetime(2023, 1, 2, 9, tzinfo=dt.UTC)
SPACING = 90  # seconds between two rows: about a thousand a day
TABLES = """
CREATE TABLE schema_version (version INTEGER NOT NULL);
INSERT INTO schema_version VALUES (22);
CREATE TABLE sessions (id TEXT PRIMARY KEY, source TEXT NOT NULL, user_id TEXT,
 started_at REAL NOT NULL, ended_at REAL, end_reason TEXT, parent_session_id TEXT,
 model_config TEXT, title TEXT);
CREATE TABLE messages (id INTEGER PRIMARY KEY AUTOINCREMENT, session_id TEXT NOT NULL,
 role TEXT NOT NULL, content TEXT, tool_call_id TEXT, tool_calls TEXT, tool_name TEXT,
 timestamp REAL NOT NULL,
 finish_reason TEXT, observed INTEGER DEFAULT 0, active INTEGER NOT NULL DEFAULT 1,
 compacted INTEGER NOT NULL DEFAULT 0);
CREATE INDEX by_session ON messages (session_id, timestamp);
"""
INSERT = "INSERT INTO messages (session_id, role, content, timestamp) VALUES (?, ?, ?, ?)"
WORDS = "backup servidor pedido nota cliente deploy queue invoice printer teste prazo bench".split()


def hermes(words: Sequence[str]) -> dict[str, Any]:
    """Make a database of ROWS rows, read it whole, and leave the ledger of a steady state."""
    root, rows = Path(words[0]), int(words[1])
    _database(root / "home", rows)
    source = build("hermes", root / "home")[0]
    began, stamp = time.process_time(), source.stamp()
    last: list[RawMessage] = []
    unit: list[RawMessage] = []
    read: list[tuple[SessionState, list[Sighting]]] = []
    for item in source.scan({}):
        if isinstance(item, RawMessage):
            unit.append(item)
        elif isinstance(item, SessionState):
            read.append((item, [_sighting(m) for m in unit]))
            last, unit = unit, []
    took = time.process_time() - began
    peak = peak_megabytes()
    read[-1] = (read[-1][0], _through_the_door(root, last))
    messages = _remember(root, source.name, stamp, read)
    digest = hashlib.sha256((root / "home" / "state.db").read_bytes()).hexdigest()[:16]
    return {
        "rows": rows,
        "messages": messages,
        "cpu_seconds": took,
        "peak_megabytes": peak,
        "snapshot": digest,
    }


def _database(home: Path, rows: int) -> None:
    home.mkdir(parents=True)
    dice = random.Random(5)

    def talk() -> Iterator[tuple[object, ...]]:
        for n in range(rows):
            role = "user" if n % 2 else "assistant"
            text = " ".join(dice.choices(WORDS, k=14)) + f" {n}"
            yield (f"s{n // A_SESSION:06}", role, text, T0.timestamp() + SPACING * n)

    with closing(sqlite3.connect(home / "state.db")) as db:
        db.executescript(TABLES)
        sessions = range((rows + A_SESSION - 1) // A_SESSION)
        start = T0.timestamp()
        span = A_SESSION * SPACING
        db.executemany(
            "INSERT INTO sessions (id, source, started_at, ended_at, end_reason)"
            " VALUES (?, 'cli', ?, ?, 'exit')",
            [(f"s{n:06}", start + n * span, start + (n + 1) * span) for n in sessions],
        )
        db.executemany(INSERT, talk())
        db.commit()


def _sighting(m: RawMessage) -> Sighting:
    identity = hashlib.sha256(m.text.encode()).hexdigest()
    day = (m.at or T0).date()
    return Sighting(m.message_id, identity, m.at, day, m.position)


def _through_the_door(root: Path, raw: Sequence[RawMessage]) -> list[Sighting]:
    """Identify messages as a night does: those of the session that will be read again."""
    settings = _settings(root)
    with wiring.house(settings) as opened:
        door = wiring.intake(settings, opened.key)
    taken = [door.take(m, source="hermes:default", profile="default") for m in raw]
    return [
        _sighting(m)._replace(identity=t.identity)
        for m, t in zip(raw, taken, strict=True)
        if isinstance(t, Message)
    ]


def _settings(root: Path) -> Settings:
    table = {
        "timezone": "UTC",
        "owner": {"names": ["Ana"]},
        "archive": {"path": str(root / "a")},
        "core": {"home": str(root)},
        "sources": [{"kind": "hermes", "path": str(root / "home")}],
    }
    return from_table(table, root / "hfea.toml")


def _remember(
    root: Path, name: str, stamp: str, read: Sequence[tuple[SessionState, list[Sighting]]]
) -> int:
    """Record every message as seen and every day as sealed, as nights before would have."""
    days: dict[dt.date, int] = defaultdict(int)
    with wiring.house(_settings(root)) as opened:
        ledger = opened.ledger
        for state, seen in read:
            ledger.seen.record(name, state.unit, state.unit, seen)
            for sighting in seen:
                days[sighting.day] += 1
        ledger.sources.save(name, [state for state, _ in read])
        ledger.sources.present(name, stamp)
        for day, count in sorted(days.items()):
            start = dt.datetime.combine(day, dt.time(), dt.UTC)
            end = start + dt.timedelta(days=1)
            row = NightRow(day, NightKind.SEALED, "UTC", start, end, counts={"messages": count})
            ledger.nights.record(row)
    return sum(days.values())


def noop(words: Sequence[str]) -> dict[str, Any]:
    """Run passes that have nothing to do; CPU seconds of each, the second of two alike."""
    root = Path(words[0])
    settings, database = _settings(root), root / "home" / "state.db"
    database.read_bytes()
    wiring.consolidate(settings, Order(), Watch())  # notes the empty days since; fills caches
    unchanged = min(_pass(settings)[0] for _ in range(3))
    touched = []
    for n in (1, 2):
        os.utime(database, ns=(n, n))
        touched.append(_pass(settings))
    with closing(sqlite3.connect(database)) as db:
        last = db.execute("SELECT max(session_id) FROM messages").fetchone()[0]
        db.execute(INSERT, (last, "user", "mais uma", time.time()))
        db.commit()
    appended, read = _pass(settings)
    return {
        "unchanged_cpu_seconds": unchanged,
        "touched_cpu_seconds": min(took for took, _ in touched),
        "touched_read": max(read for _, read in touched),
        "appended_cpu_seconds": appended,
        "appended_read": read,
        "peak_megabytes": peak_megabytes(),
    }


def _pass(settings: Settings) -> tuple[float, int]:
    began = time.process_time()
    night = wiring.consolidate(settings, Order(), Watch())
    took = time.process_time() - began
    if night.done:
        raise SystemExit(f"a pass with nothing to do did {len(night.done)} steps")
    return took, night.read


def rollout(words: Sequence[str]) -> dict[str, Any]:
    """Stream a rollout of about MEGABYTES into FOLDER, one of its lines LINE megabytes long."""
    folder, megabytes, line = Path(words[0]), int(words[1]), int(words[2])
    folder.mkdir(parents=True, exist_ok=True)
    state, written = hashlib.sha256(), 0
    with (folder / "rollout-2026-03-05T10-00-00-bench.jsonl").open("wb") as f:
        for part in _rollout(megabytes * 10**6, line * 10**6):
            written += f.write(part)
            state.update(part)
    return {"bytes": written, "snapshot": state.hexdigest()[:16]}


def _rollout(size: int, line: int) -> Iterator[bytes]:
    yield _event(0, "session_meta", {"id": "bench", "cwd": "/srv/bench"})
    yield _event(1, "event_msg", {"type": "user_message", "message": "before the big line"})
    output = {"type": "function_call_output", "call_id": "c", "output": "@"}
    head, tail = _event(2, "response_item", output).split(b"@")
    yield head
    for _ in range(line // 10**6):
        yield b"x" * 10**6
    yield tail
    written, n = line, 3
    noise = "log line of a tool that talks a lot, again and again; " * 1000
    while written < size:
        said = {"type": "user_message", "message": f"pergunta {n}: e agora?"}
        block = _event(n, "event_msg", said)
        block += _event(n, "response_item", output | {"call_id": f"c{n}", "output": noise})
        written, n = written + len(block), n + 1
        yield block
    yield _event(n, "event_msg", {"type": "user_message", "message": "after the big line"})


def _event(n: int, kind: str, payload: dict[str, Any]) -> bytes:
    at = (T0 + dt.timedelta(seconds=n)).isoformat()
    return (json.dumps({"timestamp": at, "type": kind, "payload": payload}) + "\n").encode()


def read_rollout(words: Sequence[str]) -> dict[str, Any]:
    """Read the rollout through the source; say what came of it and the memory it took."""
    source = build("codex", Path(words[0]))[0]
    began = time.process_time()
    owner = tools = 0
    problems: list[str] = []
    ends = {"before the big line": False, "after the big line": False}
    for item in source.scan({}):
        if isinstance(item, RawMessage):
            owner += item.role.value == "user"
            tools += item.role.value == "tool"
            if item.text in ends:
                ends[item.text] = True
        elif isinstance(item, Problem):
            problems.append(item.code)
    return {
        "owner_messages": owner,
        "tool_messages": tools,
        "problems": sorted(set(problems)),
        "both_ends_read": all(ends.values()),
        "cpu_seconds": time.process_time() - began,
        "peak_megabytes": peak_megabytes(),
    }


if __name__ == "__main__":
    answer({"hermes": hermes, "noop": noop, "rollout": rollout, "read_rollout": read_rollout})
