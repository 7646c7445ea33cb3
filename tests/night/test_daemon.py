from __future__ import annotations

import datetime as dt
import itertools
import os
import signal
import socket
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any
from zoneinfo import ZoneInfo

import pytest

from hfea.consolidation.day import Calendar
from hfea.daemon import AnotherDaemon, Daemon, Parts, only_daemon
from hfea.ledger.nights import NightKind
from hfea.night.due import due, record_noop
from hfea.scheduler import Alarm, OnceADay, Schedule, wall_instant
from hfea.sd_notify import notify
from hfea.stopping import stopped_by_signals

UTC = dt.UTC


class HouseWork:
    """The night of a house, as the daemon sees it."""

    def __init__(self, house: Any) -> None:
        self.house = house
        self.runs: list[dt.datetime] = []
        self.error: type[Exception] | None = None

    def due(self, by: dt.datetime) -> bool:
        with self.house.ledger() as ledger:
            return due(ledger, self.house.zone, by)

    def night(self, stop: Callable[[], bool], alive: Callable[[str], None]) -> bool:
        self.runs.append(self.house.clock.at)
        if self.error:
            raise self.error("boom")
        alive("working")
        return self.house.night(stop=stop).exit_code == 0

    def noop(self, fire: dt.datetime) -> None:
        with self.house.ledger() as ledger:
            record_noop(ledger, self.house.zone, fire)

    def settled(self, paths: Sequence[Path]) -> None:
        raise AssertionError(paths)


class Silence:
    """A watcher that says how long it has been quiet."""

    quiet = 1e9

    def start(self) -> None:
        return

    def stop(self) -> None:
        return

    def tick(self) -> list[Path]:
        return []

    def quiet_seconds(self) -> float:
        return self.quiet


def daemon(house: Any, at: dt.time = dt.time(3, 0), **more: Any) -> Daemon:
    work, said = HouseWork(house), []
    parts = Parts(Schedule(house.zone, at, **more), work, Silence(), house.clock, tell=said.append)
    made = Daemon(parts)
    made.work, made.said, made.watch = work, said, parts.quiet  # type: ignore[attr-defined]
    return made


def sealed(house: Any) -> list[str]:
    with house.ledger() as ledger:
        return sorted(str(row.day) for row in ledger.nights.latest(1000) if row.kind == "sealed")


def hourly(house: Any, first: dt.date, days: int) -> None:
    """Say something at noon of every local day."""
    zone = ZoneInfo(house.zone)
    for n in range(days):
        at = wall_instant(first + dt.timedelta(days=n), dt.time(12), zone)
        house.source.say("a", at, f"noon {n}")


@pytest.mark.parametrize("jitter", [0, 90, -90], ids=["on time", "late", "early"])
@pytest.mark.parametrize("hour", [dt.time(0, 0), dt.time(1, 30), dt.time(2, 30)], ids=str)
@pytest.mark.parametrize(
    ("zone", "first"),
    [
        ("Europe/Lisbon", dt.date(2026, 10, 24)),
        ("Europe/Lisbon", dt.date(2026, 3, 28)),
        ("America/New_York", dt.date(2026, 3, 7)),
        ("America/New_York", dt.date(2026, 10, 31)),
    ],
)
def test_t04_exactly_one_consolidation_a_local_date(
    house: Any, zone: str, first: dt.date, hour: dt.time, jitter: int
) -> None:
    house.zone = zone
    hourly(house, first, 3)
    house.clock.at = wall_instant(first, dt.time(12, 5), ZoneInfo(zone))
    loop = daemon(house, hour)
    fires = OnceADay(loop._parts.schedule)
    ring = fires.get_next_fire_time(None, house.clock.at)
    for _ in range(4 * 24 * 6):
        house.clock.sleep(600)
        while ring is not None and house.clock.at >= ring + dt.timedelta(seconds=jitter):
            loop._rung.set()
            ring = fires.get_next_fire_time(ring, house.clock.at)
        loop.tick()
    days = [str(first + dt.timedelta(days=n)) for n in range(3)]
    assert sealed(house) == days
    windows = house.ledger().nights.windows()
    expected = Calendar(zone).window(dt.date.fromisoformat(days[1]))
    assert windows[expected.day][:2] == (expected.start, expected.end)


@pytest.mark.parametrize("zone", ["Europe/Lisbon", "America/New_York", "America/St_Johns", "UTC"])
@pytest.mark.parametrize("hour", [dt.time(0, 0), dt.time(1, 30), dt.time(2, 30)], ids=str)
def test_t04_the_alarm_rings_once_on_every_local_date_of_a_year(zone: str, hour: dt.time) -> None:
    fires = OnceADay(Schedule(zone, hour))
    ring = fires.get_next_fire_time(None, dt.datetime(2026, 1, 1, 12, tzinfo=UTC))
    dates = []
    for _ in range(365):
        dates.append(ring.astimezone(ZoneInfo(zone)).date())
        ring = fires.get_next_fire_time(ring, ring + dt.timedelta(minutes=10))
    assert dates == [dates[0] + dt.timedelta(days=n) for n in range(365)]


def test_t04_a_second_fire_for_a_date_is_a_recorded_no_op(house: Any) -> None:
    hourly(house, dt.date(2026, 3, 8), 2)
    house.clock.at = dt.datetime(2026, 3, 10, 7, tzinfo=UTC)
    loop = daemon(house)
    for _ in range(2):
        loop._rung.set()
        loop.tick()
    assert len(loop.work.runs) == 1
    newest = house.ledger().nights.latest(1)[0]
    assert (newest.kind, newest.day) == (NightKind.NOOP, dt.date(2026, 3, 9))


def test_o01_restarts_around_the_hour_give_one_consolidation(house: Any) -> None:
    hourly(house, dt.date(2026, 3, 9), 1)
    hour = wall_instant(dt.date(2026, 3, 10), dt.time(3), ZoneInfo(house.zone))
    house.clock.at = hour - dt.timedelta(seconds=10)
    # The day before yesterday was done last night.
    early = daemon(house)
    early._done = early._parts.schedule.last_fire(house.clock.at)
    early.tick()
    assert sealed(house) == []
    for seconds in (10, 1, 9, 1, 1, 1):
        house.clock.sleep(seconds)
        loop = daemon(house)
        loop._rung.set()
        loop.tick()
    assert sealed(house) == ["2026-03-09"]


def test_o01_a_half_done_run_goes_on_after_the_restart(house: Any) -> None:
    hourly(house, dt.date(2026, 3, 6), 4)
    house.clock.at = dt.datetime(2026, 3, 10, 9, tzinfo=UTC)
    first = daemon(house)
    asked = itertools.count()
    first.stopping = lambda: next(asked) >= 3  # type: ignore[method-assign]
    first.tick()
    assert 0 < len(sealed(house)) < 4
    daemon(house).tick()
    assert sealed(house) == [f"2026-03-0{n}" for n in (6, 7, 8, 9)]


@pytest.mark.parametrize("nights", [1, 5])
def test_o02_on_waking_one_pass_covers_every_missed_date_in_order(house: Any, nights: int) -> None:
    hourly(house, dt.date(2026, 3, 9), 1 + nights)
    house.clock.at = dt.datetime(2026, 3, 10, 7, tzinfo=UTC)
    loop = daemon(house)
    loop.tick()
    assert len(loop.work.runs) == 1
    house.clock.at += dt.timedelta(days=nights)  # wall time moved, monotonic time did not
    house.clock.ticks += 1
    loop.tick()
    assert len(loop.work.runs) == 2
    with house.ledger() as ledger:
        done = [row.day.day for row in reversed(ledger.nights.latest(50))]
    assert done == [9 + n for n in range(1 + nights)]


def test_a_due_night_waits_for_quiet_and_starts_anyway_at_the_deadline(house: Any) -> None:
    hourly(house, dt.date(2026, 3, 9), 1)
    zone = ZoneInfo(house.zone)
    house.clock.at = wall_instant(dt.date(2026, 3, 10), dt.time(3, 1), zone)
    loop = daemon(house, idle_minutes=10, deadline=dt.time(6))
    loop.watch.quiet = 60.0
    loop.tick()
    assert loop.work.runs == []
    house.clock.at = wall_instant(dt.date(2026, 3, 10), dt.time(6, 0), zone)
    loop._rung.set()
    loop.tick()
    assert len(loop.work.runs) == 1


def test_a_due_night_starts_when_it_gets_quiet(house: Any) -> None:
    hourly(house, dt.date(2026, 3, 9), 1)
    house.clock.at = wall_instant(dt.date(2026, 3, 10), dt.time(3, 1), ZoneInfo(house.zone))
    loop = daemon(house)
    loop.watch.quiet = 60.0
    loop.tick()
    loop.watch.quiet = 601.0
    house.clock.sleep(31)
    loop.tick()
    assert len(loop.work.runs) == 1


def test_o19_a_night_that_raises_is_tried_again_with_growing_pauses(house: Any) -> None:
    hourly(house, dt.date(2026, 3, 9), 1)
    house.clock.at = dt.datetime(2026, 3, 10, 7, tzinfo=UTC)
    loop = daemon(house)
    loop.work.error = RuntimeError
    for _ in range(20):
        loop.tick()
        house.clock.sleep(31)
    assert 2 <= len(loop.work.runs) <= 4
    loop.work.error = None
    house.clock.sleep(3600)
    loop.tick()
    assert sealed(house) == ["2026-03-09"]


def test_the_watchdog_is_pinged_from_the_loop_and_from_the_work(house: Any) -> None:
    hourly(house, dt.date(2026, 3, 9), 1)
    house.clock.at = dt.datetime(2026, 3, 10, 7, tzinfo=UTC)
    loop = daemon(house)
    loop.tick()
    assert "WATCHDOG=1" in loop.said
    assert "WATCHDOG=1\nSTATUS=working" in loop.said


def test_sigterm_ends_the_loop_between_two_units(house: Any) -> None:
    loop = daemon(house)
    real = loop.tick

    def tick() -> None:
        real()
        os.kill(os.getpid(), signal.SIGTERM)

    loop.tick = tick  # type: ignore[method-assign]
    before = signal.getsignal(signal.SIGTERM)
    with stopped_by_signals(loop.stop):
        loop.run()
    assert signal.getsignal(signal.SIGTERM) is before
    assert loop.said[0].startswith("READY=1")
    assert loop.said[-1] == "STOPPING=1"


def test_one_daemon_an_archive(tmp_path: Any) -> None:
    with (
        only_daemon(tmp_path),
        pytest.raises(AnotherDaemon, match="stop it first"),
        only_daemon(tmp_path),
    ):
        pass
    with only_daemon(tmp_path):
        pass


def test_c05_a_left_over_lock_file_with_somebody_elses_pid_holds_nobody_up(tmp_path: Any) -> None:
    (tmp_path / "daemon.lock").write_text(f"{os.getpid()}\n")
    with only_daemon(tmp_path):
        pass


def test_the_alarm_rings_and_leaves_no_thread(house: Any) -> None:
    rung: list[int] = []
    with Alarm(Schedule("UTC", dt.time(3, 0)), lambda: rung.append(1)) as alarm:
        job = alarm._scheduler.get_jobs()[0]
        assert (job.misfire_grace_time, job.coalesce, job.max_instances) == (None, True, 1)
        job.func()
    assert rung == [1]


def test_systemd_is_told_through_its_socket(tmp_path: Any) -> None:

    place = str(tmp_path / "notify")
    with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as ear:
        ear.bind(place)
        assert notify("READY=1\nSTATUS=listening", place)
        assert ear.recv(64) == b"READY=1\nSTATUS=listening"
    assert not notify("READY=1", "")
    assert not notify("READY=1", str(tmp_path / "nobody"))
