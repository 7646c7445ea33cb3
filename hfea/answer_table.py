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
        "evidence": [evidence_table(e) for e in found.evidence],
        "conflicts": [conflict_table(c) for c in found.conflicts],
        "cost": {
            "milliseconds": found.milliseconds,
            "model_calls": 0,
            "embedding_calls": 0,
            "tokens_returned": -(-len(found.answer) // 4),
            "money": 0.0,
        },
        "question_id": found.question_id,
    }


def evidence_table(e: Evidence) -> dict[str, Any]:
    """Return one piece of evidence as programs read it."""
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


def conflict_table(c: Conflict) -> dict[str, Any]:
    """Return both sides of a conflict as programs read them."""
    return {
        "subject": c.subject,
        "reason": c.reason,
        "sides": [evidence_table(c.left), evidence_table(c.right)],
    }
