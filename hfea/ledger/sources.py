"""How far each source has been read; state that is replaced, not events."""

from __future__ import annotations

import datetime as dt
import json
from collections.abc import Iterable
from dataclasses import dataclass

from hfea.ledger.desk import Desk, moment, stamp
from hfea.sources.base import Problem, SessionState


@dataclass(frozen=True, slots=True)
class SourceStatus:
    """One source as last seen: its stamp, since when it is missing, when it was last there."""

    name: str
    stamp: str
    missing_since: dt.datetime | None
    seen_at: dt.datetime | None


@dataclass(frozen=True, slots=True)
class NotedProblem:
    """A problem and how often it came: the same trouble every night is one row (case O04)."""

    problem: Problem
    times: int
    first_at: dt.datetime
    last_at: dt.datetime


class Sources:
    """Reading state of the sources."""

    def __init__(self, desk: Desk) -> None:
        self._desk = desk

    def states(self, source: str) -> dict[str, SessionState]:
        """Return the state of every unit of *source*, by unit."""
        found = self._desk.rows(
            "SELECT unit, fingerprint, cursor, sessions, messages FROM source_state"
            " WHERE source = ?",
            source,
        )
        return {
            unit: SessionState(unit, fingerprint, cursor, tuple(json.loads(sessions)), messages)
            for unit, fingerprint, cursor, sessions, messages in found
        }

    def save(self, source: str, states: Iterable[SessionState]) -> None:
        """Replace the states of these units, all or none."""
        with self._desk.writing() as db:
            db.executemany(
                "INSERT OR REPLACE INTO source_state VALUES (?, ?, ?, ?, ?, ?)",
                [
                    (source, s.unit, s.fingerprint, s.cursor, json.dumps(s.sessions), s.messages)
                    for s in states
                ],
            )

    def drop(self, source: str, units: Iterable[str]) -> None:
        """Forget the state of units that are gone from the source."""
        with self._desk.writing() as db:
            db.executemany(
                "DELETE FROM source_state WHERE source = ? AND unit = ?",
                [(source, unit) for unit in units],
            )

    def status(self, source: str) -> SourceStatus:
        """Return what is known of *source*; an unknown one has an empty stamp."""
        found = self._desk.row(
            "SELECT stamp, missing_since, seen_at FROM source WHERE name = ?", source
        )
        if found is None:
            return SourceStatus(source, "", None, None)
        mark, missing, seen = found
        return SourceStatus(
            source, mark, moment(missing) if missing else None, moment(seen) if seen else None
        )

    def present(self, source: str, mark: str) -> None:
        """Record that *source* was there and its cheap fingerprint; ends an absence."""
        with self._desk.writing() as db:
            db.execute(
                "INSERT OR REPLACE INTO source VALUES (?, ?, NULL, ?)",
                (source, mark, self._desk.now()),
            )

    def missing(self, source: str) -> dt.datetime:
        """Record that *source* is not there; return since when that is so."""
        known = self.status(source)
        since = stamp(known.missing_since) if known.missing_since else self._desk.now()
        with self._desk.writing() as db:
            db.execute(
                "INSERT OR REPLACE INTO source VALUES (?, ?, ?, ?)",
                (source, known.stamp, since, stamp(known.seen_at) if known.seen_at else None),
            )
        return moment(since)

    def note(self, problems: Iterable[Problem]) -> None:
        """Count problems; a repeated one raises its count and adds no row."""
        now = self._desk.now()
        with self._desk.writing() as db:
            db.executemany(
                "INSERT INTO source_problem VALUES (?, ?, ?, ?, ?, 1, ?, ?)"
                " ON CONFLICT DO UPDATE SET times = times + 1, last_at = excluded.last_at",
                [(p.source, p.code, p.where, p.detail, p.severity, now, now) for p in problems],
            )

    def problems(self, source: str = "", since: dt.datetime | None = None) -> list[NotedProblem]:
        """Return the problems of one source (or all) seen at or after *since*, newest first."""
        found = self._desk.rows(
            "SELECT source, code, place, detail, severity, times, first_at, last_at"
            " FROM source_problem WHERE (? = '' OR source = ?) AND last_at >= ?"
            " ORDER BY last_at DESC, source, code, place, detail",
            source,
            source,
            stamp(since) if since else "",
        )
        return [
            NotedProblem(
                Problem(name, code, place, detail, severity=severity),
                times,
                moment(first),
                moment(last),
            )
            for name, code, place, detail, severity, times, first, last in found
        ]
