"""Skills: SKILL.md trees, found by need; read-only for everyone but the owner."""

from __future__ import annotations

from memory_core.layers.skills.finding import Match, find
from memory_core.layers.skills.skill import Skill, parse
from memory_core.layers.skills.tree import (
    LAYER,
    Support,
    passages,
    skills,
    stamp,
)

__all__ = ["LAYER", "Match", "Skill", "Support", "find", "parse", "passages", "skills", "stamp"]
