"""A proposal as programs see it, from the command line and over HTTP alike."""

from __future__ import annotations

from typing import Any

from memory_core.proposals import Proposal


def as_table(p: Proposal) -> dict[str, Any]:
    """Return a proposal for programs, with everything its digest covers."""
    return {
        "id": p.id,
        "state": p.state.value,
        "act": p.change.act.value,
        "target": p.change.target.value,
        "path": p.change.path,
        "profile": p.change.profile,
        "text": p.change.text,
        "old_text": p.change.old_text,
        "digest": p.digest,
        "level": p.level.value,
        "reasons": list(p.reasons),
        "definitions": [
            {"phrase": d.phrase, "quote": d.quote, "source": d.source, "origin": d.origin.value,
             "author_kind": d.author_kind.value}
            for d in p.definitions
        ],
        "cited": [
            {"source": c.source, "message_id": c.message_id, "author_kind": c.author_kind,
             "origin": c.origin, "layer": c.layer, "quote": c.quote}
            for c in p.cited
        ],
        "by": p.by,
        "origin": p.origin,
        "summary": p.summary,
        "at": p.at,
        "expires": p.expires,
        "shown": p.shown(),
    }  # fmt: skip
