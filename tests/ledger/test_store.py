from __future__ import annotations

import datetime as dt
import json
import os
import sqlite3
import stat
import threading
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from hfea.ledger.budget import LONGEST_PAUSE, Spent
from hfea.ledger.heads import Head, HeadMoved
from hfea.ledger.nights import NightKind, NightRow
from hfea.ledger.questions import Feedback, QuestionResult, Shadow, UnknownQuestion
from hfea.ledger.schema import EVENT_KEYS, STEPS
from hfea.ledger.seen import Sighting
from hfea.ledger.store import FILE_NAME, Ledger, LedgerTooNew, LedgerUnreadable
from hfea.sources.base import Problem, SessionState
from memory_core import sqlite_kit
from memory_core.model import Route, VerdictKind
from memory_core.proposal import Promotion

MONDAY = dt.date(2026, 3, 2)
NOON = dt.datetime(2026, 3, 2, 12, tzinfo=dt.UTC)


def fill(ledger: Ledger) -> None:
    """At least one row in every event table."""
    started = ledger.nights.start(MONDAY)
    ledger.nights.record(NightRow(MONDAY, NightKind.SEALED, "UTC", NOON, NOON, started=started))
    ledger.seen.record("toy", "unit", "s", [Sighting("m", "aa" * 32, NOON, MONDAY, 0)])
    ledger.heads.record(1, MONDAY, "ff")
    ledger.budget.spend("n1", MONDAY, "narrate", Spent(1, 100, 20, 0.5))
    ledger.budget.tried("model", worked=False)
    ledger.questions.ask("q1", "where are the boxes?", "en")
    ledger.questions.finish("q1", QuestionResult(VerdictKind.INSUFFICIENT, "gap"))
    ledger.questions.feedback("q1", Feedback.MISSING, "they are in the attic")
    ledger.questions.shadow(Shadow("q1", VerdictKind.SUFFICIENT, 2, 3.5))
    ledger.promotions.record(
        Promotion(
            "p1",
            "applied",
            "ff",
            "verbatim",
            "add",
            "USER.md",
            "default",
            ("owner_asked",),
            (),
            "Ana",
            "cli",
            NOON,
        )
    )
    token = ledger.tickets.mint("q1", "a1", VerdictKind.INSUFFICIENT)
    ledger.tickets.redeem(token, "q1", "a1", NOON.replace(hour=3))


def raw(ledger_path: Path) -> sqlite3.Connection:
    """A connection of somebody else's, without our pragmas."""
    return sqlite3.connect(ledger_path)


@pytest.mark.parametrize("table", sorted(EVENT_KEYS))
def test_no_connection_can_change_delete_or_replace_an_event(
    ledger: Ledger, tmp_path: Path, table: str
) -> None:
    fill(ledger)
    with closing(raw(tmp_path / FILE_NAME)) as db:
        before = db.execute(f"SELECT * FROM {table}").fetchall()
        assert before, table
        key = EVENT_KEYS[table][0]
        for sql in (
            f"UPDATE {table} SET {key} = {key}",
            f"DELETE FROM {table}",
            f"INSERT OR REPLACE INTO {table} SELECT * FROM {table}",
            f"REPLACE INTO {table} SELECT * FROM {table}",
        ):
            with pytest.raises(sqlite3.IntegrityError, match="append-only"):
                db.execute(sql)
        assert db.execute(f"SELECT * FROM {table}").fetchall() == before


def test_free_text_can_be_blanked_and_nothing_else(ledger: Ledger, tmp_path: Path) -> None:
    fill(ledger)
    with closing(raw(tmp_path / FILE_NAME)) as db:
        for sql in (
            "UPDATE ledger_text SET text = 'forged'",
            "UPDATE ledger_text SET text = ''",
            "DELETE FROM ledger_text",
            "REPLACE INTO ledger_text SELECT * FROM ledger_text",
        ):
            with pytest.raises(sqlite3.IntegrityError, match="ledger_text"):
                db.execute(sql)


def test_erased_text_leaves_no_byte_and_its_question_stays(ledger: Ledger, tmp_path: Path) -> None:
    fill(ledger)
    ids = ledger.text_containing("boxes")
    assert ledger.erase_text(ids) == 1
    assert ledger.erase_text(ids) == 0
    asked = ledger.questions.get("q1")
    assert (asked.text, asked.result is not None) == ("", True)
    assert [value for value, _ in asked.feedback] == [Feedback.MISSING]
    for path in tmp_path.glob("ledger.sqlite*"):
        assert b"where are the boxes" not in path.read_bytes(), path.name


def test_erasure_under_a_reader_is_not_claimed_done(ledger: Ledger, tmp_path: Path) -> None:
    fill(ledger)
    ledger.checkpoint()
    ids = ledger.text_containing("boxes")
    with closing(raw(tmp_path / FILE_NAME)) as reader:
        reader.execute("BEGIN")
        reader.execute("SELECT text FROM ledger_text").fetchall()
        ledger._desk._db.execute("PRAGMA busy_timeout = 50")
        with pytest.raises(LedgerUnreadable, match="erase again"):
            ledger.erase_text(ids)
    assert ledger.erase_text(ids) == 0
    for path in tmp_path.glob("ledger.sqlite*"):
        assert b"where are the boxes" not in path.read_bytes(), path.name


def test_o08_a_newer_ledger_is_refused_with_both_versions_and_no_byte_written(
    tmp_path: Path, clock: Any
) -> None:
    path = tmp_path / FILE_NAME
    Ledger.open(path, clock).close()
    with closing(raw(path)) as db:
        db.execute(f"PRAGMA user_version = {len(STEPS) + 1}")
    before = path.read_bytes()
    for readonly in (False, True):
        with pytest.raises(LedgerTooNew, match=rf"schema {len(STEPS) + 1}.*up to {len(STEPS)}"):
            Ledger.open(path, clock, readonly=readonly)
    assert path.read_bytes() == before
    assert [p.name for p in tmp_path.iterdir()] == [FILE_NAME]


def test_o08_a_newer_number_that_is_only_in_the_wal_is_seen(tmp_path: Path, clock: Any) -> None:
    path = tmp_path / FILE_NAME
    Ledger.open(path, clock).close()
    with closing(raw(path)) as db:
        db.execute("PRAGMA wal_autocheckpoint = 0")
        db.execute("PRAGMA user_version = 9")
        wal = path.with_name(FILE_NAME + "-wal")
        before = path.read_bytes(), wal.read_bytes()
        assert wal.stat().st_size > 0
        with pytest.raises(LedgerTooNew, match="schema 9"):
            Ledger.open(path, clock)
        assert (path.read_bytes(), wal.read_bytes()) == before


def test_a_migration_commits_with_its_number_or_not_at_all(tmp_path: Path) -> None:
    def one(db: sqlite3.Connection) -> None:
        db.execute("CREATE TABLE one (x TEXT) STRICT")

    def two(db: sqlite3.Connection) -> None:
        db.execute("CREATE TABLE two (x TEXT) STRICT")
        raise ZeroDivisionError

    path = tmp_path / "toy.sqlite"
    with pytest.raises(ZeroDivisionError):
        sqlite_kit.open_store(path, (one, two))
    with closing(raw(path)) as db:
        assert db.execute("PRAGMA user_version").fetchone() == (1,)
        assert db.execute("SELECT name FROM sqlite_master").fetchall() == [("one",)]


def test_a_reader_never_creates_or_migrates(tmp_path: Path, clock: Any) -> None:
    with pytest.raises(LedgerUnreadable):
        Ledger.open(tmp_path / FILE_NAME, clock, readonly=True)
    assert list(tmp_path.iterdir()) == []


def test_what_is_no_database_is_named_and_left_alone(tmp_path: Path, clock: Any) -> None:
    path = tmp_path / FILE_NAME
    path.write_text("this is a text file, " * 20)
    with pytest.raises(LedgerUnreadable, match=r"ledger\.sqlite"):
        Ledger.open(path, clock)
    assert path.read_text().startswith("this is")


@pytest.mark.parametrize("umask", [0o000, 0o022])
def test_x16_the_ledger_and_its_sidecars_are_private(
    tmp_path: Path, clock: Any, umask: int
) -> None:
    old = os.umask(umask)
    try:
        with Ledger.open(tmp_path / FILE_NAME, clock) as ledger:
            fill(ledger)
            files = list(tmp_path.iterdir())
            assert len(files) == 3
            assert {stat.S_IMODE(f.stat().st_mode) for f in files} == {0o600}
    finally:
        os.umask(old)


def test_o04_the_wal_shrinks_to_its_limit_once_a_long_reader_is_gone(
    ledger: Ledger, tmp_path: Path
) -> None:
    wal = tmp_path / (FILE_NAME + "-wal")
    with closing(raw(tmp_path / FILE_NAME)) as reader:
        reader.execute("BEGIN")
        reader.execute("SELECT * FROM night").fetchall()
        for _ in range(30):
            ledger.keep_text("x" * 1_000_000)
        assert wal.stat().st_size > sqlite_kit.WAL_LIMIT_BYTES
    ledger.keep_text("one more")
    ledger.keep_text("and one that starts the log anew")
    assert wal.stat().st_size <= sqlite_kit.WAL_LIMIT_BYTES
    assert ledger.checkpoint()
    assert wal.stat().st_size == 0


def test_o04_the_same_problem_every_night_is_one_row_with_a_count(
    ledger: Ledger, clock: Any
) -> None:
    problem = Problem("toy", "malformed_line", "a.jsonl#10", "not JSON")
    for _ in range(5):
        ledger.sources.note([problem])
        clock.pass_by(days=1)
    (noted,) = ledger.sources.problems("toy")
    assert (noted.problem, noted.times) == (problem, 5)
    assert noted.last_at - noted.first_at == dt.timedelta(days=4)
    assert ledger.sources.problems("toy", since=clock.at) == []


def test_c13_a_restart_resets_neither_counters_nor_breaker(
    ledger: Ledger, tmp_path: Path, clock: Any
) -> None:
    for _ in range(4):
        ledger.budget.spend("n1", MONDAY, "narrate", Spent(1, 100, 20, 0.25))
        ledger.budget.tried("model", worked=False)
    ledger.budget.spend("n2", MONDAY, "narrate", Spent(1, 1, 1, 0.0))
    ledger.close()
    with Ledger.open(tmp_path / FILE_NAME, clock) as again:
        assert again.budget.spent_in("n1") == Spent(4, 400, 80, 1.0)
        assert again.budget.spent_on(MONDAY).tokens == 482
        assert again.budget.spent_on(MONDAY + dt.timedelta(days=1)) == Spent()
        assert not again.budget.breaker("model").allows(clock.at)
        assert again.budget.breaker("another").allows(clock.at)


def test_c13_pauses_grow_to_a_limit_and_one_success_closes_the_breaker(
    ledger: Ledger, clock: Any
) -> None:
    pauses = []
    for _ in range(14):
        ledger.budget.tried("model", worked=False)
        until = ledger.budget.breaker("model").closed_until
        pauses.append((until - clock.at).total_seconds() if until else 0)
    assert pauses[:5] == [0, 0, 60, 120, 240]
    assert pauses[-1] == LONGEST_PAUSE.total_seconds()
    ledger.budget.tried("model", worked=True)
    assert ledger.budget.breaker("model").failures == 0


def test_a_head_is_recorded_once_and_another_for_its_number_is_refused(ledger: Ledger) -> None:
    ledger.heads.record(1, MONDAY, "aa")
    ledger.heads.record(2, MONDAY, "bb")
    ledger.heads.record(2, MONDAY, "bb")
    assert ledger.heads.newest() == Head(2, MONDAY, "bb")
    assert [head.sequence for head in ledger.heads.all()] == [1, 2]
    with pytest.raises(HeadMoved, match="seal 2"):
        ledger.heads.record(2, MONDAY, "cc")


def test_source_states_are_replaced_and_an_absence_keeps_its_beginning(
    ledger: Ledger, clock: Any
) -> None:
    first = SessionState("a.jsonl", "f1", "c1", ("s1", "s2"), 3)
    ledger.sources.save("toy", [first, SessionState("b.jsonl", "f")])
    ledger.sources.save("toy", [SessionState("a.jsonl", "f2", "c2", ("s1",), 4)])
    ledger.sources.drop("toy", ["b.jsonl"])
    assert ledger.sources.states("toy") == {
        "a.jsonl": SessionState("a.jsonl", "f2", "c2", ("s1",), 4)
    }
    ledger.sources.present("toy", "stamp")
    gone = clock.at
    assert ledger.sources.missing("toy") == gone
    clock.pass_by(days=2)
    assert ledger.sources.missing("toy") == gone
    assert ledger.sources.status("toy").missing_since == gone
    ledger.sources.present("toy", "stamp 2")
    status = ledger.sources.status("toy")
    assert (status.stamp, status.missing_since) == ("stamp 2", None)


def test_a_question_comes_back_with_its_result_and_costs(ledger: Ledger) -> None:
    result = QuestionResult(
        VerdictKind.CONTRADICTORY,
        "conflict",
        "archive",
        ("conflict_value",),
        (Route("facts", "ok", 3, 1.5, ""),),
        archive_opened=True,
        tokens_returned=120,
        milliseconds=12.5,
        details={"top": 0.5},
    )
    ledger.questions.ask("q1", "when?", "en")
    ledger.questions.finish("q1", result)
    assert ledger.questions.get("q1").result == result
    assert [asked.id for asked in ledger.questions.latest()] == ["q1"]
    with pytest.raises(sqlite3.IntegrityError):
        ledger.questions.finish("q1", result)
    with pytest.raises(UnknownQuestion):
        ledger.questions.finish("q9", result)


def test_what_is_written_together_is_written_wholly_or_not_at_all(ledger: Ledger) -> None:
    def crash() -> None:
        with ledger.together():
            ledger.heads.record(1, MONDAY, "aa")
            ledger.seen.record("toy", "u", "s", [Sighting("m", "aa" * 32, NOON, MONDAY, 0)])
            raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        crash()
    assert ledger.heads.newest() is None
    assert ledger.seen.counts_by_day() == {}


def test_threads_of_one_process_share_a_ledger(ledger: Ledger) -> None:
    def ask(first: int) -> None:
        for number in range(first, first + 50):
            ledger.questions.ask(f"q{number}", "?", "en")

    threads = [threading.Thread(target=ask, args=(n * 50,)) for n in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert ledger.questions.tally().asked == 400
    assert json.dumps(sorted(asked.id for asked in ledger.questions.latest(500))).count("q") == 400
