"""Answers a client can take: under ten thousand tokens, evidence first, what was cut is said."""

from __future__ import annotations

import json
from typing import Any

ROOM = 30_000  # characters of JSON, about 7,500 tokens (case O17)
_LISTS = ("conflicts", "evidence", "results", "facts", "proposals")
_LONGEST = 8_000  # characters of one text


def bounded(table: dict[str, Any], room: int = ROOM) -> dict[str, Any]:
    """Return *table* with the ends of its lists left out until it fits; `truncated` says so.

    The best evidence comes first and stays; long texts are shortened, with a mark.
    """
    found = {k: _short(v) for k, v in table.items()}
    cut = found != table
    for name in _LISTS:
        rows = found.get(name)
        while isinstance(rows, list) and len(rows) > 1 and _size(found) > room:
            rows = found[name] = rows[: max(1, len(rows) * 3 // 4)]
            cut = True
    return {**found, "truncated": True} if cut else found


def _short(value: Any) -> Any:
    if isinstance(value, str) and len(value) > _LONGEST:
        return value[:_LONGEST] + f"… (+{len(value) - _LONGEST} characters)"
    if isinstance(value, dict):
        return {k: _short(v) for k, v in value.items()}
    if isinstance(value, list):
        return [_short(v) for v in value]
    return value


def _size(table: dict[str, Any]) -> int:
    return len(json.dumps(table, ensure_ascii=False, default=str))
