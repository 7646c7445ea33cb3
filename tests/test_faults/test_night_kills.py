"""Whole nights (reading, ledger, sealing, index) killed at random instants (case C01)."""

from __future__ import annotations

import datetime as dt
import os
import subprocess
import sys
from pathlib import Path

import pytest
from night_killer import night, prepare, settings_of, steady
from soak_profile import rounds

from hfea import wiring
from hfea.archive.index import FILE_NAME, Index
from hfea.clock import SystemClock
from hfea.config import Settings
from hfea.keys import load
from hfea.ledger.nights import NightKind
from hfea.ledger.store import FILE_NAME as LEDGER_FILE
from hfea.ledger.store import Ledger

HERE = Path(__file__).resolve().parent


Told = tuple[list[tuple[int, str]], dict[dt.date, tuple[NightKind, str, int | None]]]


def story(settings: Settings) -> tuple[dict[str, bytes], Told, object]:
    """Return the archive's files, what the ledger says of each day, and what the index holds."""
    root = settings.archive.path
    files = {
        p.relative_to(root).as_posix(): p.read_bytes()
        for p in root.rglob("*")
        if p.is_file() and "sqlite" not in p.name
    }
    files.pop("night.lock", None)
    with Ledger.open(root / LEDGER_FILE, SystemClock(), readonly=True) as ledger:
        heads = [(h.sequence, h.hex) for h in ledger.heads.all()]
        days = {d: ledger.nights.last(d) for d in ledger.nights.sealed_days()}
        rows = {d: (r.kind, r.inputs, r.counts.get("statements")) for d, r in days.items() if r}
    with Index(root / FILE_NAME) as index:
        assert index.check().sound
        indexed = index.state()
    return files, (heads, rows), indexed


@pytest.mark.soak
@pytest.mark.timeout(3600)
def test_inv_05_c01_a_night_killed_at_random_ends_like_one_that_was_not(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(wiring, "Archive", wiring.Archive)  # `night` puts a steady one there
    settings = prepare(tmp_path / "whole")
    night(settings)
    wanted = story(settings)
    assert steady(settings.archive.path, load(settings.key_file)).verify() == ()
    count = rounds(5, 1000)
    paths = (str(HERE), str(HERE.parents[1]), str(HERE.parent / "archive"))
    done = subprocess.run(
        [sys.executable, str(HERE / "night_killer.py"), str(tmp_path), str(count), "3"],
        env={**os.environ, "PYTHONPATH": os.pathsep.join(paths)},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    killed = [line.rsplit(" ", 1) for line in done.stdout.splitlines()]
    assert len(killed) == count
    assert sum(int(times) for _, times in killed) >= count // 2
    assert {row[0] for row in wanted[1][1].values()} == {NightKind.SEALED}
    for root, _ in killed:
        assert story(settings_of(Path(root))) == wanted, root
