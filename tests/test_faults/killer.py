"""Runs the story in processes of their own and kills them: at call N, or at random instants.

Usage: killer.py FOLDER point | killer.py FOLDER random ROUNDS SEED. Prints one line a round:
its folder and how many times it was killed.
"""

from __future__ import annotations

import os
import random
import signal
import sys
import time
from collections.abc import Callable
from pathlib import Path

from faults import before, killing, story

MOST_POINTS = 1000


def in_child(work: Callable[[], object]) -> int:
    """Run *work* in a forked process; return its pid."""
    pid = os.fork()
    if pid:
        return pid
    code = 1
    try:
        work()
        code = 0
    finally:
        os._exit(code)


def ended(pid: int) -> bool:
    """Wait for a process; return whether it was killed. Raises where it failed by itself."""
    code = os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1])
    if code not in (0, -signal.SIGKILL):
        raise SystemExit(f"the story failed with {code}")
    return code != 0


def at_every_point(folder: Path) -> None:
    """Kill before the first call to the disk, then before the second, until none is left."""
    for number in range(1, MOST_POINTS):
        root = folder / str(number) / "archive"
        before(root)
        killed = ended(in_child(lambda r=root, n=number: story(r, killing(n))))  # type: ignore[misc]
        sys.stdout.write(f"{root} {int(killed)}\n")
        if not killed:
            return
        ended(in_child(lambda r=root: story(r)))  # type: ignore[misc]


def at_random(folder: Path, rounds: int, seed: int) -> None:
    """Kill one to four times at instants spread over a whole run, then let it finish."""
    draw = random.Random(seed)
    warm = folder / "warm" / "archive"
    before(warm)
    started = time.perf_counter()
    ended(in_child(lambda: story(warm)))
    usual = time.perf_counter() - started
    for number in range(rounds):
        root = folder / str(number) / "archive"
        before(root)
        kills = 0
        for _ in range(draw.randint(1, 4)):
            pid = in_child(lambda r=root: story(r))  # type: ignore[misc]
            time.sleep(draw.uniform(0, usual))
            os.kill(pid, signal.SIGKILL)
            kills += ended(pid)
        ended(in_child(lambda r=root: story(r)))  # type: ignore[misc]
        sys.stdout.write(f"{root} {kills}\n")


if __name__ == "__main__":
    place = Path(sys.argv[1])
    if sys.argv[2] == "point":
        at_every_point(place)
    else:
        at_random(place, int(sys.argv[3]), int(sys.argv[4]))
