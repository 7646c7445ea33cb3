"""When each permanent entry was first seen, and which proposal put it there."""

from __future__ import annotations

import datetime as dt
from dataclasses import dataclass
from pathlib import Path

from memory_core import sqlite_kit
from memory_core.layers import permanent
from memory_core.proposal_store import ProposalStore


@dataclass(frozen=True, slots=True)
class Dated:
    """An entry as the index knows it; `proposal` is '' where somebody else wrote it."""

    file: str
    digest: str
    first_seen: dt.datetime
    last_seen: dt.datetime
    gone_at: dt.datetime | None
    proposal: str


def observe(store: ProposalStore, home: Path, now: dt.datetime) -> tuple[Dated, ...]:
    """Look at both files; date what is new, note what is gone; return all that is known."""
    present = {(e.file, e.digest) for e in permanent.entries(home)}
    at = now.isoformat()
    origin = _applied(store)
    with sqlite_kit.transaction(store.db):
        for file, digest in sorted(present):
            store.db.execute(
                "INSERT INTO entry VALUES (?, ?, ?, ?, NULL, ?) ON CONFLICT (file, digest)"
                " DO UPDATE SET last_seen = excluded.last_seen, gone_at = NULL,"
                " proposal = CASE proposal WHEN '' THEN excluded.proposal ELSE proposal END",
                (file, digest, at, at, origin.get(digest, "")),
            )
        for file, digest in store.db.execute(
            "SELECT file, digest FROM entry WHERE gone_at IS NULL"
        ).fetchall():
            if (file, digest) not in present:
                store.db.execute(
                    "UPDATE entry SET gone_at = ? WHERE file = ? AND digest = ?", (at, file, digest)
                )
    return known(store)


def known(store: ProposalStore) -> tuple[Dated, ...]:
    """Return every entry ever seen, by file and first sight."""
    rows = store.db.execute(
        "SELECT file, digest, first_seen, last_seen, gone_at, proposal FROM entry"
        " ORDER BY file, first_seen, digest"
    )
    return tuple(
        Dated(
            file,
            digest,
            dt.datetime.fromisoformat(first),
            dt.datetime.fromisoformat(last),
            dt.datetime.fromisoformat(gone) if gone else None,
            proposal,
        )
        for file, digest, first, last, gone, proposal in rows
    )


def _applied(store: ProposalStore) -> dict[str, str]:
    """Return the proposal that last put each text in place, by the text's digest."""
    found = store.find("s.state = 'applied' AND p.target IN ('memory', 'user') AND p.text <> ''")
    return {permanent.digest_of(p.change.text): p.id for p in found}
