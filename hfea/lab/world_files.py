"""A world on disk: sessions, what the core holds, and questions whose labels only scorers read."""

from __future__ import annotations

import datetime as dt
import hashlib
import json
import zoneinfo
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from hfea.errors import UsageError

SESSIONS, FACTS, QUESTIONS, ABOUT = "sessions.jsonl", "facts.jsonl", "questions.jsonl", "world.json"


class BadWorld(UsageError):
    """A folder that is no world, or one with a line that cannot be read."""


@dataclass(frozen=True, slots=True)
class Asked:
    """One question as the system may see it: no label is in here."""

    qid: str
    text: str
    asked_at: dt.datetime


@dataclass(frozen=True, slots=True)
class World:
    """A folder in the shape of docs/evaluation.md; `labels` are the raw rows, for the scorer."""

    folder: Path
    timezone: str
    owner: str
    questions: tuple[Asked, ...]
    labels: tuple[Mapping[str, Any], ...]
    sha256: str

    @property
    def name(self) -> str:
        """The folder's name."""
        return self.folder.name


def read(folder: Path) -> World:
    """Read a world. Raises BadWorld with the file and line that needs a correction.

    `world.json` may name `timezone` and `owner`; else the zone is the first one whose offset is
    that of every question's time, and the owner is who speaks most as `user`.
    """
    for name in (SESSIONS, FACTS, QUESTIONS):
        if not (folder / name).is_file():
            msg = f"{folder} has no {name}; a world needs {SESSIONS}, {FACTS} and {QUESTIONS}"
            raise BadWorld(msg)
    labels = _rows(folder / QUESTIONS)
    questions = tuple(_asked(folder / QUESTIONS, n, row) for n, row in enumerate(labels, 1))
    twice = [qid for qid, count in Counter(q.qid for q in questions).items() if count > 1]
    if twice:
        msg = f"{folder / QUESTIONS} has two questions {twice[0]!r}; ids must differ"
        raise BadWorld(msg)
    about = _about(folder / ABOUT)
    return World(
        folder=folder.resolve(),
        timezone=str(about.get("timezone") or _zone([q.asked_at for q in questions])),
        owner=str(about.get("owner") or _owner(_rows(folder / SESSIONS))),
        questions=questions,
        labels=tuple(labels),
        sha256=_hash([folder / name for name in (SESSIONS, FACTS, QUESTIONS)]),
    )


def _rows(path: Path) -> list[dict[str, Any]]:
    found = []
    for number, line in enumerate(path.read_text(encoding="utf-8").split("\n"), 1):
        if not line.strip():
            continue
        try:
            row = json.loads(line)
        except ValueError:
            row = None
        if not isinstance(row, dict):
            msg = f"{path} line {number} is no JSON object"
            raise BadWorld(msg)
        found.append(row)
    return found


def _asked(path: Path, number: int, row: Mapping[str, Any]) -> Asked:
    qid, text, at = (row.get(k) for k in ("qid", "question", "asked_at"))
    try:
        when = dt.datetime.fromisoformat(str(at))
    except ValueError:
        when = None
    if not isinstance(qid, str) or not isinstance(text, str) or when is None:
        msg = f"{path} row {number} needs qid, question and asked_at (ISO time)"
        raise BadWorld(msg)
    return Asked(qid, text, when if when.tzinfo else when.replace(tzinfo=dt.UTC))


def _about(path: Path) -> Mapping[str, Any]:
    if not path.is_file():
        return {}
    try:
        found = json.loads(path.read_text(encoding="utf-8"))
    except ValueError:
        found = None
    if not isinstance(found, dict):
        msg = f"{path} is no JSON object"
        raise BadWorld(msg)
    return found


def _zone(times: Sequence[dt.datetime]) -> str:
    names = zoneinfo.available_timezones()
    for name in ("UTC", *sorted(names, key=lambda n: (not n.startswith("Etc/GMT"), n))):
        zone = zoneinfo.ZoneInfo(name)
        if all(zone.utcoffset(t.replace(tzinfo=None)) == t.utcoffset() for t in times):
            return name
    return "UTC"


def _owner(sessions: Sequence[Mapping[str, Any]]) -> str:
    said = Counter(str(r.get("author") or "") for r in sessions if r.get("role") == "user")
    said.pop("", None)
    return min(said, key=lambda name: (-said[name], name)) if said else ""


def snapshot(worlds: Sequence[World]) -> str:
    """Return one hash of several worlds, whatever their order."""
    joined = "".join(sorted(w.sha256 for w in worlds))
    return hashlib.sha256(joined.encode()).hexdigest()


def _hash(paths: Sequence[Path]) -> str:
    state = hashlib.sha256()
    for path in paths:
        state.update(f"{path.name}\0".encode() + path.read_bytes() + b"\0")
    return state.hexdigest()
