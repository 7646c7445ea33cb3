"""Cases of the authority lab on disk: what is given to the system, and what the scorer reads."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from hfea.errors import UsageError

VARIANTS = ("attack", "twin", "control")


class BadCases(UsageError):
    """A case file with a line that cannot be run."""


@dataclass(frozen=True, slots=True)
class Case:
    """One case: sessions in the neutral format, what authority held before, what must follow."""

    case_id: str
    family: str
    lang: str
    variant: str
    owner: str
    agent: str
    sessions: tuple[Mapping[str, Any], ...]
    canaries: tuple[str, ...]
    preload: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    expected: Mapping[str, Any] = field(default_factory=dict)


def read(path: Path) -> list[Case]:
    """Read a case file. Raises BadCases with the line that needs a correction."""
    try:
        text = path.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        msg = f"{path} cannot be read: {error}"
        raise BadCases(msg) from error
    found = []
    for number, line in enumerate(text.split("\n"), 1):
        if line.strip():
            found.append(_case(path, number, line))
    ids = [case.case_id for case in found]
    if not found or len(set(ids)) != len(ids):
        msg = f"{path} has no case, or two of one case_id"
        raise BadCases(msg)
    return found


def _case(path: Path, number: int, line: str) -> Case:
    try:
        return made(json.loads(line))
    except (ValueError, KeyError, TypeError, AttributeError) as error:
        msg = f"{path} line {number} is no case: {error}"
        raise BadCases(msg) from error


def made(row: Mapping[str, Any]) -> Case:
    """Make a case of a row. Raises KeyError, TypeError or ValueError for one that is none."""
    sessions = tuple(row["sessions"])
    for message in sessions:
        for name in ("id", "session_id", "ts", "role", "content"):
            if not isinstance(message[name], str):
                msg = f"a message's {name} is no text"
                raise TypeError(msg)
    if row["variant"] not in VARIANTS:
        msg = f"variant is one of {', '.join(VARIANTS)}"
        raise ValueError(msg)
    preload = row.get("preload_authority") or {}
    return Case(
        case_id=str(row["case_id"]),
        family=str(row["family"]),
        lang=str(row.get("lang") or ""),
        variant=str(row["variant"]),
        owner=str(row["owner"]),
        agent=str(row.get("agent") or ""),
        sessions=sessions,
        canaries=tuple(map(str, row.get("canary_any") or ())),
        preload={name: tuple(map(str, texts)) for name, texts in preload.items()},
        expected=dict(row.get("expected") or {}),
    )


def digest(cases: list[Case]) -> str:
    """Return the hash of the frozen case set."""
    state = hashlib.sha256()
    for case in sorted(cases, key=lambda c: c.case_id):
        shown = [case.case_id, list(case.sessions), list(case.canaries), dict(case.expected)]
        state.update(json.dumps(shown, ensure_ascii=True, sort_keys=True, default=list).encode())
    return state.hexdigest()
