"""OpenClaw's database of one agent: sessions as summaries first, then one session's events."""

from __future__ import annotations

import hashlib
import io
import json
import sqlite3
from dataclasses import dataclass
from pathlib import Path
from typing import BinaryIO, cast

import zstandard

from hfea.sources import lines, sqlite_reading
from hfea.sources.base import Problem
from hfea.sources.openclaw_entries import Entry
from hfea.sources.openclaw_files import DATABASE

_EVENTS, _COLD, _WINDOWS = "transcript_events", "session_transcript_archives", "session_windows"
# A window for one of these reasons goes on with the talk of the one before it.
_GOES_ON = frozenset({"rollover", "fork", "rewind", "recovery", "compaction"})


@dataclass(frozen=True, slots=True)
class Stored:
    """One session in the database: a print of its rows, what it goes on with, and its chat."""

    session: str
    print: str
    parent: str = ""
    chat_type: str = ""
    channel: str = ""


def sessions(path: Path, *, full: bool) -> dict[str, Stored] | None:
    """Return the sessions of the database; None where it is no transcript store.

    The print is count, greatest seq and bytes of the events, and the archives' generations;
    with *full* also a hash of everything. Raises what sqlite_reading.read raises.
    """
    return sqlite_reading.read(path, lambda db: _sessions(db, full=full))


def _sessions(db: sqlite3.Connection, *, full: bool) -> dict[str, Stored] | None:
    if not {"session_id", "seq", "event_json"} <= sqlite_reading.columns(db, _EVENTS):
        return None
    prints = {
        str(sid): f"{count}:{last}:{size}"
        for sid, count, last, size in db.execute(
            "SELECT session_id, count(*), max(seq), sum(length(event_json))"
            f" FROM {_EVENTS} GROUP BY session_id"
        )
    }
    if {"session_id", "archive_blob"} <= sqlite_reading.columns(db, _COLD):
        for sid, generation, size in db.execute(
            "SELECT session_id, max(generation), sum(length(archive_blob))"
            f" FROM {_COLD} GROUP BY session_id"
        ):
            prints[str(sid)] = f"{prints.get(str(sid), '')}+{generation}:{size}"
    if full:
        prints = {sid: f"{short}#{_hash(db, sid)}" for sid, short in prints.items()}
    windows = _windows(db)
    return {
        sid: Stored(sid, text, *windows.get(sid, ("", "", "")))
        for sid, text in sorted(prints.items())
    }


def _hash(db: sqlite3.Connection, session: str) -> str:
    state = hashlib.sha256()
    query = f"SELECT event_json FROM {_EVENTS} WHERE session_id = ? ORDER BY seq"
    for (text,) in db.execute(query, (session,)):
        state.update(str(text).encode("utf-8", "surrogatepass") + b"\0")
    return state.hexdigest()[:32]


def _windows(db: sqlite3.Connection) -> dict[str, tuple[str, str, str]]:
    present = sqlite_reading.columns(db, _WINDOWS)
    if not {"session_id", "previous_session_id", "reason"} <= present:
        return {}
    more = ", ".join(c if c in present else "''" for c in ("chat_type", "channel"))
    return {
        str(sid): (
            str(previous) if previous and reason in _GOES_ON else "",
            str(chat or ""),
            str(channel or ""),
        )
        for sid, previous, reason, chat, channel in db.execute(
            f"SELECT session_id, previous_session_id, reason, {more} FROM {_WINDOWS}"
        )
    }


def entries(path: Path, session: str, source: str) -> tuple[list[Entry], list[Problem]]:
    """Return the entries of *session*, its cold archives first, then its events by seq."""
    found = sqlite_reading.read(path, lambda db: _rows(db, session))
    out: list[Entry] = []
    problems: list[Problem] = []
    for where, encoding, blob in found[0]:
        _unpack(out, problems, (source, session, where), encoding, blob)
    for seq, text in found[1]:
        where = f"{DATABASE}#{session}:{seq}"
        value = _json(text)
        if value is None:
            detail = "an event that is not a JSON object"
            problems.append(Problem(source, "malformed_line", where, detail))
        else:
            out.append(Entry(session, value, where))
    return out, problems


def _rows(
    db: sqlite3.Connection, session: str
) -> tuple[list[tuple[str, str, object]], list[tuple[int, object]]]:
    cold: list[tuple[str, str, object]] = []
    if {"session_id", "archive_blob"} <= sqlite_reading.columns(db, _COLD):
        query = f"SELECT generation, encoding, archive_blob FROM {_COLD} WHERE session_id = ?"
        cold = [
            (f"{DATABASE}#{session}:archive:{generation}", str(encoding), blob)
            for generation, encoding, blob in db.execute(f"{query} ORDER BY generation", (session,))
        ]
    query = f"SELECT seq, event_json FROM {_EVENTS} WHERE session_id = ? ORDER BY seq"
    return cold, list(db.execute(query, (session,)))


def _json(text: object) -> dict[str, object] | None:
    try:
        value = json.loads(text) if isinstance(text, str | bytes) else None
        lines.refuse_depth(value)
    except (ValueError, RecursionError):
        return None
    return value if isinstance(value, dict) else None


def _unpack(
    out: list[Entry],
    problems: list[Problem],
    place: tuple[str, str, str],
    encoding: str,
    blob: object,
) -> None:
    source, session, where = place
    raw = blob.encode("utf-8", "surrogatepass") if isinstance(blob, str) else blob
    if not isinstance(raw, bytes):
        return
    stream: BinaryIO = io.BytesIO(raw)
    if encoding == "zstd":
        unpacker = zstandard.ZstdDecompressor(max_window_size=lines.LARGEST_WINDOW)
        stream = cast("BinaryIO", io.BufferedReader(unpacker.stream_reader(raw)))
    try:
        for item in lines.read(stream):
            if isinstance(item, lines.Line) and isinstance(item.value, dict):
                out.append(Entry(session, item.value, f"{where}@{item.offset}"))
            elif isinstance(item, lines.Damage):
                detail = f"in a packed transcript: {item.detail}"
                problems.append(Problem(source, item.code, where, detail, raw=item.raw))
    except zstandard.ZstdError as error:
        problems.append(Problem(source, "unreadable", where, f"cannot be unpacked: {error}"))
