"""What may be written down only once late messages are sealed, so that a crash loses none."""

from __future__ import annotations

import datetime as dt
from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass

from hfea.ledger.seen import Sighting
from hfea.ledger.store import Ledger
from hfea.sources.base import SessionState


@dataclass(frozen=True, slots=True)
class Owed:
    """What may be written down only once a day's late messages are sealed."""

    source: str
    unit: str
    sightings: Mapping[str, tuple[Sighting, ...]]
    state: SessionState | None

    def days(self) -> set[dt.date]:
        """Return the days that must be sealed first."""
        return {s.day for group in self.sightings.values() for s in group}


def pay(ledger: Ledger, owed: Iterable[Owed], sealed: Collection[dt.date]) -> list[Owed]:
    """Write down what was owed to *sealed* days; return what is still owed.

    A unit's reading state is saved only when all its late messages are sealed, so that a
    crash in between reads the unit again and loses none.
    """
    left = []
    for debt in owed:
        done: dict[str, list[Sighting]] = {}
        rest: dict[str, tuple[Sighting, ...]] = {}
        for session, group in debt.sightings.items():
            done[session] = [s for s in group if s.day in sealed]
            if others := tuple(s for s in group if s.day not in sealed):
                rest[session] = others
        with ledger.together():
            for session, ready in done.items():
                if ready:
                    ledger.seen.record(debt.source, debt.unit, session, ready)
            if not rest and debt.state is not None:
                ledger.sources.save(debt.source, [debt.state])
        if rest:
            left.append(Owed(debt.source, debt.unit, rest, debt.state))
    return left
