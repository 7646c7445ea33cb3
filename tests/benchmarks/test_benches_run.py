"""The benches still run: small sizes, no goal judged."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

RUN = Path(__file__).parents[2] / "benchmarks" / "run.py"
PARTS = ("day", "noop", "years", "rollout")


def test_each_bench_that_measures_a_goal_runs_in_small(tmp_path: Path) -> None:
    found = tmp_path / "figures.json"
    words = [sys.executable, str(RUN), *PARTS, "--quick", "--json", str(found)]
    done = subprocess.run(words, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    figures = json.loads(found.read_text(encoding="utf-8"))
    assert tuple(figures) == PARTS
    for name, rows in figures.items():
        assert any(row["goal"] is not None for row in rows), name
        assert all(row["snapshot"] or "question" in row["over"] for row in rows), name
    correct = {"verify, findings": 0, "rollout, ends of it not read": 0}
    values = {row["name"]: row["value"] for rows in figures.values() for row in rows}
    assert {name: values[name] for name in correct} == correct


def test_an_unknown_bench_is_refused() -> None:
    done = subprocess.run([sys.executable, str(RUN), "nonsense"], capture_output=True, check=False)
    assert done.returncode == 2
