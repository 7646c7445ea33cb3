"""Fit the verdict: two logistic models and two thresholds, reproducibly, from labelled worlds.

Each model is a ridge logistic regression by Newton's method (Hastie, Tibshirani and Friedman, The
Elements of Statistical Learning, 4.4.1) whose weights keep the sign that their signal must have:
a signal with the wrong sign is left out and the rest fitted again. The thresholds are chosen
together, as in BalanceRAG (2605.20084): the most right answers within a risk budget and an
archive-call budget.
"""

from __future__ import annotations

import itertools
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from hfea.lab.samples import Sample
from memory_core.signals import NAMES
from memory_core.sufficiency import Model, logistic

RIDGE = 1.0
_STEPS = 60
_STILL = 1e-9
# Against an answer: more of it never makes the evidence more sufficient.
_AGAINST = frozenset({"elsewhere", "not_yet", "deep", "polar", "denied"})
_GRID = tuple(round(0.02 * n, 2) for n in range(5, 46))
Vector = npt.NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class Budget:
    """How much may go wrong: wrong among answered, archive calls among asked; both 0 to 1."""

    risk: float = 0.35
    calls: float = 0.65


@dataclass(frozen=True, slots=True)
class Fitted:
    """Both models with their thresholds, and what they reach on what they were fitted on."""

    core: Model
    archive: Model
    reached: Mapping[str, float]


def fit(samples: Sequence[Sample], budget: Budget) -> Fitted:
    """Fit both models on *samples*; every world weighs by its questions' square root."""
    weights = _weights(samples)
    core = _model(
        [s.core for s in samples], [s.answerable_from == "core" for s in samples], weights
    )
    wide = _model(
        [s.wide for s in samples], [s.answerable_from != "none" for s in samples], weights
    )
    return _thresholds(samples, weights, core, wide, budget)


def _weights(samples: Sequence[Sample]) -> Vector:
    """Weigh worlds by the square root of their size, and the classes within one alike."""
    sizes: dict[tuple[str, str], int] = {}
    for s in samples:
        sizes[s.world, s.answerable_from] = sizes.get((s.world, s.answerable_from), 0) + 1
    whole = {w: sum(n for (v, _), n in sizes.items() if v == w) for w, _ in sizes}
    parts = {w: sum(v == w for v, _ in sizes) for w, _ in sizes}
    return np.array(
        [
            whole[s.world] ** 0.5 * 10 / parts[s.world] / sizes[s.world, s.answerable_from]
            for s in samples
        ]
    )


def _model(rows: Sequence[Mapping[str, float]], answers: Sequence[bool], weights: Vector) -> Model:
    names = [n for n in NAMES if any(row[n] != rows[0][n] for row in rows)]
    y = np.array(answers, float)
    while True:
        x = np.array([[1.0, *(row[n] for n in names)] for row in rows])
        found = _newton(x, y, weights)
        wrong = [
            (abs(b), n)
            for n, b in zip(names, found[1:], strict=True)
            if (b > 0 if n in _AGAINST else b < 0)
        ]
        if not wrong:
            table = {n: round(float(b), 4) for n, b in zip(names, found[1:], strict=True)}
            return Model(round(float(found[0]), 4), table, 0.5)
        names.remove(max(wrong)[1])


def _newton(x: Vector, y: Vector, weights: Vector) -> Vector:
    ridge = np.eye(x.shape[1]) * RIDGE
    ridge[0, 0] = 1e-6  # the bias is not shrunk
    found = np.zeros(x.shape[1])
    for _ in range(_STEPS):
        p = 1 / (1 + np.exp(-x @ found))
        slope = x.T @ (weights * (p - y)) + ridge @ found
        bend = (x * (weights * p * (1 - p))[:, None]).T @ x + ridge
        step = np.linalg.solve(bend, slope)
        found = found - step
        if np.abs(step).max() < _STILL:
            break
    return found


def _thresholds(
    samples: Sequence[Sample], weights: Vector, core: Model, wide: Model, budget: Budget
) -> Fitted:
    """Choose the pair with the most right answers within the budgets, else the least excess."""
    scores = [(logistic(core, s.core), logistic(wide, s.wide)) for s in samples]
    best: tuple[float, float] | None = None
    chosen: tuple[float, float, dict[str, float]] = (0.5, 0.5, {})
    for low, high in itertools.product(_GRID, _GRID):
        told = _told(samples, scores, weights, low, high)
        excess = max(0.0, told["risk"] - budget.risk) + max(0.0, told["calls"] - budget.calls)
        rank = (-excess, told["right"])
        if best is None or rank > best:
            best, chosen = rank, (low, high, told)
    low, high, told = chosen
    return Fitted(
        Model(core.bias, core.weights, low),
        Model(wide.bias, wide.weights, high),
        {name: round(value, 4) for name, value in told.items()},
    )


def _told(
    samples: Sequence[Sample],
    scores: Sequence[tuple[float, float]],
    weights: Vector,
    low: float,
    high: float,
) -> dict[str, float]:
    total = called = answered = wrong = right = 0.0
    for s, (core, wide), weight in zip(samples, scores, weights, strict=True):
        total += weight
        opened = core < low or s.conflict
        called += weight * opened
        says = not opened or wide >= high
        fits = s.answerable_from == "core" or (opened and s.answerable_from == "archive")
        answered += weight * says
        wrong += weight * (says and not fits)
        right += weight * (fits if says else s.answerable_from == "none")
    return {
        "calls": called / total,
        "risk": wrong / answered if answered else 0.0,
        "right": right / total,
    }


def auroc(scores: Sequence[float], answers: Sequence[bool]) -> float | None:
    """Return the area under the ROC curve, ties counting half; None for a single class."""
    yes = np.array([s for s, a in zip(scores, answers, strict=True) if a])
    no = np.array([s for s, a in zip(scores, answers, strict=True) if not a])
    if not len(yes) or not len(no):
        return None
    above = (yes[:, None] > no[None]).mean() + 0.5 * (yes[:, None] == no[None]).mean()
    return float(above)


def left_out(samples: Sequence[Sample], budget: Budget) -> dict[str, dict[str, Any]]:
    """Return, per world, what the models reach that were fitted on all the others."""
    found = {}
    for world in sorted({s.world for s in samples}):
        others = [s for s in samples if s.world != world]
        mine = [s for s in samples if s.world == world]
        if not others:
            continue
        fitted = fit(others, budget)
        scores = [(logistic(fitted.core, s.core), logistic(fitted.archive, s.wide)) for s in mine]
        told = _told(
            mine, scores, np.ones(len(mine)), fitted.core.sufficient, fitted.archive.sufficient
        )
        found[world] = {
            "questions": len(mine),
            "auroc_core": _round(
                auroc([c for c, _ in scores], [s.answerable_from == "core" for s in mine])
            ),
            "auroc_archive": _round(
                auroc([w for _, w in scores], [s.answerable_from != "none" for s in mine])
            ),
            **{name: round(value, 4) for name, value in told.items()},
        }
    return found


def _round(value: float | None) -> float | None:
    return None if value is None else round(value, 4)


def table(fitted: Fitted, version: str, snapshot: str, worlds: Sequence[str]) -> dict[str, Any]:
    """Return the weights file: human-readable, with the hash of what it was fitted on."""
    return {
        "version": version,
        "fitted_on": snapshot,
        "worlds": list(worlds),
        "reached_in_sample": dict(fitted.reached),
        "core": _told_model(fitted.core),
        "archive": _told_model(fitted.archive),
    }


def _told_model(model: Model) -> dict[str, Any]:
    return {"bias": model.bias, "weights": dict(model.weights), "sufficient": model.sufficient}
