"""Every question, what became of it, and what people said about the answer afterwards."""

from __future__ import annotations

import datetime as dt
import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any

from hfea.errors import UsageError
from hfea.ledger.desk import Desk, moment
from memory_core.model import Route, VerdictKind


class Feedback(StrEnum):
    """What a person said about an answer: was the archive needed, or was it wrong."""

    NEEDED = "needed"
    NOT_NEEDED = "not_needed"
    WRONG = "wrong"
    MISSING = "missing"


class UnknownQuestion(UsageError):
    """No question of that id is in the ledger."""


@dataclass(frozen=True, slots=True)
class QuestionResult:
    """How a question ended and what it cost.

    `outcome` is grounded, conflict, gap or error; `grounded_in` core, archive or ''.
    `details` is small JSON for `explain` (ids, scores, versions), never free text.
    """

    verdict: VerdictKind
    outcome: str
    grounded_in: str = ""
    reasons: tuple[str, ...] = ()
    routes: tuple[Route, ...] = ()
    archive_opened: bool = False
    degraded: bool = False
    tokens_returned: int = 0
    embedding_calls: int = 0
    model_calls: int = 0
    milliseconds: float = 0.0
    money: float = 0.0
    details: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class AskedQuestion:
    """A question as the ledger has it; `text` is '' after erasure, `result` None before the end."""

    id: str
    text: str
    language: str
    klass: str
    at: dt.datetime
    result: QuestionResult | None
    feedback: tuple[tuple[Feedback, dt.datetime], ...] = ()


@dataclass(frozen=True, slots=True)
class Shadow:
    """What the archive would have changed of an answer given without it, looked up afterwards."""

    question: str
    verdict: VerdictKind
    found: int
    milliseconds: float


@dataclass(frozen=True, slots=True)
class QuestionTally:
    """Questions by how they ended; every part is of `asked`."""

    asked: int
    answered: int
    archive_opened: int
    degraded: int
    by_verdict: Mapping[str, int]

    def __post_init__(self) -> None:
        whole = self.answered <= self.asked and self.archive_opened <= self.answered
        if not whole or sum(self.by_verdict.values()) != self.answered:
            msg = f"the ledger's questions do not add up: {self}"
            raise ValueError(msg)


_RESULT = (
    "verdict, outcome, grounded_in, reasons, routes, archive_opened, degraded, tokens_returned,"
    " embedding_calls, model_calls, milliseconds, money, details"
)


class Questions:
    """Questions, results and feedback, append-only; the words lie in the erasable side table."""

    def __init__(self, desk: Desk) -> None:
        self._desk = desk

    def ask(self, question_id: str, text: str, language: str, klass: str = "live") -> None:
        """Record that a question came; *text* is already redacted. *klass*: live, lab, shadow."""
        with self._desk.writing() as db:
            db.execute(
                "INSERT INTO question VALUES (?, ?, ?, ?, ?)",
                (question_id, self._desk.keep_text(text), language, klass, self._desk.now()),
            )

    def finish(self, question_id: str, result: QuestionResult) -> None:
        """Record how a question ended. Raises UnknownQuestion."""
        self._must_exist(question_id)
        routes = [[r.layer, r.state, r.hits, r.milliseconds, r.detail] for r in result.routes]
        with self._desk.writing() as db:
            db.execute(
                f"INSERT INTO question_result (question, {_RESULT}, at)"
                " VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
                (
                    question_id,
                    result.verdict.value,
                    result.outcome,
                    result.grounded_in,
                    json.dumps(result.reasons),
                    json.dumps(routes),
                    int(result.archive_opened),
                    int(result.degraded),
                    result.tokens_returned,
                    result.embedding_calls,
                    result.model_calls,
                    result.milliseconds,
                    result.money,
                    json.dumps(dict(result.details), sort_keys=True),
                    self._desk.now(),
                ),
            )

    def feedback(self, question_id: str, value: Feedback, note: str = "", by: str = "") -> None:
        """Append feedback; the redacted *note* goes to the erasable table."""
        self._must_exist(question_id)
        with self._desk.writing() as db:
            kept = self._desk.keep_text(note) if note else None
            db.execute(
                "INSERT INTO feedback (question, value, note, by, at) VALUES (?, ?, ?, ?, ?)",
                (question_id, value.value, kept, by, self._desk.now()),
            )

    def shadow(self, found: Shadow) -> None:
        """Record one shadow sample, once a question. Raises UnknownQuestion."""
        self._must_exist(found.question)
        with self._desk.writing() as db:
            db.execute(
                "INSERT INTO shadow VALUES (?, ?, ?, ?, ?)",
                (
                    found.question,
                    found.verdict.value,
                    found.found,
                    found.milliseconds,
                    self._desk.now(),
                ),
            )

    def shadows(self) -> dict[str, Shadow]:
        """Return every shadow sample by question."""
        rows = self._desk.rows("SELECT question, verdict, found, milliseconds FROM shadow")
        return {q: Shadow(q, VerdictKind(v), n, ms) for q, v, n, ms in rows}

    def every(self, *, klass: str = "live") -> list[AskedQuestion]:
        """Return all questions of a class, oldest first."""
        return self._read("WHERE class = ? ORDER BY question.at", klass)

    def _must_exist(self, question_id: str) -> None:
        if self._desk.row("SELECT 1 FROM question WHERE id = ?", question_id) is None:
            msg = f"no question {question_id} in the ledger; `hfea fallback questions` lists them"
            raise UnknownQuestion(msg)

    def get(self, question_id: str) -> AskedQuestion:
        """Return one question with its result and feedback. Raises UnknownQuestion."""
        self._must_exist(question_id)
        return self._read("WHERE question.id = ?", question_id)[0]

    def latest(self, limit: int = 50, *, since: dt.datetime | None = None) -> list[AskedQuestion]:
        """Return the newest questions, newest first."""
        first = since.astimezone(dt.UTC).isoformat(timespec="microseconds") if since else ""
        return self._read("WHERE question.at >= ? ORDER BY question.at DESC LIMIT ?", first, limit)

    def _read(self, where: str, *values: Any) -> list[AskedQuestion]:
        found = self._desk.rows(
            f"SELECT question.id, ledger_text.text, language, class, question.at, {_RESULT}"
            " FROM question JOIN ledger_text ON ledger_text.id = question.text"
            f" LEFT JOIN question_result ON question_result.question = question.id {where}",
            *values,
        )
        return [self._asked(row) for row in found]

    def _asked(self, row: tuple[Any, ...]) -> AskedQuestion:
        said = self._desk.rows(
            "SELECT value, at FROM feedback WHERE question = ? ORDER BY id", row[0]
        )
        number, text, language, klass, at = row[:5]
        return AskedQuestion(
            number,
            text,
            language,
            klass,
            moment(at),
            _result(row[5:]) if row[5] is not None else None,
            tuple((Feedback(value), moment(when)) for value, when in said),
        )

    def tally(self, *, klass: str = "live", since: dt.datetime | None = None) -> QuestionTally:
        """Count the questions of a class; raises ValueError where the parts do not add up."""
        first = since.astimezone(dt.UTC).isoformat(timespec="microseconds") if since else ""
        found = self._desk.rows(
            "SELECT verdict, count(*), sum(archive_opened), sum(degraded) FROM question"
            " LEFT JOIN question_result ON question_result.question = question.id"
            " WHERE class = ? AND question.at >= ? GROUP BY verdict",
            klass,
            first,
        )
        ended = [row for row in found if row[0] is not None]
        return QuestionTally(
            asked=sum(row[1] for row in found),
            answered=sum(row[1] for row in ended),
            archive_opened=sum(row[2] for row in ended),
            degraded=sum(row[3] for row in ended),
            by_verdict={row[0]: row[1] for row in ended},
        )


def _result(row: tuple[Any, ...]) -> QuestionResult:
    verdict, outcome, grounded_in, reasons, routes, opened, degraded = row[:7]
    tokens, embeddings, models, milliseconds, money, details = row[7:]
    return QuestionResult(
        VerdictKind(verdict),
        outcome,
        grounded_in,
        tuple(json.loads(reasons)),
        tuple(Route(*route) for route in json.loads(routes)),
        bool(opened),
        bool(degraded),
        tokens,
        embeddings,
        models,
        milliseconds,
        money,
        json.loads(details),
    )
