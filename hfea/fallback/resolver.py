"""Core first; the archive only by ticket; then the verdict again, and an honest outcome."""

from __future__ import annotations

import datetime as dt
import secrets
import sqlite3
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from pathlib import Path

from hfea.archive.index_check import IndexUnreadable
from hfea.archive.search import ArchiveSearch
from hfea.clock import Clock
from hfea.fallback import answer
from hfea.fallback.excerpts import as_evidence
from hfea.fallback.looking import looked_up
from hfea.fallback.originals import originals
from hfea.ledger.questions import QuestionResult, Shadow
from hfea.ledger.store import Ledger
from memory_core.core import MemoryCore
from memory_core.model import (
    Conflict,
    Evidence,
    EvidenceReport,
    Route,
    Verdict,
    VerdictKind,
)
from memory_core.question import Question, understand

MOST_EXCERPTS = 12
OPENING = frozenset({VerdictKind.INSUFFICIENT, VerdictKind.CONTRADICTORY})


class Outcome(StrEnum):
    """How a question ended; there is no fifth thing."""

    GROUNDED = "grounded"
    CONFLICT = "conflict"
    GAP = "gap"
    ERROR = "error"


@dataclass(frozen=True, slots=True)
class Answered:
    """The outcome of one question, with everything it rests on and what it cost.

    `verdict` is the core's own, before any ticket; `final` the one after the archive (the same
    where it stayed closed). `grounded_in` is `core`, `archive` or ''.
    """

    question_id: str
    outcome: Outcome
    grounded_in: str
    verdict: Verdict
    final: Verdict
    archive_opened: bool
    answer: str
    evidence: tuple[Evidence, ...]
    conflicts: tuple[Conflict, ...]
    routes: tuple[Route, ...]
    milliseconds: float


@dataclass(frozen=True, slots=True)
class Archive:
    """What a resolver needs to know of an archive before it may open it: a name and a place."""

    id: str
    index: Path


@dataclass(frozen=True, slots=True)
class Setting:
    """What a resolver works with: the clock, the owner's zone, and the redaction of every text."""

    clock: Clock
    zone: dt.tzinfo
    clean: Callable[[str], str]


class Resolver:
    """Answers questions. Holds no open archive: each ticket opens it once and closes it."""

    def __init__(
        self,
        core: MemoryCore,
        ledger: Ledger,
        archive: Archive,
        setting: Setting,
    ) -> None:
        self._core, self._ledger, self._archive = core, ledger, archive
        self._clock, self._zone, self._clean = setting.clock, setting.zone, setting.clean

    def ask(
        self,
        text: str,
        *,
        asked_at: dt.datetime | None = None,
        as_of: dt.date | None = None,
        klass: str = "live",
    ) -> Answered:
        """Answer *text*; every question leaves a row in the ledger, whatever becomes of it."""
        started = time.perf_counter()
        asked = (asked_at or self._clock.now()).astimezone(self._zone)
        question = understand(text, asked)
        number = secrets.token_hex(8)
        self._ledger.questions.ask(number, self._clean(text), question.language, klass)
        report, verdict = self._core.consult(text, asked_at=asked, as_of=as_of)
        report = self._cleaned(report)
        result = self._resolve(number, question, report, verdict)
        result = replace(result, milliseconds=round((time.perf_counter() - started) * 1000, 3))
        self._ledger.questions.finish(number, _row(result))
        return result

    def recall(
        self, text: str, *, asked_at: dt.datetime, as_of: dt.date | None = None
    ) -> EvidenceReport:
        """Return what permanent memory, facts and history hold, redacted: no verdict, no ticket."""
        asked = asked_at.astimezone(self._zone)
        return self._cleaned(self._core.recall(text, asked_at=asked, as_of=as_of))

    def shadow(self, answered: Answered, text: str, *, asked_at: dt.datetime) -> Shadow | None:
        """Look, after the answer has left, at what the archive would have made of it.

        Only for an answer given with the archive closed; None where there is nothing to look at.
        What is found is counted, never returned. Raises IndexUnreadable.
        """
        if answered.archive_opened or answered.verdict.kind is not VerdictKind.SUFFICIENT:
            return None
        started = time.perf_counter()
        asked = asked_at.astimezone(self._zone)
        question = understand(text, asked)
        report, verdict = self._core.consult(text, asked_at=asked)
        wider = self._widened(answered.question_id, question, report, verdict, "shadow")
        final = self._core.judge(text, wider)
        took = round((time.perf_counter() - started) * 1000, 3)
        found = len(wider.evidence) - len(report.evidence)
        sample = Shadow(answered.question_id, final.kind, found, took)
        self._ledger.questions.shadow(sample)
        return sample

    def signals(self, text: str, report: EvidenceReport) -> Mapping[str, float]:
        """Return the raw signals of a report, as the verdict sees them."""
        return self._core.judge(text, report).scores

    def _cleaned(self, report: EvidenceReport) -> EvidenceReport:
        """Redact what the layers hold: Hermes's own files may carry secrets (invariant 12)."""
        pieces = tuple(
            replace(e, text=self._clean(e.text), subject=self._clean(e.subject))
            for e in report.evidence
        )
        changed = {id(old): new for old, new in zip(report.evidence, pieces, strict=True)}
        pairs = tuple(
            replace(
                c, left=changed.get(id(c.left), c.left), right=changed.get(id(c.right), c.right)
            )
            for c in report.conflicts
        )
        return replace(report, evidence=pieces, conflicts=pairs)

    def both(
        self, text: str, *, asked_at: dt.datetime, klass: str = "lab"
    ) -> tuple[EvidenceReport, EvidenceReport]:
        """Return the core's report and the one the archive widens, whatever the verdict was.

        For labs and shadow samples, never for an answer: the ticket is one of class `shadow`.
        Raises IndexUnreadable, and TicketRefused where the core's verdict was an error.
        """
        asked = asked_at.astimezone(self._zone)
        question = understand(text, asked)
        number = secrets.token_hex(8)
        self._ledger.questions.ask(number, self._clean(text), question.language, klass)
        report, verdict = self._core.consult(text, asked_at=asked)
        return report, self._widened(number, question, report, verdict, "shadow")

    def _resolve(
        self, number: str, question: Question, report: EvidenceReport, verdict: Verdict
    ) -> Answered:
        if verdict.kind not in OPENING:
            return self._from_core(number, question, report, verdict)
        try:
            wider = self._widened(number, question, report, verdict, "answer")
        except (IndexUnreadable, sqlite3.Error, OSError) as error:
            route = Route("archive", "error", 0, 0.0, str(error))
            return self._failed(number, question, report, verdict, route)
        final = self._core.judge(question.text, wider)
        return self._from_archive(number, question, wider, (verdict, final))

    def _widened(
        self,
        number: str,
        question: Question,
        report: EvidenceReport,
        verdict: Verdict,
        klass: str,
    ) -> EvidenceReport:
        """Spend one ticket on one look into the archive; return the report with what it has."""
        started = time.perf_counter()
        tickets, archive = self._ledger.tickets, self._archive
        token = tickets.mint(number, archive.id, verdict.kind, klass=klass)
        with ArchiveSearch.by_ticket(
            self._ledger, archive.id, archive.index, token, number, self._clock.now()
        ) as search:
            excerpts = looked_up(search, question, verdict, report)
        pieces = as_evidence(excerpts, originals(archive.index.parent, excerpts))
        found = self._core.scored(question.text, pieces, report.asked_at)
        took = round((time.perf_counter() - started) * 1000, 3)
        route = Route("archive", "ok" if found else "empty", len(found), took)
        wider = replace(report, evidence=(*report.evidence, *found), routes=(*report.routes, route))
        return replace(wider, conflicts=self._core.conflicts(question.text, wider))

    def _from_core(
        self, number: str, question: Question, report: EvidenceReport, verdict: Verdict
    ) -> Answered:
        if verdict.kind is VerdictKind.ERROR:
            return self._failed(number, question, report, verdict, None)
        pieces = _best(self._core.ranked(question.text, report))
        words = answer.grounded(
            pieces, language=question.language, story=question.narrative, zone=self._zone
        )
        return Answered(
            question_id=number,
            outcome=Outcome.GROUNDED,
            grounded_in="core",
            verdict=verdict,
            final=verdict,
            archive_opened=False,
            answer=words,
            evidence=pieces,
            conflicts=report.conflicts,
            routes=report.routes,
            milliseconds=0.0,
        )

    def _failed(
        self,
        number: str,
        question: Question,
        report: EvidenceReport,
        verdict: Verdict,
        route: Route | None,
    ) -> Answered:
        routes = (*report.routes, route) if route else report.routes
        layers = [r.layer for r in routes if r.state in ("error", "stale")]
        return Answered(
            question_id=number,
            outcome=Outcome.ERROR,
            grounded_in="",
            verdict=verdict,
            final=verdict,
            archive_opened=route is not None,
            answer=answer.failed(layers, language=question.language),
            evidence=(),
            conflicts=(),
            routes=routes,
            milliseconds=0.0,
        )

    def _from_archive(
        self,
        number: str,
        question: Question,
        report: EvidenceReport,
        verdicts: tuple[Verdict, Verdict],
    ) -> Answered:
        final = verdicts[1]
        language, zone = question.language, self._zone
        grounded_in = ""
        if final.kind is VerdictKind.CONTRADICTORY:
            outcome, pieces = Outcome.CONFLICT, _sides(report.conflicts)
            words = answer.conflict(report.conflicts, language=language, zone=zone)
            grounded_in = "archive" if any(e.layer == "archive" for e in pieces) else "core"
        elif final.kind is VerdictKind.SUFFICIENT:
            outcome, pieces = Outcome.GROUNDED, _best(self._core.ranked(question.text, report))
            words = answer.grounded(pieces, language=language, story=question.narrative, zone=zone)
            grounded_in = "archive"
        else:
            outcome, pieces = Outcome.GAP, _best(self._core.ranked(question.text, report))
            words = answer.gap(pieces, final.missing, language=language, zone=zone)
        return Answered(
            question_id=number,
            outcome=outcome,
            grounded_in=grounded_in,
            verdict=verdicts[0],
            final=final,
            archive_opened=True,
            answer=words,
            evidence=pieces,
            conflicts=report.conflicts,
            routes=report.routes,
            milliseconds=0.0,
        )


def _best(pieces: Sequence[Evidence]) -> tuple[Evidence, ...]:
    """Return the first pieces that are not told by messages that others before them told."""
    told: set[str] = set()
    first: list[Evidence] = []
    again: list[Evidence] = []
    for e in pieces:
        news = not e.message_ids or not told.issuperset(e.message_ids)
        (first if news else again).append(e)
        told.update(e.message_ids)
    return tuple([*first, *again][:MOST_EXCERPTS])


def _sides(pairs: Sequence[Conflict]) -> tuple[Evidence, ...]:
    return tuple({side.source: side for pair in pairs for side in (pair.left, pair.right)}.values())


def _row(result: Answered) -> QuestionResult:
    return QuestionResult(
        verdict=result.verdict.kind,
        outcome=result.outcome.value,
        grounded_in=result.grounded_in,
        reasons=result.verdict.reasons,
        routes=result.routes,
        archive_opened=result.archive_opened,
        degraded="degraded" in result.verdict.reasons,
        tokens_returned=-(-len(result.answer) // 4),
        milliseconds=result.milliseconds,
        details={
            "scores": {k: round(v, 4) for k, v in result.verdict.scores.items()},
            "final": result.final.kind.value,
            "final_reasons": list(result.final.reasons),
            "thresholds": result.verdict.thresholds,
            "sources": [e.source for e in result.evidence],
        },
    )
