"""Invariant 15, the ledger's part: every count has its whole, and misses are counted."""

from __future__ import annotations

import datetime as dt
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from hfea.clock import SystemClock
from hfea.ledger.nights import NightKind, NightRow, Tally
from hfea.ledger.questions import QuestionResult, QuestionTally
from hfea.ledger.store import FILE_NAME, Ledger
from memory_core.model import VerdictKind

MONDAY = dt.date(2026, 3, 2)
NOON = dt.datetime(2026, 3, 2, 12, tzinfo=dt.UTC)
verdict = st.sampled_from([None, *VerdictKind])
attempt = st.tuples(st.integers(0, 3), st.sampled_from([None, *NightKind]))


@given(verdicts=st.lists(verdict, max_size=12))
@settings(max_examples=30, deadline=None)
def test_inv_15_a_question_without_an_answer_stays_in_the_denominator(
    verdicts: list[VerdictKind | None],
) -> None:
    with (
        TemporaryDirectory() as folder,
        Ledger.open(Path(folder) / FILE_NAME, SystemClock()) as ledger,
    ):
        for number, kind in enumerate(verdicts):
            ledger.questions.ask(f"q{number}", "?", "en")
            if kind:
                opened = kind is VerdictKind.INSUFFICIENT
                result = QuestionResult(kind, "gap", archive_opened=opened)
                ledger.questions.finish(f"q{number}", result)
        tally = ledger.questions.tally()
    assert tally.asked == len(verdicts)
    assert tally.answered == sum(kind is not None for kind in verdicts)
    assert tally.archive_opened == verdicts.count(VerdictKind.INSUFFICIENT)


@given(attempts=st.lists(attempt, max_size=12))
@settings(max_examples=30, deadline=None)
def test_inv_15_nights_that_never_ended_are_counted(
    attempts: list[tuple[int, NightKind | None]],
) -> None:
    with (
        TemporaryDirectory() as folder,
        Ledger.open(Path(folder) / FILE_NAME, SystemClock()) as ledger,
    ):
        for offset, kind in attempts:
            day = MONDAY + dt.timedelta(days=offset)
            started = ledger.nights.start(day)
            if kind:
                ledger.nights.record(NightRow(day, kind, "UTC", NOON, NOON, started=started))
        tally = ledger.nights.tally()
    assert tally.started == len(attempts) == tally.finished + tally.unfinished
    assert tally.unfinished == sum(kind is None for _, kind in attempts)


def test_inv_15_counts_that_do_not_add_up_are_refused() -> None:
    with pytest.raises(ValueError, match="add up"):
        QuestionTally(asked=1, answered=2, archive_opened=0, degraded=0, by_verdict={"error": 2})
    with pytest.raises(ValueError, match="add up"):
        QuestionTally(asked=3, answered=2, archive_opened=0, degraded=0, by_verdict={"error": 1})
    with pytest.raises(ValueError, match="add up"):
        Tally(started=1, unfinished=2, finished=0, by_kind={}, days=0)
