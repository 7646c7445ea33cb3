"""Fits the ranking's weights on the conversations developed on, the others left aside."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from pathlib import Path

import numpy as np

from hfea.lab import ranking_fit
from hfea.lab.locomo import DEVELOPED_ON, Tell, embedded_text, opened, taken
from hfea.lab.locomo_files import Conversation
from hfea.lab.ranking_fit import Sample
from memory_core.retrieval import ranking
from memory_core.retrieval.asked import asked
from memory_core.retrieval.embedding import Embedder
from memory_core.retrieval.ranking import LEXICAL, VECTORS


def write(
    path: Path, conversations: Sequence[Conversation], embedder: Embedder | None, tell: Tell
) -> None:
    """Write a weight file to *path*; without a model the vectors' weights are left out."""
    chosen = [c for c in conversations if c.name in DEVELOPED_ON]
    table: dict[str, object] = {
        "version": path.stem,
        "fitted_on": "LoCoMo " + ", ".join(c.name for c in chosen),
        "method": "listwise softmax over each question's slice, L2",
    }
    for kind, model in ((LEXICAL, None), (VECTORS, embedder)):
        if kind == LEXICAL or model:
            tell(f"fitting {kind}", 0, 1)
            samples, names = _samples(chosen, model)
            table[kind] = ranking_fit.fit(samples, names)
    path.write_text(json.dumps(table, indent=2) + "\n", encoding="utf-8")


def _samples(
    conversations: Sequence[Conversation], embedder: Embedder | None
) -> tuple[list[Sample], tuple[str, ...]]:
    found = [pair for c in conversations for pair in _of_conversation(c, embedder)]
    return [sample for sample, _ in found], found[0][1]


def _of_conversation(
    conversation: Conversation, embedder: Embedder | None
) -> Iterator[tuple[Sample, tuple[str, ...]]]:
    index = opened(conversation.rows)
    speakers = index.speakers()
    vectors = None
    if embedder:
        texts = [embedded_text(r) for r in conversation.rows]
        vectors = np.asarray(embedder.passages(texts), dtype=np.float64)
    for asking in conversation.questions:
        question = asked(asking.text, conversation.asked_at, speakers)
        likeness = None
        if embedder and vectors is not None:
            likeness = vectors @ np.asarray(embedder.query(asking.text), dtype=np.float64)
        rows, cosines = taken(index, question, likeness)
        if not len(rows):
            continue
        signals = ranking.signals(question, rows, cosines)
        names = tuple(signals)
        gold = np.array([conversation.rows[p.number - 1].key in asking.gold for p in rows.placed])
        yield Sample(ranking.matrix(signals, names), gold), names
    index.close()
