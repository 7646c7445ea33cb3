"""A cue: a named pattern that shows what a clause is to the story."""

from __future__ import annotations

import re
from dataclasses import dataclass

from memory_core.model import Outcome, Theme


@dataclass(frozen=True, slots=True)
class Cue:
    """A named pattern of a theme; `outcome` where it tells how an attempt ended."""

    name: str
    theme: Theme
    pattern: re.Pattern[str]
    outcome: Outcome | None = None
    provisional: bool = False


def cue(
    name: str,
    theme: Theme,
    pattern: str,
    outcome: Outcome | None = None,
    *,
    provisional: bool = False,
) -> Cue:
    """Return the row of a table of cues, its pattern compiled."""
    return Cue(name, theme, re.compile(pattern), outcome, provisional)
