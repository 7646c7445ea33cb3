"""How the nights are: last success per day, what was caught up, what is pending, what is wrong."""

from __future__ import annotations

import datetime as dt
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from hfea.consolidation.day import DayWindow
from hfea.ledger.nights import NightKind, NightRow
from hfea.ledger.store import Ledger
from hfea.night.due import calendar_of

ALARM_AFTER = dt.timedelta(hours=24)
_SHOWN = 14


@dataclass(frozen=True, slots=True)
class Status:
    """The state of the nights at one moment. `alarms` make the exit code 1 (case O19)."""

    nights: tuple[NightRow, ...]
    pending: tuple[tuple[dt.date, int], ...]
    caught_up: tuple[dt.date, ...]
    episodes: int
    empty: int
    messages: int
    last_success: dt.datetime | None
    alarms: tuple[str, ...]

    @property
    def exit_code(self) -> int:
        """1 where there is an alarm."""
        return 1 if self.alarms else 0

    def as_dict(self) -> dict[str, Any]:
        """Return it for programs."""
        return {
            "last_success": self.last_success,
            "episodes": self.episodes,
            "empty_days": self.empty,
            "messages": self.messages,
            "pending": [{"day": day, "messages": count} for day, count in self.pending],
            "caught_up": list(self.caught_up),
            "nights": [_night(row) for row in self.nights],
            "alarms": list(self.alarms),
        }

    def as_text(self) -> str:
        """Return it for people."""
        at = f"{self.last_success:%Y-%m-%d %H:%M} UTC" if self.last_success else "never"
        told = f"{self.episodes} episodes of {self.messages} messages"
        lines = [f"last success {at}; {told}, {self.empty} days without sessions"]
        lines += [f"{row.day}  {_line(row)}" for row in self.nights]
        if self.caught_up:
            lines.append(f"caught up over a day late: {len(self.caught_up)} days")
        lines += [f"pending: {day} ({count} messages)" for day, count in self.pending]
        lines += [f"ALARM: {alarm}" for alarm in self.alarms]
        return "\n".join(lines)


def look(
    ledger: Ledger, zone: str, since: dt.date | None, now: dt.datetime, sources: Mapping[str, str]
) -> Status:
    """Read the ledger; *sources* are the configured ones with their stamps, '' if missing."""
    heard = ledger.seen.counts_by_day()
    sealed, empty = ledger.nights.sealed_days(), ledger.nights.empty_days()
    closed: list[DayWindow] = []
    if heard:
        first = min(heard) if since is None else max(since, min(heard))
        closed = list(calendar_of(ledger, zone).closed(first, now))
    waiting = [
        w for w in closed if w.day not in sealed and (heard.get(w.day) or w.day not in empty)
    ]
    rows = _last_rows(ledger)
    done = [row for row in rows.values() if row.kind in (NightKind.SEALED, NightKind.LATE)]
    return Status(
        nights=tuple(rows[day] for day in sorted(rows)[-_SHOWN:]),
        pending=tuple((w.day, heard.get(w.day, 0)) for w in waiting),
        caught_up=tuple(
            sorted(row.day for row in done if row.at and row.at - row.end > ALARM_AFTER)
        ),
        episodes=len(sealed),
        empty=len(empty),
        messages=sum(heard.values()),
        last_success=max((row.at for row in done if row.at), default=None),
        alarms=tuple(_alarms(ledger, waiting, heard, now, sources)),
    )


def _last_rows(ledger: Ledger) -> dict[dt.date, NightRow]:
    """Return the newest attempt at each of the newest days that says anything."""
    rows: dict[dt.date, NightRow] = {}
    for row in ledger.nights.latest(400):
        if row.kind is not NightKind.NOOP:
            rows.setdefault(row.day, row)
    return rows


def _alarms(
    ledger: Ledger,
    waiting: list[DayWindow],
    heard: Mapping[dt.date, int],
    now: dt.datetime,
    sources: Mapping[str, str],
) -> list[str]:
    alarms = []
    for window in waiting:
        if now - window.end > ALARM_AFTER:
            last = ledger.nights.last(window.day)
            why = f"; last attempt {last.kind.value}: {last.error}" if last else "; never tried"
            count = heard.get(window.day, 0)
            alarms.append(f"{window.day} has {count} messages and no episode after 24 h{why}")
    for name, stamp in sources.items():
        if not stamp:
            alarms.append(f"the source {name} is missing")
        elif not ledger.sources.status(name).stamp and not ledger.sources.states(name):
            alarms.append(f"the source {name} was never read whole; see `hfea consolidate`")
    busy = {day for _, day, at in ledger.nights.unfinished() if now - at > ALARM_AFTER}
    open_days = {w.day for w in waiting}
    alarms += [f"work on {day} began and never ended" for day in sorted(busy & open_days)]
    return alarms


def _night(row: NightRow) -> dict[str, Any]:
    return {
        "day": row.day,
        "kind": row.kind.value,
        "at": row.at,
        "counts": dict(row.counts),
        "missing": row.problems,
        "error": row.error,
        "narrator": row.narrator,
        "seconds": round(row.cost.wall_seconds, 3),
        "cpu_seconds": round(row.cost.cpu_seconds, 3),
        "bytes": row.cost.bytes,
        "tokens": row.cost.tokens_in + row.cost.tokens_out,
        "money": row.cost.money,
    }


def _line(row: NightRow) -> str:
    if row.kind is NightKind.FAILED:
        return f"failed: {row.error}"
    counts = row.counts
    skipped = sum(n for name, n in counts.items() if name.startswith("skipped_"))
    partial = f", {row.problems} things missing" if row.problems else ""
    return (
        f"{row.kind.value}  {counts.get('sessions', 0)} sessions, {counts.get('messages', 0)}"
        f" messages, {counts.get('statements', 0)} statements, {skipped} left out{partial}"
    )
