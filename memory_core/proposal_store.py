"""Where proposals are kept: one SQLite file of immutable proposals, their steps and pre-images."""

from __future__ import annotations

import datetime as dt
import json
import sqlite3
from collections.abc import Sequence
from contextlib import AbstractContextManager
from dataclasses import asdict
from pathlib import Path

from memory_core import sqlite_kit
from memory_core.authority import Act, Change, Level, Target
from memory_core.leaning import Definition
from memory_core.model import AuthorKind, Origin
from memory_core.proposal import Cited, Proposal, State
from memory_core.turn import Turn

_TEXTS = ("salt", "text", "old_text", "summary", "claims", "cited", "definitions")
_COLUMNS = (
    "id, act, target, path, profile, text, old_text, claims, digest, level, reasons, definitions,"
    " cited, by, origin, summary, at, expires, pending_file, pending_digest, salt"
)


def _m1_proposals(db: sqlite3.Connection) -> None:
    db.execute(
        "CREATE TABLE proposal (number INTEGER PRIMARY KEY AUTOINCREMENT, id TEXT UNIQUE NOT NULL,"
        " act TEXT NOT NULL, target TEXT NOT NULL, path TEXT NOT NULL, profile TEXT NOT NULL,"
        " text TEXT NOT NULL, old_text TEXT NOT NULL, claims TEXT NOT NULL, digest TEXT NOT NULL,"
        " level TEXT NOT NULL, reasons TEXT NOT NULL, definitions TEXT NOT NULL,"
        " cited TEXT NOT NULL, by TEXT NOT NULL, origin TEXT NOT NULL, summary TEXT NOT NULL,"
        " at TEXT NOT NULL, expires TEXT NOT NULL, pending_file TEXT NOT NULL,"
        " pending_digest TEXT NOT NULL, erased TEXT) STRICT"
    )
    db.execute(
        "CREATE TABLE step (id INTEGER PRIMARY KEY, proposal TEXT NOT NULL REFERENCES proposal(id),"
        " state TEXT NOT NULL, by TEXT NOT NULL, via TEXT NOT NULL, note TEXT NOT NULL,"
        " before TEXT NOT NULL, after TEXT NOT NULL, at TEXT NOT NULL) STRICT"
    )
    db.execute("CREATE INDEX step_by_proposal ON step (proposal, id)")
    db.execute(
        "CREATE TABLE preimage (proposal TEXT PRIMARY KEY REFERENCES proposal(id),"
        " place TEXT NOT NULL, data BLOB, present INTEGER NOT NULL, erased TEXT) STRICT"
    )
    # A proposal never changes but by erasure: what was shown is what is applied.
    unchanged = " AND ".join(
        f"NEW.{c.strip()} IS OLD.{c.strip()}"
        for c in _COLUMNS.split(",")
        if c.strip() not in _TEXTS
    )
    db.execute(
        "CREATE TRIGGER proposal_is_fixed BEFORE UPDATE ON proposal"
        f" WHEN NEW.erased IS NULL OR NOT ({unchanged}) OR NEW.text <> '' OR NEW.old_text <> ''"
        " BEGIN SELECT RAISE(ABORT, 'a proposal may only be erased'); END"
    )
    for table in ("proposal", "step"):
        db.execute(
            f"CREATE TRIGGER {table}_stays BEFORE DELETE ON {table}"
            f" BEGIN SELECT RAISE(ABORT, '{table} keeps its rows'); END"
        )
    db.execute(
        "CREATE TRIGGER step_is_fixed BEFORE UPDATE ON step"
        " BEGIN SELECT RAISE(ABORT, 'step is append-only'); END"
    )


def _m2_entries_and_checks(db: sqlite3.Connection) -> None:
    db.execute(
        "CREATE TABLE entry (file TEXT NOT NULL, digest TEXT NOT NULL, first_seen TEXT NOT NULL,"
        " last_seen TEXT NOT NULL, gone_at TEXT, proposal TEXT NOT NULL,"
        " PRIMARY KEY (file, digest)) STRICT"
    )
    db.execute(
        "CREATE TABLE passed (id INTEGER PRIMARY KEY, what TEXT NOT NULL, subject TEXT NOT NULL,"
        " passed INTEGER NOT NULL, detail TEXT NOT NULL, at TEXT NOT NULL) STRICT"
    )
    db.execute("CREATE INDEX passed_by_what ON passed (what, subject, id)")


def _m3_salts(db: sqlite3.Connection) -> None:
    db.execute("ALTER TABLE proposal ADD COLUMN salt TEXT NOT NULL DEFAULT ''")


STEPS = (_m1_proposals, _m2_entries_and_checks, _m3_salts)


class ProposalStore:
    """The rows; opening makes or migrates the file. Raises sqlite3.Error, NewerSchema."""

    def __init__(self, path: Path | None) -> None:
        self._turn = Turn(path.with_name(path.name + ".lock") if path else None)
        if path is not None:
            path.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
            self.db = sqlite_kit.open_store(path, STEPS)
        else:
            self.db = sqlite_kit.connect(None)
            sqlite_kit.migrate(self.db, STEPS)

    def close(self) -> None:
        """Close the file."""
        self.db.close()

    def alone(self, *, wait: bool = True) -> AbstractContextManager[bool]:
        """Hold the right to decide for a block, so that nobody decides the same thing twice.

        Gives False where another process holds it and *wait* is False. Raises OSError.
        """
        return self._turn.taken(wait=wait)

    def add(self, p: Proposal) -> None:
        """Insert a proposal and its first step, in one transaction."""
        change = p.change
        values = (
            p.id, change.act.value, change.target.value, change.path, change.profile,
            change.text, change.old_text, _json(dict(change.claims)), p.digest,
            p.level.value, _json(p.reasons), _json([asdict(d) for d in p.definitions]),
            _json([asdict(c) for c in p.cited]), p.by, p.origin, p.summary,
            p.at.isoformat(), p.expires.isoformat(), p.pending_file, p.pending_digest, p.salt,
        )  # fmt: skip
        marks = ", ".join("?" * len(values))
        with sqlite_kit.transaction(self.db):
            self.db.execute(f"INSERT INTO proposal ({_COLUMNS}) VALUES ({marks})", values)
            self._step(p.id, p.state, (p.by, p.origin, ""), ("", ""), p.at)

    def step(
        self,
        proposal: str,
        state: State,
        who: tuple[str, str, str],
        digests: tuple[str, str],
        at: dt.datetime,
    ) -> None:
        """Append a step: (by, via, note) and the digests of the file before and after."""
        with sqlite_kit.transaction(self.db):
            self._step(proposal, state, who, digests, at)

    def _step(
        self,
        proposal: str,
        state: State,
        who: tuple[str, str, str],
        digests: tuple[str, str],
        at: dt.datetime,
    ) -> None:
        self.db.execute(
            "INSERT INTO step (proposal, state, by, via, note, before, after, at)"
            " VALUES (?, ?, ?, ?, ?, ?, ?, ?)",
            (proposal, state.value, *who, *digests, at.isoformat()),
        )

    def get(self, proposal: str) -> Proposal | None:
        """Return one proposal as it stands now."""
        found = self.find("p.id = ?", proposal)
        return found[0] if found else None

    def find(self, where: str = "1", *values: object) -> list[Proposal]:
        """Return proposals, oldest first; *where* is SQL of ours, values are bound."""
        columns = ", ".join(f"p.{c.strip()}" for c in _COLUMNS.split(","))
        rows = self.db.execute(
            f"SELECT {columns}, s.state FROM proposal p JOIN step s ON s.id ="
            f" (SELECT max(id) FROM step WHERE proposal = p.id) WHERE {where} ORDER BY p.number",
            values,
        ).fetchall()
        return [_proposal(row) for row in rows]

    def same(self, change: Change) -> list[Proposal]:
        """Return the proposals of the very same change, oldest first."""
        return self.find(
            "p.act = ? AND p.target = ? AND p.path = ? AND p.profile = ? AND p.text = ?"
            " AND p.old_text = ?",
            change.act.value, change.target.value, change.path, change.profile, change.text,
            change.old_text,
        )  # fmt: skip

    def decided_since(self, change: Change, at: dt.datetime) -> bool:
        """Whether the very same change was applied, rejected or undone at *at* or later."""
        ids = [p.id for p in self.same(change)]
        marks = ", ".join("?" * len(ids))
        row = self.db.execute(
            f"SELECT max(at) FROM step WHERE proposal IN ({marks})"
            " AND state IN ('applied', 'rejected', 'undone')",
            ids,
        ).fetchone()
        return row[0] is not None and dt.datetime.fromisoformat(row[0]) >= at

    def last_digests(self, proposal: str, state: State) -> tuple[str, str]:
        """Return the digests recorded with the newest step of that state; '' for none."""
        row = self.db.execute(
            "SELECT before, after FROM step WHERE proposal = ? AND state = ?"
            " ORDER BY id DESC LIMIT 1",
            (proposal, state.value),
        ).fetchone()
        return (row[0], row[1]) if row else ("", "")

    def keep_preimage(self, proposal: str, place: str, data: bytes | None) -> None:
        """Keep what a file held before a change; None for a file that was not there."""
        with sqlite_kit.transaction(self.db):
            self.db.execute(
                "INSERT INTO preimage VALUES (?, ?, ?, ?, NULL) ON CONFLICT (proposal)"
                " DO UPDATE SET data = excluded.data, present = excluded.present, erased = NULL",
                (proposal, place, data, data is not None),
            )

    def preimage(self, proposal: str) -> tuple[bool, bytes | None]:
        """Return (kept, data); kept is False where there is none or it was erased."""
        row = self.db.execute(
            "SELECT data, present, erased FROM preimage WHERE proposal = ?", (proposal,)
        ).fetchone()
        if row is None or row[2] is not None:
            return False, None
        return True, bytes(row[0]) if row[1] else None

    def holding(self, words: str) -> list[str]:
        """Return the ids of the proposals that hold *words*, themselves or in a pre-image."""
        rows = self.db.execute(
            "SELECT p.id FROM proposal p LEFT JOIN preimage i ON i.proposal = p.id WHERE"
            " instr(p.text || p.old_text || p.summary || p.cited || p.claims || p.definitions, ?)"
            " OR instr(p.cited || p.claims || p.definitions, ?) OR instr(i.data, ?)",
            (words, _json(words)[1:-1], words.encode()),
        ).fetchall()
        return [str(row[0]) for row in rows]

    def erase(self, ids: Sequence[str], at: dt.datetime) -> int:
        """Blank the texts and pre-images of proposals for good; return how many."""
        with sqlite_kit.transaction(self.db):
            # Hashes of entries that are gone could confirm a guess; whose they are is unknown.
            self.db.execute("DELETE FROM entry WHERE gone_at IS NOT NULL")
            self.db.execute("UPDATE passed SET subject = 'erased' WHERE subject <> ''")
            for one in ids:
                self.db.execute(
                    "UPDATE proposal SET text = '', old_text = '', summary = '', claims = '{}',"
                    " cited = '[]', definitions = '[]', salt = '', erased = ? WHERE id = ?",
                    (at.isoformat(), one),
                )
                self.db.execute(
                    "UPDATE preimage SET data = NULL, erased = ? WHERE proposal = ?",
                    (at.isoformat(), one),
                )
        sqlite_kit.checkpoint(self.db)
        return len(ids)


def _json(value: object) -> str:
    """Write JSON in the words themselves, so that erasing can find them."""
    return json.dumps(value, ensure_ascii=False, default=str)


def _proposal(row: Sequence[str]) -> Proposal:
    change = Change(Act(row[1]), Target(row[2]), row[5], row[6], row[3], row[4], json.loads(row[7]))
    return Proposal(
        id=row[0],
        change=change,
        digest=row[8],
        level=Level(row[9]),
        reasons=tuple(json.loads(row[10])),
        definitions=tuple(_definition(d) for d in json.loads(row[11])),
        cited=tuple(Cited(**c) for c in json.loads(row[12])),
        by=row[13],
        origin=row[14],
        summary=row[15],
        at=dt.datetime.fromisoformat(row[16]),
        expires=dt.datetime.fromisoformat(row[17]),
        pending_file=row[18],
        pending_digest=row[19],
        salt=row[20],
        state=State(row[21]),
    )


def _definition(table: dict[str, str]) -> Definition:
    return Definition(
        table["phrase"], table["quote"], table["source"],
        AuthorKind(table["author_kind"]), Origin(table["origin"]),
    )  # fmt: skip
