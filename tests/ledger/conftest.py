"""A ledger of its own for every test, and a clock moved by hand."""

from __future__ import annotations

import datetime as dt
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest

from hfea.ledger.store import FILE_NAME, Ledger


@dataclass
class HandClock:
    at: dt.datetime = dt.datetime(2026, 3, 2, 3, 0, tzinfo=dt.UTC)

    def now(self) -> dt.datetime:
        return self.at

    def monotonic(self) -> float:
        return self.at.timestamp()

    def pass_by(self, **time: float) -> None:
        self.at += dt.timedelta(**time)


@pytest.fixture
def clock() -> HandClock:
    return HandClock()


@pytest.fixture
def ledger(tmp_path: Path, clock: HandClock) -> Iterator[Ledger]:
    with Ledger.open(tmp_path / FILE_NAME, clock) as opened:
        yield opened
