"""Fits the weights of ranking: a listwise softmax over the rows of each question's slice.

The loss is the cross-entropy between the rows that answer and the softmax of the scores (ListNet's
top-one form, Cao et al., 2007), with an L2 penalty on weights of standardised signals; minimised
by Adam with fixed steps, so equal inputs give equal weights.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

PENALTY = 1e-3
STEPS, RATE = 300, 0.05
_FIRST, _SECOND, _TINY = 0.9, 0.999, 1e-8  # Adam's usual constants

Floats = npt.NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class Sample:
    """One question: signals of its rows (rows x names), and which of the rows answer it."""

    signals: npt.NDArray[np.float32]
    gold: npt.NDArray[np.bool_]


@dataclass(frozen=True, slots=True)
class _Stacked:
    signals: Floats
    wanted: Floats  # gold rows share 1 among them
    starts: npt.NDArray[np.int64]
    sizes: npt.NDArray[np.int64]
    spread: Floats


def fit(samples: Sequence[Sample], names: Sequence[str]) -> dict[str, float]:
    """Return a weight for each of *names*; questions without an answering row are left out."""
    given = _stacked([s for s in samples if s.gold.any()])
    weights = np.full(len(names), _FIRST * 0.05)
    mean, square = np.zeros(len(names)), np.zeros(len(names))
    for step in range(1, STEPS + 1):
        slope = _slope(given, weights)
        mean = _FIRST * mean + (1 - _FIRST) * slope
        square = _SECOND * square + (1 - _SECOND) * slope**2
        size = np.sqrt(square / (1 - _SECOND**step)) + _TINY
        weights -= RATE * mean / (1 - _FIRST**step) / size
    return {n: round(float(w), 4) for n, w in zip(names, weights / given.spread, strict=True)}


def _stacked(samples: Sequence[Sample]) -> _Stacked:
    signals = np.concatenate([s.signals for s in samples]).astype(np.float64)
    spread = signals.std(axis=0) + 1e-6
    sizes = np.array([len(s.gold) for s in samples])
    return _Stacked(
        signals=signals / spread,
        wanted=np.concatenate([s.gold / s.gold.sum() for s in samples]),
        starts=np.concatenate(([0], np.cumsum(sizes)[:-1])),
        sizes=sizes,
        spread=spread,
    )


def _slope(given: _Stacked, weights: Floats) -> Floats:
    scores = given.signals @ weights
    scores -= np.repeat(np.maximum.reduceat(scores, given.starts), given.sizes)
    odds = np.exp(scores)
    shares = odds / np.repeat(np.add.reduceat(odds, given.starts), given.sizes)
    slope: Floats = given.signals.T @ (shares - given.wanted) / len(given.sizes)
    return slope + PENALTY * weights


def scores(sample: Sample, weights: Mapping[str, float], names: Sequence[str]) -> Floats:
    """Return the score of each row of *sample*."""
    total: Floats = sample.signals @ np.array([weights[n] for n in names])
    return total
