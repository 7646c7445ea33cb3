"""Lexical signals of a slice of rows: BM25, coverage, neighbours, pairs, feedback.

No signal decides alone; `ranking` weighs them. A row's neighbours in its thread count because
an answer rarely repeats its question's words. Feedback is RM3's idea (Lavrenko and Croft, 2001):
the words of the best rows, weighed by how good those rows are.
"""

from __future__ import annotations

import itertools
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TypeVar

import numpy as np

from memory_core.matching import COGNATE, CONCEPT
from memory_core.retrieval.asked import Asked
from memory_core.retrieval.rows import stems
from memory_core.retrieval.slices import Floats, Slice, shifted

T = TypeVar("T")
K1, B = 1.2, 0.75
BEFORE, AFTER = 0.8, 0.6  # how far a word met by a neighbour counts as met
_FEEDBACK_ROWS, _FEEDBACK_TERMS, _FEEDBACK_SCALE = 6, 15, 6.0
_BEST_OF_THREAD = 3


@dataclass(frozen=True, slots=True)
class Matches:
    """How often each asked word occurs in each row (words x rows), exactly and at all.

    `exact` counts its own stems; `soft` is 1, or how far a word of its concept or a cognate
    meets it. `idf` is a weight a word.
    """

    exact: Floats
    soft: Floats
    idf: Floats

    @property
    def mass(self) -> float:
        """The weight of the whole question; 1 where it has none."""
        return float(self.idf.sum()) or 1.0


def matches(asked: Asked, rows: Slice) -> Matches:
    """Match every asked word with every row."""
    exact = np.zeros((len(asked.words), len(rows)))
    soft = np.zeros_like(exact)
    _count(exact, [w.stems for w in asked.words], rows)
    starts = _places([(w.beginning,) if w.beginning else () for w in asked.words])
    concepts = _places([tuple(w.concepts) for w in asked.words])
    for i, read in enumerate(rows.reads):
        for start in starts.keys() & read.starts:
            soft[starts[start], i] = COGNATE
        for concept in concepts.keys() & read.concepts:
            soft[concepts[concept], i] = CONCEPT
    soft[exact > 0] = 1.0
    idf = np.array([rows.counts.idf(w.stems) for w in asked.words])
    return Matches(exact, soft, idf)


def _count(into: Floats, spelt: Sequence[tuple[str, ...]], rows: Slice) -> None:
    """Write how often each word, under any of its spellings, occurs in each row."""
    places = _places(spelt)
    known = places.keys()
    for i, read in enumerate(rows.reads):
        counts = read.counts
        for s in known & counts.keys():
            for n in places[s]:
                into[n, i] = max(into[n, i], counts[s])


def _places(given: Sequence[tuple[T, ...]]) -> dict[T, list[int]]:
    """Return at which words of a question each spelling (or concept) stands."""
    found: dict[T, list[int]] = {}
    for n, members in enumerate(given):
        for member in members:
            found.setdefault(member, []).append(n)
    return found


def bm25(counts: Floats, weights: Floats, rows: Slice) -> Floats:
    """Return each row's BM25 sum for words that occur *counts* times and weigh *weights*."""
    size = np.array([r.size for r in rows.reads], dtype=float)
    norm = K1 * (1 - B + B * size / max(rows.counts.mean_size, 1.0))
    summed: Floats = weights @ (counts * (K1 + 1) / (counts + norm))
    return summed


def lexical(asked: Asked, rows: Slice, people: Floats) -> dict[str, Floats]:
    """Return every lexical signal by name, a value a row; *people* is 1 for who was asked about."""
    met = matches(asked, rows)
    own = bm25(met.exact, met.idf, rows) / met.mass
    before, after = shifted(own, rows.before), shifted(own, rows.after)
    before2, after2 = shifted(before, rows.before), shifted(after, rows.after)
    pairs = _pairs(asked, rows)
    window = own + 0.5 * before + 0.3 * after + 0.2 * before2 + 0.1 * after2
    fed = feedback(asked, window * (1 + people), rows)
    rare = _rarest(met)
    return {
        "own": own,
        "before": before,
        "after": after,
        "before2": before2,
        "after2": after2,
        "before3": shifted(before2, rows.before),
        "after3": shifted(after2, rows.after),
        "covered": met.idf @ (met.exact > 0) / met.mass,
        "covered_around": met.idf @ _around((met.exact > 0).astype(float), rows) / met.mass,
        "soft": met.idf @ met.soft / met.mass,
        "soft_around": met.idf @ _around(met.soft, rows) / met.mass,
        "pairs": pairs,
        "pairs_before": shifted(pairs, rows.before),
        "feedback": fed,
        "feedback_around": _beside(fed, rows),
        "rarest": rare,
        "rarest_around": _beside(rare, rows),
        "thread": _threads(own, rows),
    }


def _around(met: Floats, rows: Slice) -> Floats:
    """Count a word as met where a neighbour meets it, a little less."""
    beside = np.maximum(BEFORE * shifted(met, rows.before), AFTER * shifted(met, rows.after))
    joined: Floats = np.maximum(met, beside)
    return joined


def _beside(values: Floats, rows: Slice) -> Floats:
    best: Floats = np.maximum(shifted(values, rows.before), shifted(values, rows.after))
    return best


def _pairs(asked: Asked, rows: Slice) -> Floats:
    if not asked.pairs:
        return np.zeros(len(rows))
    return np.array([len(asked.pairs & r.pairs) for r in rows.reads]) / len(asked.pairs)


def _rarest(met: Matches) -> Floats:
    """Return the weight of the question's rarest word that occurs here at all, where it does."""
    occurring = np.flatnonzero(met.exact.any(axis=1))
    if not len(occurring):
        return np.zeros(met.exact.shape[1])
    rarest = occurring[np.argmax(met.idf[occurring])]
    shared: Floats = (met.exact[rarest] > 0) * met.idf[rarest] / met.mass
    return shared


def _threads(own: Floats, rows: Slice) -> Floats:
    """Return the mean of the best three rows of each row's thread."""
    values = own.tolist()
    found: list[float] = []
    for _, members in itertools.groupby(range(len(rows)), key=lambda i: rows.placed[i].group):
        part = [values[i] for i in members]
        best = sorted(part, reverse=True)[:_BEST_OF_THREAD]
        found += [sum(best) / len(best)] * len(part)
    return np.array(found)


def feedback(asked: Asked, scores: Floats, rows: Slice) -> Floats:
    """Score rows by the words of the best rows, the asked words left out; RM3, one round."""
    if not len(rows) or scores.max() <= 0:
        return np.zeros(len(rows))
    terms = _expansion(asked, scores, rows)
    if not terms:
        return np.zeros(len(rows))
    counts = np.zeros((len(terms), len(rows)))
    _count(counts, list(terms), rows)
    idf = np.array([rows.counts.idf(t) for t in terms])
    weights = np.array(list(terms.values()))
    return bm25(counts, weights / weights.sum() * idf, rows) / _FEEDBACK_SCALE


def _expansion(asked: Asked, scores: Floats, rows: Slice) -> Mapping[tuple[str, ...], float]:
    """Return the words that mark the best rows, each under its spellings, with its weight."""
    known = {s for word in asked.words for s in word.stems}
    best = np.argsort(-scores, kind="stable")[:_FEEDBACK_ROWS]
    shares = scores[best] / scores[best].sum()
    weights: Counter[tuple[str, ...]] = Counter()
    for share, i in zip(shares.tolist(), best.tolist(), strict=True):
        read = rows.reads[i]
        for word, count in Counter(read.plain).items():
            spelt = stems(word)
            if not known.intersection(spelt):
                weights[spelt] += share * min(count, 2) / read.size * rows.counts.idf(spelt)
    return dict(sorted(weights.items(), key=lambda w: (-w[1], w[0]))[:_FEEDBACK_TERMS])
