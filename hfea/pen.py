"""Consolidation with owner and narrator already given, as the night uses it."""

from __future__ import annotations

import datetime as dt
from collections.abc import Sequence

from hfea.config import Settings
from hfea.consolidation.assemble import addendum, consolidate
from hfea.consolidation.day import DayWindow
from hfea.consolidation.inputs import DayInput
from hfea.episode import Addendum, Episode, Missing
from hfea.night.narrate import Before, Dropped, Pen
from memory_core.model import Message


def pen_of(settings: Settings) -> Pen:
    """Return the narrator that the settings ask for."""
    del settings  # the extractive narrator has nothing to set

    def episode(
        window: DayWindow,
        messages: Sequence[Message],
        missing: Sequence[Missing],
        before: Before,
    ) -> tuple[Episode, Dropped]:
        done = consolidate(_input(window, messages, missing), before)
        return done.episode, done.dropped

    def late(
        window: DayWindow, messages: Sequence[Message], on: dt.date, before: Before
    ) -> tuple[Addendum | None, Dropped]:
        return addendum(_input(window, messages, ()), on, before)

    return Pen(episode, late)


def _input(window: DayWindow, messages: Sequence[Message], missing: Sequence[Missing]) -> DayInput:
    return DayInput(
        window.day, window.zone, window.start, window.end, tuple(messages), tuple(missing)
    )
