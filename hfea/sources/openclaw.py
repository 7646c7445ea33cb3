"""OpenClaw: a JSONL tree a session (until 2026.7) and the SQLite era after it, read as one.

Both eras may hold the same session, and the files may hold entries that the database lacks:
both are read, and an entry counts once by session id and entry id. One session is in memory at
a time.
"""

from __future__ import annotations

import hashlib
import json
import sqlite3
from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path

import zstandard

from hfea.sources import lines, openclaw_files, openclaw_store, prints, sqlite_reading
from hfea.sources.base import Item, Problem, RawMessage, SessionState
from hfea.sources.copies import Copies, Key
from hfea.sources.files import problem
from hfea.sources.openclaw_entries import KNOWN, Chat, Entry, merged, messages
from hfea.sources.openclaw_files import DATABASE, Transcript
from hfea.sources.openclaw_store import Stored
from hfea.sources.prints import Cursor


@dataclass
class _Session:
    """Where one session of one agent is kept."""

    agent: Path
    id: str
    stored: Stored | None = None
    files: list[Transcript] = field(default_factory=list)

    @property
    def unit(self) -> str:
        return f"{self.agent.name}/{self.id}"

    @property
    def parent(self) -> str:
        parents = [self.stored.parent if self.stored else "", *(f.parent for f in self.files)]
        return next((p for p in parents if p and p != self.id), "")

    def print(self) -> str:
        """Return what `same` compares later. Raises OSError."""
        files = {f.name: prints.of(f.path) for f in self.files}
        return json.dumps([self.stored.print if self.stored else "", files])

    def same(self, before: str, *, full: bool) -> bool:
        """Whether nothing changed since *before*; with *full* by all bytes. Raises OSError."""
        try:
            stored, files = json.loads(before)
        except ValueError:
            return False
        now = self.stored.print if self.stored else ""
        short = [text.partition("#") for text in (stored, now)]
        if short[0][0] != short[1][0] or (full and short[0][2] != short[1][2]):
            return False
        if {f.name for f in self.files} != set(files):
            return False
        return all(prints.same(files[f.name], f.path, full=full) for f in self.files)


@dataclass
class OpenClawSource:
    """The agents below one OpenClaw state folder; one unit is one session of one agent."""

    path: Path
    name: str = "openclaw"
    profile: str = "default"
    full: bool = False

    @property
    def kind(self) -> str:
        """Always `openclaw`."""
        return "openclaw"

    def stamp(self) -> str:
        """Return a fingerprint by stat of every file and database; '' when it is missing."""
        if not self.path.exists():
            return ""
        state = hashlib.sha256()
        for agent in openclaw_files.agents(self.path):
            for path in (*openclaw_files.paths(agent), agent / "agent" / DATABASE):
                found = sqlite_reading.state(path)
                name = path.relative_to(self.path)
                state.update(f"{name}|{found.text() if found else ''}\n".encode())
        return state.hexdigest()

    def ignored(self) -> tuple[str, ...]:
        """Name checkpoints, trajectories, backups and links."""
        agents = openclaw_files.agents(self.path)
        return tuple(name for agent in agents for name in openclaw_files.left_alone(agent))

    def scan(
        self, known: Mapping[str, SessionState], wanted: Collection[str] = ()
    ) -> Iterator[Item]:
        """Yield what changed; see Source.scan."""
        if not self.path.exists():
            detail = "the source is not there; its days are kept and nothing new can be read"
            yield Problem(self.name, "source_missing", str(self.path), detail, severity="error")
            return
        sessions: dict[str, _Session] = {}
        blind: set[str] = set()
        for agent in openclaw_files.agents(self.path):
            for item in self._sessions(agent, known):
                if isinstance(item, _Session):
                    sessions[item.unit] = item
                else:
                    yield item
                    if isinstance(item, Problem) and item.code in ("unreadable", "unknown_shape"):
                        blind.add(agent.name)
        yield from self._gone(known, sessions.keys(), blind)
        before = {unit: Cursor.of(state).before(state) for unit, state in known.items()}
        copies = Copies(
            before,
            frozenset(sessions),
            frozenset(wanted),
            lambda unit: _spoken(self._keyed(sessions, unit)),
        )
        for unit in sorted(sessions, key=lambda u: (len(_lineage(sessions, u)), u)):
            yield from self._unit(sessions, copies, unit, known.get(unit), whole=unit in wanted)

    def _gone(
        self, known: Mapping[str, SessionState], there: Collection[str], blind: Collection[str]
    ) -> Iterator[Problem]:
        """Report sessions that are gone; not those of an agent that could not be looked into."""
        for unit in sorted(known.keys() - there):
            if known[unit].messages and unit.partition("/")[0] not in blind:
                detail = f"{known[unit].messages} messages were read from it; it is gone now"
                yield Problem(self.name, "pruned", unit, detail)

    def _sessions(
        self, agent: Path, known: Mapping[str, SessionState]
    ) -> Iterator[_Session | Problem | SessionState]:
        found: dict[str, _Session] = {}
        database = agent / "agent" / DATABASE
        if database.is_file():
            try:
                stored = openclaw_store.sessions(database, full=self.full)
            except (sqlite3.Error, OSError, sqlite_reading.SourceBusy) as error:
                yield self._unreadable(f"{agent.name}/{DATABASE}", error)
                stored = {}
            if stored is None:
                detail = "a database without OpenClaw's transcript events"
                place = f"{agent.name}/{DATABASE}"
                yield Problem(self.name, "unknown_shape", place, detail, severity="error")
            for session, row in (stored or {}).items():
                found[session] = _Session(agent, session, row)
        for path in openclaw_files.paths(agent):
            try:
                file = openclaw_files.transcript(agent, path)
            except OSError as error:
                yield self._unreadable(f"{agent.name}/{path.name}", error)
                continue
            found.setdefault(file.session, _Session(agent, file.session)).files.append(file)
        for path in openclaw_files.links(agent):
            unit, target = f"{agent.name}/{path.name}", str(path.readlink())
            if unit not in known or known[unit].fingerprint != target:
                detail = "a link, not a transcript; it was not followed"
                yield Problem(self.name, "link_outside", unit, detail)
                yield SessionState(unit, target)
        yield from found.values()

    def _unreadable(self, where: str, error: Exception) -> Problem:
        why = error.strerror if isinstance(error, OSError) else str(error)
        return Problem(self.name, "unreadable", where, f"cannot be read: {why}", severity="error")

    def _unit(
        self,
        sessions: Mapping[str, _Session],
        copies: Copies,
        unit: str,
        before: SessionState | None,
        *,
        whole: bool,
    ) -> Iterator[Item]:
        session, count, failed = sessions[unit], 0, False
        try:
            if before and not whole and session.same(before.fingerprint, full=self.full):
                return
            now = session.print()
            taker = copies.unit(unit)
            for key, item in self._keyed(sessions, unit):
                if isinstance(item, Problem):
                    failed = failed or item.severity == "error"
                    yield item
                elif message := taker.take(key, item):
                    count += 1
                    yield message
        except (OSError, sqlite3.Error, zstandard.ZstdError, sqlite_reading.SourceBusy) as error:
            yield self._unreadable(unit, error)
            return
        if failed:
            return
        if taker.found < taker.before.found:
            detail = f"it held {taker.before.found} messages before and holds {taker.found} now"
            yield Problem(self.name, "source_shrank", unit, detail, severity="error")
        cursor = Cursor(found=taker.found, own=frozenset(taker.own)).text()
        yield SessionState(unit, now, cursor, (session.id,), count)

    def _keyed(
        self, sessions: Mapping[str, _Session], unit: str
    ) -> Iterator[tuple[Key | None, RawMessage | Problem]]:
        """Yield the keyed messages of a session, and what is wrong with it."""
        session = sessions[unit]
        parts, problems = self._parts(session)
        yield from ((None, found) for found in problems)
        entries, leaf = merged(parts)
        root = _lineage(sessions, unit)[-1]
        stored = session.stored or Stored(session.id, "")
        chat = Chat(session.id, root, stored.chat_type, stored.channel)
        for message in messages(chat, entries, leaf):
            place = message.message_id.removeprefix(f"{session.id}:")
            yield Key(f"{session.agent.name}\0{root}\0{place}\0{message.at}"), message

    def _parts(self, session: _Session) -> tuple[list[list[Entry]], list[Problem]]:
        parts: list[list[Entry]] = []
        problems: list[Problem] = []
        if session.stored:
            database = session.agent / "agent" / DATABASE
            found, problems = openclaw_store.entries(database, session.id, self.name)
            parts.append(found)
        for file in session.files:
            part: list[Entry] = []
            known = unknown = 0
            where = f"{session.agent.name}/{file.name}"
            with lines.open_stream(file.path) as stream:
                for item in lines.read(stream):
                    if isinstance(item, lines.Damage):
                        unknown += item.lost and item.code != "nul_block"
                        problems.append(problem(self.name, where, item))
                    elif isinstance(item, lines.Line) and isinstance(item.value, dict):
                        kind = str(item.value.get("type") or "")
                        known += kind in KNOWN
                        unknown += kind not in KNOWN
                        part.append(Entry(session.id, item.value, f"{where}#{item.offset}"))
            if unknown and not known:
                detail = f"a non-empty file whose {unknown} lines have no known shape"
                problems.append(
                    Problem(self.name, "unknown_shape", where, detail, severity="error")
                )
            parts.append(part)
        return parts, problems


def _spoken(
    items: Iterator[tuple[Key | None, RawMessage | Problem]],
) -> Iterator[tuple[Key, RawMessage]]:
    """Leave out what is wrong with a session."""
    return ((k, m) for k, m in items if k and not isinstance(m, Problem))


def _lineage(sessions: Mapping[str, _Session], unit: str) -> list[str]:
    """Return the ids of a session and of those that it goes on with, the first one last."""
    session: _Session | None = sessions[unit]
    found: list[str] = []
    while session and session.id not in found:
        found.append(session.id)
        parent = session.parent
        if parent and parent not in found:
            session = sessions.get(f"{session.agent.name}/{parent}")
            if session is None:
                found.append(parent)
        else:
            session = None
    return found
