"""Rates with their denominators and intervals; a rate without one is no figure (invariant 15)."""

from __future__ import annotations

import math
from dataclasses import dataclass

_Z = 1.959964  # two-sided 95 %


@dataclass(frozen=True, slots=True)
class Rate:
    """k of n, with the Wilson score interval at 95 %; `value` is None where n is 0."""

    k: int
    n: int

    def __post_init__(self) -> None:
        if not 0 <= self.k <= self.n:
            msg = f"a rate needs 0 <= k <= n, got {self.k} of {self.n}"
            raise ValueError(msg)

    @property
    def value(self) -> float | None:
        """The share, or None."""
        return self.k / self.n if self.n else None

    def interval(self) -> tuple[float | None, float | None]:
        """Return low and high (Wilson, 1927); questions count as independent."""
        if not self.n:
            return None, None
        p, n, z = self.k / self.n, self.n, _Z
        scale = 1 + z * z / n
        centre = (p + z * z / (2 * n)) / scale
        half = z * math.sqrt(p * (1 - p) / n + z * z / (4 * n * n)) / scale
        low = 0.0 if self.k == 0 else max(0.0, centre - half)
        high = 1.0 if self.k == self.n else min(1.0, centre + half)
        return low, high

    def table(self) -> dict[str, float | int | None]:
        """Return `{value, k, n, low, high}` as every lab prints it."""
        low, high = self.interval()
        return {
            "value": _rounded(self.value),
            "k": self.k,
            "n": self.n,
            "low": _rounded(low),
            "high": _rounded(high),
        }


def _rounded(value: float | None) -> float | None:
    return None if value is None else round(value, 4)
