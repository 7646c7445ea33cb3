"""What consolidation is given for a day: its messages, what is missing, and the days before."""

from __future__ import annotations

import datetime as dt
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from hfea.consolidation.day import DayWindow
from hfea.episode import Addendum, Episode, Missing, Statement
from hfea.night.keeper import ArchiveKeeper
from hfea.night.prior import Prior
from memory_core.model import Message

Before = Sequence[tuple[dt.date, Statement]]
Dropped = Mapping[str, int]


@dataclass(frozen=True, slots=True)
class Pen:
    """The two functions of consolidation, with owner and narrator already given."""

    episode: Callable[
        [DayWindow, Sequence[Message], Sequence[Missing], Before], tuple[Episode, Dropped]
    ]
    addendum: Callable[
        [DayWindow, Sequence[Message], dt.date, Before], tuple[Addendum | None, Dropped]
    ]


class DayNarrator:
    """Gives consolidation a day and the days before it; knows what a day already tells."""

    def __init__(self, keeper: ArchiveKeeper, pen: Pen, today: Callable[[], dt.date]) -> None:
        self._keeper, self._pen, self._today = keeper, pen, today
        self._prior = Prior(keeper.days, keeper.statements)

    def episode(
        self, window: DayWindow, messages: Sequence[Message], missing: Sequence[Missing]
    ) -> tuple[Episode, Dropped]:
        """Return the day's episode, and how many statements were dropped, by reason."""
        return self._pen.episode(window, messages, missing, self._prior.before(window.day))

    def addendum(
        self, window: DayWindow, messages: Sequence[Message]
    ) -> tuple[Addendum | None, Dropped]:
        """Return what late messages add; None where the day's files tell of them all already.

        That is so after a crash between the addendum and the ledger's row (invariant 5).
        """
        told = self._keeper.told(window.day)
        new = [m for m in messages if (m.source, m.session_id, m.message_id) not in told]
        if not new:
            return None, {}
        self._prior.forget(window.day)
        before = self._prior.before(window.day)
        return self._pen.addendum(window, new, self._today(), before)
