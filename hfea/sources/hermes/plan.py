"""What one pass over a Hermes database has to read: sessions, their prints, what went wrong."""

from __future__ import annotations

import re
import sqlite3
from array import array
from collections.abc import Collection, Mapping
from dataclasses import dataclass, field

from hfea.sources.base import Problem, SessionState
from hfea.sources.hermes import lineage, rows, salvage
from hfea.sources.hermes.rows import Session

SCHEMA = "messages-2"  # changes when the same rows would give other messages
_PLAIN_WORD = re.compile(r"[A-Za-z]{3,30}")


@dataclass(frozen=True)
class Wish:
    """Whose database it is, what is known of it, and what must be read in any case."""

    source: str
    place: str
    known: Mapping[str, SessionState]
    wanted: Collection[str]
    full: bool


@dataclass(frozen=True)
class Plan:
    """The sessions of a database, those to be read, and (fingerprint, rows) of each.

    `ids` holds the rows of each session where indexes or pages are damaged; it is filled only
    then, with a report in `late`. `own` keeps, for sessions that others continue, the keys of
    their rows that are no copies, and of their last generation.
    """

    sessions: dict[str, Session]
    changed: list[Session]
    now: dict[str, tuple[str, int]]
    problems: list[Problem]
    ids: dict[str, array[int]] = field(default_factory=dict)
    late: list[Problem] = field(default_factory=list)
    own: dict[str, tuple[list[bytes], list[bytes]]] = field(default_factory=dict)


def make(db: sqlite3.Connection, wish: Wish) -> Plan:
    """Compare the database with what is known; raise NotHermes, or DatabaseError on damage."""
    rows.check(db)
    sessions, prints = rows.sessions(db), rows.fingerprints(db)
    hashes = rows.content_hashes(db) if wish.full else {}
    plan = _compared(wish, sessions, prints, hashes)
    plan.problems.extend(_damaged_search(db, wish))
    return plan


def make_of_damaged(db: sqlite3.Connection, wish: Wish) -> Plan:
    """Compare what can still be read of a database with damaged pages."""
    rows.check(db)
    left = salvage.salvage(db)
    plan = _compared(wish, left.sessions, left.prints, {})
    plan.ids.update(left.ids)
    for what, lost in (("messages", left.lost), ("sessions", left.lost_sessions)):
        if lost.ids:
            rows_lost = f"up to {lost.ids} rows of {what} from row {lost.first} on"
            plan.problems.append(damaged_pages(wish.source, wish.place, rows_lost))
    if not (left.lost.ids or left.lost_sessions.ids):
        plan.problems.append(damaged_index(wish.source, wish.place, "an index"))
    return plan


def damaged_pages(source: str, place: str, lost: str) -> Problem:
    """Return the report of rows that are lost to damaged pages."""
    detail = f"damaged pages: {lost} cannot be read; all others are; nothing is repaired here"
    return Problem(source, "damaged_pages", place, detail, severity="error")


def damaged_index(source: str, place: str, what: str) -> Problem:
    """Return the report of an index that is damaged while the messages can be read."""
    detail = f"{what} of the source is damaged; the messages are read without it"
    return Problem(source, "damaged_index", place, detail)


def _compared(
    wish: Wish,
    sessions: dict[str, Session],
    prints: Mapping[str, tuple[str, int]],
    hashes: Mapping[str, str],
) -> Plan:
    plan = Plan(sessions, [], {}, _losses(wish, prints))
    for sid in prints:
        sessions.setdefault(sid, _orphan(sid))
    for sid, (found, count) in sorted(prints.items()):
        session, before = sessions[sid], wish.known.get(sid)
        full = hashes.get(sid) or _kept_hash(before, found)
        place = _place(session, sessions)
        plan.now[sid] = (f"{SCHEMA}|{found}|{session.end_reason}|{place}|{full}", count)
        if before is None or before.fingerprint != plan.now[sid][0] or sid in wish.wanted:
            plan.changed.append(session)
    return plan


def _place(session: Session, sessions: Mapping[str, Session]) -> str:
    """Return what a session is to its parent, which its parent's end may change."""
    if not session.parent:
        return ""
    chain = lineage.ancestors(session, sessions)
    first = lineage.conversation(session, chain, sessions)
    return f"{session.parent}:{lineage.relation(session, sessions)}:{first}"


def _losses(wish: Wish, prints: Mapping[str, tuple[str, int]]) -> list[Problem]:
    had = {sid for sid, s in wish.known.items() if s.messages}
    if had and not prints:
        detail = f"{len(had)} sessions were read from it before; it shows no message now"
        return [Problem(wish.source, "source_shrank", wish.place, detail, severity="error")]
    return [
        Problem(
            wish.source,
            "pruned",
            sid,
            f"{wish.known[sid].messages} messages were read from it; the session is gone now",
        )
        for sid in sorted(had - prints.keys())
    ]


def _kept_hash(before: SessionState | None, found: str) -> str:
    """Keep the content hash of an earlier full pass as long as the cheap print is the same."""
    if before is None:
        return ""
    parts = before.fingerprint.split("|")
    return parts[-1] if len(parts) > 1 and parts[1] == found else ""


def _orphan(sid: str) -> Session:
    return Session(sid, "unknown", "", "", "", "", 0.0, None, "", {}, "", "", "")


def _damaged_search(db: sqlite3.Connection, wish: Wish) -> list[Problem]:
    """Report a search table of the source that cannot find what is there; it is never used.

    A word of the newest message is looked up: reading only, and one lookup a table. A table
    whose tokenizer is not to be had here is none of our business.
    """
    query = "SELECT name FROM sqlite_master WHERE sql LIKE 'CREATE VIRTUAL TABLE%fts5%'"
    newest = db.execute("SELECT content FROM messages ORDER BY id DESC LIMIT 1").fetchone()
    word = next(iter(_PLAIN_WORD.findall(str(newest[0]))), "") if newest else ""
    found = []
    for (name,) in db.execute(query).fetchall() if word else ():
        try:
            db.execute(f'SELECT rowid FROM "{name}" WHERE "{name}" MATCH ? LIMIT 1', (f'"{word}"',))
        except sqlite3.DatabaseError as error:
            if salvage.is_damage(error):
                what = f"the search table {name} ({error})"
                found.append(damaged_index(wish.source, wish.place, what))
    return found
