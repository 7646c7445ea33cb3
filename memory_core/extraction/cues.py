"""The words that show what a clause is to the story: all tables of cues, pt-BR and English.

Patterns run over folded text (no case, no diacritics). Order inside a theme decides the name
that is reported; between themes, `PRIORITY` decides.
"""

from __future__ import annotations

from memory_core.extraction import cues_choices, cues_course
from memory_core.extraction.cue import Cue
from memory_core.model import Theme

__all__ = ["CUES", "PRIORITY", "Cue"]

CUES: tuple[Cue, ...] = cues_choices.CUES + cues_course.CUES

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
