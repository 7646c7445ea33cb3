"""Whether a day's files are still those that were read: a stat to hint, a hash to decide."""

from __future__ import annotations

import datetime as dt
import hashlib
from pathlib import Path

SUFFIXES = (".md", ".evidence.jsonl", ".seal.json")


def day_path(root: Path, day: dt.date, suffix: str = ".md") -> Path:
    """Return where a file of *day* lies (DESIGN §6): `2026/10/2026-10-14.md`."""
    return root / f"{day:%Y}" / f"{day:%m}" / f"{day.isoformat()}{suffix}"


def files_stamp(root: Path, day: dt.date) -> str:
    """Return inode, size and mtime of each file of *day*; '' where there is no episode."""
    marks = []
    for suffix in SUFFIXES:
        try:
            seen = day_path(root, day, suffix).stat()
        except FileNotFoundError:
            if suffix == SUFFIXES[0]:
                return ""
            marks.append("-")
        else:
            marks.append(f"{seen.st_ino}:{seen.st_size}:{seen.st_mtime_ns}")
    return " ".join(marks)


def files_hash(root: Path, day: dt.date) -> str:
    """Return the hex SHA-256 over the bytes of the files of *day*; '' without an episode."""
    whole = hashlib.sha256()
    for suffix in SUFFIXES:
        try:
            body = day_path(root, day, suffix).read_bytes()
        except FileNotFoundError:
            if suffix == SUFFIXES[0]:
                return ""
            body = b"missing"
        whole.update(len(body).to_bytes(8, "big") + body)
    return whole.hexdigest()
