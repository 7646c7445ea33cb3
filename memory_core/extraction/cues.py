"""The words that show what a clause is to the story: all tables of cues, pt-BR and English.

Patterns run over folded text (no case, no diacritics). Between themes, `PRIORITY` decides.
"""

from __future__ import annotations

from memory_core.extraction import (
    cues_bounds,
    cues_choices,
    cues_commitments,
    cues_course,
    cues_decisions,
    cues_feelings,
    cues_happenings,
    cues_limits,
)
from memory_core.extraction.cue import Cue, Table
from memory_core.model import Theme

__all__ = ["AGENT_CUES", "AGENT_TABLE", "CUES", "PRIORITY", "TABLE", "Cue"]

CUES: tuple[Cue, ...] = (
    *cues_choices.CUES,
    *cues_decisions.CUES,
    *cues_limits.CUES,
    *cues_course.CUES,
    *cues_commitments.CUES,
    *cues_feelings.CUES,
    *cues_happenings.CUES,
    *cues_bounds.CUES,
)
TABLE = Table(CUES)
AGENT_CUES: tuple[Cue, ...] = cues_happenings.AGENT_DID  # of the agent's own words alone
AGENT_TABLE = Table((*CUES, *AGENT_CUES))

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
