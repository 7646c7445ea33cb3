"""How many characters Hermes lets each permanent file hold, read from its own config.yaml."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Any

import yaml

MEMORY_LIMIT, USER_LIMIT = 2200, 1375  # Hermes's own defaults, in characters of the joined text
_TRUE = frozenset({"on", "true", "yes", "1", "approve", "enabled"})


@dataclass(frozen=True, slots=True)
class Limits:
    """Characters of the joined entries of each file, and whether Hermes stages its writes."""

    memory: int = MEMORY_LIMIT
    user: int = USER_LIMIT
    memory_approval: bool = False
    skills_approval: bool = False

    def of(self, file: str) -> int:
        """Return the limit of MEMORY.md or USER.md."""
        return self.user if file == "USER.md" else self.memory


def limits(home: Path) -> Limits:
    """Read `memory.*_char_limit` and `*.write_approval`; what is absent or odd is the default."""
    try:
        found = yaml.safe_load((home / "config.yaml").read_text(encoding="utf-8-sig"))
    except (OSError, UnicodeDecodeError, yaml.YAMLError):
        found = None
    table = found if isinstance(found, dict) else {}
    memory = table.get("memory")
    memory = memory if isinstance(memory, dict) else {}
    skills = table.get("skills")
    skills = skills if isinstance(skills, dict) else {}
    return Limits(
        _number(memory.get("memory_char_limit"), MEMORY_LIMIT),
        _number(memory.get("user_char_limit"), USER_LIMIT),
        _flag(memory.get("write_approval")),
        _flag(skills.get("write_approval")),
    )


def _number(value: Any, default: int) -> int:
    try:
        number = int(value)
    except (TypeError, ValueError, OverflowError):
        return default
    return number if number > 0 else default


def _flag(value: Any) -> bool:
    if isinstance(value, str):
        return value.strip().lower() in _TRUE
    return value is True
