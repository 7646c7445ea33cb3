"""LoCoMo conversations (Maharana et al., 2024) as rows and questions; read, never copied.

Evidence is turn-level. A turn's caption (what its picture shows) stands beside its text. Times
are the sessions' own, taken as UTC. Questions of categories 1 to 4 with at least one evidence
turn that exists are kept; ids glued together or padded with zeros are read.
"""

from __future__ import annotations

import datetime as dt
import hashlib
import json
import re
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from hfea.errors import UsageError
from memory_core.retrieval.rows import Row

ANSWERABLE = (1, 2, 3, 4)
_SESSION = re.compile(r"session_(\d+)\Z")
_TURN = re.compile(r"D:?(\d+):0*(\d+)")
_TIME = "%I:%M %p on %d %B, %Y"


@dataclass(frozen=True, slots=True)
class Asking:
    """One question with the keys of the turns that answer it."""

    qid: str
    text: str
    category: int
    gold: frozenset[str]


@dataclass(frozen=True, slots=True)
class Conversation:
    """One file: its turns in order, its questions, and when they are asked (after the end)."""

    name: str
    rows: tuple[Row, ...]
    questions: tuple[Asking, ...]
    asked_at: dt.datetime


def read(folder: Path) -> tuple[Conversation, ...]:
    """Read every conversation file of *folder*, by name. Raises UsageError where there is none."""
    files = sorted(folder.glob("*.json")) if folder.is_dir() else []
    found = tuple(_conversation(f) for f in files)
    if not found:
        raise UsageError(f"{folder} holds no LoCoMo conversation (*.json)")
    return found


def snapshot(folder: Path) -> str:
    """Return the SHA-256 over the names and contents of the files that `read` reads."""
    whole = hashlib.sha256()
    for file in sorted(folder.glob("*.json")):
        whole.update(f"{file.name}\0{hashlib.sha256(file.read_bytes()).hexdigest()}\n".encode())
    return whole.hexdigest()


def _conversation(file: Path) -> Conversation:
    try:
        given = json.loads(file.read_text(encoding="utf-8"))
        rows = tuple(_rows(given))
        questions = _questions(file.stem, given["qa"], {r.key for r in rows})
    except (KeyError, TypeError, ValueError, AttributeError) as error:
        raise UsageError(f"{file} is no LoCoMo conversation: {error!r}") from error
    times = [r.at for r in rows if r.at]
    end = max(times, default=dt.datetime(2024, 1, 1, tzinfo=dt.UTC))
    return Conversation(file.stem, rows, questions, end + dt.timedelta(days=1))


def _rows(given: dict[str, Any]) -> list[Row]:
    numbers = sorted(int(m[1]) for m in map(_SESSION.match, given) if m)
    return [
        Row(
            key=turn["dia_id"],
            text=turn["text"],
            speaker=turn["speaker"],
            at=_time(given[f"session_{n}_date_time"]),
            thread=f"session {n:04}",
            beside=turn.get("blip_caption", ""),
        )
        for n in numbers
        for turn in given[f"session_{n}"]
    ]


def _time(text: str) -> dt.datetime:
    return dt.datetime.strptime(text, _TIME).replace(tzinfo=dt.UTC)


def _questions(name: str, given: Sequence[dict[str, Any]], keys: set[str]) -> tuple[Asking, ...]:
    found = []
    for number, row in enumerate(given):
        named = _TURN.findall(" ".join(row.get("evidence") or ()))
        gold = frozenset(f"D{s}:{t}" for s, t in named) & keys
        if row["category"] in ANSWERABLE and gold:
            found.append(Asking(f"{name}-{number:03}", row["question"], row["category"], gold))
    return tuple(found)
