"""The rows that one question is ranked over: candidates with their neighbours, and counts."""

from __future__ import annotations

import datetime as dt
import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from memory_core.retrieval.rows import Read, Surface

Floats = npt.NDArray[np.float64]
Places = npt.NDArray[np.int64]
ABSENT = -1


@dataclass(frozen=True, slots=True)
class Counts:
    """What is known of the whole collection: rows, mean length in content words, frequencies.

    `frequency` gives how many rows hold a term (a stem).
    """

    rows: int
    mean_size: float
    frequency: Callable[[str], int]

    def idf(self, terms: Sequence[str]) -> float:
        """Return ln(1 + (N - df + 0.5) / (df + 0.5)), BM25's (Robertson and Zaragoza, 2009).

        *terms* are the spellings of one word; it is as frequent as its most frequent one.
        """
        df = min(self.rows, max((self.frequency(t) for t in terms), default=0))
        return math.log(1 + (self.rows - df + 0.5) / (df + 0.5))


@dataclass(frozen=True, slots=True)
class Placed:
    """A row as an index holds it, taken apart: number, place in its thread, who, and when.

    `day` is in UTC. The text stays where it
    is: of a slice's hundreds of rows only the best are shown.
    """

    number: int
    thread: str
    order: int
    speaker: str
    day: dt.date | None
    read: Read
    surface: Surface

    @property
    def group(self) -> str:
        """The thread, or the row alone."""
        return self.thread or f"#{self.number}"


@dataclass(frozen=True, slots=True)
class Slice:
    """Rows in the order of their threads; `before` and `after` are places in it, or ABSENT.

    `Placed.number` is the index's own number of a row.
    """

    placed: tuple[Placed, ...]
    reads: tuple[Read, ...]
    surfaces: tuple[Surface, ...]
    before: Places
    after: Places
    counts: Counts

    def __len__(self) -> int:
        return len(self.placed)


def joined(placed: Sequence[Placed], counts: Counts) -> Slice:
    """Make a slice of *placed* rows, each at most once, in any order."""
    found = sorted(placed, key=lambda p: (p.thread, p.order, p.number))
    at = {(p.thread, p.order): i for i, p in enumerate(found) if p.thread}
    return Slice(
        placed=tuple(found),
        reads=tuple(p.read for p in found),
        surfaces=tuple(p.surface for p in found),
        before=_places(found, at, -1),
        after=_places(found, at, 1),
        counts=counts,
    )


def _places(found: Sequence[Placed], at: Mapping[tuple[str, int], int], step: int) -> Places:
    places = [at.get((p.thread, p.order + step), ABSENT) for p in found]
    return np.array(places, dtype=np.int64)


def shifted(values: Floats, places: Places) -> Floats:
    """Return each row's neighbour's value, 0 where it has none; the last axis is the rows."""
    if not len(places):
        return values
    taken: Floats = np.where(places == ABSENT, 0.0, values[..., places])
    return taken
