"""`hfea run`: the daemon's work and watcher on one archive, from its settings."""

from __future__ import annotations

import datetime as dt
import hashlib
import logging
import sqlite3
from collections.abc import Callable, Sequence
from pathlib import Path

from hfea import wiring
from hfea.clock import Clock, SystemClock
from hfea.config import Settings
from hfea.daemon import Daemon, Parts, Service, only_daemon
from hfea.errors import HfeaError
from hfea.folders import make_folder
from hfea.gate import gate
from hfea.ledger.store import FILE_NAME, Ledger
from hfea.logs import set_up
from hfea.night.due import due, record_noop
from hfea.night.run import Order, Watch
from hfea.scheduler import Schedule
from hfea.service.bind import wanted
from hfea.stopping import stopped_by_signals
from hfea.watcher import Look, Watcher
from memory_core import sqlite_kit
from memory_core.layers import permanent
from memory_core.secrets import Redactor

log = logging.getLogger(__name__)


class NightWork:
    """The daemon's work: the same pass that the command line runs."""

    def __init__(self, settings: Settings, clock: Clock) -> None:
        self._settings, self._clock = settings, clock

    def due(self, by: dt.datetime) -> bool:
        """Whether a day that ended by *by* has neither an episode nor an empty row."""
        with self._ledger() as ledger:
            return due(ledger, self._settings.timezone, by)

    def noop(self, fire: dt.datetime) -> None:
        """Record that the alarm rang and there was nothing to do."""
        with self._ledger() as ledger:
            record_noop(ledger, self._settings.timezone, fire)

    def night(self, stop: Callable[[], bool], alive: Callable[[str], None]) -> bool:
        """Run one pass; False where something failed. Raises NightRunning."""

        def tell(what: str, done: int, of: int) -> None:
            alive(f"{what}, {done} of {of}" if of else f"reading {what}, {done} messages")

        self._date_entries()
        night = wiring.consolidate(self._settings, Order(), Watch(stop, tell), clock=self._clock)
        for problem in night.problems:
            log.warning(
                "a source has a problem",
                extra={"source": problem.source, "code": problem.code, "where": problem.where},
            )
        for done in night.done:
            log.info("a day", extra={"day": str(done.step.day), "kind": done.kind.value})
        return night.exit_code == 0

    def settled(self, paths: Sequence[Path]) -> None:
        """Say so; the layers that want fresh files take them from here."""
        log.debug("files settled", extra={"count": len(paths)})
        if any(path.name in permanent.FILES for path in paths):
            self._date_entries()

    def _date_entries(self) -> None:
        """Note which permanent entries are there now: their files hold no dates of their own."""
        if not (self._settings.core.home / "memories").is_dir():
            return
        try:
            with gate(self._settings, clock=self._clock) as proposals:
                proposals.entries()
        except (HfeaError, sqlite3.Error, sqlite_kit.NewerSchema, OSError) as error:
            log.warning("permanent entries could not be dated", extra={"error": str(error)})

    def _ledger(self) -> Ledger:
        return Ledger.open(self._settings.archive.path / FILE_NAME, self._clock)


def run(settings: Settings, service: Service | None = None) -> None:
    """Serve until SIGTERM or SIGINT. Raises AnotherDaemon, KeyMissing, Unavailable."""
    clock = SystemClock()
    make_folder(settings.archive.path)
    with only_daemon(settings.archive.path):
        # What cannot be opened is said now, not at three in the morning.
        with wiring.house(settings, clock) as opened:
            redactor = Redactor(opened.key, personal_ids=settings.redaction.personal_ids)
        set_up(clean=lambda text: redactor.redact(text).text)
        told = settings.schedule
        schedule = Schedule(settings.timezone, told.at, told.idle_minutes, told.hard_deadline)
        watcher = Watcher(_look(settings), clock.monotonic)
        daemon = Daemon(
            Parts(
                schedule,
                NightWork(settings, clock),
                watcher,
                clock,
                serve=service or _service(settings),
            )
        )
        with stopped_by_signals(daemon.stop):
            daemon.run()


def _service(settings: Settings) -> Service | None:
    """Return the HTTP service where the settings name its address, already listening."""
    if not wanted(settings.service):
        return None
    from hfea.service.server import Server  # noqa: PLC0415 - only daemons that serve pay for it

    return Server(settings).run


def _look(settings: Settings) -> Look:
    folders = {s.path if s.path.is_dir() else s.path.parent for s in settings.sources}
    folders |= {path for path in settings.core.wiki if path.is_dir()}
    read = wiring.sources(settings)

    def stamp() -> str:
        return hashlib.sha256("|".join(s.stamp() for s in read).encode()).hexdigest()

    return Look(sorted(folders), [settings.archive.path], stamp)
