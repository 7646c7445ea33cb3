"""Model spending by night and day, and the breaker that pauses a failing model."""

from __future__ import annotations

import datetime as dt
from dataclasses import dataclass

from hfea.ledger.desk import Desk, moment

FIRST_PAUSE = dt.timedelta(minutes=1)
LONGEST_PAUSE = dt.timedelta(hours=6)
FAILURES_BEFORE_OPEN = 3


@dataclass(frozen=True, slots=True)
class Spent:
    """What model calls cost: how many, tokens in and out, money at configured prices."""

    calls: int = 0
    tokens_in: int = 0
    tokens_out: int = 0
    money: float = 0.0

    @property
    def tokens(self) -> int:
        """Tokens in and out together."""
        return self.tokens_in + self.tokens_out


@dataclass(frozen=True, slots=True)
class Breaker:
    """Failures in a row of one endpoint, and until when it is left alone."""

    failures: int = 0
    closed_until: dt.datetime | None = None

    def allows(self, now: dt.datetime) -> bool:
        """Whether a call may be tried."""
        return self.closed_until is None or now >= self.closed_until


class Budget:
    """Counters that no restart resets: they are sums over append-only rows (case C13)."""

    def __init__(self, desk: Desk) -> None:
        self._desk = desk

    def spend(self, night: str, day: dt.date, what: str, spent: Spent) -> None:
        """Append one model call's cost: *night* names the run, *day* the calendar day it ran."""
        with self._desk.writing() as db:
            db.execute(
                "INSERT INTO spend (night, day, what, tokens_in, tokens_out, money, at)"
                " VALUES (?, ?, ?, ?, ?, ?, ?)",
                (
                    night,
                    day.isoformat(),
                    what,
                    spent.tokens_in,
                    spent.tokens_out,
                    spent.money,
                    self._desk.now(),
                ),
            )

    def spent_in(self, night: str) -> Spent:
        """Return what a night has cost so far."""
        return self._sum("night", night)

    def spent_on(self, day: dt.date) -> Spent:
        """Return what a calendar day has cost so far."""
        return self._sum("day", day.isoformat())

    def _sum(self, column: str, value: str) -> Spent:
        found = self._desk.rows(
            "SELECT count(*), coalesce(sum(tokens_in), 0), coalesce(sum(tokens_out), 0),"
            f" coalesce(sum(money), 0.0) FROM spend WHERE {column} = ?",
            value,
        )
        return Spent(*found[0])

    def tried(self, name: str, *, worked: bool) -> None:
        """Append how a call to endpoint *name* went."""
        with self._desk.writing() as db:
            db.execute(
                "INSERT INTO breaker (name, worked, at) VALUES (?, ?, ?)",
                (name, int(worked), self._desk.now()),
            )

    def breaker(self, name: str) -> Breaker:
        """Return the breaker of *name*: open after three failures in a row.

        Pauses double from one minute to six hours; one success closes it.
        """
        found = self._desk.rows(
            "SELECT count(*), max(at) FROM breaker WHERE name = ? AND id > coalesce("
            " (SELECT max(id) FROM breaker WHERE name = ? AND worked = 1), 0)",
            name,
            name,
        )
        failures, last = found[0]
        if failures < FAILURES_BEFORE_OPEN:
            return Breaker(failures)
        doublings = min(failures - FAILURES_BEFORE_OPEN, 20)
        pause = min(FIRST_PAUSE * 2**doublings, LONGEST_PAUSE)
        return Breaker(failures, moment(last) + pause)
