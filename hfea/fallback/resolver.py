"""Core first; the archive only by ticket; then the verdict again, and an honest outcome."""

from __future__ import annotations

import datetime as dt
import secrets
import sqlite3
import time
from collections.abc import Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from pathlib import Path

from hfea.archive.index_check import IndexUnreadable
from hfea.archive.search import ArchiveSearch
from hfea.archive.search_model import Excerpt, Query
from hfea.clock import Clock
from hfea.fallback import answer
from hfea.fallback.excerpts import as_evidence
from hfea.fallback.originals import originals
from hfea.ledger.questions import QuestionResult
from hfea.ledger.store import Ledger
from memory_core.contradiction import conflicts
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


class Resolver:
    """Answers questions. Holds no open archive: each ticket opens it once and closes it."""

    def __init__(
        self, core: MemoryCore, ledger: Ledger, archive: Archive, clock: Clock, zone: dt.tzinfo
    ) -> None:
        self._core, self._ledger, self._archive = core, ledger, archive
        self._clock, self._zone = clock, zone

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
        self._ledger.questions.ask(number, text, question.language, klass)
        report, verdict = self._core.consult(text, asked_at=asked, as_of=as_of)
        result = self._resolve(number, question, report, verdict)
        result = replace(result, milliseconds=round((time.perf_counter() - started) * 1000, 3))
        self._ledger.questions.finish(number, _row(result))
        return result

    def _resolve(
        self, number: str, question: Question, report: EvidenceReport, verdict: Verdict
    ) -> Answered:
        if verdict.kind not in OPENING:
            return self._from_core(number, question, report, verdict)
        try:
            excerpts = self._open(number, question, report, verdict)
        except (IndexUnreadable, sqlite3.Error, OSError) as error:
            route = Route("archive", "error", 0, 0.0, str(error))
            return self._failed(number, question, report, verdict, route)
        found = self._core.scored(
            question.text,
            as_evidence(excerpts, originals(self._archive.index.parent, excerpts)),
            report.asked_at,
        )
        route = Route("archive", "ok" if found else "empty", len(found))
        everything = (*report.evidence, *found)
        on = report.as_of or report.asked_at.date()
        wider = replace(
            report,
            evidence=everything,
            routes=(*report.routes, route),
            conflicts=conflicts(everything, on=on, about=frozenset(question.terms)),
        )
        final = self._core.judge(question.text, wider)
        return self._from_archive(number, question, wider, (verdict, final))

    def _open(
        self, number: str, question: Question, report: EvidenceReport, verdict: Verdict
    ) -> Sequence[Excerpt]:
        """Spend one ticket on one search, asking for what is missing."""
        tickets, archive = self._ledger.tickets, self._archive
        token = tickets.mint(number, archive.id, verdict.kind)
        with ArchiveSearch.by_ticket(
            self._ledger, archive.id, archive.index, token, number, self._clock.now()
        ) as search:
            return search.search(_query(question, verdict, report)).hits

    def _from_core(
        self, number: str, question: Question, report: EvidenceReport, verdict: Verdict
    ) -> Answered:
        if verdict.kind is VerdictKind.ERROR:
            return self._failed(number, question, report, verdict, None)
        pieces = _best(report.evidence)
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
            outcome, pieces = Outcome.GROUNDED, _best(report.evidence)
            words = answer.grounded(pieces, language=language, story=question.narrative, zone=zone)
            grounded_in = "archive"
        else:
            outcome, pieces = Outcome.GAP, _best(report.evidence)
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


def _query(question: Question, verdict: Verdict, report: EvidenceReport) -> Query:
    """Ask for what is missing, with its dates and entities, not just for the question."""
    wanted = " ".join(slot.value for slot in verdict.missing if slot.value)
    first, after = question.span or (None, None)
    if after is None:
        after = report.asked_at.date() + dt.timedelta(days=1)
    return Query(f"{question.text} {wanted}".strip(), first=first, after=after, limit=MOST_EXCERPTS)


def _best(evidence: Sequence[Evidence]) -> tuple[Evidence, ...]:
    """Order by raw coverage; a stable sort keeps the archive's own order among equals."""
    ranked = sorted(evidence, key=lambda e: -e.scores.get("coverage", 0.0))
    return tuple(ranked[:MOST_EXCERPTS])


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
