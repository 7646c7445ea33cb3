"""The numbers the metrics show, from the ledger: nights, questions, spending, layers."""

from __future__ import annotations

import datetime as dt
import json
import sqlite3
from collections import Counter
from contextlib import closing
from dataclasses import dataclass, field
from pathlib import Path

from memory_core import sqlite_kit

_LIVE = "FROM question_result JOIN question ON question.id = question WHERE class = 'live'"
_OPENED = f"SELECT coalesce(sum(archive_opened), 0), coalesce(sum(degraded), 0) {_LIVE}"
_QUESTIONS = f"SELECT verdict, outcome, count(*) {_LIVE} GROUP BY 1, 2"
_COSTS = "SELECT what, sum(tokens_in), sum(tokens_out), sum(money) FROM spend GROUP BY what"
_DAYS = "SELECT count(DISTINCT day) FROM night WHERE kind = 'sealed'"
_LAST = "SELECT max(at) FROM night WHERE kind IN ('sealed', 'late', 'empty')"
_ROUTES = "SELECT routes FROM question_result ORDER BY rowid DESC LIMIT ?"
_RECENT = 500  # the questions whose layers are looked at


@dataclass(frozen=True, slots=True)
class Numbers:
    """Counts by label; times are epoch seconds, None where it never happened."""

    nights: dict[str, int] = field(default_factory=dict)
    days_sealed: int = 0
    last_night: float | None = None
    questions: dict[tuple[str, str], int] = field(default_factory=dict)
    opened: int = 0
    degraded: int = 0
    feedback: dict[str, int] = field(default_factory=dict)
    tokens: dict[tuple[str, str], int] = field(default_factory=dict)
    money: dict[str, float] = field(default_factory=dict)
    layers: dict[tuple[str, str], int] = field(default_factory=dict)
    layer_seconds: dict[str, float] = field(default_factory=dict)
    promotions: dict[str, int] = field(default_factory=dict)


def read(ledger: Path) -> Numbers:
    """Read the ledger file; one that is not there yet has no numbers. Raises sqlite3.Error."""
    if not ledger.exists():
        return Numbers()
    with closing(sqlite_kit.connect(ledger, readonly=True)) as db:
        opened, degraded = db.execute(_OPENED).fetchone()
        costs = db.execute(_COSTS).fetchall()
        layers, seconds = _layers([str(r[0]) for r in db.execute(_ROUTES, (_RECENT,))])
        return Numbers(
            nights=_by(db, "SELECT kind, count(*) FROM night GROUP BY kind"),
            days_sealed=int(db.execute(_DAYS).fetchone()[0]),
            last_night=_epoch(db.execute(_LAST).fetchone()[0]),
            questions={(str(v), str(o)): int(n) for v, o, n in db.execute(_QUESTIONS)},
            opened=int(opened),
            degraded=int(degraded),
            feedback=_by(db, "SELECT value, count(*) FROM feedback GROUP BY value"),
            tokens={(str(w), "in"): int(n) for w, n, _, _ in costs}
            | {(str(w), "out"): int(n) for w, _, n, _ in costs},
            money={str(w): float(m) for w, _, _, m in costs},
            layers=layers,
            layer_seconds=seconds,
            promotions=_by(db, "SELECT event, count(*) FROM promotion GROUP BY event"),
        )


def _by(db: sqlite3.Connection, sql: str) -> dict[str, int]:
    return {str(name): int(count) for name, count in db.execute(sql)}


def _layers(rows: list[str]) -> tuple[dict[tuple[str, str], int], dict[str, float]]:
    states: Counter[tuple[str, str]] = Counter()
    seconds: dict[str, float] = {}
    for row in rows:
        for layer, state, _hits, milliseconds, *_ in json.loads(row):
            states[layer, state] += 1
            seconds[layer] = seconds.get(layer, 0.0) + milliseconds / 1000
    return dict(states), seconds


def _epoch(at: str | None) -> float | None:
    return dt.datetime.fromisoformat(at).timestamp() if at else None
