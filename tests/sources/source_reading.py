"""Reading a source in a test: its messages, problems and states, and a look beside it."""

from __future__ import annotations

import os
import shutil
from collections.abc import Collection, Mapping
from dataclasses import dataclass
from pathlib import Path

from hfea.sources.base import Problem, RawMessage, SessionState, Source


@dataclass(frozen=True)
class Reading:
    """What one scan yielded."""

    messages: list[RawMessage]
    problems: list[Problem]
    states: dict[str, SessionState]

    def texts(self) -> list[str]:
        return [m.text for m in self.messages]

    def codes(self) -> list[str]:
        return [p.code for p in self.problems]


def scan(
    source: Source,
    known: Mapping[str, SessionState] | None = None,
    wanted: Collection[str] = (),
) -> Reading:
    """Scan *source* and sort what comes."""
    reading = Reading([], [], {})
    for item in source.scan(known or {}, wanted):
        if isinstance(item, RawMessage):
            reading.messages.append(item)
        elif isinstance(item, Problem):
            reading.problems.append(item)
        else:
            reading.states[item.unit] = item
    return reading


def beside(folder: Path) -> dict[str, tuple[int, int, bytes]]:
    """Return name, size, mtime and content of everything below *folder*."""
    return {
        p.relative_to(folder).as_posix(): (
            p.stat().st_size,
            p.stat().st_mtime_ns,
            p.read_bytes() if p.stat().st_size < 5_000_000 else b"",
        )
        for p in sorted(folder.rglob("*"))
        if p.is_file()
    }


def writable_copy(source: Path, target: Path) -> Path:
    """Copy a (read-only) file or folder so that a test may change it."""
    if source.is_dir():
        shutil.copytree(source, target)
        for root, folders, files in os.walk(target):
            for name in (*folders, *files):
                (Path(root) / name).chmod(0o755 if name in folders else 0o644)
        target.chmod(0o755)
    else:
        target.parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(source, target)
    return target
