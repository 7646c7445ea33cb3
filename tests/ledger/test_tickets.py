from __future__ import annotations

import datetime as dt
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from hfea.ledger.store import FILE_NAME, Ledger
from hfea.ledger.tickets import TicketRefused
from memory_core.model import VerdictKind

REDEEM = """
import datetime as dt, sys
from pathlib import Path
from hfea.clock import SystemClock
from hfea.ledger.store import Ledger
from hfea.ledger.tickets import TicketRefused
ledger = Ledger.open(Path(sys.argv[1]), SystemClock())
sys.stdin.readline()
try:
    ledger.tickets.redeem(sys.argv[2], "q1", "a1", dt.datetime.fromisoformat(sys.argv[3]))
except TicketRefused:
    sys.exit(9)
"""


@pytest.mark.parametrize("kind", [VerdictKind.SUFFICIENT, VerdictKind.ERROR])
def test_no_ticket_for_a_verdict_that_does_not_open_the_archive(
    ledger: Ledger, kind: VerdictKind
) -> None:
    with pytest.raises(TicketRefused, match=kind.value):
        ledger.tickets.mint("q1", "a1", kind)


def test_a_ticket_works_once_for_its_question_and_archive_within_its_life(
    ledger: Ledger, clock: Any
) -> None:
    token = ledger.tickets.mint("q1", "a1", VerdictKind.INSUFFICIENT, dt.timedelta(seconds=5))
    now = clock.at
    for question, archive, at in (
        ("q2", "a1", now),
        ("q1", "a2", now),
        ("q1", "a1", now + dt.timedelta(seconds=5)),
        ("q1", "a1", now - dt.timedelta(seconds=1)),
    ):
        with pytest.raises(TicketRefused):
            ledger.tickets.redeem(token, question, archive, at)
    ledger.tickets.redeem(token, "q1", "a1", now)
    with pytest.raises(TicketRefused, match="used"):
        ledger.tickets.redeem(token, "q1", "a1", now)
    assert ledger.tickets.used("q1") == [("answer", now)]


def test_an_invented_token_and_a_life_of_nothing_are_refused(ledger: Ledger, clock: Any) -> None:
    with pytest.raises(TicketRefused, match="no such"):
        ledger.tickets.redeem("00" * 16, "q1", "a1", clock.at)
    with pytest.raises(TicketRefused):
        ledger.tickets.mint("q1", "a1", VerdictKind.INSUFFICIENT, dt.timedelta(0))
    with pytest.raises(TicketRefused):
        ledger.tickets.mint("q1", "a1", VerdictKind.INSUFFICIENT, klass="free")


def test_only_the_hash_of_a_token_is_stored(ledger: Ledger, tmp_path: Path) -> None:
    token = ledger.tickets.mint("q1", "a1", VerdictKind.CONTRADICTORY, klass="shadow")
    assert len(bytes.fromhex(token)) == 16
    for path in tmp_path.glob("ledger.sqlite*"):
        body = path.read_bytes()
        assert token.encode() not in body
        assert bytes.fromhex(token) not in body


def test_of_eight_processes_with_one_ticket_exactly_one_may_open(
    ledger: Ledger, tmp_path: Path, clock: Any
) -> None:
    token = ledger.tickets.mint("q1", "a1", VerdictKind.INSUFFICIENT)
    command = [sys.executable, "-c", REDEEM, tmp_path / FILE_NAME, token, clock.at.isoformat()]
    runs = [subprocess.Popen(command, stdin=subprocess.PIPE) for _ in range(8)]
    for run in runs:
        run.stdin.write(b"\n")  # type: ignore[union-attr]
        run.stdin.close()  # type: ignore[union-attr]
    assert sorted(run.wait() for run in runs) == [0] + [9] * 7
