"""The only place that reads the clock; everything else is given the time."""

from __future__ import annotations

import datetime as dt
import time
from typing import Protocol


class Clock(Protocol):
    """Tells the time; tests inject one that they move by hand."""

    def now(self) -> dt.datetime:
        """Return the present moment in UTC."""
        ...

    def monotonic(self) -> float:
        """Return seconds of a clock that never runs backwards."""
        ...


class SystemClock:
    """The machine's own clock."""

    def now(self) -> dt.datetime:
        """Return the present moment in UTC."""
        return dt.datetime.now(dt.UTC)

    def monotonic(self) -> float:
        """Return seconds of a clock that never runs backwards."""
        return time.monotonic()
