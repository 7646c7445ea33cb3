"""The verdict: from raw signals to sufficient, insufficient, contradictory or error; no model."""

from __future__ import annotations

import functools
import importlib.resources
import json
import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from memory_core import signals
from memory_core.model import EvidenceReport, Slot, Verdict, VerdictKind
from memory_core.question import Question
from memory_core.question_types import AnswerType
from memory_core.signals import ON_TOPIC, Reading
from memory_core.text import fold

REQUIRED = frozenset({"permanent", "facts", "history"})
STEPS = 3  # ordered pieces that a question about how something came about needs at least
ARCHIVE = "archive"
FORMED = frozenset({AnswerType.HOW_MANY})
FORMED_IN_FACTS = FORMED | {AnswerType.WHY, AnswerType.MOOD, AnswerType.ALTERNATIVES}


@dataclass(frozen=True, slots=True)
class Model:
    """A logistic model over the signals, and the score from which it says sufficient."""

    bias: float
    weights: Mapping[str, float]
    sufficient: float


@dataclass(frozen=True, slots=True)
class Weights:
    """Versioned weights: one model for the core alone, one once the archive has spoken."""

    version: str
    core: Model
    archive: Model
    fitted_on: str


@functools.cache
def weights(name: str = "verdict-2") -> Weights:
    """Load the weights file *name* that ships beside this module."""
    text = (importlib.resources.files("memory_core") / "weights" / f"{name}.json").read_text()
    return read(json.loads(text))


def read(data: Mapping[str, object]) -> Weights:
    """Read a weights file's table; raises KeyError or TypeError where it is none."""
    return Weights(
        str(data["version"]), _model(data["core"]), _model(data["archive"]), str(data["fitted_on"])
    )


def _model(data: object) -> Model:
    if not isinstance(data, dict):
        msg = "a model of the verdict is a table of bias, weights and sufficient"
        raise TypeError(msg)
    return Model(float(data["bias"]), dict(data["weights"]), float(data["sufficient"]))


def judge(question: Question, report: EvidenceReport, idf: Mapping[str, float]) -> Verdict:
    """Judge whether *report* answers *question*; *idf* weighs the question's words.

    Raw signals only: never a fused or trust-weighted score (design, section 4).
    """
    version = weights()
    readings = signals.readings(question, report, idf)
    found = signals.measure(question, readings)
    widened = any(r.layer == ARCHIVE for r in report.routes)
    model = version.archive if widened else version.core
    score = logistic(model, found)
    enough = (
        score >= model.sufficient
        and _filled(question, found, widened=widened)
        and _story_complete(question, readings)
    )
    missing = _missing(question, readings, enough=enough)
    failed = tuple(r.layer for r in report.routes if r.state in ("error", "stale"))
    reasons = list(report.degraded)
    if report.conflicts and found["coverage"] > 0:
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
    return Verdict(kind, tuple(reasons), missing, {**found, "score": score}, version.version)


def logistic(model: Model, found: Mapping[str, float]) -> float:
    """Return the model's probability that the evidence suffices."""
    total = model.bias + sum(w * found.get(n, 0.0) for n, w in model.weights.items())
    return 1 / (1 + math.exp(-max(-500.0, min(500.0, total))))


def _filled(question: Question, found: Mapping[str, float], *, widened: bool) -> bool:
    """Whether the leading pieces hold the kind of thing asked for, where its form can be told.

    A number can always be told. Reasons and moods often come without a word that marks them, but
    what the core keeps as a fact has one where it is about a reason or a mood.
    """
    told = FORMED if widened else FORMED_IN_FACTS
    return bool(found["typed"]) or not told.intersection(question.types)


def _story_complete(question: Question, readings: Sequence[Reading]) -> bool:
    if not question.narrative:
        return True
    at = [r.evidence.at for r in readings if r.coverage >= ON_TOPIC and r.evidence.at]
    return len({t.date() for t in at}) >= STEPS


def _missing(question: Question, readings: Sequence[Reading], *, enough: bool) -> tuple[Slot, ...]:
    if enough:
        return ()
    everything = " ".join(signals.seen(r.evidence) for r in readings)
    folded = fold(everything)
    slots = [Slot("entity", n) for n in question.names if fold(n) not in folded]
    slots += [Slot("quantity", n) for n in question.numbers if n not in everything]
    slots += [Slot(kind.value) for kind in question.types if kind is not AnswerType.WHAT]
    return tuple(slots)
