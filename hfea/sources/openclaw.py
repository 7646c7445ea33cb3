"""OpenClaw: a JSONL tree a session (until 2026.7) and the SQLite era after it, read as one.

Both eras may hold the same session, and the files may hold entries that the database lacks:
both are read, and an entry counts once by session id and entry id.
"""

from __future__ import annotations

import hashlib
import io
import json
import re
import sqlite3
from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path

import zstandard

from hfea.sources import lines, sqlite_reading
from hfea.sources.base import Item, Problem, SessionState
from hfea.sources.openclaw_entries import Entry, messages

DATABASE = "openclaw-agent.sqlite"
_SKIPPED = re.compile(r"\.checkpoint\.|\.trajectory|\.jsonl\.(?:lock|tmp)|~\Z|\.bak\Z")
_SESSION_FILE = re.compile(
    r"(?P<sid>[^/]+?)(?:-topic-[^/.]+)?\.jsonl(?P<archive>\.(?:reset|deleted)\..+)?\Z"
)
_META = frozenset(
    "session model_change thinking_level_change custom label session_info leaf".split()
)


@dataclass
class OpenClawSource:
    """The agents below one OpenClaw state folder; one unit is one session of one agent."""

    path: Path
    name: str = "openclaw"
    profile: str = "default"
    full: bool = False
    _cached: dict[str, str] = field(default_factory=dict, repr=False)

    @property
    def kind(self) -> str:
        """Always `openclaw`."""
        return "openclaw"

    def stamp(self) -> str:
        """Return a fingerprint by stat of every file and database; '' when it is missing."""
        if not self.path.exists():
            return ""
        state = hashlib.sha256()
        for path in (*self._files(), *self._databases()):
            found = sqlite_reading.state(path)
            state.update(f"{path}|{found.text() if found else ''}\n".encode())
        return state.hexdigest()

    def ignored(self) -> tuple[str, ...]:
        """Name checkpoints, trajectories and backups, which repeat sessions."""
        names = []
        for agent in self._agents():
            folder = agent / "sessions"
            if folder.is_dir():
                names += [p.name for p in sorted(folder.iterdir()) if _SKIPPED.search(p.name)]
        return tuple(names)

    def scan(
        self, known: Mapping[str, SessionState], wanted: Collection[str] = ()
    ) -> Iterator[Item]:
        """Yield what changed; see Source.scan."""
        if not self.path.exists():
            detail = "the source is not there; its days are kept and nothing new can be read"
            yield Problem(self.name, "source_missing", str(self.path), detail, severity="error")
            return
        found: set[str] = set()
        for agent in self._agents():
            entries: dict[str, list[Entry]] = {}
            for item in self._gather(agent):
                if isinstance(item, Problem):
                    yield item
                else:
                    entries.setdefault(item.session, []).append(item)
            for session in sorted(entries):
                unit = f"{agent.name}/{session}"
                found.add(unit)
                yield from self._unit(unit, entries[session], known.get(unit), unit in wanted)
        for gone in sorted(u for u, s in known.items() if s.messages and u not in found):
            detail = f"{known[gone].messages} messages were read from it; it is gone now"
            yield Problem(self.name, "pruned", gone, detail)

    def _agents(self) -> list[Path]:
        root = self.path / "agents"
        if root.is_dir():
            return [p for p in sorted(root.iterdir()) if p.is_dir()]
        return [self.path] if (self.path / "sessions").is_dir() else []

    def _files(self) -> list[Path]:
        found = []
        for agent in self._agents():
            for folder in (
                "sessions",
                "sessions/session-sqlite-import-archive",
                "session-sqlite-import-archive",
            ):
                if (agent / folder).is_dir():
                    found += [
                        p
                        for p in sorted((agent / folder).iterdir())
                        if p.is_file()
                        and not p.is_symlink()
                        and ".jsonl" in p.name
                        and not _SKIPPED.search(p.name)
                    ]
        return found

    def _databases(self) -> list[Path]:
        return [p for a in self._agents() if (p := a / "agent" / DATABASE).is_file()]

    def _gather(self, agent: Path) -> Iterator[Entry | Problem]:
        database = agent / "agent" / DATABASE
        if database.is_file():
            try:
                yield from sqlite_reading.read(database, lambda db: _database_entries(db, agent))
            except (sqlite3.Error, OSError, sqlite_reading.SourceBusy) as error:
                detail = f"cannot be read: {error}"
                yield Problem(self.name, "unreadable", str(database), detail, severity="error")
        # The living file of a session comes before its archives, so that its entries win.
        files = [p for p in self._files() if p.is_relative_to(agent)]
        for path in sorted(files, key=lambda p: (not p.name.endswith(".jsonl"), p.name)):
            yield from self._file_entries(path, agent)

    def _file_entries(self, path: Path, agent: Path) -> Iterator[Entry | Problem]:
        match = _SESSION_FILE.search(path.name)
        session = match.group("sid") if match else path.stem
        unit = path.relative_to(agent).as_posix()
        known = unknown = 0
        try:
            with lines.open_stream(path) as stream:
                for item in lines.read(stream):
                    if isinstance(item, lines.Damage):
                        yield Problem(
                            self.name,
                            item.code,
                            unit,
                            item.detail,
                            item.offset,
                            item.length,
                            raw=item.raw,
                        )
                    elif isinstance(item, lines.Line) and isinstance(item.value, dict):
                        value = item.value
                        if value.get("type") == "session" and value.get("id"):
                            session = str(value["id"])
                        known += value.get("type") in _KNOWN
                        unknown += value.get("type") not in _KNOWN
                        yield Entry(session, value, f"{unit}#{item.offset}")
        except OSError as error:
            detail = f"cannot be read: {error.strerror}"
            yield Problem(self.name, "unreadable", unit, detail, severity="error")
        if unknown and not known:
            detail = f"a non-empty file whose {unknown} lines have no known shape"
            yield Problem(self.name, "unknown_shape", unit, detail, severity="error")

    def _unit(
        self,
        unit: str,
        entries: list[Entry],
        before: SessionState | None,
        whole: bool,  # noqa: FBT001
    ) -> Iterator[Item]:
        entries = _once(entries)
        print_now = _fingerprint(entries)
        if before and before.fingerprint == print_now and not whole:
            return
        session = entries[0].session
        count = 0
        for message in messages(session, entries):
            count += 1
            yield message
        if before and before.messages > count:
            detail = f"it gave {before.messages} messages before and gives {count} now"
            yield Problem(self.name, "source_shrank", unit, detail, severity="error")
        yield SessionState(unit, print_now, "", (session,), count)


_KNOWN = _META | {"message", "compaction", "branch_summary", "custom_message"}


def _database_entries(db: sqlite3.Connection, agent: Path) -> list[Entry | Problem]:
    present = sqlite_reading.columns(db, "transcript_events")
    if not {"session_id", "seq", "event_json"} <= present:
        detail = "a database without OpenClaw's transcript events"
        where = f"{agent.name}/{DATABASE}"
        return [Problem("openclaw", "unknown_shape", where, detail, severity="error")]
    found: list[Entry | Problem] = []
    query = "SELECT session_id, seq, event_json FROM transcript_events ORDER BY session_id, seq"
    for sid, seq, text in db.execute(query):
        found.append(_event(str(sid), text, f"{DATABASE}#{sid}:{seq}"))
    if {"session_id", "archive_blob"} <= sqlite_reading.columns(db, "session_transcript_archives"):
        query = "SELECT session_id, encoding, archive_blob FROM session_transcript_archives"
        for sid, encoding, blob in db.execute(f"{query} ORDER BY session_id, generation"):
            found += _cold(str(sid), str(encoding), blob)
    return found


def _event(session: str, text: object, where: str) -> Entry | Problem:
    try:
        value = json.loads(text) if isinstance(text, str | bytes) else None
    except (ValueError, RecursionError):
        value = None
    if isinstance(value, dict):
        return Entry(session, value, where)
    return Problem("openclaw", "malformed_line", where, "an event that is not a JSON object")


def _cold(session: str, encoding: str, blob: object) -> list[Entry | Problem]:
    where = f"{DATABASE}#archive:{session}"
    if not isinstance(blob, bytes):
        return []
    try:
        raw = zstandard.ZstdDecompressor().stream_reader(blob) if encoding == "zstd" else None
        stream = io.BufferedReader(raw) if raw else io.BytesIO(blob)
        return [
            Entry(session, item.value, f"{where}:{item.offset}")
            for item in lines.read(stream)
            if isinstance(item, lines.Line) and isinstance(item.value, dict)
        ]
    except zstandard.ZstdError as error:
        return [Problem("openclaw", "unreadable", where, f"cannot be unpacked: {error}")]


def _once(entries: list[Entry]) -> list[Entry]:
    """Keep the first of each entry id; those without one are kept by content."""
    seen: set[str] = set()
    kept = []
    for entry in entries:
        key = str(entry.value.get("id") or json.dumps(entry.value, sort_keys=True, default=str))
        if key not in seen:
            seen.add(key)
            kept.append(entry)
    return kept


def _fingerprint(entries: list[Entry]) -> str:
    state = hashlib.sha256()
    for entry in entries:
        state.update(
            json.dumps(entry.value, sort_keys=True, default=str).encode("utf-8", "replace")
        )
    return f"{len(entries)}:{state.hexdigest()}"
