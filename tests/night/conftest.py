"""A small house: a ledger and an archive folder, real; sources, narrator and keeper in memory."""

from __future__ import annotations

import datetime as dt
import hashlib
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path

import pytest

from hfea.consolidation.day import DayWindow
from hfea.episode import (
    Addendum,
    Citation,
    Episode,
    Missing,
    Narration,
    Statement,
    Thread,
    statement_id,
)
from hfea.ledger.store import Ledger
from hfea.night.do import Tools, Written
from hfea.night.run import Night, NightPass, Order, Watch
from hfea.night.spool import Spool
from hfea.sources.base import Item, Problem, RawMessage, SessionState
from memory_core.model import AuthorKind, Kind, Message, Origin, Role, Theme

UTC = dt.UTC


@dataclass
class HandClock:
    """A clock that is moved by hand."""

    at: dt.datetime = dt.datetime(2026, 3, 10, 3, 0, tzinfo=UTC)
    ticks: float = 0.0

    def now(self) -> dt.datetime:
        return self.at

    def monotonic(self) -> float:
        return self.ticks

    def sleep(self, seconds: float) -> None:
        self.at += dt.timedelta(seconds=seconds)
        self.ticks += seconds


@dataclass
class ListSource:
    """A source in memory: units of messages, each perhaps with problems, perhaps failing."""

    name: str = "list"
    kind: str = "jsonl"
    profile: str = "default"
    units: dict[str, list[RawMessage | Problem]] = field(default_factory=dict)
    broken: set[str] = field(default_factory=set)
    missing: bool = False
    scans: int = 0

    def say(self, unit: str, at: dt.datetime | None, text: str, **more: object) -> None:
        rows = self.units.setdefault(unit, [])
        number = len(rows) + 1
        rows.append(
            RawMessage(unit, f"{unit}-{number}", at, Role.USER, text, number, **more)  # type: ignore[arg-type]
        )

    def _print(self, unit: str) -> str:
        return hashlib.sha256(repr(self.units[unit]).encode()).hexdigest()

    def stamp(self) -> str:
        whole = repr(self.units) + repr(self.broken)
        return "" if self.missing else hashlib.sha256(whole.encode()).hexdigest()

    def scan(
        self, known: Mapping[str, SessionState], wanted: Collection[str] = ()
    ) -> Iterator[Item]:
        self.scans += 1
        if self.missing:
            yield Problem(self.name, "source_missing", "/gone", "it is not there", severity="error")
            return
        for unit, rows in self.units.items():
            if unit in self.broken:
                yield Problem(self.name, "unreadable", unit, "cannot be read", severity="error")
                continue
            fingerprint = self._print(unit)
            if unit in wanted or unit not in known or known[unit].fingerprint != fingerprint:
                yield from rows
                count = sum(isinstance(r, RawMessage) for r in rows)
                yield SessionState(unit, fingerprint, sessions=(unit,), messages=count)

    def ignored(self) -> tuple[str, ...]:
        return ()


class OpenDoor:
    """Lets everything in as the owner's own words."""

    def take(self, raw: RawMessage, *, source: str, profile: str) -> Message:
        return Message(
            profile,
            source,
            raw.session_id,
            raw.message_id,
            raw.at,
            raw.role,
            "Ana",
            AuthorKind.OWNER,
            Origin.DIRECT,
            raw.text,
            hashlib.sha256(raw.text.encode()).hexdigest(),
            raw.position,
            raw.conversation or raw.session_id,
            marks=raw.marks,
        )

    def problem(self, problem: Problem) -> Problem:
        return replace(problem, raw=b"")


def _thread(day: dt.date, messages: Sequence[Message]) -> Thread:
    statements = []
    for m in messages:
        cited = (Citation(m.source, m.session_id, m.message_id, m.at, 0, len(m.content)),)
        number = statement_id(day, Kind.QUOTE, m.content, cited)
        statements.append(
            Statement(
                number,
                Kind.QUOTE,
                Theme.OTHER,
                m.content,
                m.at,
                m.author,
                m.author_kind,
                m.origin,
                cited,
            )
        )
    return Thread("t1", "talk", "", (), None, None, tuple(statements))


@dataclass
class QuotingNarrator:
    """Quotes every message; fails where it is told to."""

    keeper: MemoryKeeper
    fails_on: set[dt.date] = field(default_factory=set)
    error: type[Exception] = RuntimeError

    def episode(
        self, window: DayWindow, messages: Sequence[Message], missing: Sequence[Missing]
    ) -> tuple[Episode, Mapping[str, int]]:
        if window.day in self.fails_on:
            raise self.error("boom")
        episode = Episode(
            window.day,
            window.zone,
            window.start,
            window.end,
            (),
            (_thread(window.day, messages),),
            (),
            tuple(missing),
            (("messages", len(messages)),),
            Narration(),
            "inputs",
        )
        return episode, {}

    def addendum(
        self, window: DayWindow, messages: Sequence[Message]
    ) -> tuple[Addendum | None, Mapping[str, int]]:
        told = {s.text for s in self.keeper.statements(window.day)}
        new = [m for m in messages if m.content not in told]
        if not new:
            return None, {}
        thread = _thread(window.day, new)
        return Addendum(1, window.day, "late", "late messages", (thread,)), {}


@dataclass
class MemoryKeeper:
    """Keeps episodes in memory; dies where it is told to."""

    root: Path
    episodes: dict[dt.date, Episode] = field(default_factory=dict)
    addenda: dict[dt.date, list[Addendum]] = field(default_factory=dict)
    sequence: int = 0
    seals: list[tuple[int, dt.date, str]] = field(default_factory=list)
    dies_after: str = ""

    def recover(self) -> None:
        return

    def seal(self, episode: Episode, _: Sequence[Message]) -> Written:
        assert episode.day not in self.episodes, "sealed means sealed"
        self.episodes[episode.day] = episode
        return self._written("seal", episode.day)

    def append(self, day: dt.date, addendum: Addendum, _: Sequence[Message]) -> Written:
        self.addenda.setdefault(day, []).append(addendum)
        return self._written("append", day)

    def days(self) -> list[dt.date]:
        return sorted(self.episodes)

    def episode(self, day: dt.date) -> Episode | None:
        return self.episodes[day]

    def seals_after(self, sequence: int) -> list[tuple[int, dt.date, str]]:
        return [entry for entry in self.seals if entry[0] > sequence]

    def statements(self, day: dt.date) -> Iterator[Statement]:
        if day in self.episodes:
            yield from self.episodes[day].statements()
        for addendum in self.addenda.get(day, ()):
            yield from addendum.statements()

    def texts(self, day: dt.date) -> list[str]:
        return [s.text for s in self.statements(day)]

    def _written(self, what: str, day: dt.date) -> Written:
        self.sequence += 1
        self.seals.append((self.sequence, day, f"{self.sequence:064x}"))
        if self.dies_after == what:
            self.dies_after = ""
            raise KeyboardInterrupt
        return Written(self.sequence, f"{self.sequence:064x}", "digest", 1)


@dataclass
class House:
    """Everything a pass needs, on one archive folder."""

    root: Path
    clock: HandClock = field(default_factory=HandClock)
    zone: str = "America/Sao_Paulo"
    since: dt.date | None = None
    sources: list[ListSource] = field(default_factory=lambda: [ListSource()])
    skip: Callable[[RawMessage], str] = lambda _: ""

    def __post_init__(self) -> None:
        self.root.mkdir(exist_ok=True)
        self.keeper = MemoryKeeper(self.root)
        self.narrator = QuotingNarrator(self.keeper)

    @property
    def source(self) -> ListSource:
        return self.sources[0]

    def ledger(self) -> Ledger:
        return Ledger.open(self.root / "ledger.sqlite", self.clock)

    def night(
        self, order: Order | None = None, *, stop: Callable[[], bool] = lambda: False
    ) -> Night:
        spool = Spool()
        try:
            with self.ledger() as ledger:
                tools = Tools(ledger, spool, self.narrator, self.keeper, self.clock)
                work = NightPass(tools, self.sources, OpenDoor(), self.zone, self.since, self.skip)
                work.watch = Watch(stop=stop)
                return work.run(order or Order())
        finally:
            spool.close()


@pytest.fixture
def house(tmp_path: Path) -> House:
    """An empty house at 10 March 2026, 00:00 in São Paulo."""
    return House(tmp_path / "archive")
