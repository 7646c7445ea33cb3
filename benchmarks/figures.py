"""A measured figure, and the process of its own that measures it."""

from __future__ import annotations

import json
import resource
import subprocess
import sys
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

HERE = Path(__file__).resolve().parent


@dataclass(frozen=True)
class Figure:
    """One measured value. `over` says what it was measured on; `goal` is the most it may be.

    `snapshot` is the SHA-256 (16 digits) of the input, '' where the input is named by `over`.
    """

    name: str
    value: float
    unit: str
    over: str
    goal: float | None = None
    snapshot: str = ""

    @property
    def met(self) -> bool | None:
        """Whether the goal is met; None without one."""
        return None if self.goal is None else self.value <= self.goal

    def line(self) -> str:
        """Return the figure as one line of a table."""
        goal = (
            "" if self.goal is None else f"goal ≤ {self.goal:g}: {'met' if self.met else 'MISSED'}"
        )
        snapshot = f" [{self.snapshot}]" if self.snapshot else ""
        return (
            f"  {self.name:44} {self.value:>12,.3f} {self.unit:9} {goal:22} {self.over}{snapshot}"
        )

    def row(self) -> dict[str, Any]:
        """Return the figure for a JSON file."""
        return asdict(self) | {"met": self.met}


def peak_megabytes() -> float:
    """Return the most memory this process has had resident, in MB of 10^6 bytes."""
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024 / 1e6


def fresh(script: str, *words: str) -> dict[str, Any]:
    """Run a bench script in a process of its own; return the JSON object it prints last.

    A process of its own makes peak memory the bench's alone. Raises CalledProcessError.
    """
    command = [sys.executable, str(HERE / script), *words]
    done = subprocess.run(command, check=True, stdout=subprocess.PIPE, text=True)
    found: dict[str, Any] = json.loads(done.stdout.splitlines()[-1])
    return found


def answer(parts: Mapping[str, Callable[[Sequence[str]], dict[str, Any]]]) -> None:
    """Run the part that the command line names and print what it found as JSON."""
    print(json.dumps(parts[sys.argv[1]](sys.argv[2:])))
