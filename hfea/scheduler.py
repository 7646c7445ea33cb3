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


class Alarm:
    """Calls *ring* at the owner's hour, every day, until closed. Keeps no jobs on disk."""

    def __init__(self, schedule: Schedule, ring: Callable[[], None]) -> None:
        self._scheduler = BackgroundScheduler(
            timezone=ZoneInfo(schedule.zone),
            # The defaults drop a run that is one second late (apscheduler#296).
            job_defaults={"misfire_grace_time": None, "coalesce": True, "max_instances": 1},
        )
        self._scheduler.add_job(ring, trigger(schedule), id="night")

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


def trigger(schedule: Schedule) -> CronTrigger:
    """Return the cron trigger for the owner's hour in the owner's zone."""
    return CronTrigger(
        hour=schedule.at.hour, minute=schedule.at.minute, timezone=ZoneInfo(schedule.zone)
    )
