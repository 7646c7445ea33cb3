"""Where the archive keeps what, and which strings are days (DESIGN, section 6)."""

from __future__ import annotations

import datetime as dt
import re
from pathlib import Path

from hfea.errors import UsageError

MARKDOWN, EVIDENCE, SEAL = ".md", ".evidence.jsonl", ".seal.json"
SUFFIXES = (MARKDOWN, EVIDENCE, SEAL)
HEAD_FILE = "head.json"
JOURNAL_FILE = "pending.json"
FIRST_YEAR, LAST_YEAR = 1970, 2200  # no personal agent has days outside; catches typing errors
_DAY = re.compile(r"[0-9]{4}-[0-9]{2}-[0-9]{2}\Z", re.ASCII)
_FILE = re.compile(r"([0-9]{4}-[0-9]{2}-[0-9]{2})\.md\Z", re.ASCII)


class NotADay(UsageError):
    """A string that should name a day does not."""

    def __init__(self, text: str) -> None:
        super().__init__(f"{text[:40]!a} is not a day; write it as 2026-03-05")


def parse_day(text: str) -> dt.date:
    """Return the day that *text* names: an existing ISO date in ASCII digits and nothing else."""
    if not _DAY.match(text) or not FIRST_YEAR <= int(text[:4]) < LAST_YEAR:
        raise NotADay(text)
    try:
        return dt.date.fromisoformat(text)
    except ValueError:
        raise NotADay(text) from None


def relative(day: dt.date, suffix: str) -> str:
    """Return the place of one file of *day* below the archive's root."""
    return f"{day:%Y}/{day:%m}/{day.isoformat()}{suffix}"


def days(root: Path) -> tuple[dt.date, ...]:
    """Return the days that have an episode file where it belongs, oldest first."""
    found = []
    for path in root.glob("[0-9][0-9][0-9][0-9]/[0-9][0-9]/*.md"):
        match = _FILE.match(path.name)
        if match is None:
            continue
        try:
            day = dt.date.fromisoformat(match.group(1))
        except ValueError:
            continue
        if path.relative_to(root).as_posix() == relative(day, MARKDOWN):
            found.append(day)
    return tuple(sorted(found))
