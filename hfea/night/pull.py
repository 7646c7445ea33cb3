"""Read what is new from the sources, give every message its day, and remember it was seen."""

from __future__ import annotations

import datetime as dt
from collections import Counter, defaultdict
from collections.abc import Callable, Collection, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Protocol

from hfea.consolidation.day import Calendar
from hfea.episode import Missing
from hfea.ledger.seen import Sighting
from hfea.ledger.sources import SourceStatus
from hfea.ledger.store import Ledger
from hfea.night.owed import Owed
from hfea.night.spool import Spool
from hfea.sources.base import Problem, RawMessage, SessionState, Source
from memory_core.model import Message

# Trouble that takes nothing away from a day: what was read stays read.
_HARMLESS = frozenset({"pruned", "unusable_time", "damaged_index", "nul_block", "recovered"})
_GONE = frozenset({"source_missing", "source_shrank"})
Report = Callable[[str, int], None]


class Door(Protocol):
    """Turns raw messages into messages (hfea.sources.intake.Intake)."""

    def take(self, raw: RawMessage, *, source: str, profile: str) -> object:
        """Return a Message, or whatever says why it is withheld."""
        ...

    def problem(self, problem: Problem) -> Problem:
        """Return the problem without its raw bytes, with their keyed hash."""
        ...


@dataclass(frozen=True, slots=True)
class Terms:
    """Which days a pass is about: those sealed, the first one wanted, and the present.

    A *whole* pass looks into every source by its bytes, once a day: an edit that changed neither
    length nor stat is found then (invariant 1).
    """

    calendar: Calendar
    sealed: Collection[dt.date]
    since: dt.date | None
    now: dt.datetime
    only: dt.date | None = None
    whole: bool = False

    def due(self, day: dt.date) -> bool:
        """Whether *day* is over, wanted, and has no episode yet."""
        return day not in self.sealed and self.wanted(day)

    def wanted(self, day: dt.date) -> bool:
        """Whether *day* is over and not before the owner's start (or is the one asked for)."""
        if self.only is not None and day != self.only:
            return False
        early = self.since is not None and day < self.since
        return not early and self.calendar.window(day).end <= self.now


@dataclass(frozen=True, slots=True)
class Absence:
    """A source that is gone or shows nothing any more; `since` is the last day it was seen."""

    since: dt.date | None
    missing: Missing


@dataclass(slots=True)
class Pulled:
    """What one pass has read, besides the messages themselves (they are in the spool)."""

    problems: list[Problem] = field(default_factory=list)
    missing: dict[dt.date, list[Missing]] = field(default_factory=lambda: defaultdict(list))
    undated: list[Missing] = field(default_factory=list)
    absent: dict[str, Absence] = field(default_factory=dict)
    owed: list[Owed] = field(default_factory=list)
    withheld: Counter[str] = field(default_factory=Counter)
    messages: int = 0
    placeless: int = 0

    def hole(self, day: dt.date) -> bool:
        """Whether a source that once had messages is missing since before the end of *day*."""
        return any(a.since is not None and day >= a.since for a in self.absent.values())

    def everywhere(self) -> list[tuple[dt.date | None, Missing]]:
        """Return what every day from a day on misses."""
        return [(a.since, a.missing) for a in self.absent.values()]


@dataclass(frozen=True, slots=True)
class _Entry:
    number: int | None
    session: str
    conversation: str
    message_id: str
    identity: str
    at: dt.datetime | None
    position: int


class Pull:
    """Reads sources into a spool; with `write` False the ledger stays as it is (dry run)."""

    def __init__(
        self, ledger: Ledger, spool: Spool, terms: Terms, door: Door, *, write: bool = True
    ) -> None:
        self._ledger, self._spool, self._terms, self._door = ledger, spool, terms, door
        self._write, self._whole = write, terms.whole
        self._due = self._due_units()
        self.found = Pulled()

    def read(
        self,
        source: Source,
        skip: Callable[[RawMessage], str] = lambda _: "",
        report: Report = lambda *_: None,
    ) -> None:
        """Read one source. *skip* names the reason why a message is left out, or ''."""
        stamp, before = source.stamp(), self._ledger.sources.status(source.name)
        wanted = self._due[source.name]
        known_stamp = (stamp, None) == (before.stamp, before.missing_since)
        if stamp and known_stamp and not wanted and not self._whole:
            return
        known = self._ledger.sources.states(source.name)
        unit = _Unit(source, self._door, self._spool, skip)
        for item in source.scan(known, wanted):
            if isinstance(item, Problem) and item.code in _GONE and item.where not in known:
                self._absent(before, item)
            if isinstance(item, SessionState):
                if item.messages and not unit.shown and item.unit not in known:
                    unit.take(_deaf(source.name, item))
                self._finish(source.name, unit, item)
                report(source.name, self.found.messages)
            else:
                unit.take(item)
        self._finish(source.name, unit, None)
        if stamp and (self._whole or not known_stamp):
            self._stamp(source.name, stamp)

    def _due_units(self) -> dict[str, set[str]]:
        """Name, by source, the units that hold messages of days that are over but not sealed."""
        found: dict[str, set[str]] = defaultdict(set)
        for day in self._ledger.seen.days():
            if self._terms.due(day):
                for source, unit, _ in self._ledger.seen.sessions_on(day):
                    found[source].add(unit)
        return found

    def _stamp(self, source: str, stamp: str) -> None:
        """Let the next pass skip an unchanged source, unless something must be read again."""
        again = any(
            p.source == source and p.severity == "error" for p in self.found.problems
        ) or any(o.source == source for o in self.found.owed)
        if self._write and not again:
            self._ledger.sources.present(source, stamp)

    def _absent(self, before: SourceStatus, problem: Problem) -> None:
        """Note a missing or emptied source, and the first day that it may leave holes in."""
        name = before.name
        had = max(self._ledger.seen.days_of(name), default=None)
        since = self._terms.calendar.day_of(before.seen_at) if before.seen_at and had else had
        missing = Missing("source_missing", name, problem.detail)
        self.found.absent[name] = Absence(since, missing)
        if self._write and before.missing_since is None:
            self._ledger.sources.missing(name)

    def _finish(self, source: str, unit: _Unit, state: SessionState | None) -> None:
        days = _days(unit.entries, self._terms.calendar)
        self.found.placeless += sum(day is None for day in days)
        self.found.messages += len(unit.entries)
        self.found.withheld += unit.withheld
        self._problems(unit, days)
        record, late, kept = self._sort(source, unit.entries, days)
        self._spool.keep(kept)
        self._spool.sweep()
        name = state.unit if state else ""
        with self._ledger.together():
            if self._write:
                for session, group in record.items():
                    self._ledger.seen.record(source, name, session, group)
                if state is not None and not late:
                    self._ledger.sources.save(source, [state])
        if late:
            groups = {session: tuple(group) for session, group in late.items()}
            self.found.owed.append(Owed(source, name, groups, state))
        unit.clear()

    def _sort(
        self, source: str, entries: Sequence[_Entry], days: Sequence[dt.date | None]
    ) -> tuple[dict[str, list[Sighting]], dict[str, list[Sighting]], list[tuple[int, dt.date]]]:
        """Tell what is to be recorded now, what after its day was sealed, what is spooled."""
        record: dict[str, list[Sighting]] = defaultdict(list)
        late: dict[str, list[Sighting]] = defaultdict(list)
        kept: list[tuple[int, dt.date]] = []
        for session, group in _by_session(entries, days):
            shown = [sighting for _, sighting in group]
            fresh = {id(s) for s in self._ledger.seen.fresh(source, session, shown)}
            for entry, sighting in group:
                if entry.number is None:
                    continue  # another unit of this pass has shown the same message
                new, day = id(sighting) in fresh, sighting.day
                is_late = new and day in self._terms.sealed
                if new:
                    (late if is_late else record)[session].append(sighting)
                if is_late or self._terms.due(day):
                    kept.append((entry.number, day))
        return record, late, kept

    def _problems(self, unit: _Unit, days: Sequence[dt.date | None]) -> None:
        for place, problem in unit.problems:
            self.found.problems.append(problem)
            if problem.code in _HARMLESS:
                continue
            missing = Missing(problem.code, problem.where, problem.detail)
            near = [d for d in (*reversed(days[:place]), *days[place:]) if d is not None]
            if near and problem.code not in _GONE:
                self.found.missing[near[0]].append(missing)
            elif unit.name not in self.found.absent:
                self.found.undated.append(missing)


class _Unit:
    """What has come of the unit being read so far."""

    def __init__(
        self, source: Source, door: Door, spool: Spool, skip: Callable[[RawMessage], str]
    ) -> None:
        self._source, self._door, self._spool, self._skip = source, door, spool, skip
        self.name = source.name
        self.entries: list[_Entry] = []
        self.problems: list[tuple[int, Problem]] = []
        self.withheld: Counter[str] = Counter()
        self.shown = 0

    def clear(self) -> None:
        """Begin the next unit."""
        self.entries.clear()
        self.problems.clear()
        self.withheld.clear()
        self.shown = 0

    def take(self, item: RawMessage | Problem) -> None:
        """Let one item through the door, or note why not."""
        if isinstance(item, Problem):
            self.problems.append((len(self.entries), self._door.problem(item)))
            return
        self.shown += 1
        if reason := self._skip(item):
            self.withheld[reason] += 1
            return
        taken = self._door.take(item, source=self._source.name, profile=self._source.profile)
        if not isinstance(taken, Message):
            self.withheld[str(getattr(taken, "reason", "withheld"))] += 1
            return
        self.entries.append(
            _Entry(
                self._spool.put(taken),
                taken.session_id,
                taken.conversation or taken.session_id,
                taken.message_id,
                taken.identity,
                taken.at,
                taken.position,
            )
        )


def _deaf(source: str, state: SessionState) -> Problem:
    """Say that a unit claims messages and none came: never "no sessions" in silence (O19)."""
    detail = f"{state.messages} messages were announced and none arrived"
    return Problem(source, "nothing_selected", state.unit, detail, severity="error")


def _days(entries: Sequence[_Entry], calendar: Calendar) -> list[dt.date | None]:
    """Give each entry its day; one without a usable time gets its neighbour's (case T09).

    That is the message before it in the same conversation, else the one after it. Never the
    epoch and never today: with no neighbour there is no day, and that is reported.
    """
    days = [calendar.day_of(e.at) if e.at else None for e in entries]
    for order in (range(len(entries)), range(len(entries) - 1, -1, -1)):
        last: dict[str, dt.date] = {}
        for n in order:
            talk = entries[n].conversation
            day = days[n]
            if day is not None:
                last[talk] = day
            elif talk in last:
                days[n] = last[talk]
    return days


def _by_session(
    entries: Sequence[_Entry], days: Sequence[dt.date | None]
) -> Iterator[tuple[str, list[tuple[_Entry, Sighting]]]]:
    groups: dict[str, list[tuple[_Entry, Sighting]]] = defaultdict(list)
    for entry, day in zip(entries, days, strict=True):
        if day is not None:
            sighting = Sighting(entry.message_id, entry.identity, entry.at, day, entry.position)
            groups[entry.session].append((entry, sighting))
    yield from groups.items()
