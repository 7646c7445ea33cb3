"""The one object that every lab prints: snapshot, question set, metrics, a row a question."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from hfea.intervals import Rate


def report(
    snapshot: str,
    question_set: str,
    rates: Mapping[str, Rate],
    rows: Sequence[Mapping[str, Any]],
    **more: object,
) -> dict[str, Any]:
    """Return `{snapshot_sha256, question_set, metrics, per_question, ...}` (design, section 7)."""
    return {
        "snapshot_sha256": snapshot,
        "question_set": question_set,
        "metrics": {name: rate.table() for name, rate in rates.items()},
        **more,
        "per_question": list(rows),
    }
