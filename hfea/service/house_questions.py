"""Questions behind the service: a resolver and a small core, each kept open by one thread."""

from __future__ import annotations

import datetime as dt
import secrets
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, replace
from typing import Any

from hfea import asking
from hfea.answer_table import as_table, conflict_table, evidence_table
from hfea.clock import Clock
from hfea.config import Settings
from hfea.errors import UsageError
from hfea.fallback.resolver import Answered, Resolver
from hfea.keys import load_or_create
from hfea.ledger.questions import Feedback
from hfea.ledger.store import FILE_NAME as LEDGER_FILE
from hfea.ledger.store import Ledger
from hfea.service.bounds import bounded
from hfea.service.doors import Asked, NotNow, Table
from hfea.service.fence import block
from hfea.service.limits import Limits
from hfea.service.worker import Worker
from memory_core.core import CoreSettings, MemoryCore
from memory_core.model import Evidence, EvidenceReport, Route
from memory_core.secrets import Redactor
from memory_core.text import content_terms

MOST_PIECES = 20
SHADOW_SECONDS = 1.0  # after an answer left, before it is checked


@dataclass(frozen=True, slots=True)
class Base:
    """What every part of the service's memory is made from."""

    settings: Settings
    clock: Clock
    limits: Limits

    def ledger(self, *, readonly: bool = False) -> Ledger:
        """Open the ledger; raises LedgerTooNew, LedgerUnreadable."""
        path = self.settings.archive.path / LEDGER_FILE
        return Ledger.open(path, self.clock, readonly=readonly)

    def redactor(self) -> Redactor:
        """Return the redaction every text passes on its way out. Raises KeyUnusable."""
        file = self.settings.key_file
        key = load_or_create(file, archive_exists=file.exists())
        return Redactor(key, personal_ids=self.settings.redaction.personal_ids)


class QuestionDoor:
    """ask, recall, prefetch and what is said of answers."""

    def __init__(self, base: Base) -> None:
        self._base = base
        self._asking: Worker[Resolver] = Worker("asking", self._resolver)
        self._quick: Worker[MemoryCore] = Worker("prefetch", self._small_core, most=4)

    def warm(self) -> None:
        """Build the indexes before anybody asks; a long history takes a while the first time."""
        at = self._base.clock.now()
        self._asking.later(0, lambda r: r.recall("warm", asked_at=at))
        self._quick.later(0, lambda core: core.recall("warm", asked_at=at))

    def close(self) -> None:
        """Close both threads' parts."""
        self._asking.close()
        self._quick.close()

    def ask(self, asked: Asked) -> Table:
        """Answer as `hfea ask --json` does; every question leaves a row in the ledger."""
        at = asked.asked_at or self._base.clock.now()
        found = self._asking.run(
            lambda r: r.ask(asked.text, asked_at=at, as_of=asked.as_of),
            self._base.limits.ask_seconds,
        )
        self._sample(found, asked.text, at)
        return bounded(as_table(found))

    def _sample(self, found: Answered, text: str, at: dt.datetime) -> None:
        """Check a share of the answers against the archive, once they have left."""
        share = self._base.settings.fallback.shadow
        if share and secrets.randbelow(1_000_000) < share * 1_000_000:
            self._asking.later(SHADOW_SECONDS, lambda r: r.shadow(found, text, asked_at=at))

    def recall(self, asked: Asked) -> Table:
        """Return permanent memory, facts and history on *asked*; no verdict and no ticket."""
        at = asked.asked_at or self._base.clock.now()
        report = self._asking.run(
            lambda r: r.recall(asked.text, asked_at=at, as_of=asked.as_of),
            self._base.limits.ask_seconds,
        )
        return bounded(
            {
                "evidence": [evidence_table(e) for e in report.evidence[:MOST_PIECES]],
                "conflicts": [conflict_table(c) for c in report.conflicts],
                "routes": [route_table(r) for r in report.routes],
                "degraded": list(report.degraded),
            }
        )

    def prefetch(self, query: str, longest: int) -> Table:
        """Return a fenced block of permanent memory and facts; empty when trivial or too late."""
        began = time.perf_counter()
        if len(content_terms(query)) < 2:  # noqa: PLR2004 - "ok, thanks" asks for nothing
            return _prefetched("", None, began)
        try:
            report = self._quick.run(
                lambda core: core.recall(query, asked_at=self._base.clock.now()),
                self._base.limits.prefetch_seconds,
            )
        except NotNow:
            return {**_prefetched("", None, began), "late": True}
        text = block(self._clean(report.evidence), longest)
        return _prefetched(text, report, began)

    def feedback(self, question: str, value: str, note: str, by: str) -> None:
        """Record what someone said of an answer. Raises UnknownQuestion, UsageError."""
        if value not in {f.value for f in Feedback}:
            msg = f"feedback is one of {', '.join(f.value for f in Feedback)}"
            raise UsageError(msg)
        kept = self._base.redactor().redact(note).text if note else ""
        with self._base.ledger() as ledger:
            ledger.questions.feedback(question, Feedback(value), kept, by)

    def _clean(self, pieces: tuple[Evidence, ...]) -> tuple[Evidence, ...]:
        redactor = self._base.redactor()
        return tuple(replace(e, text=redactor.redact(e.text).text) for e in pieces)

    @contextmanager
    def _resolver(self) -> Iterator[Resolver]:
        with asking.resolver(self._base.settings, self._base.clock) as opened:
            yield opened

    @contextmanager
    def _small_core(self) -> Iterator[MemoryCore]:
        """Open a core that has permanent memory and facts and nothing to read history from."""
        told = self._base.settings.core
        facts = (told.facts,) if told.facts else ()
        core = MemoryCore(CoreSettings(home=told.home, facts=facts, history_days=0))
        try:
            yield core
        finally:
            core.close()


def route_table(route: Route) -> dict[str, Any]:
    """Return a route as programs read it; the detail stays in the ledger."""
    return {
        "layer": route.layer,
        "state": route.state,
        "hits": route.hits,
        "milliseconds": route.milliseconds,
    }


def _prefetched(text: str, report: EvidenceReport | None, began: float) -> Table:
    routes: list[Mapping[str, Any]] = []
    if report is not None:
        routes = [route_table(r) for r in report.routes if r.layer != "history"]
    took = round((time.perf_counter() - began) * 1000, 3)
    return {"text": text, "routes": routes, "late": False, "milliseconds": took}


def moment(text: str) -> dt.datetime:
    """Read an ISO time with its offset. Raises UsageError."""
    try:
        at = dt.datetime.fromisoformat(text)
    except ValueError:
        at = None
    if at is None or at.tzinfo is None:
        msg = "a time is written with its offset, as 2026-03-05T10:00:00-03:00"
        raise UsageError(msg)
    return at
