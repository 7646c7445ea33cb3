"""The words that show what a clause is to the story: all tables of cues, pt-BR and English.

Patterns run over folded text (no case, no diacritics). Between themes, `PRIORITY` decides.
"""

from __future__ import annotations

from memory_core.extraction import cues_choices, cues_course, cues_decisions, cues_limits
from memory_core.extraction.cue import Cue, Table
from memory_core.model import Theme

__all__ = ["CUES", "PRIORITY", "TABLE", "Cue"]

CUES: tuple[Cue, ...] = (
    *cues_choices.CUES,
    *cues_decisions.CUES,
    *cues_limits.CUES,
    *cues_course.CUES,
)
TABLE = Table(CUES)

# The sign of a theme that outranks another in one clause.
PRIORITY: tuple[Theme, ...] = (
    Theme.REASON,
    Theme.LEARNING,
    Theme.MOOD,
    Theme.REVISION,
    Theme.OPEN_POINT,
    Theme.DOUBT,
    Theme.ALTERNATIVE,
    Theme.ATTEMPT,
    Theme.CONSTRAINT,
    Theme.DECISION,
    Theme.EXPECTATION,
)
