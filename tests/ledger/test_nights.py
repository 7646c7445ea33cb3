from __future__ import annotations

import datetime as dt
from typing import Any

import pytest

from hfea.ledger.nights import NightCost, NightKind, NightRow
from hfea.ledger.store import Ledger

MONDAY = dt.date(2026, 3, 2)


def row(day: dt.date = MONDAY, kind: NightKind = NightKind.SEALED, **more: Any) -> NightRow:
    start = dt.datetime(day.year, day.month, day.day, 3, tzinfo=dt.UTC)
    return NightRow(day, kind, "America/Sao_Paulo", start, start + dt.timedelta(days=1), **more)


def test_a_row_comes_back_as_it_was_written(ledger: Ledger, clock: Any) -> None:
    written = row(
        inputs="aa",
        outputs="bb",
        counts={"messages": 3, "event": 2},
        problems=1,
        narrator="llm",
        cost=NightCost(10, 20, 1.5, 0.5, 4_096, 0.02),
        sequence=7,
        head="cc",
        started=ledger.nights.start(MONDAY, "due"),
        at=clock.at,
    )
    ledger.nights.record(written)
    assert ledger.nights.last(MONDAY) == written
    assert ledger.nights.nights(MONDAY) == [written]
    assert ledger.nights.latest() == [written]
    assert ledger.nights.last(MONDAY + dt.timedelta(days=1)) is None


def test_the_days_sealed_and_their_windows_are_those_first_recorded(ledger: Ledger) -> None:
    ledger.nights.record(row(kind=NightKind.FAILED))
    assert ledger.nights.sealed_days() == set()
    first = row()
    ledger.nights.record(first)
    moved = first.end + dt.timedelta(hours=5)
    ledger.nights.record(
        NightRow(MONDAY, NightKind.LATE, "Asia/Tokyo", first.start, moved, inputs="x")
    )
    ledger.nights.record(row(MONDAY + dt.timedelta(days=1), NightKind.EMPTY))
    assert ledger.nights.sealed_days() == {MONDAY}
    assert ledger.nights.empty_days() == {MONDAY + dt.timedelta(days=1)}
    assert ledger.nights.windows()[MONDAY] == (first.start, first.end, "America/Sao_Paulo")
    assert len(ledger.nights.windows()) == 2


def test_a_row_needs_a_real_window_and_real_counts() -> None:
    start = dt.datetime(2026, 3, 2, tzinfo=dt.UTC)
    with pytest.raises(ValueError, match="window"):
        NightRow(MONDAY, NightKind.NOOP, "UTC", start, start - dt.timedelta(1))
    with pytest.raises(ValueError, match="negative"):
        row(counts={"messages": -1})


def test_o19_a_start_that_nothing_followed_shows_three_nights_in_a_row(
    ledger: Ledger, clock: Any
) -> None:
    for night in range(3):
        ledger.nights.start(MONDAY + dt.timedelta(days=night))
        clock.pass_by(days=1)
    assert [day for _, day, _ in ledger.nights.unfinished()] == [
        MONDAY + dt.timedelta(days=night) for night in range(3)
    ]
    tally = ledger.nights.tally()
    assert (tally.started, tally.unfinished, tally.finished, tally.days) == (3, 3, 0, 0)


def test_o19_days_with_messages_and_no_episode_are_overdue_once_24_hours_old(
    ledger: Ledger,
) -> None:
    heard = {MONDAY + dt.timedelta(days=n): 5 for n in range(4)}
    ledger.nights.record(row(MONDAY))
    ledger.nights.record(
        row(MONDAY + dt.timedelta(days=1), NightKind.FAILED, error="disk_full: no space")
    )
    late = ledger.nights.overdue(heard, today=MONDAY + dt.timedelta(days=4))
    assert [(o.day.day, o.messages, o.last, o.error) for o in late] == [
        (3, 5, NightKind.FAILED, "disk_full: no space"),
        (4, 5, None, ""),
    ]
