"""The LoCoMo lab: our ranking, plain BM25 and the best plain fusion over the same questions.

Every conversation is its own index, as an agent's history is. The yardsticks are rerun in the
same command, so what is claimed is a difference with its interval. The weights were fitted on
conversations 26, 41, 42 and 43; questions of any other are reported apart as well.
"""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from hfea.lab import metrics
from hfea.lab.locomo_files import ANSWERABLE, Asking, Conversation
from hfea.lab.metrics import Scored
from memory_core.retrieval import fusion, ranking
from memory_core.retrieval.asked import Asked, asked
from memory_core.retrieval.embedding import Embedder
from memory_core.retrieval.index import DEPTH, RowIndex
from memory_core.retrieval.rows import Row
from memory_core.retrieval.slices import Floats, Slice

DEVELOPED_ON = frozenset({"26", "41", "42", "43"})
OURS, BM25, FUSION, RRF = "ours", "bm25", "fusion", "rrf"
_OTHERS = (BM25, FUSION, RRF)
NEAREST = 50  # rows by likeness that join the candidates
# Weights of the best plain fusion: what a row says, and what the rows beside it say.
_FUSED = {"own": 1.0, "beside": 0.5}
_READ: Mapping[str, Callable[[Scored], float]] = {
    "recall@5": lambda s: s.recall[5],
    "recall@10": lambda s: s.recall[10],
    "hit@1": lambda s: s.hit,
    "mrr@10": lambda s: s.reciprocal,
}

Tell = Callable[[str, int, int], None]


@dataclass(frozen=True, slots=True)
class Answered:
    """One question with the ranking of each method: the keys of the first ten turns."""

    conversation: str
    asking: Asking
    ranked: Mapping[str, tuple[str, ...]]


def run(
    conversations: Sequence[Conversation], embedder: Embedder | None, tell: Tell
) -> list[Answered]:
    """Ask every question of every conversation by every method."""
    found = []
    for number, conversation in enumerate(conversations, start=1):
        tell(f"conversation {conversation.name}", number, len(conversations))
        found += list(answers(conversation, embedder))
    return found


def answers(conversation: Conversation, embedder: Embedder | None) -> Iterator[Answered]:
    """Ask every question of one conversation."""
    index = opened(conversation.rows)
    speakers = index.speakers()
    vectors = _vectors(conversation.rows, embedder) if embedder else None
    for asking in conversation.questions:
        question = asked(asking.text, conversation.asked_at, speakers)
        likeness = None
        if embedder and vectors is not None:
            likeness = vectors @ np.asarray(embedder.query(asking.text), dtype=np.float64)
        ranked = {
            OURS: _ours(index, question, likeness),
            **_yardsticks(index, asking, conversation),
            RRF: _by_ranks(index, question),
        }
        yield Answered(conversation.name, asking, ranked)
    index.close()


def opened(rows: Sequence[Row]) -> RowIndex:
    """Return an index in memory over *rows*; their numbers are their places, from 1."""
    index = RowIndex()
    threads = itertools.groupby(rows, key=lambda r: r.thread)
    index.put_all((name, list(part), "") for name, part in threads)
    return index


def taken(index: RowIndex, question: Asked, likeness: Floats | None) -> tuple[Slice, Floats | None]:
    """Return the slice a question is ranked over, with the cosine of each of its rows."""
    if likeness is None:
        return index.slice(question), None
    near = [int(i) + 1 for i in np.argsort(-likeness, kind="stable")[:NEAREST]]
    rows = index.slice(question, more=near)
    return rows, np.array([likeness[p.number - 1] for p in rows.placed])


def _ours(index: RowIndex, question: Asked, likeness: Floats | None) -> tuple[str, ...]:
    rows, cosines = taken(index, question, likeness)
    best = ranking.rank(question, rows, metrics.LAST, cosines)
    whole = index.rows(r.number for r in best)
    return tuple(whole[r.number].key for r in best)


def _yardsticks(
    index: RowIndex, asking: Asking, conversation: Conversation
) -> dict[str, tuple[str, ...]]:
    """Rank by BM25 alone (the speakers' names count as words), and by BM25 with neighbours."""
    plain = asked(asking.text, conversation.asked_at)
    rows = index.slice(plain, depth=DEPTH)
    if not len(rows):
        return {BM25: (), FUSION: ()}
    signals = ranking.signals(plain, rows)
    beside = np.maximum(signals["before"], signals["after"])
    fused = fusion.weighted_sum({"own": signals["own"], "beside": beside}, _FUSED)
    return {BM25: _first(index, rows, signals["own"]), FUSION: _first(index, rows, fused)}


def _by_ranks(index: RowIndex, question: Asked) -> tuple[str, ...]:
    """Fuse the rankings by relevance and by authorship with reciprocal ranks (k = 60)."""
    rows = index.slice(question, depth=DEPTH)
    if not len(rows):
        return ()
    signals = ranking.signals(question, rows)
    met = np.flatnonzero(signals["own"] > 0)
    relevance = met[np.argsort(-signals["own"][met], kind="stable")]
    authorship = relevance[np.argsort(-signals["speaker"][relevance], kind="stable")]
    fused = fusion.reciprocal_ranks([relevance.tolist(), authorship.tolist()])
    numbers = [rows.placed[i].number for i in fused[: metrics.LAST]]
    whole = index.rows(numbers)
    return tuple(whole[n].key for n in numbers)


def _first(index: RowIndex, rows: Slice, scores: Floats) -> tuple[str, ...]:
    order = np.argsort(-scores, kind="stable")[: metrics.LAST]
    numbers = [rows.placed[i].number for i in order if scores[i] > 0]
    whole = index.rows(numbers)
    return tuple(whole[n].key for n in numbers)


def _vectors(rows: Sequence[Row], embedder: Embedder) -> Floats:
    texts = [embedded_text(r) for r in rows]
    return np.asarray(embedder.passages(texts), dtype=np.float64)


def embedded_text(row: Row) -> str:
    """Return the text of a row as it is embedded: who says it, what, and what stands beside."""
    beside = f" [{row.beside}]" if row.beside else ""
    return f"{row.speaker}: {row.text}{beside}"


def report(found: Sequence[Answered], snapshot: str, question_set: str) -> dict[str, Any]:
    """Return the lab's one object (design, section 7): metrics of ours under their own names."""
    by = {m: [metrics.scored(a.ranked[m], a.asking.gold) for a in found] for m in (OURS, *_OTHERS)}
    figures = metrics.table(by[OURS])
    for method in _OTHERS:
        figures |= {f"{method}:{k}": v for k, v in metrics.table(by[method]).items()}
        for name, read in _READ.items():
            figures[f"ours-{method}:{name}"] = metrics.difference(by[OURS], by[method], read)
    figures |= _apart(found, by[OURS])
    return {
        "snapshot_sha256": snapshot,
        "question_set": question_set,
        "metrics": figures,
        "per_question": [_row(a, s) for a, s in zip(found, by[OURS], strict=True)],
    }


def _apart(found: Sequence[Answered], ours: Sequence[Scored]) -> dict[str, Any]:
    """Report conversations developed on and others apart, and each category."""
    pairs = list(zip(found, ours, strict=True))
    parts: dict[str, Callable[[Answered], bool]] = {
        "developed": lambda a: a.conversation in DEVELOPED_ON,
        "held_out": lambda a: a.conversation not in DEVELOPED_ON,
        **{f"category_{c}": _of_category(c) for c in ANSWERABLE},
    }
    figures: dict[str, Any] = {}
    for name, chosen in parts.items():
        part = [s for a, s in pairs if chosen(a)]
        if part:
            figures |= {f"{name}:{k}": v for k, v in metrics.table(part).items()}
    return figures


def _of_category(category: int) -> Callable[[Answered], bool]:
    return lambda a: a.asking.category == category


def _row(answered: Answered, score: Scored) -> dict[str, Any]:
    return {
        "qid": answered.asking.qid,
        "conversation": answered.conversation,
        "category": answered.asking.category,
        "question": answered.asking.text,
        "gold": sorted(answered.asking.gold),
        "ranked": list(answered.ranked[OURS]),
        "recall@5": score.recall[5],
        "recall@10": score.recall[10],
        "hit@1": score.hit,
        "mrr@10": round(score.reciprocal, 4),
    }
