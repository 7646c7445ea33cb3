"""Real processes, killed: before every call to the disk, and at random instants (case C01)."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest
from faults import archive, before, story, tree

HERE = Path(__file__).resolve().parent
ROUNDS = int(os.environ.get("HFEA_KILLS", "40"))
SOAK_ROUNDS = 1000


def killed(folder: Path, *arguments: str) -> list[tuple[Path, int]]:
    """Run killer.py; return each round's archive and how often its writer was killed."""
    paths = (str(HERE), str(HERE.parent / "archive"), str(HERE.parents[1]))
    done = subprocess.run(
        [sys.executable, str(HERE / "killer.py"), str(folder), *arguments],
        env={**os.environ, "PYTHONPATH": os.pathsep.join(paths)},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    rows = [line.rsplit(" ", 1) for line in done.stdout.splitlines()]
    return [(Path(root), int(times)) for root, times in rows]


def uninterrupted(folder: Path) -> dict[str, bytes]:
    root = folder / "whole" / "archive"
    before(root)
    story(root)
    return tree(root)


def test_inv_05_c01_killed_before_any_call_to_the_disk_the_next_run_completes(
    tmp_path: Path,
) -> None:
    wanted = uninterrupted(tmp_path)
    rounds = killed(tmp_path, "point")
    assert len(rounds) > 60
    assert all(times for _, times in rounds[:-1])
    for root, _ in rounds:
        assert tree(root) == wanted, root
    assert archive(rounds[0][0]).verify() == ()


def random_kills(tmp_path: Path, rounds: int, seed: int) -> None:
    wanted = uninterrupted(tmp_path)
    done = killed(tmp_path, "random", str(rounds), str(seed))
    assert len(done) == rounds
    assert sum(times for _, times in done) >= rounds // 2
    for root, _ in done:
        assert tree(root) == wanted, root


def test_inv_05_c01_killed_at_random_instants_the_next_run_completes(tmp_path: Path) -> None:
    random_kills(tmp_path, ROUNDS, 1)


@pytest.mark.soak
@pytest.mark.timeout(1800)
@pytest.mark.skipif(os.environ.get("HFEA_PROFILE") != "soak", reason="run by make soak")
def test_inv_05_c01_a_thousand_kills(tmp_path: Path) -> None:
    random_kills(tmp_path, SOAK_ROUNDS, 2)
