"""Vectors on disk: each with the hash of its text, its model and dimension; spaces never mix.

A vector is written only where it is finite, of length 1 and of its model's dimension, and where
the whole batch came back: a shifted batch shows when `doctor` recomputes a sample. After a change
of model the old vectors stay until the new model has embedded their texts; searches use one model.
"""

from __future__ import annotations

import bisect
import hashlib
import math
import random
import sqlite3
import threading
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import numpy.typing as npt

from memory_core import sqlite_kit
from memory_core.retrieval.embedding import BATCH_CHARACTERS, Embedder, EmbeddingFailed, clean

SAMPLE = 8  # vectors that doctor recomputes, from the middle of batches as likely as their ends
NEAR = 0.98  # cosine from which a recomputed vector is the same: quantised models waver a little
_LENGTH = 1e-3  # how far a stored vector's length may be from 1

Matrix = npt.NDArray[np.float32]


class BadVector(Exception):
    """A vector that may not be stored: NaN, infinite, not of length 1, wrong dimension or count."""


@dataclass(frozen=True, slots=True)
class Doubt:
    """One thing that doctor found: `stale_text`, `not_finite`, `dimension` or `differs`."""

    key: str
    code: str
    cosine: float | None = None


@dataclass(frozen=True, slots=True)
class Near:
    """Keys with their raw cosine to a question, the nearest first."""

    keys: tuple[str, ...]
    cosines: tuple[float, ...]


def _m1(db: sqlite3.Connection) -> None:
    db.execute(
        "CREATE TABLE vector (key TEXT NOT NULL, model TEXT NOT NULL, dimension INTEGER NOT NULL,"
        " text_hash TEXT NOT NULL, vector BLOB NOT NULL, PRIMARY KEY (key, model))"
        " STRICT, WITHOUT ROWID"
    )
    db.execute("CREATE INDEX vector_model ON vector (model)")


def text_hash(text: str) -> str:
    """Return the SHA-256 of *text* as the model saw it."""
    return hashlib.sha256(clean(text).encode()).hexdigest()


class VectorStore:
    """Keeps vectors by key and model. One process writes; None as path keeps it in memory."""

    def __init__(self, path: Path | None = None) -> None:
        self._db = sqlite_kit.connect(path)
        sqlite_kit.migrate(self._db, (_m1,))
        self._lock = threading.RLock()
        self._loaded: dict[str, tuple[tuple[str, ...], Matrix]] = {}

    def close(self) -> None:
        """Close the file."""
        self._db.close()

    def put(self, model: str, texts: Mapping[str, str], vectors: Sequence[Sequence[float]]) -> None:
        """Store one vector a text, in order, all or none. Raises BadVector, sqlite3.Error."""
        if len(vectors) != len(texts):
            raise BadVector(f"{len(vectors)} vectors for {len(texts)} texts")
        found = np.array([list(v) for v in vectors], dtype=np.float32) if vectors else None
        if found is None:
            return
        self._check(model, found)
        with self._lock, sqlite_kit.transaction(self._db):
            self._db.executemany(
                "INSERT INTO vector VALUES (?, ?, ?, ?, ?) ON CONFLICT (key, model) DO UPDATE SET"
                " dimension = excluded.dimension, text_hash = excluded.text_hash,"
                " vector = excluded.vector",
                (
                    (key, model, found.shape[1], text_hash(text), row.tobytes())
                    for (key, text), row in zip(texts.items(), found, strict=True)
                ),
            )
            self._loaded.pop(model, None)

    def _check(self, model: str, found: Matrix) -> None:
        if found.ndim != 2 or not found.shape[1]:  # noqa: PLR2004 - a table has two dimensions
            raise BadVector("the vectors of one batch differ in dimension")
        if not np.isfinite(found).all():
            raise BadVector("a vector holds NaN or infinity")
        if np.abs(np.linalg.norm(found, axis=1) - 1).max() > _LENGTH:
            raise BadVector("a vector is not of length 1")
        known = self._db.execute(
            "SELECT dimension FROM vector WHERE model = ? LIMIT 1", (model,)
        ).fetchone()
        if known and known[0] != found.shape[1]:
            raise BadVector(f"{model} gave {found.shape[1]} dimensions, {known[0]} are stored")

    def drop(self, keys: Iterable[str]) -> None:
        """Forget the vectors of *keys*, of every model."""
        with self._lock, sqlite_kit.transaction(self._db):
            self._db.executemany("DELETE FROM vector WHERE key = ?", ((k,) for k in keys))
            self._loaded.clear()

    def missing(self, model: str, texts: Mapping[str, str]) -> dict[str, str]:
        """Return those of *texts* that *model* has not embedded as they now read."""
        held = dict(self._db.execute("SELECT key, text_hash FROM vector WHERE model = ?", (model,)))
        return {k: t for k, t in texts.items() if held.get(k) != text_hash(t)}

    def coverage(self, model: str, texts: Mapping[str, str]) -> float:
        """Return the share of *texts* that *model* has embedded; 1 where there are none."""
        return 1 - len(self.missing(model, texts)) / len(texts) if texts else 1.0

    def embed(self, embedder: Embedder, texts: Mapping[str, str]) -> int:
        """Embed what is missing, batch by batch; return how many. EmbeddingFailed, BadVector.

        What was embedded before a failure stays. Vectors of other models go when all is done.
        """
        todo = self.missing(embedder.model, texts)
        for batch in _batches(todo):
            self.put(embedder.model, batch, embedder.passages(list(batch.values())))
        with self._lock, sqlite_kit.transaction(self._db):
            self._db.executemany(
                "DELETE FROM vector WHERE key = ? AND model <> ?",
                ((key, embedder.model) for key in texts),
            )
        return len(todo)

    def embed_in_background(self, embedder: Embedder, texts: Mapping[str, str]) -> threading.Thread:
        """Run `embed` in a daemon thread; where it fails, `missing` still names what is left."""

        def work() -> None:
            try:
                self.embed(embedder, texts)
            except (EmbeddingFailed, BadVector, sqlite3.Error):
                return  # `coverage` and `doctor` show it; the next run goes on from there

        thread = threading.Thread(target=work, name="embedding", daemon=True)
        thread.start()
        return thread

    def _matrix(self, model: str) -> tuple[tuple[str, ...], Matrix]:
        with self._lock:
            if model not in self._loaded:
                rows = self._db.execute(
                    "SELECT key, vector FROM vector WHERE model = ? ORDER BY key", (model,)
                ).fetchall()
                flat = b"".join(r[1] for r in rows)
                matrix = np.frombuffer(flat, dtype=np.float32)
                shaped = matrix.reshape(len(rows), -1) if rows else matrix.reshape(0, 0)
                self._loaded[model] = (tuple(r[0] for r in rows), shaped)
            return self._loaded[model]

    def nearest(self, model: str, vector: Sequence[float], limit: int) -> Near:
        """Return the *limit* keys nearest to *vector* within *model*'s space. BadVector."""
        keys, matrix = self._matrix(model)
        if not keys:
            return Near((), ())
        asked = np.asarray(vector, dtype=np.float32)
        if asked.shape != (matrix.shape[1],):
            raise BadVector(f"the question has {asked.size} dimensions, not {matrix.shape[1]}")
        cosines = matrix @ asked
        size = min(limit, len(keys))
        best = np.argpartition(-cosines, size - 1)[:size]
        best = best[np.argsort(-cosines[best], kind="stable")]
        return Near(tuple(keys[i] for i in best), tuple(float(cosines[i]) for i in best))

    def cosines(self, model: str, vector: Sequence[float], keys: Sequence[str]) -> list[float]:
        """Return the cosine of each of *keys* to *vector*; NaN for a key without a vector."""
        known, matrix = self._matrix(model)
        asked = np.asarray(vector, dtype=np.float32)
        places = [bisect.bisect_left(known, key) for key in keys]
        return [
            float(matrix[i] @ asked) if i < len(known) and known[i] == key else math.nan
            for i, key in zip(places, keys, strict=True)
        ]

    def doctor(self, embedder: Embedder, texts: Mapping[str, str], seed: int = 0) -> list[Doubt]:
        """Check every stored vector of the model, and recompute a sample. EmbeddingFailed."""
        keys, matrix = self._matrix(embedder.model)
        doubts = [
            Doubt(key, "not_finite")
            for key, row in zip(keys, matrix, strict=True)
            if not np.isfinite(row).all()
        ]
        stale = set(self.missing(embedder.model, texts)) & set(keys)
        doubts += [Doubt(key, "stale_text") for key in sorted(stale)]
        sound = [i for i, k in enumerate(keys) if k in texts and k not in stale]
        chosen = sorted(random.Random(seed).sample(sound, min(SAMPLE, len(sound))))  # noqa: S311
        again = embedder.passages([texts[keys[i]] for i in chosen]) if chosen else []
        for i, vector in zip(chosen, again, strict=True):
            doubts += _compared(keys[i], matrix[i], vector)
        return doubts


def _compared(key: str, stored: Matrix, again: Sequence[float]) -> list[Doubt]:
    now = np.asarray(again, dtype=np.float32)
    if now.shape != stored.shape:
        return [Doubt(key, "dimension")]
    cosine = float(now @ stored)
    return [] if cosine >= NEAR else [Doubt(key, "differs", cosine)]


def _batches(texts: Mapping[str, str]) -> list[dict[str, str]]:
    found: list[dict[str, str]] = []
    size = 0
    for key, text in texts.items():
        length = len(clean(text))
        if not found or size + length > BATCH_CHARACTERS:
            found.append({})
            size = 0
        found[-1][key] = text
        size += length
    return found
