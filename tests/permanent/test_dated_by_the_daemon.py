"""The daemon dates permanent entries when their files settle, and each night."""

from __future__ import annotations

import datetime as dt
from pathlib import Path

import pytest

from hfea.config import Settings, load
from hfea.gate import gate, state_folder
from hfea.serving import NightWork

FIRST = dt.datetime(2026, 11, 3, 12, tzinfo=dt.UTC)


class Clock:
    def __init__(self) -> None:
        self.at = FIRST

    def now(self) -> dt.datetime:
        return self.at

    def monotonic(self) -> float:
        return 0.0


@pytest.fixture
def settings(tmp_path: Path) -> Settings:
    home = tmp_path / "home"
    (home / "memories").mkdir(parents=True)
    (home / "memories" / "MEMORY.md").write_text("um", encoding="utf-8")
    path = tmp_path / "hfea.toml"
    path.write_text(
        f'timezone = "UTC"\n[archive]\npath = "{tmp_path}/archive"\n[core]\nhome = "{home}"\n'
    )
    return load(path)


def test_an_entry_is_dated_when_its_file_settles_and_noted_when_it_is_gone(
    settings: Settings,
) -> None:
    clock = Clock()
    work = NightWork(settings, clock)
    path = settings.core.home / "memories" / "MEMORY.md"
    work.settled([path])
    clock.at += dt.timedelta(days=1)
    path.write_text("dois", encoding="utf-8")
    work.settled([settings.core.home / "other.txt"])
    with gate(settings, clock=clock) as proposals:
        assert len(proposals.store.db.execute("SELECT 1 FROM entry").fetchall()) == 1
    work.settled([path])
    with gate(settings, clock=clock) as proposals:
        rows = proposals.entries()
    assert sorted((r.first_seen, r.gone_at) for r in rows) == sorted(
        [(FIRST, clock.at), (clock.at, None)], key=lambda r: r[0]
    )


def test_trouble_with_the_dates_never_ends_the_night(settings: Settings) -> None:
    state_folder(settings).mkdir()
    (state_folder(settings) / "proposals.sqlite").write_bytes(b"this is no database" * 100)
    work = NightWork(settings, Clock())
    assert work.night(lambda: False, lambda _: None)
