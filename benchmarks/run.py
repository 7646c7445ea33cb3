"""`make bench`: every figure that the project promises, with its goal beside it.

    python benchmarks/run.py [NAME…] [--quick | --whole] [--json FILE]

NAMEs: extraction day year noop years redaction again rollout; all of them without one. CPU time
is the figure wherever time is: other programs share the machine. Every part runs in a process of
its own, so peak memory is that part's. `--quick` shows in seconds that the benches still run, its
figures mean little; `--whole` does 365 days where the default does 90.
"""

from __future__ import annotations

import argparse
import datetime as dt
import json
import platform
import sqlite3
import statistics
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from figures import HERE, Figure, fresh

SHARED = HERE.parents[1] / "shared" / "data"


@dataclass(frozen=True)
class Sizes:
    """How much of everything is done."""

    messages: int = 1000
    days: int = 90
    rows: int = 1_000_000
    years: tuple[int, int, int] = (3650, 137, 300)  # days, statements a day, questions
    reruns: int = 30
    rollout: tuple[int, int] = (2000, 200)  # megabytes, of which one line


DEFAULT = Sizes()
WHOLE = Sizes(days=365)
QUICK = Sizes(30, 3, 2000, (5, 10, 10), 1, (6, 2))
Part = Callable[[Sizes], Iterator[Figure]]


def extraction(_: Sizes) -> Iterator[Figure]:
    """Print the tables of labelled sentences, worlds and conversations; none has a goal."""
    if not list(SHARED.glob("worlds/*/statements.jsonl")):
        print("  gold worlds: skipped, ../shared is not beside the checkout")
    subprocess.run([sys.executable, str(HERE / "extraction.py")], check=True)
    return iter(())


def _nights(days: int, messages: int) -> dict[str, Any]:
    return fresh("night.py", "one", "--days", str(days), "--messages", str(messages))


def day(sizes: Sizes) -> Iterator[Figure]:
    """Yield what one day of messages costs, read, consolidated, sealed and indexed."""
    found = _nights(1, sizes.messages)
    over = f"{sizes.messages} messages, {found['statements']} statements"
    snapshot = found["snapshot_sha256"][:16]
    yield Figure("a day, CPU", found["cpu_seconds_whole"], "s", over, 3, snapshot)
    yield Figure("a day, peak memory", found["peak_megabytes"], "MB", over, 200, snapshot)


def year(sizes: Sizes) -> Iterator[Figure]:
    """Yield whether nights stay as cheap as they were."""
    found = _nights(sizes.days, sizes.messages)
    nights, snapshot = found["cpu_seconds_a_night"], found["snapshot_sha256"][:16]
    over = f"{found['days']} days of {sizes.messages} messages"
    median = statistics.median(nights)
    slope = statistics.linear_regression(range(len(nights)), nights).slope
    yield Figure("a night of many, median CPU", median, "s", over, None, snapshot)
    yield Figure("slowest night over the median", max(nights) / median, "times", over, 2, snapshot)
    yield Figure(
        "growth in a hundred nights", 100 * slope / median, "medians", over, None, snapshot
    )
    yield Figure("all nights, CPU", found["cpu_seconds_whole"], "s", over, None, snapshot)
    yield Figure("all nights, peak memory", found["peak_megabytes"], "MB", over, None, snapshot)


def noop(sizes: Sizes) -> Iterator[Figure]:
    """Yield what reading a big Hermes database costs, and passes with nothing to do."""
    with tempfile.TemporaryDirectory() as folder:
        first = fresh("reading.py", "hermes", folder, str(sizes.rows))
        later = fresh("reading.py", "noop", folder)
    over, snapshot = f"state.db of {first['rows']} rows", first["snapshot"]

    def figure(name: str, value: float, unit: str, goal: float | None = None) -> Figure:
        return Figure(name, value, unit, over, goal, snapshot)

    yield figure("first read of the source, CPU", first["cpu_seconds"], "s")
    yield figure("first read of the source, peak memory", first["peak_megabytes"], "MB")
    yield figure("pass, source unchanged, CPU", 1000 * later["unchanged_cpu_seconds"], "ms", 50)
    yield figure("pass, only the stat changed, CPU", later["touched_cpu_seconds"], "s", 2)
    yield figure("pass, one row more, CPU", later["appended_cpu_seconds"], "s", 2)


def years(sizes: Sizes) -> Iterator[Figure]:
    """Yield rebuild, search and verify over ten years of sealed files."""
    with tempfile.TemporaryDirectory() as folder:
        words = (folder, *map(str, sizes.years))
        made = fresh("years.py", "make", *words)
        rebuilt = fresh("years.py", "rebuild", *words)
        searched = fresh("years.py", "search", *words)
        verified = fresh("years.py", "verify", *words)
    yield from years_figures(sizes, made, rebuilt, searched, verified)


def years_figures(
    sizes: Sizes,
    made: dict[str, Any],
    rebuilt: dict[str, Any],
    searched: dict[str, Any],
    verified: dict[str, Any],
) -> Iterator[Figure]:
    """Name what the parts of `years` have found."""
    snapshot = made["snapshot"]
    over = f"{sizes.years[0]} days, {made['statements']} statements, {made['megabytes']:.0f} MB"
    asked = f"{searched['asked']} questions, {searched['answered']} with hits"
    yield Figure("index rebuild from files, CPU", rebuilt["cpu_seconds"], "s", over, 300, snapshot)
    yield Figure(
        "index rebuild, peak memory", rebuilt["peak_megabytes"], "MB", over, None, snapshot
    )
    yield Figure("index, size", rebuilt["index_megabytes"], "MB", over, None, snapshot)
    yield Figure("search, median CPU", searched["cpu_ms"]["p50"], "ms", asked, None, snapshot)
    yield Figure("search, p95 CPU", searched["cpu_ms"]["p95"], "ms", asked, 50, snapshot)
    yield Figure(
        "search, p95 on the clock", searched["wall_ms"]["p95"], "ms", asked, None, snapshot
    )
    yield Figure("verify, CPU", verified["cpu_seconds"], "s", over, 60, snapshot)
    yield Figure("verify, findings", verified["findings"], "", over, 0, snapshot)


def redaction(_: Sizes) -> Iterator[Figure]:
    """Print the lines that redaction changed by mistake, and how many in 1,000."""
    subprocess.run([sys.executable, str(HERE / "redaction.py")], check=True)
    print("  goal ≤ 1 in 1,000 (made lines hold no secret; lines read are for an eye to judge)")
    return iter(())


def again(sizes: Sizes) -> Iterator[Figure]:
    """Print how many bytes change when the fixture nights are done again."""
    words = [sys.executable, str(HERE / "night.py"), "again", "--reruns", str(sizes.reruns)]
    subprocess.run(words, check=True)
    print("  goal: 0 files changed, 0 statements doubled")
    return iter(())


def rollout(sizes: Sizes) -> Iterator[Figure]:
    """Yield the memory that a very big rollout takes, one of its lines very long."""
    with tempfile.TemporaryDirectory() as folder:
        made = fresh("reading.py", "rollout", folder, *map(str, sizes.rollout))
        found = fresh("reading.py", "read_rollout", folder)
    over = f"{made['bytes'] / 1e6:.0f} MB, one line of {sizes.rollout[1]} MB"
    snapshot = made["snapshot"]
    yield Figure("rollout, peak memory", found["peak_megabytes"], "MB", over, 300, snapshot)
    yield Figure("rollout, CPU", found["cpu_seconds"], "s", over, None, snapshot)
    print(f"  problems told: {', '.join(found['problems']) or 'none'}")
    lost = 0 if found["both_ends_read"] else 1
    yield Figure("rollout, ends of it not read", lost, "", over, 0, snapshot)


PARTS: dict[str, Part] = {
    "extraction": extraction,
    "day": day,
    "year": year,
    "noop": noop,
    "years": years,
    "redaction": redaction,
    "again": again,
    "rollout": rollout,
}


def main() -> int:
    """Run the parts asked for; exit 1 where a goal is missed (never with --quick)."""
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("names", nargs="*", metavar="NAME", choices=[*PARTS, []])
    size = options.add_mutually_exclusive_group()
    size.add_argument("--quick", action="store_const", dest="sizes", const=QUICK)
    size.add_argument("--whole", action="store_const", dest="sizes", const=WHOLE)
    options.add_argument("--json", type=Path)
    given = options.parse_args()
    sizes = given.sizes or DEFAULT
    today = dt.datetime.now(dt.UTC).date()
    print(f"Python {platform.python_version()}, SQLite {sqlite3.sqlite_version}, {today}")
    found: dict[str, list[Figure]] = {}
    for name in given.names or PARTS:
        print(f"\n{name}", flush=True)
        found[name] = []
        for figure in PARTS[name](sizes):
            print(figure.line(), flush=True)
            found[name].append(figure)
    if given.json:
        rows = {name: [f.row() for f in figures] for name, figures in found.items()}
        given.json.write_text(json.dumps(rows, indent=2), encoding="utf-8")
    missed = [f.name for figures in found.values() for f in figures if f.met is False]
    print(f"\ngoals missed: {', '.join(missed) or 'none'}")
    return 1 if missed and sizes is not QUICK else 0


if __name__ == "__main__":
    sys.exit(main())
