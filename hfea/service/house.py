"""The real memory behind the service, made from settings: questions, queue, archive, numbers."""

from __future__ import annotations

import sqlite3
from collections.abc import Callable

from hfea.archive.index import FILE_NAME as INDEX_FILE
from hfea.archive.index_check import IndexUnreadable
from hfea.archive.search import ArchiveSearch
from hfea.clock import Clock, SystemClock
from hfea.config import Settings
from hfea.errors import HfeaError
from hfea.fallback.rates import rates as measured
from hfea.keys import load
from hfea.ledger.store import FILE_NAME as LEDGER_FILE
from hfea.service.doors import Table
from hfea.service.house_archive import ArchiveDoor
from hfea.service.house_facts import FactDoor
from hfea.service.house_questions import Base, QuestionDoor
from hfea.service.house_queue import QueueDoor
from hfea.service.limits import Limits
from hfea.service.numbers import Numbers, read


class House(QuestionDoor, QueueDoor, ArchiveDoor, FactDoor):
    """Everything the shells call, on the archive and home that the settings name."""

    def __init__(
        self, settings: Settings, clock: Clock | None = None, limits: Limits | None = None
    ) -> None:
        base = Base(settings, clock or SystemClock(), limits or Limits())
        QuestionDoor.__init__(self, base)

    def rates(self) -> Table:
        """Return how often the archive was needed. Raises LedgerUnreadable."""
        with self._base.ledger() as ledger:
            return measured(ledger.questions)

    def ready(self) -> Table:
        """Look at each store; `ready` is true where all can be read."""
        settings = self._base.settings
        root = settings.archive.path
        stores = {
            "key": _state(lambda: load(settings.key_file)),
            "ledger": _state(lambda: self._base.ledger().close()),
            "index": _state(lambda: ArchiveSearch.for_maintainer(root / INDEX_FILE, root).close()),
        }
        return {"ready": all(s == "ok" for s in stores.values()), "stores": stores}

    def gauges(self) -> Numbers:
        """Return nights, questions and spending as the ledger has them. Raises sqlite3.Error."""
        return read(self._base.settings.archive.path / LEDGER_FILE)


def _state(look: Callable[[], object]) -> str:
    try:
        look()
    except (HfeaError, IndexUnreadable, sqlite3.Error, OSError) as error:
        return type(error).__name__
    return "ok"
