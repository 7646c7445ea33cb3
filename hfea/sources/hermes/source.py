"""One Hermes home as a Source: fingerprints first, then only the sessions that changed."""

from __future__ import annotations

import re
import sqlite3
from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

from hfea.sources import sqlite_reading
from hfea.sources.base import Item, Problem, RawMessage, SessionState
from hfea.sources.hermes import lineage, rows
from hfea.sources.hermes.lineage import Relation
from hfea.sources.hermes.rows import NotHermes, Session
from hfea.sources.hermes.turns import Frame, turns

DATABASE = "state.db"
SCHEMA = "messages-1"  # changes when the same rows would give other messages
_PROFILE = re.compile(r"[a-z0-9][a-z0-9_-]{0,63}\Z")
_PLAIN_WORD = re.compile(r"[A-Za-z]{3,30}")
_FEW = 3  # rows below which a shrunk session is no alarm


@dataclass
class HermesSource:
    """The history of one Hermes home (or of one `state.db`); see hfea.sources.base.Source.

    Messages of a session come in the order of their row ids, which is their true order; copies
    that a compaction made are dropped, their first occurrence stays. `full` adds a hash over
    all content to the comparison, which also finds same-length edits.
    """

    path: Path
    name: str = "hermes:default"
    profile: str = "default"
    full: bool = False

    @property
    def kind(self) -> str:
        """Always `hermes`."""
        return "hermes"

    @property
    def database(self) -> Path:
        """The database file."""
        return self.path if self.path.is_file() else self.path / DATABASE

    def stamp(self) -> str:
        """Return a fingerprint by stat of the database and its -wal; '' when it is missing."""
        found = sqlite_reading.state(self.database)
        return found.text() if found else ""

    def ignored(self) -> tuple[str, ...]:
        """Name copies and caches beside the database that are left alone."""
        folder = self.database.parent
        if not folder.is_dir():
            return ()
        names = sorted(p.name for p in folder.iterdir() if p.name.startswith(f"{DATABASE}."))
        names += [n for n in ("backups", "state-snapshots") if (folder / n).exists()]
        return tuple(names)

    def scan(
        self, known: Mapping[str, SessionState], wanted: Collection[str] = ()
    ) -> Iterator[Item]:
        """Yield what changed; see Source.scan. One unit is one session."""
        place = str(self.database)
        try:
            plan = sqlite_reading.read(self.database, lambda db: self._plan(db, known, wanted))
        except FileNotFoundError:
            detail = "the source is not there; its days are kept and nothing new can be read"
            yield Problem(self.name, "source_missing", place, detail, severity="error")
            return
        except NotHermes:
            detail = "a database without Hermes's tables of sessions and messages"
            yield Problem(self.name, "unknown_shape", place, detail, severity="error")
            return
        except (sqlite3.Error, OSError, sqlite_reading.SourceBusy) as error:
            detail = f"cannot be read: {error}"
            yield Problem(self.name, "unreadable", place, detail, severity="error")
            return
        yield from plan.problems
        for session in plan.changed:
            yield from self._session(session, plan, known.get(session.id))

    def _plan(
        self,
        db: sqlite3.Connection,
        known: Mapping[str, SessionState],
        wanted: Collection[str],
    ) -> _Plan:
        rows.check(db)
        sessions = rows.sessions(db)
        prints = rows.fingerprints(db)
        hashes = rows.content_hashes(db) if self.full else {}
        problems = self._losses(known, prints)
        changed, now = [], {}
        for sid, (found, count) in sorted(prints.items()):
            session = sessions.get(sid) or _orphan(sid)
            sessions[sid] = session
            full = hashes.get(sid) or _kept_hash(known.get(sid), found)
            now[sid] = (f"{SCHEMA}|{found}|{session.end_reason}|{session.parent}|{full}", count)
            before = known.get(sid)
            if before is None or before.fingerprint != now[sid][0] or sid in wanted:
                changed.append(session)
        problems += _damage(db, self.name, str(self.database))
        return _Plan(sessions, changed, now, problems)

    def _losses(
        self, known: Mapping[str, SessionState], prints: Mapping[str, tuple[str, int]]
    ) -> list[Problem]:
        had = {sid for sid, s in known.items() if s.messages}
        if had and not prints:
            detail = f"{len(had)} sessions were read from it before; it shows no message now"
            place = str(self.database)
            return [Problem(self.name, "source_shrank", place, detail, severity="error")]
        return [
            Problem(
                self.name,
                "pruned",
                sid,
                f"{known[sid].messages} messages were read from it; the session is gone now",
            )
            for sid in sorted(had - prints.keys())
        ]

    def _session(
        self, session: Session, plan: _Plan, before: SessionState | None
    ) -> Iterator[Item]:
        try:
            messages, undated = sqlite_reading.read(
                self.database, lambda db: self._messages(db, session, plan)
            )
        except (sqlite3.Error, OSError, sqlite_reading.SourceBusy) as error:
            detail = f"this session cannot be read: {error}"
            yield Problem(self.name, "unreadable", session.id, detail, severity="error")
            return
        yield from messages
        yield from undated
        count = plan.now[session.id][1]
        previous = _rows_before(before)
        if previous - count >= _FEW:
            detail = f"it held {previous} rows before and holds {count} now"
            yield Problem(self.name, "source_shrank", session.id, detail, severity="error")
        yield SessionState(
            session.id, plan.now[session.id][0], str(count), (session.id,), len(messages)
        )

    def _messages(
        self, db: sqlite3.Connection, session: Session, plan: _Plan
    ) -> tuple[list[RawMessage], list[Problem]]:
        relation = lineage.relation(session, plan.sessions)
        chain = lineage.ancestors(session, plan.sessions)
        generation: list[bytes] = []
        history: list[bytes] = []
        for ancestor in reversed(chain):
            own, generation = lineage.align(list(rows.messages(db, ancestor.id)), generation)
            history += [a.row.key() for a in own]
        before = generation if relation is Relation.COMPRESSION else []
        aligned, _ = lineage.align(list(rows.messages(db, session.id)), before)
        if relation is Relation.BRANCH:
            aligned = lineage.without_prefix(aligned, history)
        conversation = chain[-1].id if chain else session.id
        frame = Frame(session, relation, conversation, DATABASE)
        found = list(turns(frame, aligned, frozenset(history)))
        undated = [
            Problem(self.name, "unusable_time", m.where, "a message without a usable time")
            for m in found
            if m.at is None
        ]
        return found, undated


@dataclass(frozen=True)
class _Plan:
    sessions: dict[str, Session]
    changed: list[Session]
    now: dict[str, tuple[str, int]]
    problems: list[Problem]


def _rows_before(before: SessionState | None) -> int:
    return int(before.cursor) if before and before.cursor.isdigit() else 0


def _kept_hash(before: SessionState | None, found: str) -> str:
    """Keep the content hash of an earlier full pass as long as the cheap print is the same."""
    if before is None:
        return ""
    parts = before.fingerprint.split("|")
    return parts[-1] if len(parts) > 1 and parts[1] == found else ""


def _orphan(sid: str) -> Session:
    return Session(sid, "unknown", "", "", "", "", 0.0, None, "", {}, "", "", "")


def _damage(db: sqlite3.Connection, source: str, place: str) -> list[Problem]:
    """Report a search table of the source that cannot find what is there; it is never used.

    A word of the newest message is looked up: reading only, and one lookup a table.
    """
    query = "SELECT name FROM sqlite_master WHERE sql LIKE 'CREATE VIRTUAL TABLE%fts5%'"
    newest = db.execute("SELECT content FROM messages ORDER BY id DESC LIMIT 1").fetchone()
    word = next(iter(_PLAIN_WORD.findall(str(newest[0]))), "") if newest else ""
    found = []
    for (name,) in db.execute(query).fetchall() if word else ():
        try:
            db.execute(f'SELECT rowid FROM "{name}" WHERE "{name}" MATCH ? LIMIT 1', (f'"{word}"',))
        except sqlite3.Error as error:
            detail = f"the source's own search table {name} is damaged ({error}); messages are read"
            found.append(Problem(source, "damaged_index", place, detail))
    return found


def hermes_profiles(home: Path, *, full: bool = False) -> list[HermesSource]:
    """Return the sources of a Hermes home: the root profile, and each below `profiles/`."""
    found = [HermesSource(home, "hermes:default", "default", full)]
    folder = home / "profiles"
    if folder.is_dir():
        found += [
            HermesSource(path, f"hermes:{path.name}", path.name, full)
            for path in sorted(folder.iterdir())
            if _PROFILE.match(path.name) and (path / DATABASE).is_file()
        ]
    return found
