"""Times as sources write them: seconds to nanoseconds, ISO with or without a zone."""

from __future__ import annotations

import datetime as dt
import re
from dataclasses import dataclass
from functools import lru_cache
from zoneinfo import ZoneInfo

# A personal agent's message can hardly be older than this or lie further ahead.
EARLIEST = dt.datetime(2015, 1, 1, tzinfo=dt.UTC)
LATEST = dt.datetime(2100, 1, 1, tzinfo=dt.UTC)
_UNITS = (1, 1_000, 1_000_000, 1_000_000_000)
_DIGITS = re.compile(r"[0-9]{1,25}(?:\.[0-9]{1,25})?\Z")
# What writers do to ISO 8601: slashes, a comma, a blank or a word before the zone, a leap second.
_LOOSE = re.compile(
    r"(?P<date>\d{4}[-/.]\d{2}[-/.]\d{2})[T _](?P<clock>\d{2}:\d{2}(?::\d{2})?)(?P<part>[.,]\d+)?"
    r"\s*(?P<zone>Z|UTC|GMT|[+-]\d{2}:?\d{2}|[+-]\d{2})?\Z",
    re.IGNORECASE,
)

NO_TIME = "no_usable_time"
ASSUMED_ZONE = "assumed_zone"


@dataclass(frozen=True, slots=True)
class Stamp:
    """A moment in UTC, or None where the source's own stamp was unusable, and a mark for that."""

    at: dt.datetime | None
    marks: frozenset[str] = frozenset()


_UNUSABLE = Stamp(None, frozenset({NO_TIME}))


def read(value: object, zone: str | None = None) -> Stamp:
    """Read a stamp: a number or digits in s, ms, µs or ns, or ISO 8601.

    The unit is the one that gives a plausible moment. A naive time is read in *zone* (UTC
    where none is known) and marked `assumed_zone`; its summer time, where the clock shows it
    twice, is the first of the two. Anything else is `no_usable_time`: never
    1970 and never today.
    """
    if isinstance(value, bool) or value is None:
        return _UNUSABLE
    if isinstance(value, int | float):
        return _number(value)
    if not isinstance(value, str):
        return _UNUSABLE
    text = value.strip()
    if _DIGITS.match(text):
        return _number(float(text) if "." in text else int(text))
    return _iso(text, zone)


def _number(value: float) -> Stamp:
    for unit in _UNITS:
        try:
            at = dt.datetime.fromtimestamp(0, dt.UTC) + _span(value, unit)
        except (OverflowError, ValueError):
            continue
        if EARLIEST <= at < LATEST:
            return Stamp(at)
    return _UNUSABLE


def _span(value: float, unit: int) -> dt.timedelta:
    if isinstance(value, int):
        return dt.timedelta(microseconds=value * 1_000_000 // unit)
    return dt.timedelta(seconds=value / unit)


def _iso(text: str, zone: str | None) -> Stamp:
    try:
        at = _parsed(text)
    except ValueError:
        return _UNUSABLE
    marks: frozenset[str] = frozenset()
    if at.tzinfo is None:
        at = at.replace(tzinfo=known_zone(zone) or dt.UTC)
        marks = frozenset({ASSUMED_ZONE})
    try:
        at = at.astimezone(dt.UTC)
    except (OverflowError, ValueError):
        return _UNUSABLE
    return Stamp(at, marks) if EARLIEST <= at < LATEST else _UNUSABLE


def _parsed(text: str) -> dt.datetime:
    """Return the moment that *text* writes. Raises ValueError."""
    found = _LOOSE.match(text)
    if not found:
        return dt.datetime.fromisoformat(text)
    clock, late = found["clock"], dt.timedelta(0)
    if clock.endswith(":60"):  # a leap second; Python's clock has none
        clock, late = f"{clock[:-2]}59", dt.timedelta(seconds=1)
    zone = (found["zone"] or "").upper()
    zone = "Z" if zone in ("UTC", "GMT") else zone
    day = re.sub("[/.]", "-", found["date"])
    part = (found["part"] or "").replace(",", ".")[:7]
    return dt.datetime.fromisoformat(f"{day}T{clock}{part}{zone}") + late


@lru_cache(maxsize=64)
def known_zone(name: str | None) -> ZoneInfo | None:
    """Return the zone of an IANA name; None where there is none, whatever the text is."""
    try:
        return ZoneInfo(name) if name else None
    except (ValueError, OSError, KeyError):  # KeyError: no such zone (ZoneInfoNotFoundError)
        return None
