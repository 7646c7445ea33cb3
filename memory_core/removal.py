"""What must have passed on this home before anything in a permanent file may get shorter."""

from __future__ import annotations

import datetime as dt

from memory_core import sqlite_kit
from memory_core.authority import Act, Change, Target
from memory_core.layers.permanent import digest_of
from memory_core.proposal_store import ProposalStore

COVERAGE, QA20F, DRILL = "coverage", "qa20f", "drill"
VALID_FOR = dt.timedelta(days=30)
# A text of less than half the length is a removal by another name.
_LEAST_KEPT = 0.5


def shortens(change: Change) -> bool:
    """Whether a change takes from MEMORY.md or USER.md what other layers must then hold."""
    if change.target not in (Target.MEMORY, Target.USER):
        return False
    if change.act is Act.REMOVE:
        return True
    kept = len(change.text.strip()) < _LEAST_KEPT * len(change.old_text.strip())
    return change.act is Act.REPLACE and kept


def record(
    store: ProposalStore, what: str, subject: str, outcome: tuple[bool, str], at: dt.datetime
) -> None:
    """Record that a check passed or failed: *what* is coverage, qa20f or drill.

    *subject* is the entry's digest for coverage, '' for the whole home; outcome (passed, detail).
    """
    passed, detail = outcome
    with sqlite_kit.transaction(store.db):
        store.db.execute(
            "INSERT INTO passed (what, subject, passed, detail, at) VALUES (?, ?, ?, ?, ?)",
            (what, subject, int(passed), detail, at.isoformat()),
        )


def missing(store: ProposalStore, change: Change, now: dt.datetime) -> tuple[str, ...]:
    """Return which checks have not passed, lately, for what *change* would take away."""
    if not shortens(change):
        return ()
    wanted = ((COVERAGE, digest_of(change.old_text)), (QA20F, ""), (DRILL, ""))
    return tuple(what for what, subject in wanted if not _holds(store, what, subject, now))


def _holds(store: ProposalStore, what: str, subject: str, now: dt.datetime) -> bool:
    row = store.db.execute(
        "SELECT passed, at FROM passed WHERE what = ? AND subject = ? ORDER BY id DESC LIMIT 1",
        (what, subject),
    ).fetchone()
    return bool(row and row[0]) and now - dt.datetime.fromisoformat(row[1]) <= VALID_FOR
