"""A whole installation in a test's folder: settings, a history, and the command line."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

SETTINGS = """\
timezone = "{zone}"
[owner]
names = ["{owner}"]
[archive]
path = "{folder}/archive"
[core]
home = "{folder}/home"
[[sources]]
kind = "{kind}"
path = "{source}"
"""


def settle(
    folder: Path, source: Path, *, kind: str = "jsonl", owner: str = "Rita", zone: str = "UTC"
) -> Path:
    """Write settings for one source; return the settings file."""
    path = folder / "hfea.toml"
    path.write_text(
        SETTINGS.format(zone=zone, owner=owner, folder=folder, kind=kind, source=source),
        encoding="utf-8",
    )
    return path


def hfea(settings: Path, *words: str, check: bool = True) -> subprocess.CompletedProcess[str]:
    """Run one command in a process of its own."""
    env = {k: v for k, v in os.environ.items() if not k.startswith("HFEA_")}
    done = subprocess.run(
        [sys.executable, "-m", "hfea", "--config", str(settings), *words],
        capture_output=True,
        text=True,
        env=env,
        check=False,
    )
    assert "Traceback" not in done.stderr, done.stderr
    if check:
        assert done.returncode == 0, done.stdout + done.stderr
    return done


def contents(folder: Path) -> dict[str, bytes]:
    """Return every file below *folder* that holds the archive's story (not databases)."""
    return {
        p.relative_to(folder).as_posix(): p.read_bytes()
        for p in sorted(folder.rglob("*"))
        if p.is_file() and p.suffix in (".md", ".jsonl", ".json")
    }
