"""Consolidation with owner and narrator already given, as the night uses it."""

from __future__ import annotations

import datetime as dt
from collections.abc import Sequence
from dataclasses import replace

from hfea.config import Settings
from hfea.consolidation.assemble import addendum, consolidate
from hfea.consolidation.day import DayWindow
from hfea.consolidation.inputs import DayInput
from hfea.consolidation.llm import Writer
from hfea.episode import Addendum, Episode, Missing
from hfea.night.narrate import Before, Dropped, Pen
from memory_core.model import AuthorKind, Message


def pen_of(settings: Settings, writer: Writer | None = None) -> Pen:
    """Return the narrator that the settings ask for; *writer* is the model's, where one is."""
    name = next(iter(settings.owner.names), "")

    def episode(
        window: DayWindow,
        messages: Sequence[Message],
        missing: Sequence[Missing],
        before: Before,
    ) -> tuple[Episode, Dropped]:
        done = consolidate(_input(window, _named(messages, name), missing), before, writer)
        return done.episode, done.dropped

    def late(
        window: DayWindow, messages: Sequence[Message], on: dt.date, before: Before
    ) -> tuple[Addendum | None, Dropped]:
        return addendum(_input(window, _named(messages, name), ()), on, before, writer)

    return Pen(episode, late)


def _input(window: DayWindow, messages: Sequence[Message], missing: Sequence[Missing]) -> DayInput:
    return DayInput(
        window.day, window.zone, window.start, window.end, tuple(messages), tuple(missing)
    )


def _named(messages: Sequence[Message], name: str) -> list[Message]:
    """Give the owner's name to the owner's words where the source records no author."""
    return [
        replace(m, author=name) if m.author_kind is AuthorKind.OWNER and not m.author else m
        for m in messages
    ]
