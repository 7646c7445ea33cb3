"""The verdict: from raw signals to sufficient, insufficient, contradictory or error; no model."""

from __future__ import annotations

import datetime as dt
import functools
import importlib.resources
import json
import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from memory_core.answer_types import holds_answer
from memory_core.model import (
    AuthorKind,
    Evidence,
    EvidenceReport,
    Origin,
    Slot,
    Verdict,
    VerdictKind,
)
from memory_core.question import AnswerType, Question
from memory_core.text import fold, index_terms

REQUIRED = frozenset({"permanent", "facts", "history"})
STEPS = 3  # ordered pieces that a question about how something came about needs at least
ON_TOPIC = 0.45  # coverage from which a piece counts as a step of the story


@dataclass(frozen=True, slots=True)
class Weights:
    """Versioned weights and thresholds; the file says what they were fitted on."""

    version: str
    bias: float
    weights: Mapping[str, float]
    sufficient: float
    fitted_on: str


@functools.cache
def weights(name: str = "verdict-1") -> Weights:
    """Load the weights file *name* that ships beside this module."""
    text = (importlib.resources.files("memory_core") / "weights" / f"{name}.json").read_text()
    data = json.loads(text)
    return Weights(
        data["version"], data["bias"], data["weights"], data["sufficient"], data["fitted_on"]
    )


def judge(question: Question, report: EvidenceReport, idf: Mapping[str, float]) -> Verdict:
    """Judge whether *report* answers *question*; *idf* weighs the question's stems.

    Raw signals only: never a fused or trust-weighted score (design, section 4).
    """
    on = report.as_of or report.asked_at.date()
    usable = [e for e in report.evidence if _usable(e, on)]
    signals = _signals(question, usable, idf)
    version = weights()
    score = _logistic(version, signals)
    enough = score >= version.sufficient and _story_complete(question, usable, idf)
    missing = _missing(question, usable, enough=enough)
    reasons = list(report.degraded)
    failed = tuple(r.layer for r in report.routes if r.state in ("error", "stale"))
    scores = {**signals, "score": score}
    if report.conflicts and signals["coverage"] > 0:
        kind = VerdictKind.CONTRADICTORY
        reasons += sorted({f"conflict:{c.reason}" for c in report.conflicts})
    elif enough:
        kind = VerdictKind.SUFFICIENT
        reasons.append("covered")
    elif REQUIRED.intersection(failed):
        kind = VerdictKind.ERROR
        reasons += [f"unavailable:{layer}" for layer in failed]
    else:
        kind = VerdictKind.INSUFFICIENT
        reasons += [f"missing:{slot.name}" for slot in missing] or ["low_coverage"]
    return Verdict(kind, tuple(reasons), missing, scores, version.version)


def seen(e: Evidence) -> str:
    """Return the words of a piece of evidence that may cover a question: who, about what, what."""
    who = e.author if e.author_kind in (AuthorKind.OWNER, AuthorKind.THIRD_PARTY) else ""
    # The title of a conversation is about all of it: it cannot make one line of it an answer.
    about = "" if e.layer in ("archive", "history") else e.subject
    return " ".join(filter(None, (who, about, e.text)))


def coverage(question: Question, text: str, idf: Mapping[str, float]) -> float:
    """Return the share of the question's idf mass that *text* covers by original words."""
    return _covered_by(question, set(index_terms(text)), idf)


def _covered_by(question: Question, terms: set[str], idf: Mapping[str, float]) -> float:
    total = sum(idf.get(t, 1.0) for t in question.terms)
    if not total:
        return 0.0
    return sum(idf.get(t, 1.0) for t in question.terms if t in terms) / total


def _usable(e: Evidence, on: dt.date) -> bool:
    if e.superseded_by or e.origin is Origin.HOSTED:
        return False
    return (e.valid_from is None or e.valid_from <= on) and (e.valid_to is None or on < e.valid_to)


def _signals(
    question: Question, usable: Sequence[Evidence], idf: Mapping[str, float]
) -> dict[str, float]:
    ranked = sorted(
        ((coverage(question, seen(e), idf), e) for e in usable),
        key=lambda pair: (-pair[0], not holds_answer(question, pair[1].text), pair[1].source),
    )
    top = ranked[0][0] if ranked else 0.0
    best = ranked[0][1] if ranked else None
    text = seen(best) if best else ""
    return {
        "coverage": top,
        "margin": top - (ranked[1][0] if len(ranked) > 1 else 0.0),
        "names": _share(question.names, text),
        "numbers": _share(question.numbers, text),
        "typed": float(best is not None and holds_answer(question, best.text)),
        "cosine": max((e.scores.get("cosine", 0.0) for e in usable), default=0.0),
        "sources": float(min(3, len({e.layer for c, e in ranked if c >= ON_TOPIC}))),
    }


def _share(wanted: Sequence[str], text: str) -> float:
    if not wanted:
        return 1.0
    folded = fold(text)
    return sum(fold(w) in folded for w in wanted) / len(wanted)


def _logistic(version: Weights, signals: Mapping[str, float]) -> float:
    total = version.bias + sum(w * signals.get(n, 0.0) for n, w in version.weights.items())
    return 1 / (1 + math.exp(-total))


def _story_complete(
    question: Question, usable: Sequence[Evidence], idf: Mapping[str, float]
) -> bool:
    if not question.narrative:
        return True
    steps = {e.at.date() for e in usable if e.at and coverage(question, seen(e), idf) >= ON_TOPIC}
    return len(steps) >= STEPS


def _missing(question: Question, usable: Sequence[Evidence], *, enough: bool) -> tuple[Slot, ...]:
    if enough:
        return ()
    everything = " ".join(seen(e) for e in usable)
    folded = fold(everything)
    slots = [Slot("entity", n) for n in question.names if fold(n) not in folded]
    slots += [Slot("quantity", n) for n in question.numbers if n not in everything]
    slots += [Slot(kind.value) for kind in question.types if kind is not AnswerType.WHAT]
    return tuple(slots)
