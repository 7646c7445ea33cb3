"""What a pass will do, decided as values before anything is done."""

from __future__ import annotations

import datetime as dt
from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass
from enum import StrEnum

from hfea.consolidation.day import DayWindow


class Act(StrEnum):
    """What is done with a day."""

    SEAL = "seal"
    ADD = "add"
    EMPTY = "empty"


@dataclass(frozen=True, slots=True)
class Step:
    """One day's work and how many messages it is about."""

    act: Act
    window: DayWindow
    messages: int = 0

    @property
    def day(self) -> dt.date:
        """The local day."""
        return self.window.day


@dataclass(frozen=True, slots=True)
class Known:
    """What the ledger says of the days: those with an episode, those known to be empty."""

    sealed: Collection[dt.date]
    empty: Collection[dt.date]


def plan(
    closed: Iterable[DayWindow],
    known: Known,
    heard: Mapping[dt.date, int],
    *,
    absent: Collection[dt.date] = (),
) -> Iterator[Step]:
    """Compare the closed days with what was heard for them; oldest first.

    *heard* are messages waiting for each day: all of an unsealed one, only the new of a sealed
    one. *absent* are days that a source now missing might have covered: they are never called
    empty, they get an episode that says what is missing.
    """
    for window in sorted(closed, key=lambda w: w.day):
        waiting = heard.get(window.day, 0)
        if window.day in known.sealed:
            if waiting:
                yield Step(Act.ADD, window, waiting)
        elif waiting or window.day in absent:
            yield Step(Act.SEAL, window, waiting)
        elif window.day not in known.empty:
            yield Step(Act.EMPTY, window)
