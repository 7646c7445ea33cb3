"""An answer in the shape that programs read: command line, HTTP, MCP and labs alike."""

from __future__ import annotations

from typing import Any

from hfea.fallback.resolver import Answered
from memory_core.model import Conflict, Evidence


def as_table(found: Answered) -> dict[str, Any]:
    """Return an answer in the shape that programs read (design, section 7)."""
    return {
        "outcome": found.outcome.value,
        "grounded_in": found.grounded_in or None,
        "verdict": found.verdict.kind.value,
        "reasons": list(found.verdict.reasons),
        "missing": [{"name": s.name, "value": s.value} for s in found.final.missing],
        "archive_opened": found.archive_opened,
        "answer": found.answer,
        "evidence": [_evidence(e) for e in found.evidence],
        "conflicts": [_conflict(c) for c in found.conflicts],
        "cost": {
            "milliseconds": found.milliseconds,
            "model_calls": 0,
            "embedding_calls": 0,
            "tokens_returned": -(-len(found.answer) // 4),
            "money": 0.0,
        },
        "question_id": found.question_id,
    }


def _evidence(e: Evidence) -> dict[str, Any]:
    return {
        "text": e.text,
        "date": e.at.date().isoformat() if e.at else None,
        "layer": e.layer,
        "kind": e.kind or None,
        "author_kind": e.author_kind.value,
        "origin": e.origin.value,
        "source": e.source,
        "message_ids": list(e.message_ids),
        "scores": {k: round(v, 4) for k, v in e.scores.items()},
    }


def _conflict(c: Conflict) -> dict[str, Any]:
    return {
        "subject": c.subject,
        "reason": c.reason,
        "sides": [_evidence(c.left), _evidence(c.right)],
    }
