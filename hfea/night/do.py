"""Carry out a plan, one day after another: narrate, seal, index, record what it cost."""

from __future__ import annotations

import datetime as dt
import errno
import logging
import sqlite3
import time
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Protocol

from hfea.clock import Clock
from hfea.consolidation.day import DayWindow
from hfea.episode import Addendum, Episode, Missing, Narration
from hfea.errors import HfeaError, Unavailable
from hfea.ledger.nights import NightCost, NightKind, NightRow
from hfea.ledger.store import Ledger
from hfea.night.due import calendar_of
from hfea.night.plan import Act, Step
from hfea.night.spool import Spool
from memory_core.model import Message

log = logging.getLogger(__name__)

# One day's trouble, a fault of ours included, must not hold back the other days (case I23).
# What is not named here (MemoryError, KeyboardInterrupt) ends the pass.
DAY_TROUBLE = (
    HfeaError,
    OSError,
    sqlite3.Error,
    ValueError,
    LookupError,
    TypeError,
    AttributeError,
    ArithmeticError,
    RuntimeError,
)


class NoSpace(Unavailable):
    """The disk of the archive is full; what was sealed before is untouched (case C02)."""

    def __init__(self, place: Path) -> None:
        super().__init__(
            f"no space left on the disk of {place}; free some and run `hfea consolidate` again,"
            " it goes on by itself"
        )


@dataclass(frozen=True, slots=True)
class Written:
    """What sealing a day, or adding to it, has left: its place in the chain, and its size."""

    sequence: int
    head: str
    digest: str
    bytes: int


class Narrator(Protocol):
    """Makes values of a day's messages; pure but for the model call."""

    def episode(
        self, window: DayWindow, messages: Sequence[Message], missing: Sequence[Missing]
    ) -> tuple[Episode, Mapping[str, int]]:
        """Return the day's episode, and how many statements were dropped, by reason."""
        ...

    def addendum(
        self, window: DayWindow, messages: Sequence[Message]
    ) -> tuple[Addendum | None, Mapping[str, int]]:
        """Return what late messages add to a sealed day; None where it was added before."""
        ...


class Keeper(Protocol):
    """The archive and its index as the night needs them."""

    @property
    def root(self) -> Path:
        """The archive's folder."""
        ...

    def recover(self) -> None:
        """Finish or undo what a crash left half done; bring the index up to date."""
        ...

    def days(self) -> Sequence[dt.date]:
        """Return the days that have an episode."""
        ...

    def episode(self, day: dt.date) -> Episode | None:
        """Return the episode of *day*, None where its file cannot be read."""
        ...

    def seals_after(self, sequence: int) -> Iterable[tuple[int, dt.date, str]]:
        """Yield (sequence, day, seal) of the seals newer than *sequence*, in sealing order."""
        ...

    def seal(self, episode: Episode, messages: Sequence[Message]) -> Written:
        """Write and seal a day; index it."""
        ...

    def append(self, day: dt.date, addendum: Addendum, messages: Sequence[Message]) -> Written:
        """Append to a sealed day; index it."""
        ...


@dataclass(frozen=True, slots=True)
class Done:
    """How one step ended."""

    step: Step
    kind: NightKind
    statements: int = 0
    partial: bool = False
    error: str = ""


@dataclass(slots=True)
class Tools:
    """What the days are done with. `price` is money for tokens in and out."""

    ledger: Ledger
    spool: Spool
    narrator: Narrator
    keeper: Keeper
    clock: Clock
    price: Callable[[int, int], float] = lambda *_: 0.0


@dataclass(slots=True)
class Gathered:
    """What a step is about: messages, what is missing, problems seen with it."""

    missing: Mapping[dt.date, Sequence[Missing]] = field(default_factory=dict)
    everywhere: Sequence[tuple[dt.date | None, Missing]] = ()

    def for_day(self, day: dt.date) -> tuple[Missing, ...]:
        """Return what *day* misses, in a stable order, each once."""
        always = [m for since, m in self.everywhere if since is None or day >= since]
        found = [*self.missing.get(day, ()), *always]
        return tuple(sorted(set(found), key=lambda m: (m.code, m.where, m.detail)))


_UNTOLD = Narration()
_UNWRITTEN = Written(0, "", "", 0)


@dataclass(frozen=True, slots=True)
class _Result:
    """What one step made, before its cost is known."""

    kind: NightKind
    counts: Mapping[str, int] = field(default_factory=dict)
    inputs: str = ""
    problems: int = 0
    narration: Narration = _UNTOLD
    written: Written = _UNWRITTEN
    error: str = ""


def do(step: Step, tools: Tools, gathered: Gathered) -> Done:
    """Carry out one step. Its failure is a value, and recorded; raises NoSpace."""
    nights = tools.ledger.nights
    started = None if step.act is Act.EMPTY else nights.start(step.day, step.act.value)
    wall, cpu = tools.clock.monotonic(), time.process_time()
    try:
        result = _ACTS[step.act](step, tools, gathered)
    except DAY_TROUBLE as error:
        if _disk_full(error):
            raise NoSpace(tools.keeper.root) from error
        log.exception("a day failed", extra={"day": str(step.day)})
        # The kind of trouble, never its text: a message may hold what a session said.
        result = _Result(NightKind.FAILED, error=f"{type(error).__name__} in {_where(error)}")
    told = result.narration
    cost = NightCost(
        tokens_in=told.tokens_in,
        tokens_out=told.tokens_out,
        wall_seconds=tools.clock.monotonic() - wall,
        cpu_seconds=time.process_time() - cpu,
        bytes=result.written.bytes,
        money=tools.price(told.tokens_in, told.tokens_out),
    )
    nights.record(_row(step.window, result, cost, started))
    statements = result.counts.get("statements", 0)
    return Done(step, result.kind, statements, result.problems > 0, result.error)


def adopt(tools: Tools, zone: str) -> None:
    """Give the ledger the rows of seals that a crash kept from it; their cost is not known."""
    ledger, keeper = tools.ledger, tools.keeper
    newest = ledger.heads.newest()
    for sequence, day, seal in keeper.seals_after(newest.sequence if newest else 0):
        ledger.heads.record(sequence, day, seal)
    known = ledger.nights.sealed_days()
    for day in keeper.days():
        if day in known:
            continue
        episode = keeper.episode(day)
        if episode is None:
            window = calendar_of(ledger, zone).window(day)
            result = _Result(NightKind.SEALED)
        else:
            window = DayWindow(day, episode.zone, episode.start, episode.end)
            result = _Result(
                NightKind.SEALED,
                counts={**dict(episode.counts), **_counts(episode, None, {})},
                inputs=episode.inputs,
                problems=len(episode.missing),
                narration=episode.narration,
            )
        ledger.nights.record(_row(window, result, NightCost(), None))


def _row(window: DayWindow, result: _Result, cost: NightCost, started: int | None) -> NightRow:
    return NightRow(
        day=window.day,
        kind=result.kind,
        zone=window.zone,
        start=window.start,
        end=window.end,
        inputs=result.inputs,
        outputs=result.written.digest,
        counts=result.counts,
        problems=result.problems,
        error=result.error,
        narrator=result.narration.narrator,
        cost=cost,
        sequence=result.written.sequence,
        head=result.written.head,
        started=started,
    )


def _where(error: BaseException) -> str:
    trace = error.__traceback__
    while trace and trace.tb_next:
        trace = trace.tb_next
    return Path(trace.tb_frame.f_code.co_filename).name if trace else "an unknown place"


def _disk_full(error: BaseException) -> bool:
    cause: BaseException | None = error
    while cause is not None:
        if isinstance(cause, OSError) and cause.errno in (errno.ENOSPC, errno.EDQUOT):
            return True
        if isinstance(cause, sqlite3.Error) and "disk is full" in str(cause):
            return True
        cause = cause.__cause__ or cause.__context__
    return False


def _seal(step: Step, tools: Tools, gathered: Gathered) -> _Result:
    messages = tools.spool.messages(step.day)
    episode, dropped = tools.narrator.episode(step.window, messages, gathered.for_day(step.day))
    written = tools.keeper.seal(episode, messages)
    tools.ledger.heads.record(written.sequence, step.day, written.head)
    return _Result(
        NightKind.SEALED,
        counts={**dict(episode.counts), **_counts(episode, messages, dropped)},
        inputs=episode.inputs,
        problems=len(episode.missing),
        narration=episode.narration,
        written=written,
    )


def _add(step: Step, tools: Tools, _gathered: Gathered) -> _Result:
    messages = tools.spool.messages(step.day)
    addendum, dropped = tools.narrator.addendum(step.window, messages)
    if addendum is None:
        return _Result(NightKind.NOOP, counts={"messages": len(messages)})
    written = tools.keeper.append(step.day, addendum, messages)
    tools.ledger.heads.record(written.sequence, step.day, written.head)
    return _Result(
        NightKind.LATE,
        counts=_counts(addendum, messages, dropped),
        inputs=addendum.inputs,
        problems=len(addendum.missing),
        narration=addendum.narration,
        written=written,
    )


def _empty(_step: Step, _tools: Tools, _gathered: Gathered) -> _Result:
    return _Result(NightKind.EMPTY)


def _counts(
    made: Episode | Addendum, messages: Sequence[Message] | None, dropped: Mapping[str, int]
) -> dict[str, int]:
    """Count what went in (if that is known) and what came of it (case O19)."""
    counts = {"statements": sum(1 for _ in made.statements())}
    if messages is not None:
        counts["messages"] = len(messages)
        talks = {(m.source, m.conversation or m.session_id) for m in messages}
        counts["sessions"] = len(talks)
    left_out = {f"skipped_{group.reason}": len(group.messages) for group in made.left_out}
    return counts | left_out | {f"dropped_{why}": n for why, n in dropped.items()}


_ACTS = {Act.SEAL: _seal, Act.ADD: _add, Act.EMPTY: _empty}
