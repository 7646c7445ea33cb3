"""Joining rankings: reciprocal rank fusion as the named baseline, and a weighted sum.

On the dev conversations plain fusion loses to one fitted ranking over all signals (`ranking`);
it stays as the yardstick, and for rankings whose signals are not at hand.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TypeVar

import numpy as np

from memory_core.retrieval.slices import Floats

K = 60  # the constant of Cormack, Clarke and Büttcher (2009)
Key = TypeVar("Key")


def reciprocal_ranks(
    rankings: Sequence[Sequence[Key]], k: int = K, weights: Sequence[float] = ()
) -> list[Key]:
    """Return the keys of all *rankings* by sum of weight / (k + rank), rank from 1.

    What a ranking leaves out gets nothing from it. Ties keep the order of first appearance.
    """
    scores: dict[Key, float] = {}
    shares = tuple(weights) or (1.0,) * len(rankings)
    for ranking, share in zip(rankings, shares, strict=True):
        for rank, key in enumerate(ranking, start=1):
            scores[key] = scores.get(key, 0.0) + share / (k + rank)
    return sorted(scores, key=lambda key: -scores[key])


def weighted_sum(signals: Mapping[str, Floats], weights: Mapping[str, float]) -> Floats:
    """Return the sum of signals, each scaled to 0..1 over the rows and weighed.

    A signal that does not vary adds nothing.
    """
    size = len(next(iter(signals.values()), ()))
    total = np.zeros(size)
    for name, values in signals.items():
        low, high = (float(values.min()), float(values.max())) if size else (0.0, 0.0)
        if high > low:
            total += weights.get(name, 0.0) * (values - low) / (high - low)
    return total
