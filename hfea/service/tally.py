"""Requests counted by route, status and seconds: the part of the metrics no ledger holds."""

from __future__ import annotations

import threading
from collections import Counter
from collections.abc import Iterator

BOUNDS = (0.005, 0.025, 0.1, 0.15, 0.3, 1.0, 5.0)  # seconds; 0.15 and 0.3 are our promises


class Traffic:
    """Counts since the process began."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._requests: Counter[tuple[str, int]] = Counter()
        self._within: Counter[tuple[str, float]] = Counter()
        self._seconds: Counter[str] = Counter()

    def count(self, route: str, status: int, seconds: float) -> None:
        """Count one request; status 0 is a caller that went away."""
        with self._lock:
            self._requests[route, status] += 1
            self._seconds[route] += seconds  # type: ignore[assignment]
            for bound in BOUNDS:
                if seconds <= bound:
                    self._within[route, bound] += 1

    def requests(self) -> Iterator[tuple[str, int, int]]:
        """Yield route, status and count, in order."""
        with self._lock:
            found = sorted(self._requests.items())
        for (route, status), number in found:
            yield route, status, number

    def durations(self) -> Iterator[tuple[str, list[tuple[float, int]], float, int]]:
        """Yield route, cumulative counts by bound, the sum of seconds, and the count."""
        with self._lock:
            routes = sorted({route for route, _ in self._requests})
            for route in routes:
                whole = sum(n for (r, _), n in self._requests.items() if r == route)
                steps = [(bound, self._within[route, bound]) for bound in BOUNDS]
                yield route, steps, float(self._seconds[route]), whole
