"""Which messages have been read already, so that no rewrite of a source counts them twice."""

from __future__ import annotations

import datetime as dt
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple

from hfea.ledger.desk import Desk, stamp

CHUNK_ROWS = 20_000


class Sighting(NamedTuple):
    """One message as a source showed it: ids, hex identity, UTC time, local day, position."""

    message_id: str
    identity: str
    at: dt.datetime | None
    day: dt.date
    position: int


class Seen:
    """The messages of all sources, by session and identity, append-only.

    A message is recognised by its identity (the keyed hash of its content), because sources
    rewrite sessions wholesale under new ids. Equal contents are told apart by counting: the
    second genuine "ok" of a session is the second occurrence of its identity.
    """

    def __init__(self, desk: Desk) -> None:
        self._desk = desk

    def fresh(
        self, source: str, session: str, items: Iterable[Sighting], *, whole: bool | None = None
    ) -> list[Sighting]:
        """Return the items not recorded yet, in order.

        `whole` says whether *items* are the session from its beginning (then identities are
        counted: as many as are recorded are old) or only its continuation (then an item is old
        only where this very id is recorded with this identity). None lets the items show it,
        see `_is_continuation`; a caller that knows says so.
        """
        shown = list(items)
        number = self._session(source, session)
        if number is None or not shown:
            return shown
        recorded = self._recorded(number)
        if whole is None:
            whole = not _is_continuation(shown, recorded)
        ids = Counter((old.message_id, old.identity) for old in recorded)
        if not whole:
            return [item for item in shown if not ids[item.message_id, item.identity]]
        return _beyond(shown, recorded)

    def record(self, source: str, unit: str, session: str, items: Iterable[Sighting]) -> int:
        """Append *items*, which `fresh` returned, in chunked transactions; return how many.

        A crash between two chunks leaves whole rows; `fresh` then returns the rest.
        """
        rows = list(items)
        with self._desk.writing() as db:
            db.execute(
                "INSERT INTO seen_session (source, session) SELECT ?, ? WHERE NOT EXISTS"
                " (SELECT 1 FROM seen_session WHERE source = ? AND session = ?)",
                (source, session, source, session),
            )
            number = db.execute(
                "SELECT id FROM seen_session WHERE source = ? AND session = ?", (source, session)
            ).fetchone()[0]
            db.execute(
                "INSERT INTO seen_unit SELECT ?, ? WHERE NOT EXISTS"
                " (SELECT 1 FROM seen_unit WHERE session = ? AND unit = ?)",
                (number, unit, number, unit),
            )
        for start in range(0, len(rows), CHUNK_ROWS):
            self._append(number, rows[start : start + CHUNK_ROWS])
        return len(rows)

    def _append(self, session: int, rows: Sequence[Sighting]) -> None:
        now = self._desk.now()
        with self._desk.writing() as db:
            known = dict(
                db.execute(
                    "SELECT identity, count(*) FROM seen WHERE session = ? GROUP BY identity",
                    (session,),
                )
            )
            values = []
            for item in rows:
                identity = bytes.fromhex(item.identity)
                nth = known[identity] = known.get(identity, 0) + 1
                at = stamp(item.at) if item.at else None
                day = item.day.isoformat()
                values.append((session, identity, nth, item.message_id, at, day, item.position))
            db.executemany(
                f"INSERT INTO seen VALUES (?, ?, ?, ?, ?, ?, ?, '{now}')",
                values,
            )

    def _session(self, source: str, session: str) -> int | None:
        found = self._desk.row(
            "SELECT id FROM seen_session WHERE source = ? AND session = ?", source, session
        )
        return int(found[0]) if found else None

    def _recorded(self, session: int) -> list[Sighting]:
        found = self._desk.rows(
            "SELECT message_id, identity, at, day, position FROM seen WHERE session = ?"
            " ORDER BY position, nth",
            session,
        )
        return [
            Sighting(
                message_id,
                identity.hex(),
                dt.datetime.fromisoformat(at) if at else None,
                dt.date.fromisoformat(day),
                position,
            )
            for message_id, identity, at, day, position in found
        ]

    def days_of(self, source: str) -> set[dt.date]:
        """Return the days that have messages of *source*."""
        found = self._desk.rows(
            "SELECT DISTINCT day FROM seen JOIN seen_session ON seen_session.id = seen.session"
            " WHERE source = ?",
            source,
        )
        return {dt.date.fromisoformat(day) for (day,) in found}

    def days(self) -> list[dt.date]:
        """Return the days that have any message, oldest first; one index lookup a day."""
        found = self._desk.rows(
            "WITH RECURSIVE step (day) AS (SELECT min(day) FROM seen UNION ALL"
            " SELECT (SELECT min(day) FROM seen WHERE day > step.day) FROM step"
            " WHERE step.day IS NOT NULL) SELECT day FROM step WHERE day IS NOT NULL"
        )
        return [dt.date.fromisoformat(day) for (day,) in found]

    def sessions_on(self, day: dt.date) -> set[tuple[str, str, str]]:
        """Return (source, unit, session) of every session with messages on *day*."""
        found = self._desk.rows(
            "SELECT DISTINCT source, unit, seen_session.session FROM seen"
            " JOIN seen_session ON seen_session.id = seen.session"
            " JOIN seen_unit ON seen_unit.session = seen.session WHERE day = ?",
            day.isoformat(),
        )
        return {(source, unit, session) for source, unit, session in found}

    def counts_by_day(self) -> dict[dt.date, int]:
        """Return how many messages are recorded on each day that has any, in order of days."""
        found = self._desk.rows("SELECT day, count(*) FROM seen GROUP BY day ORDER BY day")
        return {dt.date.fromisoformat(day): count for day, count in found}

    def first_seen_since(self, day: dt.date, since: dt.datetime) -> int:
        """Return how many messages of *day* were recorded at or after *since*."""
        found = self._desk.rows(
            "SELECT count(*) FROM seen WHERE day = ? AND first_seen >= ?",
            day.isoformat(),
            stamp(since),
        )
        return int(found[0][0])


def _beyond(shown: Sequence[Sighting], recorded: Sequence[Sighting]) -> list[Sighting]:
    """Return the occurrences of each identity beyond those recorded.

    Which of several equal ones is old: first the one with a recorded id, then the one with a
    recorded time, then the earliest.
    """
    spare = Counter(old.identity for old in recorded)
    ids = {(old.message_id, old.identity) for old in recorded}
    times = {(old.at, old.identity) for old in recorded}
    by_id = [i for i, item in enumerate(shown) if (item.message_id, item.identity) in ids]
    by_time = [i for i, item in enumerate(shown) if (item.at, item.identity) in times]
    old: set[int] = set()
    for index in (*by_id, *by_time, *range(len(shown))):
        identity = shown[index].identity
        if index not in old and spare[identity] > 0:
            spare[identity] -= 1
            old.add(index)
    return [item for index, item in enumerate(shown) if index not in old]


def _is_continuation(shown: Sequence[Sighting], recorded: Sequence[Sighting]) -> bool:
    """Whether *shown* goes on where the recorded messages end, and repeats none of them.

    A session read whole shows recorded ids again or, rewritten under new ids, its old beginning
    or some three messages in a row. A continuation lies after every recorded position, or time.
    """
    if not recorded:
        return False
    ids = {(old.message_id, old.identity) for old in recorded}
    if any((item.message_id, item.identity) in ids for item in shown):
        return False
    after = min(item.position for item in shown) > max(old.position for old in recorded)
    return (after or _is_later(shown, recorded)) and not _repeats(shown, recorded)


def _is_later(shown: Sequence[Sighting], recorded: Sequence[Sighting]) -> bool:
    new, old = ([item.at for item in items if item.at] for items in (shown, recorded))
    return bool(old) and len(new) == len(shown) and min(new) > max(old)


def _repeats(shown: Sequence[Sighting], recorded: Sequence[Sighting]) -> bool:
    new, old = ([item.identity for item in items] for items in (shown, recorded))
    if not set(_triples(new)).isdisjoint(_triples(old)):
        return True
    if new[0] != old[0]:
        return False
    if shown[0].at is None or shown[0].at == recorded[0].at:
        return True
    return new[1:2] == old[1:2] != []


def _triples(identities: Sequence[str]) -> Iterator[tuple[str, str, str]]:
    return zip(identities, identities[1:], identities[2:], strict=False)
