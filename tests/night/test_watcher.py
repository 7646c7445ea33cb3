from __future__ import annotations

import errno
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from watchdog.events import FileModifiedEvent

from hfea.watcher import Look, Watcher, _Ear, conflict_copy, temporary


class Fingers:
    """A stamp that is moved by hand."""

    value = "a"

    def __call__(self) -> str:
        return self.value


class Deaf:
    """An observer that starts and hears nothing; its thread dies when told to."""

    alive = True
    started = 0

    def schedule(self, *_: object, **__: object) -> None:
        return

    def start(self) -> None:
        Deaf.started += 1

    def is_alive(self) -> bool:
        return self.alive

    def stop(self) -> None:
        self.alive = False

    def join(self, _: float) -> None:
        return


class Full(Deaf):
    """An observer that finds no room for watches."""

    code = errno.ENOSPC

    def start(self) -> None:
        raise OSError(self.code, "inotify limit")


class Hand:
    """A monotonic clock."""

    at = 0.0

    def __call__(self) -> float:
        return self.at


@pytest.fixture
def hand() -> Hand:
    """A clock at zero."""
    return Hand()


def made(
    hand: Hand, folder: Path, observer: Callable[[], Any], stamp: Fingers | None = None
) -> Watcher:
    return Watcher(Look([folder], [folder / "archive"], stamp or Fingers()), hand, observer)


def eventually(check: Callable[[], bool], seconds: float = 10.0) -> bool:
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        if check():
            return True
        time.sleep(0.05)
    return False


@pytest.fixture
def live(tmp_path: Path) -> Iterator[Watcher]:
    """A watcher by real events on a folder; skips where the system has no room."""
    (tmp_path / "archive").mkdir()
    watcher = Watcher(Look([tmp_path], [tmp_path / "archive"], Fingers(), 0.2), time.monotonic)
    watcher.start()
    if watcher.mode != "events":
        pytest.skip("no room for file watches here")
    yield watcher
    watcher.stop()


def test_o13_one_save_gives_one_settled_file_with_its_last_content(
    live: Watcher, tmp_path: Path
) -> None:
    for n in range(3):
        (tmp_path / "page.md").write_text(f"version {n}")
    draft = tmp_path / ".page.md.swp"
    draft.write_text("x")
    (tmp_path / "2026-03-05.sync-conflict-1.md").write_text("x")
    settled: list[Path] = []
    assert eventually(lambda: bool(settled.extend(live.tick()) or settled))
    for _ in range(10):
        settled += live.tick()
        time.sleep(0.05)
    assert [p.name for p in settled] == ["page.md"]


def test_reading_a_folder_is_no_activity_and_writing_is(
    live: Watcher, tmp_path: Path, hand: Hand
) -> None:
    (tmp_path / "a.jsonl").write_text("x")
    assert eventually(lambda: live.tick() is not None and live.quiet_seconds() < 1)
    time.sleep(0.6)
    live.tick()
    quiet = live.quiet_seconds()
    (tmp_path / "a.jsonl").read_text()
    (tmp_path / "archive" / "own.md").write_text("ours")
    time.sleep(0.4)
    live.tick()
    assert live.quiet_seconds() > quiet


@pytest.mark.parametrize("code", [errno.ENOSPC, errno.EMFILE])
def test_o12_without_room_for_watches_it_looks_by_itself_with_one_notice(
    hand: Hand, tmp_path: Path, caplog: pytest.LogCaptureFixture, code: int
) -> None:
    stamp = Fingers()
    Full.code = code
    watcher = made(hand, tmp_path, Full, stamp)
    watcher.start()
    assert watcher.mode == "polling"
    for _ in range(5):
        hand.at += 16
        assert watcher.tick() == []
    stamp.value = "b"
    hand.at += 120
    assert watcher.tick() == [Path()]
    assert watcher.quiet_seconds() == 0
    notices = [r.getMessage() for r in caplog.records]
    assert len(notices) == 1
    assert "max_user_watches" in notices[0]
    assert "space" not in notices[0]


def test_o20_a_dead_observer_is_started_again_and_everything_looked_at(
    hand: Hand, tmp_path: Path
) -> None:
    watcher = made(hand, tmp_path, Deaf)
    Deaf.started = 0
    watcher.start()
    assert watcher._observer is not None
    watcher._observer.alive = False  # type: ignore[attr-defined]
    hand.at += 1
    watcher.tick()
    assert Deaf.started == 2
    assert watcher.mode == "events"


def test_o20_a_deaf_watcher_notices_within_minutes(
    hand: Hand, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    stamp = Fingers()
    watcher = made(hand, tmp_path, Deaf, stamp)
    watcher.start()
    stamp.value = "b"
    found = []
    for _ in range(180):
        hand.at += 1
        found += watcher.tick()
    assert found == [Path()]
    assert "without an event" in caplog.text


def test_o20_an_event_outside_the_watched_folders_costs_one_event(
    hand: Hand, tmp_path: Path
) -> None:
    watcher = made(hand, tmp_path, Deaf)
    watcher.start()
    ear = _Ear(watcher._heard, watcher._look)
    ear.on_any_event(FileModifiedEvent("/somewhere/else"))
    ear.on_any_event(FileModifiedEvent(str(tmp_path / "good.md")))
    (tmp_path / "good.md").write_text("x")
    for _ in range(6):
        hand.at += 1
        if found := watcher.tick():
            break
    assert found == [tmp_path / "good.md"]


def test_a_flood_of_events_is_bounded_and_asks_for_a_look_at_everything(
    hand: Hand, tmp_path: Path
) -> None:
    watcher = made(hand, tmp_path, Deaf)
    watcher.start()
    ear = _Ear(watcher._heard, watcher._look)
    for n in range(20_000):
        ear.on_any_event(FileModifiedEvent(str(tmp_path / f"{n}.md")))
    assert len(watcher._heard.paths) <= 5000
    assert Path() in watcher.tick()


def test_a_growing_file_settles_only_when_it_stands_still(hand: Hand, tmp_path: Path) -> None:
    watcher = made(hand, tmp_path, Deaf)
    watcher.start()
    ear = _Ear(watcher._heard, watcher._look)
    path = tmp_path / "grows.md"
    for n in range(5):
        path.write_text("x" * (n + 1))
        ear.on_any_event(FileModifiedEvent(str(path)))
        hand.at += 1
        assert watcher.tick() == []
    found = []
    for _ in range(5):
        hand.at += 1
        found += watcher.tick()
    assert found == [path]


@pytest.mark.parametrize(
    "name",
    [
        ".a.md.swp",
        "4913",
        "a.md~",
        "#a.md#",
        ".~lock.a.md#",
        ".goutputstream-X1",
        "x.tmp",
        "s.db-wal",
    ],
)
def test_temporary_names_are_known(name: str) -> None:
    assert temporary(name)


def test_ordinary_names_are_neither_temporary_nor_conflicts() -> None:
    for name in ("a.md", "state.db", "session.jsonl", "2026-03-05.md", ".env"):
        assert not temporary(name)
        assert not conflict_copy(name)
    assert conflict_copy("2026-03-05.sync-conflict-1.md")
    assert conflict_copy("nota (Ana's conflicted copy).md")
