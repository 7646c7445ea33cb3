"""One row for every attempt at a day: what it read, wrote, cost, and how it ended."""

from __future__ import annotations

import datetime as dt
import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any

from hfea.ledger.desk import Desk, moment, stamp


class NightKind(StrEnum):
    """How an attempt at a day ended."""

    SEALED = "sealed"
    LATE = "late"
    EMPTY = "empty"
    NOOP = "noop"
    FAILED = "failed"


@dataclass(frozen=True, slots=True)
class NightCost:
    """What an attempt cost: tokens, seconds, bytes written, money at configured prices."""

    tokens_in: int = 0
    tokens_out: int = 0
    wall_seconds: float = 0.0
    cpu_seconds: float = 0.0
    bytes: int = 0
    money: float = 0.0


@dataclass(frozen=True, slots=True)
class NightRow:
    """One finished attempt at a day; `start` and `end` are its UTC window, half-open.

    `inputs` and `outputs` are hex digests. `counts` are whole numbers by name (messages,
    sessions, statements by kind, covered, skipped by reason). `error` is a code and a short
    redacted sentence where the attempt failed. `sequence` and `head` are of its newest seal.
    `started` is the id that `Nights.start` returned. `at` None: now.
    """

    day: dt.date
    kind: NightKind
    zone: str
    start: dt.datetime
    end: dt.datetime
    inputs: str = ""
    outputs: str = ""
    counts: Mapping[str, int] = field(default_factory=dict)
    problems: int = 0
    error: str = ""
    narrator: str = "extractive"
    cost: NightCost = NightCost()
    sequence: int = 0
    head: str = ""
    started: int | None = None
    at: dt.datetime | None = None

    def __post_init__(self) -> None:
        if self.start.tzinfo is None or self.end.tzinfo is None or self.end < self.start:
            msg = "a night's window needs aware times, its end not before its start"
            raise ValueError(msg)
        if any(count < 0 for count in self.counts.values()):
            msg = "a count is never negative"
            raise ValueError(msg)


@dataclass(frozen=True, slots=True)
class Overdue:
    """A day that has messages and no episode, and what the last attempt at it said."""

    day: dt.date
    messages: int
    last: NightKind | None
    error: str = ""


@dataclass(frozen=True, slots=True)
class Tally:
    """Attempts by how they ended; `days` of them have an episode, `unfinished` never ended."""

    started: int
    unfinished: int
    finished: int
    by_kind: Mapping[NightKind, int]
    days: int

    def __post_init__(self) -> None:
        whole = sum(self.by_kind.values()) == self.finished and self.unfinished <= self.started
        if not whole or self.days > self.by_kind.get(NightKind.SEALED, 0):
            msg = f"the ledger's nights do not add up: {self}"
            raise ValueError(msg)


_COLUMNS = (
    "day, kind, zone, window_start, window_end, inputs, outputs, counts, problems, error, "
    "narrator, tokens_in, tokens_out, wall_seconds, cpu_seconds, bytes, money, sequence, head, "
    "started, at"
)
_MARKS = ", ".join("?" * len(_COLUMNS.split(",")))


class Nights:
    """The attempts at days, append-only."""

    def __init__(self, desk: Desk) -> None:
        self._desk = desk

    def start(self, day: dt.date, reason: str = "") -> int:
        """Say that work on *day* begins; a start without a finish is a green light, no work."""
        with self._desk.writing() as db:
            added = db.execute(
                "INSERT INTO night_started (day, reason, at) VALUES (?, ?, ?)",
                (day.isoformat(), reason, self._desk.now()),
            )
            return int(added.lastrowid or 0)

    def record(self, row: NightRow) -> int:
        """Append one finished attempt; return its id."""
        cost = row.cost
        values = (
            row.day.isoformat(),
            row.kind.value,
            row.zone,
            stamp(row.start),
            stamp(row.end),
            row.inputs,
            row.outputs,
            json.dumps(dict(row.counts), sort_keys=True),
            row.problems,
            row.error,
            row.narrator,
            cost.tokens_in,
            cost.tokens_out,
            cost.wall_seconds,
            cost.cpu_seconds,
            cost.bytes,
            cost.money,
            row.sequence,
            row.head,
            row.started,
            stamp(row.at) if row.at else self._desk.now(),
        )
        with self._desk.writing() as db:
            added = db.execute(f"INSERT INTO night ({_COLUMNS}) VALUES ({_MARKS})", values)
            return int(added.lastrowid or 0)

    def nights(self, day: dt.date) -> list[NightRow]:
        """Return the finished attempts at *day*, oldest first."""
        sql = f"SELECT {_COLUMNS} FROM night WHERE day = ? ORDER BY id"
        return [_night(row) for row in self._desk.rows(sql, day.isoformat())]

    def last(self, day: dt.date) -> NightRow | None:
        """Return the newest finished attempt at *day*."""
        found = self.nights(day)
        return found[-1] if found else None

    def latest(self, limit: int = 30) -> list[NightRow]:
        """Return the newest attempts at any day, newest first."""
        sql = f"SELECT {_COLUMNS} FROM night ORDER BY id DESC LIMIT ?"
        return [_night(row) for row in self._desk.rows(sql, limit)]

    def sealed_days(self) -> set[dt.date]:
        """Return the days that have a sealed episode."""
        return self._days("sealed")

    def empty_days(self) -> set[dt.date]:
        """Return the days last recorded as having no sessions, and never sealed."""
        return self._days("empty") - self.sealed_days()

    def _days(self, kind: str) -> set[dt.date]:
        found = self._desk.rows("SELECT DISTINCT day FROM night WHERE kind = ?", kind)
        return {dt.date.fromisoformat(day) for (day,) in found}

    def windows(self) -> dict[dt.date, tuple[dt.datetime, dt.datetime, str]]:
        """Return (start, end, zone) of each sealed or empty day, as first recorded."""
        found = self._desk.rows(
            "SELECT day, window_start, window_end, zone, min(id) FROM night"
            " WHERE kind IN ('sealed', 'empty') GROUP BY day ORDER BY day"
        )
        return {
            dt.date.fromisoformat(day): (moment(start), moment(end), zone)
            for day, start, end, zone, _ in found
        }

    def unfinished(self) -> list[tuple[int, dt.date, dt.datetime]]:
        """Return (id, day, begun at) of the starts that nothing followed, oldest first."""
        found = self._desk.rows(
            "SELECT id, day, at FROM night_started"
            " WHERE NOT EXISTS (SELECT 1 FROM night WHERE night.started = night_started.id)"
            " ORDER BY id"
        )
        return [(number, dt.date.fromisoformat(day), moment(at)) for number, day, at in found]

    def overdue(self, heard: Mapping[dt.date, int], today: dt.date) -> list[Overdue]:
        """Name the days of *heard* (messages by day) over a day old that have no episode.

        A day counts from two days after it: its window has then been closed for 24 hours in
        every zone.
        """
        sealed, late = self.sealed_days(), []
        for day, messages in sorted(heard.items()):
            if messages and day not in sealed and day + dt.timedelta(days=2) <= today:
                last = self.last(day)
                late.append(
                    Overdue(day, messages, last.kind if last else None, last.error if last else "")
                )
        return late

    def tally(self) -> Tally:
        """Count the attempts; raises ValueError where the parts exceed the whole."""
        by_kind = dict(self._desk.rows("SELECT kind, count(*) FROM night GROUP BY kind"))
        started = self._desk.rows("SELECT count(*) FROM night_started")[0][0]
        return Tally(
            started=started,
            unfinished=len(self.unfinished()),
            finished=self._desk.rows("SELECT count(*) FROM night")[0][0],
            by_kind={kind: by_kind.get(kind.value, 0) for kind in NightKind},
            days=len(self.sealed_days()),
        )


def _night(row: tuple[Any, ...]) -> NightRow:
    day, kind, zone, start, end, inputs, outputs, counts, problems, error, narrator = row[:11]
    sequence, head, started, at = row[17:]
    return NightRow(
        day=dt.date.fromisoformat(day),
        kind=NightKind(kind),
        zone=zone,
        start=moment(start),
        end=moment(end),
        inputs=inputs,
        outputs=outputs,
        counts=json.loads(counts),
        problems=problems,
        error=error,
        narrator=narrator,
        cost=NightCost(*row[11:17]),
        sequence=sequence,
        head=head,
        started=started,
        at=moment(at),
    )
