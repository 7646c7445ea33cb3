"""When a night is due and when it may start; APScheduler only wakes the daemon up.

The ledger decides what is due, never the scheduler: a fire too many finds nothing to do, and
a fire missed (sleep, restart, a clock change) is made up for by the daemon's own tick.
"""

from __future__ import annotations

import datetime as dt
from collections.abc import Callable
from dataclasses import dataclass
from types import TracebackType
from typing import Self
from zoneinfo import ZoneInfo

from apscheduler.schedulers.background import BackgroundScheduler
from apscheduler.triggers.cron import CronTrigger

from hfea.consolidation.day import ONE_DAY


@dataclass(frozen=True, slots=True)
class Schedule:
    """The owner's wishes: start at *at* local time, wait for quiet, start anyway at *deadline*."""

    zone: str
    at: dt.time = dt.time(3, 0)
    idle_minutes: float = 10
    deadline: dt.time = dt.time(6, 0)

    def last_fire(self, now: dt.datetime) -> dt.datetime:
        """Return the newest scheduled instant not after *now*, in UTC."""
        zone = ZoneInfo(self.zone)
        day = now.astimezone(zone).date() + ONE_DAY
        while (instant := wall_instant(day, self.at, zone)) > now:
            day -= ONE_DAY
        return instant

    def start_anyway(self, fire: dt.datetime) -> dt.datetime:
        """Return the hard deadline that follows the scheduled instant *fire*, in UTC."""
        zone = ZoneInfo(self.zone)
        day = fire.astimezone(zone).date()
        instant = wall_instant(day, self.deadline, zone)
        return instant if instant > fire else wall_instant(day + ONE_DAY, self.deadline, zone)

    def may_start(self, now: dt.datetime, quiet_seconds: float) -> bool:
        """Return whether a due night starts now: it is quiet, or the hard deadline has passed."""
        if quiet_seconds >= self.idle_minutes * 60:
            return True
        return now >= self.start_anyway(self.last_fire(now))


def wall_instant(day: dt.date, at: dt.time, zone: ZoneInfo) -> dt.datetime:
    """Return when the wall clock shows *at* on *day*, in UTC: once a day, whatever clocks do.

    A time that comes twice counts the first time; one that the clocks jump over counts at the
    jump's other side (02:30 becomes 03:30).
    """
    return dt.datetime.combine(day, at.replace(tzinfo=zone, fold=0)).astimezone(dt.UTC)


class OnceADay(CronTrigger):  # type: ignore[misc]
    """Fires at the owner's hour, once on every local date.

    The library's own arithmetic (3.11) skips a midnight after the clocks go forward, and on the
    night they go back it returns one instant of the repeated hour for ever, which spins its
    thread. So the next instant is found by the same function that says when a night was due.
    """

    def __init__(self, schedule: Schedule) -> None:
        zone = ZoneInfo(schedule.zone)
        super().__init__(hour=schedule.at.hour, minute=schedule.at.minute, timezone=zone)
        self._at, self._zone = schedule.at, zone

    def get_next_fire_time(
        self, previous_fire_time: dt.datetime | None, now: dt.datetime
    ) -> dt.datetime:
        """Return the first instant after *previous_fire_time*, or not before *now*."""
        start = previous_fire_time or now - dt.timedelta(microseconds=1)
        day = start.astimezone(self._zone).date() - ONE_DAY
        while (instant := wall_instant(day, self._at, self._zone)) <= start:
            day += ONE_DAY
        return instant.astimezone(self._zone)


class Alarm:
    """Calls *ring* at the owner's hour, every day, until closed. Keeps no jobs on disk."""

    def __init__(self, schedule: Schedule, ring: Callable[[], None]) -> None:
        self._scheduler = BackgroundScheduler(
            timezone=ZoneInfo(schedule.zone),
            # The defaults drop a run that is one second late (apscheduler#296).
            job_defaults={"misfire_grace_time": None, "coalesce": True, "max_instances": 1},
        )
        self._scheduler.add_job(ring, OnceADay(schedule), id="night")

    def __enter__(self) -> Self:
        self._scheduler.start()
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self._scheduler.shutdown(wait=False)
