"""Retrieval metrics at turn level, each with its denominator and interval; misses are zero.

- recall@k: gold turns among the first k / gold turns of the question, averaged over questions.
- hit@1: the first turn is gold. mrr@10: 1 / rank of the first gold turn, 0 beyond ten.
- mrr_conditional: the same over the questions that have a gold turn among the first ten.

Shares of whole questions get Wilson's interval, means a percentile bootstrap over questions
(Efron, 1979) from a fixed seed. `k` is the sum over the questions, so that value = k / n; of a
difference it may be negative.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from hfea.intervals import Rate

RECALLS = (5, 10)
LAST = 10  # ranks that count for the reciprocal rank
ROUNDS = 2000
_SEED = 20231022
_TINY = 1e-9

Floats = npt.NDArray[np.float64]


class Contradiction(Exception):
    """Figures that cannot be true of one run (invariant 15)."""


@dataclass(frozen=True, slots=True)
class Scored:
    """What one question is worth: recall at each depth, hit at one, reciprocal rank at ten."""

    recall: Mapping[int, float]
    hit: float
    reciprocal: float
    found: bool  # a gold turn among the first ten


def scored(ranked: Sequence[str], gold: AbstractSet[str]) -> Scored:
    """Score one ranking; *gold* is not empty. Raises ValueError for a key given twice."""
    if len(set(ranked)) != len(ranked):
        raise ValueError("a ranking names a turn twice")
    if not gold:
        raise ValueError("a question without gold turns has no recall")
    ranks = [n for n, key in enumerate(ranked[:LAST], start=1) if key in gold]
    return Scored(
        recall={k: len(gold & set(ranked[:k])) / len(gold) for k in RECALLS},
        hit=float(bool(ranked) and ranked[0] in gold),
        reciprocal=1 / ranks[0] if ranks else 0.0,
        found=bool(ranks),
    )


def table(rows: Sequence[Scored]) -> dict[str, dict[str, float | int | None]]:
    """Return every metric as `{value, k, n, low, high}`. Raises Contradiction."""
    _check(rows)
    found = {f"recall@{k}": _mean([r.recall[k] for r in rows]) for k in RECALLS}
    hits = Rate(sum(r.hit > 0 for r in rows), len(rows)).table()
    return {
        **found,
        "hit@1": hits,
        "mrr@10": _mean([r.reciprocal for r in rows]),
        "mrr_conditional": _mean([r.reciprocal for r in rows if r.found]),
    }


def difference(
    ours: Sequence[Scored], theirs: Sequence[Scored], read: Callable[[Scored], float]
) -> dict[str, float | int | None]:
    """Return the mean paired difference with its interval."""
    return _mean([read(a) - read(b) for a, b in zip(ours, theirs, strict=True)])


def _mean(values: Sequence[float]) -> dict[str, float | int | None]:
    if not values:
        return {"value": None, "k": 0, "n": 0, "low": None, "high": None}
    low, high = bootstrap(np.array(values, dtype=np.float64))
    return {
        "value": round(float(np.mean(values)), 4),
        "k": round(float(np.sum(values)), 4),
        "n": len(values),
        "low": round(low, 4),
        "high": round(high, 4),
    }


def bootstrap(values: Floats, rounds: int = ROUNDS) -> tuple[float, float]:
    """Return the 95 % percentile interval of the mean, resampling questions."""
    chance = np.random.default_rng(_SEED)
    means = values[chance.integers(0, len(values), (rounds, len(values)))].mean(axis=1)
    low, high = np.percentile(means, [2.5, 97.5])
    return float(low), float(high)


def _check(rows: Sequence[Scored]) -> None:
    """Refuse figures that contradict one another: of each question, and so of their means.

    A question's reciprocal rank is 1 with a hit at one; else at most 1/2, and above 0 only
    where something was found. So Hit@1 <= MRR@10 <= Hit@1 + (Hit@10 - Hit@1) / 2.
    """
    for r in rows:
        recalls = [r.recall[k] for k in sorted(r.recall)]
        if recalls != sorted(recalls) or not all(0 <= v <= 1 for v in recalls):
            raise Contradiction(f"recall does not grow with depth: {recalls}")
        if r.found != (r.recall[LAST] > 0) or (r.hit and not r.found):
            raise Contradiction("a question is found and not found")
    if rows:
        hit = float(np.mean([r.hit for r in rows]))
        ten = float(np.mean([r.found for r in rows]))
        mrr = float(np.mean([r.reciprocal for r in rows]))
        if not hit - _TINY <= mrr <= hit + (ten - hit) / 2 + _TINY:
            raise Contradiction(f"MRR@10 {mrr} does not fit Hit@1 {hit} and Hit@10 {ten}")
