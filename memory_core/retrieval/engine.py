"""The engine: words first, a model only where words leave a gap, words alone where it fails.

A missing or late model is no error (invariant 9): the result is what words found, and it says
`degraded`. The model is asked when the best rows' own text covers less of the question than the
gate; added words (captions, keywords) never count as covering.
"""

from __future__ import annotations

import datetime as dt
from collections.abc import Iterable, Mapping
from dataclasses import dataclass

import numpy as np

from memory_core.retrieval import ranking
from memory_core.retrieval.asked import Asked, asked
from memory_core.retrieval.embedding import EmbeddingFailed, Gate, Vector
from memory_core.retrieval.index import RowIndex
from memory_core.retrieval.index_tables import Only
from memory_core.retrieval.ranking import Ranked
from memory_core.retrieval.rows import Row, content, take_apart
from memory_core.retrieval.slices import Counts
from memory_core.retrieval.vectors import BadVector, VectorStore

DEGRADED = "degraded"
_TOP = 3  # rows whose coverage decides whether the model is asked
_NEAREST = 50  # rows by likeness that join the candidates


@dataclass(frozen=True, slots=True)
class Hit:
    """One row found: its order score, raw signals and raw coverage by its own text."""

    row: Row
    coverage: float
    ranked: Ranked


@dataclass(frozen=True, slots=True)
class Result:
    """Hits, the best first; `degraded` holds the reason code where a model did not help."""

    hits: tuple[Hit, ...]
    degraded: tuple[str, ...] = ()
    embedded: bool = False
    failure: str = ""


class Engine:
    """Searches one index, with a model's vectors where there are any."""

    def __init__(
        self, index: RowIndex, vectors: VectorStore | None = None, gate: Gate | None = None
    ) -> None:
        self.index = index
        self._vectors = vectors
        self._gate = gate

    def search(self, question: Asked, only: Only | None = None, limit: int = 12) -> Result:
        """Return the best *limit* rows for a question. Raises sqlite3.Error, no model's error."""
        only = only or Only()
        rows = self.index.slice(question, only)
        lexical = self._hits(question, ranking.rank(question, rows, limit), rows.counts)
        if self._gate is None or self._vectors is None:
            return Result(lexical)
        covered = max((h.coverage for h in lexical[:_TOP]), default=0.0)
        try:
            vector = self._gate.query(question.text, covered)
            if vector is None:
                return Result(lexical)
            return Result(self._widened(question, only, limit, vector), embedded=True)
        except (EmbeddingFailed, BadVector) as error:
            return Result(lexical, (DEGRADED,), failure=str(error))

    def asked(self, text: str, asked_at: dt.datetime, me: str = "") -> Asked:
        """Read a question against the speakers of this index."""
        return asked(text, asked_at, self.index.speakers(), me)

    def _widened(self, question: Asked, only: Only, limit: int, vector: Vector) -> tuple[Hit, ...]:
        assert self._vectors is not None  # noqa: S101 - search() has looked
        assert self._gate is not None  # noqa: S101
        model = self._gate.embedder.model
        near = self._vectors.nearest(model, vector, _NEAREST)
        rows = self.index.slice(question, only, more=self.index.numbers(near.keys))
        keys = self.index.keys(p.number for p in rows.placed)
        named = [keys[p.number] for p in rows.placed]
        cosines = np.array(self._vectors.cosines(model, vector, named))
        return self._hits(question, ranking.rank(question, rows, limit, cosines), rows.counts)

    def _hits(self, question: Asked, best: Iterable[Ranked], counts: Counts) -> tuple[Hit, ...]:
        found = tuple(best)
        whole: Mapping[int, Row] = self.index.rows(r.number for r in found)
        return tuple(
            Hit(row, original_coverage(question, row.text, counts), r)
            for r in found
            if (row := whole.get(r.number))
        )


def original_coverage(question: Asked, text: str, counts: Counts) -> float:
    """Return the share of the question's idf weight that *text* itself meets by stems, 0 to 1."""
    stems = take_apart(" ".join(content(text))).counts.keys()
    weights = [(counts.idf(w.stems), w) for w in question.words]
    total = sum(weight for weight, _ in weights)
    met = sum(weight for weight, w in weights if not stems.isdisjoint(w.stems))
    return met / total if total else 0.0
