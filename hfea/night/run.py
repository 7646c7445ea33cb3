"""One pass of the night, whole: lock, recover, read, plan, do."""

from __future__ import annotations

import datetime as dt
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field

from hfea.episode import Missing
from hfea.errors import UsageError
from hfea.ledger.lock import night_lock
from hfea.ledger.nights import NightKind
from hfea.night.do import Done, Gathered, Tools, adopt, do
from hfea.night.due import calendar_of
from hfea.night.owed import pay
from hfea.night.plan import Act, Known, Step, plan
from hfea.night.pull import Door, Pull, Pulled, Terms
from hfea.sources.base import Problem, RawMessage, Source


@dataclass(frozen=True, slots=True)
class Order:
    """What a pass was asked to do: one day, from a day on, or everything that is due."""

    only: dt.date | None = None
    since: dt.date | None = None
    dry_run: bool = False


def _quietly(_what: str, _done: int, _of: int) -> None:
    return


@dataclass(frozen=True, slots=True)
class Watch:
    """Who looks on: *stop* is asked between two units of work, *tell* hears of progress.

    `tell(what, done, of)`; `of` is 0 where the end is not known.
    """

    stop: Callable[[], bool] = lambda: False
    tell: Callable[[str, int, int], None] = _quietly


@dataclass(frozen=True, slots=True)
class Night:
    """What a pass did, or with `dry_run` would do."""

    steps: tuple[Step, ...]
    done: tuple[Done, ...]
    problems: tuple[Problem, ...]
    absent: tuple[str, ...]
    withheld: Counter[str]
    read: int
    placeless: int
    stopped: bool

    @property
    def failed(self) -> list[Done]:
        """The steps that failed."""
        return [d for d in self.done if d.kind is NightKind.FAILED]

    @property
    def exit_code(self) -> int:
        """1 where something is wrong with a day or a source, else 0."""
        loud = [p for p in self.problems if p.severity == "error"]
        return 1 if self.failed or self.absent or loud or self.placeless else 0


@dataclass(slots=True)
class NightPass:
    """One pass over given sources. `skip` names why a raw message is left out, or ''.

    `whole` says that the sources were made to compare all their bytes; see Terms.
    """

    tools: Tools
    sources: Sequence[Source]
    door: Door
    zone: str
    since: dt.date | None = None
    skip: Callable[[RawMessage], str] = lambda _: ""
    watch: Watch = field(default_factory=Watch)
    whole: bool = False

    def run(self, order: Order = Order()) -> Night:
        """Run the pass; raises NightRunning, NoSpace, UsageError, and what the rooms raise."""
        with night_lock(self.tools.keeper.root):
            self.tools.keeper.recover()
            if not order.dry_run:
                adopt(self.tools, self.zone)
            terms = self._terms(order)
            pull = Pull(
                self.tools.ledger, self.tools.spool, terms, self.door, write=not order.dry_run
            )
            for source in self.sources:
                if self.watch.stop():
                    break
                pull.read(source, self.skip, lambda name, n: self.watch.tell(name, n, 0))
            steps = self._plan(order, terms, pull.found)
            done = [] if order.dry_run else list(self._do(steps, pull.found))
            if not order.dry_run and not self.watch.stop():
                # Last of all: a pass that dies before is told of the same trouble again.
                self.tools.ledger.sources.note(pull.found.problems)
        found = pull.found
        return Night(
            tuple(steps),
            tuple(done),
            tuple(found.problems),
            tuple(sorted(found.absent)),
            found.withheld,
            found.messages,
            found.placeless,
            self.watch.stop(),
        )

    def _terms(self, order: Order) -> Terms:
        ledger = self.tools.ledger
        now, calendar = self.tools.clock.now(), calendar_of(ledger, self.zone)
        if order.only is not None and calendar.window(order.only).end > now:
            msg = f"{order.only} is not over yet in {self.zone}; the day after it can be named"
            raise UsageError(msg)
        since = order.only or order.since or self.since
        return Terms(calendar, ledger.nights.sealed_days(), since, now, order.only, self.whole)

    def _plan(self, order: Order, terms: Terms, found: Pulled) -> list[Step]:
        heard = self.tools.spool.heard()
        known = Known(terms.sealed, self.tools.ledger.nights.empty_days())
        days = [*heard, *self.tools.ledger.seen.days()]
        if not days:
            return []
        first = min(days) if terms.since is None else max(min(days), terms.since)
        closed = list(terms.calendar.closed(first, terms.now))
        if order.only is not None:
            closed = [window for window in closed if window.day == order.only]
        waiting = [w.day for w in closed if w.day not in terms.sealed]
        holes = {day for day in waiting if found.hole(day)}
        if waiting and self._news(found):
            holes.add(max(waiting))
        return list(plan(closed, known, heard, absent=holes))

    def _news(self, found: Pulled) -> list[Missing]:
        """Return the troubles without a day that no earlier pass has told of."""
        if not found.undated:
            return []
        old = {(n.problem.code, n.problem.where) for n in self.tools.ledger.sources.problems()}
        return [m for m in found.undated if (m.code, m.where) not in old]

    def _do(self, steps: Sequence[Step], found: Pulled) -> Iterator[Done]:
        seals = [step.day for step in steps if step.act is Act.SEAL]
        missing = dict(found.missing)
        if seals and (news := self._news(found)):
            # Nobody knows which day an unreadable file holds: the newest one says so, once.
            missing[seals[-1]] = [*missing.get(seals[-1], ()), *news]
        gathered = Gathered(missing, found.everywhere())
        owed = found.owed
        for number, step in enumerate(steps):
            if self.watch.stop():
                return
            self.watch.tell(str(step.day), number, len(steps))
            done = do(step, self.tools, gathered)
            if done.kind is not NightKind.FAILED:
                owed = pay(self.tools.ledger, owed, {step.day} if step.act is Act.ADD else set())
                self.tools.spool.done(step.day)
            yield done
