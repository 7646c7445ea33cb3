"""What the doctor says of memory and backups."""

from __future__ import annotations

import datetime as dt
from pathlib import Path

import pytest

from hfea import preserving
from hfea.cli import main
from hfea.config import Settings, load
from hfea.doctor_memory import look


class At:
    def __init__(self, now: dt.datetime) -> None:
        self._now = now

    def now(self) -> dt.datetime:
        return self._now

    def monotonic(self) -> float:
        return 0.0


@pytest.fixture
def settings(home: Path, tmp_path: Path) -> Settings:
    path = tmp_path / "hfea.toml"
    path.write_text(
        f'timezone = "America/Recife"\n[archive]\npath = "{tmp_path}/archive"\n[core]\nhome = "{home}"\n'
    )
    return load(path)


def codes(settings: Settings, at: dt.datetime | None = None) -> set[str]:
    return {code for _, code, _, _ in look(settings, At(at or dt.datetime.now(dt.UTC)))}


def test_a_home_in_order_gets_only_the_note_that_its_agent_writes_freely(
    settings: Settings, home: Path
) -> None:
    assert codes(settings) == {"write_approval_off"}
    (home / "config.yaml").write_text("memory:\n  write_approval: true\n")
    assert codes(settings) == set()


def test_drift_odd_pages_and_ill_skills_are_named(settings: Settings, home: Path) -> None:
    (home / "memories" / "MEMORY.md").write_text("a\n\n§\n\nb", encoding="utf-8")
    (home / "wiki").mkdir()
    (home / "wiki" / "x.sync-conflict-1.md").write_text("x")
    (home / "skills" / "casa" / "rega" / "SKILL.md").write_text("nada")
    assert {"permanent_drift", "wiki_conflict_copy", "skill"} <= codes(settings)


def test_no_backup_and_an_old_one_are_said(settings: Settings) -> None:
    assert main(["--config", str(settings.file), "consolidate", "--json"]) == 0
    assert "no_backup" in codes(settings)
    made = preserving.create(settings).manifest
    assert "backup" in codes(settings)
    assert "old_backup" in codes(settings, made.created + dt.timedelta(days=9))
