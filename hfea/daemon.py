"""The loop of `hfea run`: wakes for the night, waits for quiet, stops between two units of work."""

from __future__ import annotations

import datetime as dt
import fcntl
import logging
import os
import threading
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol

from hfea.clock import Clock
from hfea.errors import Unavailable
from hfea.scheduler import Alarm, Schedule
from hfea.sd_notify import notify

log = logging.getLogger(__name__)

TICK_SECONDS = 1.0
LOOK_SECONDS = 30.0  # between two looks at whether a night is due
JUMP_SECONDS = 60.0  # a clock that moved this much more than time did has jumped
FIRST_RETRY = 60.0
LONGEST_RETRY = 3600.0
LOCK_NAME = "daemon.lock"


class AnotherDaemon(Unavailable):
    """The archive has a daemon already."""


class Work(Protocol):
    """What the daemon does; the composition root gives the real one."""

    def due(self, by: dt.datetime) -> bool:
        """Whether a day that ended by *by* has neither an episode nor an empty row."""
        ...

    def night(self, stop: Callable[[], bool], alive: Callable[[str], None]) -> bool:
        """Run one pass; False where something failed. Call *alive* between units of work."""
        ...

    def noop(self, fire: dt.datetime) -> None:
        """Record that the alarm rang and there was nothing to do."""
        ...

    def settled(self, paths: Sequence[Path]) -> None:
        """Take note of files that were written and stand still now."""
        ...


class Quiet(Protocol):
    """The part of the watcher that the loop needs."""

    def start(self) -> None:
        """Begin to watch."""
        ...

    def stop(self) -> None:
        """Stop watching."""
        ...

    def tick(self) -> list[Path]:
        """Return the files that have settled."""
        ...

    def quiet_seconds(self) -> float:
        """Return for how long nothing was written."""
        ...


Service = Callable[[Callable[[], bool]], None]


@dataclass(frozen=True, slots=True)
class Parts:
    """What the loop is made of; `serve` runs the HTTP service until told to stop, if any."""

    schedule: Schedule
    work: Work
    quiet: Quiet
    clock: Clock
    tell: Callable[[str], object] = notify
    serve: Service | None = None


class Daemon:
    """One loop, one thread; the service, if any, has a thread of its own."""

    def __init__(self, parts: Parts) -> None:
        self._parts = parts
        self._stopping = False
        self._rung = threading.Event()
        self._done: dt.datetime | None = None
        self._wait, self._retry_at = FIRST_RETRY, float("-inf")
        self._looked = float("-inf")
        self._wall, self._ticks = parts.clock.now(), parts.clock.monotonic()
        self._waiting = False

    def stop(self) -> None:
        """Ask the loop to end; safe in a signal handler: it only sets a flag."""
        self._stopping = True

    def stopping(self) -> bool:
        """Whether the loop was asked to end."""
        return self._stopping

    def run(self) -> None:
        """Loop until stopped."""
        parts = self._parts
        with ExitStack() as stack:
            parts.quiet.start()
            stack.callback(parts.quiet.stop)
            stack.enter_context(Alarm(parts.schedule, self._rung.set))
            if parts.serve is not None:
                stack.callback(self._serve(parts.serve).join, 30)
            parts.tell("READY=1\nSTATUS=waiting for the night")
            log.info("ready", extra={"zone": parts.schedule.zone, "hour": str(parts.schedule.at)})
            while not self._stopping:
                self.tick()
                self._rung.wait(TICK_SECONDS)
            parts.tell("STOPPING=1")
            log.info("stopping")

    def tick(self) -> None:
        """Do what is to be done now; called every second."""
        parts = self._parts
        parts.tell("WATCHDOG=1")
        if settled := parts.quiet.tick():
            parts.work.settled(settled)
        now, ticks = parts.clock.now(), parts.clock.monotonic()
        jumped = self._jumped(now, ticks)
        rang = self._rung.is_set()
        self._rung.clear()
        if rang or jumped or ticks - self._looked >= LOOK_SECONDS:
            self._looked = ticks
            self._look(now, ticks, rang=rang)

    def _jumped(self, now: dt.datetime, ticks: float) -> bool:
        """Notice sleep and a changed clock: wall time moved and monotonic time did not (O02)."""
        drift = (now - self._wall).total_seconds() - (ticks - self._ticks)
        self._wall, self._ticks = now, ticks
        if abs(drift) < JUMP_SECONDS:
            return False
        log.info("the clock jumped", extra={"seconds": round(drift)})
        return True

    def _look(self, now: dt.datetime, ticks: float, *, rang: bool) -> None:
        parts, fire = self._parts, self._parts.schedule.last_fire(now)
        if self._done == fire or not parts.work.due(fire):
            if rang:
                parts.work.noop(fire)
            return
        if ticks < self._retry_at:
            return
        if not parts.schedule.may_start(now, parts.quiet.quiet_seconds()):
            if not self._waiting:
                log.info("a night is due; waiting for a quiet spell")
                parts.tell("STATUS=a night is due, waiting for a quiet spell")
            self._waiting = True
            return
        self._waiting = False
        self._night(fire)

    def _night(self, fire: dt.datetime) -> None:
        parts = self._parts
        try:
            whole = parts.work.night(self.stopping, self._alive)
        except Exception as error:
            # The outermost loop of the daemon: report, wait, try again; a day is never lost.
            log.exception("the night failed")
            parts.tell(f"STATUS=the night failed: {type(error).__name__}; trying again later")
            self._retry_at = parts.clock.monotonic() + self._wait
            self._wait = min(self._wait * 2, LONGEST_RETRY)
            return
        self._wait, self._retry_at = FIRST_RETRY, float("-inf")
        if not self._stopping:
            self._done = fire
            log.info("the night is over", extra={"whole": whole})
            parts.tell("STATUS=waiting for the night")

    def _alive(self, status: str) -> None:
        """Ping the watchdog from the work itself, so that hung work is noticed."""
        self._parts.tell(f"WATCHDOG=1\nSTATUS={status}")

    def _serve(self, serve: Service) -> threading.Thread:
        thread = threading.Thread(target=serve, args=(self.stopping,), name="service", daemon=True)
        thread.start()
        return thread


@contextmanager
def only_daemon(archive: Path) -> Iterator[None]:
    """Hold the archive's daemon lock (flock, released by the kernel); raises AnotherDaemon."""
    handle = os.open(archive / LOCK_NAME, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
    try:
        try:
            fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError as error:
            msg = f"another hfea daemon serves {archive}; stop it first"
            raise AnotherDaemon(msg) from error
        yield
    finally:
        os.close(handle)
