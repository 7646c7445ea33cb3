"""Whether a day's files are still those that were read: a stat to hint, a hash to decide."""

from __future__ import annotations

import datetime as dt
import hashlib
from pathlib import Path

from hfea.archive.layout import MARKDOWN, SUFFIXES, relative


def day_path(root: Path, day: dt.date, suffix: str = MARKDOWN) -> Path:
    """Return where a file of *day* lies."""
    return root / relative(day, suffix)


def files_stamp(root: Path, day: dt.date) -> str:
    """Return inode, size and mtime of each file of *day*; '' where there is no episode."""
    marks = []
    for suffix in SUFFIXES:
        try:
            seen = day_path(root, day, suffix).stat()
        except FileNotFoundError:
            if suffix == MARKDOWN:
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
            if suffix == MARKDOWN:
                return ""
            body = b"missing"
        whole.update(len(body).to_bytes(8, "big") + body)
    return whole.hexdigest()
