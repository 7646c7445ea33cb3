"""`hfea memory coverage` and `reconcile`: the permanent files against everything else."""

from __future__ import annotations

import datetime as dt
from collections.abc import Iterator, Sequence
from contextlib import contextmanager

from hfea.asking import core_settings
from hfea.config import Settings
from hfea.gate import DEFAULT_PROFILE, gate, places
from memory_core import removal
from memory_core.core import MemoryCore
from memory_core.covering import Covered, covered
from memory_core.layers import facts, permanent
from memory_core.model import Evidence
from memory_core.proposals import State
from memory_core.reconciling import Finding, reconciled


@contextmanager
def core(settings: Settings) -> Iterator[MemoryCore]:
    """Open the memory core over the configured layers; the archive is no part of it."""
    opened = MemoryCore(core_settings(settings))
    try:
        yield opened
    finally:
        opened.close()


def coverage(settings: Settings, at: dt.datetime, profile: str = DEFAULT_PROFILE) -> list[Covered]:
    """Say of each entry whether the other layers hold it, and record that for removals."""
    home = places(settings, profile).home
    with core(settings) as opened, gate(settings, profile) as proposals:

        def look(question: str) -> Sequence[Evidence]:
            report, _ = opened.consult(question, asked_at=at)
            return report.evidence

        found = [covered(entry, look) for entry in permanent.entries(home)]
        for one in found:
            detail = f"share {one.share}, lost {len(one.lost)}"
            proposals.passed(removal.COVERAGE, one.entry.digest, ok=one.covered, detail=detail)
    return found


def reconcile(settings: Settings, profile: str = DEFAULT_PROFILE) -> list[Finding]:
    """Report entries that differ from the facts and the record; nothing is repaired."""
    home = places(settings, profile).home
    kept = [permanent.look(home, file) for file in permanent.FILES]
    known = list(facts.passages(home / "memory_store.db"))
    if settings.core.facts is not None:
        known += [p for p in facts.imported(settings.core.facts) if p.layer == facts.LAYER]
    with gate(settings, profile) as proposals:
        proposals.entries()
        dated = proposals.entries()
        applied = [
            p for p in proposals.list(State.APPLIED) if p.change.target.value in ("memory", "user")
        ]
    entries = [entry for one in kept for entry in one.entries]
    found = list(reconciled(entries, known, dated, applied))
    drifted = [Finding("drift", k.file, k.drift) for k in kept if k.drift]
    return drifted + found
