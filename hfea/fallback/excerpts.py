"""What the archive returned, as evidence for the verdict: kinds, origins and dates kept."""

from __future__ import annotations

from collections.abc import Sequence

from hfea.archive.search_model import Excerpt
from memory_core.model import Evidence

LAYER = "archive"


def as_evidence(excerpts: Sequence[Excerpt]) -> tuple[Evidence, ...]:
    """Return each excerpt as evidence of the layer `archive`, without a score to be fused."""
    return tuple(_one(e) for e in excerpts)


def _one(e: Excerpt) -> Evidence:
    return Evidence(
        text=e.text,
        layer=LAYER,
        source=f"archive:{e.day.isoformat()}#{e.id}",
        at=e.at,
        author=e.author,
        author_kind=e.author_kind,
        origin=e.origin,
        kind=e.kind.value,
        subject=e.thread,
        message_ids=e.message_ids,
        valid_from=e.day,
        superseded_by=e.superseded_by[0] if e.superseded_by else "",
    )
