"""How long the loops are: short on every push, long with HFEA_PROFILE=soak; one code path."""

from __future__ import annotations

import os

SOAKING = os.environ.get("HFEA_PROFILE") == "soak"


def rounds(ci: int, soak: int) -> int:
    """Return how often a loop runs under the chosen profile."""
    return soak if SOAKING else ci
