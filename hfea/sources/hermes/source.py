"""One Hermes home as a Source: fingerprints first, then only the sessions that changed."""

from __future__ import annotations

import re
import sqlite3
from array import array
from collections import defaultdict
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from hfea.sources import sqlite_reading
from hfea.sources.base import Item, Problem, RawMessage, SessionState
from hfea.sources.hermes import lineage, outline, plan, rows, salvage
from hfea.sources.hermes.lineage import Aligned, Relation
from hfea.sources.hermes.outline import Outline
from hfea.sources.hermes.plan import Plan, Wish
from hfea.sources.hermes.rows import NotHermes, Row, Session
from hfea.sources.hermes.turns import Frame, turns

DATABASE = "state.db"
SESSION_OPEN = "session_open"
_PROFILE = re.compile(r"[a-z0-9][a-z0-9_-]{0,63}\Z")
_FEW = 3  # rows below which a shrunk session is no alarm
_TROUBLE = (sqlite3.Error, OSError, sqlite_reading.SourceBusy)


@dataclass
class HermesSource:
    """The history of one Hermes home (or of one `state.db`); see hfea.sources.base.Source.

    Messages of a session come in the order of their row ids, which is their true order; copies
    that a compaction made are dropped, their first occurrence stays. A session whose rows were
    replaced (new ids, same content) gives the same (session, role, content) in the same order.
    `full` adds a hash over all content to the comparison, which also finds same-length edits.
    The last message of a session whose end was never recorded has the mark `session_open`.
    Memory: an outline of a few hundred bytes for each row of one session, and the text of
    one stretch of its rows (outline.CHUNK_ROWS, outline.CHUNK_CHARACTERS).
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
            found = self._plan(Wish(self.name, place, known, wanted, self.full))
        except FileNotFoundError:
            detail = "the source is not there; its days are kept and nothing new can be read"
            yield Problem(self.name, "source_missing", place, detail, severity="error")
            return
        except NotHermes:
            detail = "a database without Hermes's tables of sessions and messages"
            yield Problem(self.name, "unknown_shape", place, detail, severity="error")
            return
        except _TROUBLE as error:
            detail = f"cannot be read: {error}"
            yield Problem(self.name, "unreadable", place, detail, severity="error")
            return
        yield from found.problems
        for session in found.changed:
            yield from self._session(session, found, known.get(session.id))

    def _plan(self, wish: Wish) -> Plan:
        try:
            return sqlite_reading.read(self.database, lambda db: plan.make(db, wish))
        except sqlite3.DatabaseError as error:
            if not salvage.is_damage(error):
                raise
        return sqlite_reading.read(self.database, lambda db: plan.make_of_damaged(db, wish))

    def _session(
        self, session: Session, found: Plan, before: SessionState | None
    ) -> Iterator[Item]:
        messages = 0
        try:
            for message in _last_is_open(self._messages(session, found), session):
                messages += 1
                yield message
                if message.at is None:
                    detail = "a message without a usable time"
                    yield Problem(self.name, "unusable_time", message.where, detail)
        except _TROUBLE as error:
            detail = f"this session cannot be read: {error}"
            yield Problem(self.name, "unreadable", session.id, detail, severity="error")
            return
        yield from found.late
        found.late.clear()
        fingerprint, count = found.now[session.id]
        previous = _rows_before(before)
        if previous - count >= _FEW:
            detail = f"it held {previous} rows before and holds {count} now"
            yield Problem(self.name, "source_shrank", session.id, detail, severity="error")
        yield SessionState(session.id, fingerprint, str(count), (session.id,), messages)

    def _messages(self, session: Session, found: Plan) -> Iterator[RawMessage]:
        relation = lineage.relation(session, found.sessions)
        chain = lineage.ancestors(session, found.sessions)
        history = self._before(chain, found)
        generation = found.own[chain[0].id][1] if chain else []
        before = generation if relation is Relation.COMPRESSION else []
        outlines, kept = self._outlines(session, found)
        aligned, _ = lineage.align(outlines, before)
        if relation is Relation.BRANCH:
            aligned = lineage.without_prefix(aligned, history)
        conversation = lineage.conversation(session, chain, found.sessions)
        frame = Frame(session, relation, conversation, DATABASE)
        yield from turns(frame, self._rows(aligned, kept), frozenset(history))

    def _before(self, chain: Sequence[Session], found: Plan) -> list[bytes]:
        """Return the keys of what was said before, and leave them in the plan by session."""
        history: list[bytes] = []
        generation: list[bytes] = []
        for ancestor in reversed(chain):
            if ancestor.id not in found.own:
                outlines, _ = self._outlines(ancestor, found)
                own, after = lineage.align(outlines, generation)
                found.own[ancestor.id] = ([a.row.key() for a in own], after)
            keys, generation = found.own[ancestor.id]
            history += keys
        return history

    def _outlines(self, session: Session, found: Plan) -> tuple[list[Outline], dict[int, Row]]:
        """Return the outlines of a session, by the source's index while that is whole.

        The rows of a short one come with them.
        """
        count = found.now.get(session.id, ("", 0))[1]
        if not found.ids:
            try:
                return sqlite_reading.read(
                    self.database, lambda db: outline.by_session(db, session.id, count)
                )
            except sqlite3.DatabaseError as error:
                if not salvage.is_damage(error):
                    raise
            found.ids.update(sqlite_reading.read(self.database, _ids))
            place = str(self.database)
            found.late.append(plan.damaged_index(self.name, place, "the index of messages"))
        ids = found.ids.get(session.id, ())
        read, lost = sqlite_reading.read(self.database, lambda db: outline.by_id(db, ids))
        if lost:
            what = f"{len(lost)} rows of this session from row {lost[0]} on"
            found.late.append(plan.damaged_pages(self.name, session.id, what))
        return read, {}

    def _rows(
        self, aligned: Sequence[Aligned[Outline]], kept: dict[int, Row]
    ) -> Iterator[Aligned[Row]]:
        """Yield the rows of outlines, a stretch at a time, each in a short transaction.

        A row that went meanwhile is left out; the next pass finds the session changed.
        """
        for stretch in outline.chunks([a.row.size for a in aligned]):
            ids = [a.row.id for a in aligned[stretch]]
            found = kept or self._read_rows(ids)
            for one in aligned[stretch]:
                if one.row.id in found:
                    yield Aligned(found[one.row.id], one.undone)

    def _read_rows(self, ids: Sequence[int]) -> dict[int, Row]:
        return sqlite_reading.read(self.database, lambda db: rows.by_id(db, ids))


def _ids(db: sqlite3.Connection) -> dict[str, array[int]]:
    """Return the ids of every session's rows in one pass over the table, without its indexes."""
    found: dict[str, array[int]] = defaultdict(lambda: array("q"))
    for number, sid in db.execute("SELECT id, session_id FROM messages NOT INDEXED ORDER BY id"):
        found[str(sid)].append(number)
    return dict(found)


def _last_is_open(messages: Iterator[RawMessage], session: Session) -> Iterator[RawMessage]:
    """Mark the last of *messages* where the end of their session was never recorded."""
    held: RawMessage | None = None
    for message in messages:
        if held is not None:
            yield held
        held = message
    if held is not None:
        yield replace(held, marks=held.marks | {SESSION_OPEN}) if session.open else held


def _rows_before(before: SessionState | None) -> int:
    return int(before.cursor) if before and before.cursor.isdigit() else 0


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
