"""Which backups may go: the newest stay, then one a week, then one a month."""

from __future__ import annotations

import datetime as dt
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Keeping:
    """How many are kept: the newest ones, and one each for so many weeks and months."""

    newest: int = 7
    weeks: int = 5
    months: int = 12


def to_drop(backups: Iterable[tuple[str, dt.datetime]], keeping: Keeping) -> tuple[str, ...]:
    """Return the names of the backups that may go, oldest first; the newest never does."""
    known = sorted(backups, key=lambda b: (b[1], b[0]), reverse=True)
    kept = {name for name, _ in known[: max(1, keeping.newest)]}
    kept |= _last_of(known, keeping.weeks, lambda at: at.isocalendar()[:2])
    kept |= _last_of(known, keeping.months, lambda at: (at.year, at.month))
    return tuple(name for name, _ in reversed(known) if name not in kept)


def _last_of(
    known: Sequence[tuple[str, dt.datetime]],
    periods: int,
    period: Callable[[dt.datetime], tuple[int, ...]],
) -> set[str]:
    """Return the newest backup of each of the newest periods that have one."""
    found: dict[tuple[int, ...], str] = {}
    for name, at in known:
        found.setdefault(period(at), name)
        if len(found) > periods:
            break
    return set(list(found.values())[:periods])
