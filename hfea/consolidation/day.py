"""The one place that decides which local day a moment belongs to."""

from __future__ import annotations

import bisect
import datetime as dt
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from zoneinfo import ZoneInfo

from hfea.errors import UsageError

ONE_DAY = dt.timedelta(days=1)
FIRST_DAY = dt.date(1990, 1, 1)
LAST_DAY = dt.date(2199, 12, 31)
# [0-9], not \d: full-width and other digits name no file of ours (case X07).
_DAY = re.compile(r"[0-9]{4}-[0-9]{2}-[0-9]{2}")


class NoSuchDay(UsageError):
    """A text that should name a day does not."""

    def __init__(self, text: str) -> None:
        super().__init__(
            f"{text[:40]!a} is no date; write it as YYYY-MM-DD, {FIRST_DAY} to {LAST_DAY}"
        )


def parse_day(text: str) -> dt.date:
    """Read `YYYY-MM-DD` and nothing else (no spaces, weeks, wildcards or paths).

    Raises NoSuchDay. Whoever takes a day from outside calls this before touching a file.
    """
    if not _DAY.fullmatch(text):
        raise NoSuchDay(text)
    try:
        day = dt.date.fromisoformat(text)
    except ValueError as error:
        raise NoSuchDay(text) from error
    if not FIRST_DAY <= day <= LAST_DAY:
        raise NoSuchDay(text)
    return day


@dataclass(frozen=True, slots=True)
class DayWindow:
    """One local day as the half-open stretch of UTC it covers, and the zone it was cut in."""

    day: dt.date
    zone: str
    start: dt.datetime
    end: dt.datetime

    def __contains__(self, at: dt.datetime) -> bool:
        return self.start <= at < self.end


def midnight(day: dt.date, zone: ZoneInfo) -> dt.datetime:
    """Return, in UTC, the instant from which the local date is *day* or later for good.

    Where clocks jump over midnight that is the jump itself; where midnight comes twice it is
    the first, unless the date falls back to the day before in between (St. John's, 00:01).
    """
    wall = dt.datetime.combine(day, dt.time())
    early, late = sorted(wall.replace(tzinfo=zone, fold=fold).astimezone(dt.UTC) for fold in (0, 1))
    if early == late:
        return early
    if early.astimezone(zone).replace(tzinfo=None) == wall:
        before = (late - dt.timedelta(microseconds=1)).astimezone(zone)
        return late if before.date() < day else early
    return _jump(day, zone, early, late)


def _jump(day: dt.date, zone: ZoneInfo, early: dt.datetime, late: dt.datetime) -> dt.datetime:
    """Find the second in (early, late] at which the local date reaches *day*."""
    low, high = 0, int((late - early).total_seconds())
    while low < high:
        middle = (low + high) // 2
        at = early + dt.timedelta(seconds=middle)
        if at.astimezone(zone).date() >= day:
            high = middle
        else:
            low = middle + 1
    return early + dt.timedelta(seconds=low)


class Calendar:
    """Cuts time into local days, honouring the windows already recorded.

    A recorded window never moves. Where the zone was changed since, the first day under the
    new zone starts where the last recorded one ended, so it is longer or shorter than usual
    and there is neither a gap nor an overlap (case T06). The process's own TZ has no say.
    """

    def __init__(self, zone: str, recorded: Mapping[dt.date, DayWindow] | None = None) -> None:
        self.zone = zone
        self._info = ZoneInfo(zone)
        self._recorded = dict(recorded or {})
        self._days = sorted(self._recorded)
        self._starts: dict[dt.date, dt.datetime] = {}

    def window(self, day: dt.date) -> DayWindow:
        """Return the window of *day*; start equals end where the day does not exist here."""
        if day in self._recorded:
            return self._recorded[day]
        return DayWindow(day, self.zone, self._start(day), self._start(day + ONE_DAY))

    def day_of(self, at: dt.datetime) -> dt.date:
        """Return the local day that *at* (aware) belongs to."""
        day = at.astimezone(self._info).date()
        while at < self._start(day):
            day -= ONE_DAY
        while at >= self._start(day + ONE_DAY):
            day += ONE_DAY
        return day

    def closed(self, first: dt.date, now: dt.datetime) -> Iterator[DayWindow]:
        """Yield the windows from *first* on that have ended by *now*, oldest first."""
        day = first
        while (window := self.window(day)).end <= now:
            if window.start < window.end:
                yield window
            day += ONE_DAY

    def _start(self, day: dt.date) -> dt.datetime:
        start = self._starts.get(day)
        if start is None:
            start = self._starts[day] = self._cut(day)
        return start

    def _cut(self, day: dt.date) -> dt.datetime:
        if day in self._recorded:
            return self._recorded[day].start
        before, after = self._neighbours(day)
        if before is not None and before.day == day - ONE_DAY:
            return before.end
        start = midnight(day, self._info)
        if before is not None:
            start = max(start, before.end)
        return start if after is None else min(start, after.start)

    def _neighbours(self, day: dt.date) -> tuple[DayWindow | None, DayWindow | None]:
        """Return the last recorded window before *day* and the first one after it."""
        place = bisect.bisect_right(self._days, day)
        before = self._recorded[self._days[place - 1]] if place else None
        after = self._recorded[self._days[place]] if place < len(self._days) else None
        return before, after
