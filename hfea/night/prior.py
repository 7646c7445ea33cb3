"""What the days before left open: the statements that a new day may revise, answer or close."""

from __future__ import annotations

import datetime as dt
from collections.abc import Callable, Sequence
from functools import lru_cache

from hfea.episode import Statement
from memory_core.model import Theme

REACH = dt.timedelta(days=60)
_LINKED = frozenset(
    {
        Theme.DECISION,
        Theme.REVISION,
        Theme.OPEN_POINT,
        Theme.EXPECTATION,
        Theme.ALTERNATIVE,
        Theme.ATTEMPT,
    }
)


class Prior:
    """Reads sealed days through *read*, keeping what was read for the nights after.

    What it returns is a function of sealed content alone, so a rerun links the same.
    """

    def __init__(
        self,
        days: Callable[[], Sequence[dt.date]],
        read: Callable[[dt.date], Sequence[Statement]],
    ) -> None:
        self._days = days
        self._read = lru_cache(maxsize=2 * REACH.days)(
            lambda day: tuple(s for s in read(day) if s.theme in _LINKED)
        )

    def before(self, day: dt.date) -> tuple[tuple[dt.date, Statement], ...]:
        """Return (day, statement) of the linkable statements of the 60 days before *day*."""
        near = [d for d in self._days() if day - REACH <= d < day]
        return tuple((d, s) for d in sorted(near) for s in self._read(d))

    def forget(self, day: dt.date) -> None:
        """Read again what was appended to *day*."""
        del day
        self._read.cache_clear()
