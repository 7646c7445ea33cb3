"""What the archive returned, as evidence for the verdict: kinds, origins and dates kept."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from hfea.archive.evidence import CitedText, Key
from hfea.archive.search_model import Excerpt
from memory_core.model import AuthorKind, Evidence, Kind, Origin

LAYER = "archive"
LONGEST = 900  # characters of an original message that stand in for its statements
_SPEAKERS = frozenset({AuthorKind.OWNER, AuthorKind.AGENT})


def as_evidence(
    excerpts: Sequence[Excerpt], texts: Mapping[Key, CitedText]
) -> tuple[Evidence, ...]:
    """Return the excerpts as evidence of the layer `archive`, without a score to be fused.

    A direct message of owner or agent is given whole, once, however many statements cite it:
    a decision and its reason then stand together. An inference keeps its own words and kind.
    """
    found: dict[str, Evidence] = {}
    for e in excerpts:
        piece = _one(e, texts)
        found.setdefault(f"{piece.message_ids}{piece.text}", piece)
    return tuple(found.values())


def _one(e: Excerpt, texts: Mapping[Key, CitedText]) -> Evidence:
    return Evidence(
        text=_words(e, texts),
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


def _words(e: Excerpt, texts: Mapping[Key, CitedText]) -> str:
    whole = e.kind not in (Kind.HOSTED, Kind.INFERENCE) and e.origin is Origin.DIRECT
    if not whole or e.author_kind not in _SPEAKERS or len(e.citations) != 1:
        return e.text
    c = e.citations[0]
    kept = texts.get((c.source, c.session_id, c.message_id))
    return kept.text if kept is not None and len(kept.text) <= LONGEST else e.text
