"""How much one caller may send and ask: bytes, requests a second, characters in an answer."""

from __future__ import annotations

import time
from collections import OrderedDict
from collections.abc import Callable
from dataclasses import dataclass

_REMEMBERED = 1000  # callers whose use is kept


@dataclass(frozen=True, slots=True)
class Limits:
    """The service's limits.

    `rate` is requests a second of one token, `burst` how many of them at once; `body_seconds` is
    how long a body may pause. Strangers are not counted: a wrong token costs one hash, and 256
    bits are not guessed.
    """

    body: int = 256 * 1024
    at_once: int = 64
    rate: float = 50.0
    burst: int = 200
    body_seconds: float = 30.0
    ask_seconds: float = 30.0
    prefetch_seconds: float = 0.8


class Buckets:
    """A token bucket for each key; the least used are forgotten."""

    def __init__(
        self, rate: float, burst: int, clock: Callable[[], float] = time.monotonic
    ) -> None:
        self._rate, self._burst, self._clock = rate, burst, clock
        self._left: OrderedDict[str, tuple[float, float]] = OrderedDict()

    def take(self, key: str) -> float:
        """Take one; return 0.0, or the seconds to wait where there is none."""
        now = self._clock()
        left, at = self._left.pop(key, (float(self._burst), now))
        left = min(float(self._burst), left + (now - at) * self._rate)
        wait = 0.0 if left >= 1 else (1 - left) / self._rate
        self._left[key] = (left - 1 if wait == 0.0 else left, now)
        if len(self._left) > _REMEMBERED:
            self._left.popitem(last=False)
        return wait
