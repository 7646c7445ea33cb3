"""What changed in Hermes's own staging since the queue last looked at it."""

from __future__ import annotations

import datetime as dt
from dataclasses import dataclass, replace

from memory_core import applying, staging
from memory_core.applying import Places
from memory_core.authority import Change, decide
from memory_core.layers.permanent import PermanentError
from memory_core.proposal import Proposal
from memory_core.proposal_store import ProposalStore
from memory_core.proposing import Proposer, proposed


@dataclass(frozen=True, slots=True)
class Difference:
    """Staged writes that are gone (with what became of them), altered, or new."""

    vanished: tuple[tuple[Proposal, str], ...]
    altered: tuple[Proposal, ...]
    fresh: tuple[tuple[staging.Staged, Change], ...]


def compare(store: ProposalStore, places: Places, profile: str) -> Difference:
    """Compare the queue with `pending/`; nothing is changed."""
    waiting = {s.file: s for s in staging.staged(places.home, profile)}
    vanished, altered = [], []
    for found in store.find("s.state = 'pending' AND p.pending_file <> ''"):
        now = waiting.get(found.pending_file)
        if now is None:
            so = "applied" if applying.in_place(places, found.change) else "rejected"
            vanished.append((found, so))
        elif now.digest != found.pending_digest:
            altered.append(found)
    fresh = [
        (one, _whole(places, change))
        for one in waiting.values()
        if not one.fault and not _known(store, one)
        for change in one.changes
    ]
    return Difference(tuple(vanished), tuple(altered), tuple(fresh))


def proposal(one: staging.Staged, change: Change, number: str, now: dt.datetime) -> Proposal:
    """Return a staged write as a proposal: the agent's own, so it waits for the owner."""
    by = Proposer("hermes", one.origin, one.summary)
    kept = proposed(change, decide(change), (), by, (number, now))
    return replace(kept, pending_file=one.file, pending_digest=one.digest)


def number(one: staging.Staged) -> str:
    """Return the id Hermes shows for a staged write."""
    return one.file.partition("/")[2].removesuffix(".json")[:40]


def _known(store: ProposalStore, one: staging.Staged) -> bool:
    return bool(store.find("p.pending_file = ? AND p.pending_digest = ?", one.file, one.digest))


def _whole(places: Places, change: Change) -> Change:
    try:
        return applying.resolved(places, change)
    except PermanentError:
        return change
