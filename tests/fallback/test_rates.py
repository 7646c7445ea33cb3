"""Rates come from the ledger: each with its denominator, feedback and shadows kept apart."""

from __future__ import annotations

import datetime as dt
from collections.abc import Iterator
from pathlib import Path

import pytest

from hfea.fallback.rates import rates
from hfea.ledger.questions import Feedback, QuestionResult, Shadow, UnknownQuestion
from hfea.ledger.store import Ledger
from memory_core.model import VerdictKind

NOW = dt.datetime(2026, 10, 14, 12, tzinfo=dt.UTC)


class FixedClock:
    """A clock that stands still."""

    def now(self) -> dt.datetime:
        return NOW

    def monotonic(self) -> float:
        return 0.0


@pytest.fixture
def ledger(tmp_path: Path) -> Iterator[Ledger]:
    with Ledger.open(tmp_path / "ledger.sqlite", FixedClock()) as opened:
        yield opened


def _asked(ledger: Ledger, number: str, result: QuestionResult | None, *said: Feedback) -> None:
    ledger.questions.ask(number, f"question {number}", "pt")
    if result is not None:
        ledger.questions.finish(number, result)
    for value in said:
        ledger.questions.feedback(number, value)


CLOSED = QuestionResult(VerdictKind.SUFFICIENT, "grounded", "core", ("covered",))
RESCUED = QuestionResult(
    VerdictKind.INSUFFICIENT,
    "grounded",
    "archive",
    ("missing:why",),
    archive_opened=True,
    tokens_returned=30,
    milliseconds=40.0,
)
GAP = QuestionResult(
    VerdictKind.INSUFFICIENT,
    "gap",
    "",
    ("missing:who",),
    archive_opened=True,
    tokens_returned=10,
    milliseconds=20.0,
)


def test_no_question_gives_no_rate(ledger: Ledger) -> None:
    table = rates(ledger.questions)
    assert (table["asked"], table["answered"]) == (0, 0)
    assert table["all"] == {}
    assert table["cost_per_rescued"] is None


def test_every_rate_counts_what_it_says(ledger: Ledger) -> None:
    _asked(ledger, "a", CLOSED)
    _asked(ledger, "b", CLOSED, Feedback.WRONG)
    _asked(ledger, "c", RESCUED, Feedback.NEEDED)
    _asked(ledger, "d", GAP, Feedback.NOT_NEEDED)
    _asked(ledger, "e", None)
    table = rates(ledger.questions)

    def pair(part: str, name: str) -> tuple[int, int]:
        return table[part][name]["k"], table[part][name]["n"]

    assert (table["asked"], table["answered"]) == (5, 4)
    assert pair("all", "archive_call") == (2, 4)
    assert pair("all", "futile_trigger") == (1, 2)
    assert pair("feedback", "false_trigger") == (1, 2)
    assert pair("feedback", "rescue") == (1, 2)
    assert pair("feedback", "silent_miss") == (1, 1)
    assert pair("feedback", "missed_trigger") == (0, 1)
    assert table["by_reason"]["missing:who"]["all"]["futile_trigger"]["k"] == 1
    assert table["by_day"]["2026-10-14"]["all"]["archive_call"]["n"] == 4
    assert table["by_language"]["pt"]["all"]["archive_call"]["n"] == 4
    assert table["by_verdict"] == {"insufficient": 2, "sufficient": 2}


def test_all_openings_are_paid_by_the_rescued_answers(ledger: Ledger) -> None:
    _asked(ledger, "a", RESCUED, Feedback.NEEDED)
    _asked(ledger, "b", GAP)
    cost = rates(ledger.questions)["cost_per_rescued"]
    assert cost == {"rescued": 1, "milliseconds": 60.0, "tokens": 40.0, "money": 0.0}


def test_shadows_are_counted_apart_and_once(ledger: Ledger) -> None:
    _asked(ledger, "a", CLOSED)
    _asked(ledger, "b", CLOSED)
    ledger.questions.shadow(Shadow("a", VerdictKind.CONTRADICTORY, 3, 5.0))
    ledger.questions.shadow(Shadow("b", VerdictKind.SUFFICIENT, 2, 5.0))
    found = rates(ledger.questions)
    assert found["shadow"]["missed_trigger"]["k"] == 1
    assert found["shadow"]["missed_trigger"]["n"] == 2
    assert found["all"]["archive_call"]["k"] == 0
    with pytest.raises(UnknownQuestion):
        ledger.questions.shadow(Shadow("zzz", VerdictKind.SUFFICIENT, 0, 0.0))
