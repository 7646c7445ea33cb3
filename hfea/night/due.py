"""Whether a night is due: the ledger decides, never the alarm clock."""

from __future__ import annotations

import datetime as dt

from hfea.consolidation.day import ONE_DAY, Calendar, DayWindow
from hfea.ledger.nights import NightKind, NightRow
from hfea.ledger.store import Ledger


def calendar_of(ledger: Ledger, zone: str) -> Calendar:
    """Return the calendar under *zone* that honours every recorded window."""
    windows = ledger.nights.windows().items()
    return Calendar(zone, {day: DayWindow(day, z, a, b) for day, (a, b, z) in windows})


def newest_closed(calendar: Calendar, by: dt.datetime) -> DayWindow:
    """Return the window of the last day that had ended by *by*."""
    day = calendar.day_of(by)
    while (window := calendar.window(day)).end > by or window.start == window.end:
        day -= ONE_DAY
    return window


def due(ledger: Ledger, zone: str, by: dt.datetime) -> bool:
    """Whether the last day that ended by *by* has neither an episode nor an empty row.

    A pass does all older days first, so the newest one speaks for all. A ledger that has
    heard nothing yet is due: somebody has to look.
    """
    day = newest_closed(calendar_of(ledger, zone), by).day
    last = ledger.nights.last(day)
    return last is None or last.kind is NightKind.FAILED


def record_noop(ledger: Ledger, zone: str, by: dt.datetime) -> None:
    """Record that the alarm rang for a day that is done already (case T04)."""
    window = newest_closed(calendar_of(ledger, zone), by)
    ledger.nights.record(
        NightRow(window.day, NightKind.NOOP, window.zone, window.start, window.end)
    )
