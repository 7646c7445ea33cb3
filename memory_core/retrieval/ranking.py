"""Ranking: every signal, weighed by a versioned table that a lab fitted; ties by place.

The table is fitted on conversations and rank order only. Its scores are for order: no verdict
may read them (design, section 4).
"""

from __future__ import annotations

import functools
import importlib.resources
import json
from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType

import numpy as np
import numpy.typing as npt

from memory_core.retrieval import context
from memory_core.retrieval.asked import Asked
from memory_core.retrieval.lexical import lexical
from memory_core.retrieval.slices import Floats, Slice, shifted

WEIGHTS = "ranking-1.json"
LEXICAL, VECTORS = "lexical", "vectors"
_ROUND = 9  # digits of a score that decide: sums differ in the last bits between machines


@dataclass(frozen=True, slots=True)
class Ranked:
    """A row by its number: its score (for order only), its raw coverage by original words."""

    number: int
    score: float
    coverage: float
    signals: Mapping[str, float]


def signals(asked: Asked, rows: Slice, cosines: Floats | None = None) -> dict[str, Floats]:
    """Return every signal by name, a value a row; *cosines* are NaN where a row has no vector."""
    spoken = context.people(asked, rows)
    found = lexical(asked, rows, spoken)
    found |= context.contextual(asked, rows, spoken, found["own"])
    if cosines is not None:
        likeness = standard(cosines)
        found["likeness"] = likeness
        found["likeness_before"] = shifted(likeness, rows.before)
        found["likeness_after"] = shifted(likeness, rows.after)
        found["likeness_spoken"] = likeness * spoken
    return found


def standard(cosines: Floats) -> Floats:
    """Return cosines in standard deviations from their mean; 0 where there is none.

    Raw cosines of models do not compare: unrelated texts have 0.8 in one and 0.3 in another.
    """
    known = ~np.isnan(cosines)
    if known.sum() < 2:  # noqa: PLR2004 - one value has no spread
        return np.zeros(len(cosines))
    mean, spread = cosines[known].mean(), cosines[known].std()
    scaled: Floats = np.where(known, (cosines - mean) / max(spread, 1e-6), 0.0)
    return scaled


def rank(
    asked: Asked, rows: Slice, limit: int, cosines: Floats | None = None
) -> tuple[Ranked, ...]:
    """Return the best *limit* rows of a slice, best first."""
    if not len(rows):
        return ()
    found = signals(asked, rows, cosines)
    table = weights(LEXICAL if cosines is None else VECTORS)
    scores = np.zeros(len(rows))
    for name, weight in table.items():
        scores += weight * found[name]
    order = np.argsort(-np.round(scores, _ROUND), kind="stable")[:limit]
    return tuple(_ranked(rows, int(i), float(scores[i]), found) for i in order)


def _ranked(rows: Slice, i: int, score: float, found: Mapping[str, Floats]) -> Ranked:
    read = MappingProxyType({name: float(values[i]) for name, values in found.items()})
    return Ranked(rows.placed[i].number, score, read["covered"], read)


@functools.cache
def weights(kind: str) -> Mapping[str, float]:
    """Return the weight of each signal, for ranking without (`lexical`) or with `vectors`."""
    file = importlib.resources.files("memory_core.weights") / WEIGHTS
    table = json.loads(file.read_text(encoding="utf-8"))
    return MappingProxyType({str(k): float(v) for k, v in table[kind].items()})


def matrix(found: Mapping[str, Floats], names: tuple[str, ...]) -> npt.NDArray[np.float32]:
    """Return signals as rows x *names*, for fitting."""
    return np.stack([found[n] for n in names], axis=1).astype(np.float32)
