"""A text with passages cut out and the rest made safe, and where its offsets went."""

from __future__ import annotations

import bisect
from collections.abc import Callable, Iterable
from dataclasses import replace
from itertools import accumulate

from memory_core.model import Span


class Cuts:
    """*text* without the given half-open passages; `text` is what stays, made safe piecewise."""

    def __init__(
        self, text: str, passages: Iterable[tuple[int, int]], safe: Callable[[str], str] = str
    ) -> None:
        self._kept = _kept(len(text), passages)
        self._pieces = [(start, text[start:end]) for start, end in self._kept]
        cleaned = [safe(piece) for _, piece in self._pieces]
        self._safe = safe
        self._starts = [0, *accumulate(map(len, cleaned))]
        self.text = "".join(cleaned)

    def moved(self, offset: int) -> int:
        """Return where an offset of the original lies; one that was cut moves to the cut."""
        at = bisect.bisect_right([start for start, _ in self._kept], offset) - 1
        if at < 0:
            return 0
        start, piece = self._pieces[at]
        inside = piece[: offset - start]
        return self._starts[at] + len(self._safe(inside))

    def spans(self, spans: Iterable[Span]) -> tuple[Span, ...]:
        """Return *spans* moved; what was cut wholly is gone."""
        moved = [(s, self.moved(s.start), self.moved(s.end)) for s in spans]
        return tuple(replace(s, start=a, end=b) for s, a, b in moved if a < b)


def _kept(length: int, passages: Iterable[tuple[int, int]]) -> list[tuple[int, int]]:
    kept, at = [], 0
    for start, end in sorted(passages):
        if start > at:
            kept.append((at, start))
        at = max(at, end)
    if at < length:
        kept.append((at, length))
    return kept
