"""Making a proposal of a change and the decision on it, and showing it in Hermes's queue too."""

from __future__ import annotations

import datetime as dt
import secrets
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from memory_core import staging
from memory_core.authority import (
    Change,
    Decision,
    Level,
    Outcome,
    Support,
    Target,
    shown_digest,
)
from memory_core.proposal import WAITS, Proposal, State, cited

SALT_BYTES = 16


@dataclass(frozen=True, slots=True)
class Proposer:
    """Who proposes: a name for people, and `foreground` or `background_review` as Hermes says."""

    name: str
    origin: str = "foreground"
    summary: str = ""


def proposed(
    change: Change,
    found: Decision,
    support: Sequence[Support],
    by: Proposer,
    made: tuple[str, dt.datetime],
) -> Proposal:
    """Return the proposal; *made* is its id and time. A secret is not kept in it."""
    number, now = made
    salt = secrets.token_hex(SALT_BYTES)
    state = State.REFUSED if found.outcome is Outcome.REFUSE else State.PENDING
    kept = Proposal(
        id=number,
        change=change,
        digest=shown_digest(change, found.definitions, salt),
        level=found.level,
        reasons=found.reasons,
        definitions=found.definitions,
        cited=tuple(map(cited, support)),
        by=by.name,
        origin=by.origin,
        summary=by.summary,
        at=now,
        expires=now + WAITS,
        state=state,
        salt=salt,
    )
    if state is State.REFUSED and {"holds_secret", "not_text"} & {*found.reasons}:
        bare = replace(change, text="", old_text="", claims={})
        return replace(kept, change=bare, cited=(), summary="")
    return kept


def staged_too(home: Path, kept: Proposal) -> Proposal:
    """Stage a proposal in Hermes's own queue, where that queue can show all of it.

    Hermes shows neither origin nor definitions, and approves all at one word; so what is
    foreign, or leans on foreign words, waits in HFEA's queue alone. Raises OSError.
    """
    entry = kept.change.target in (Target.MEMORY, Target.USER)
    if not entry or kept.definitions or kept.level is Level.FOREIGN:
        return kept
    file = staging.stage(home, kept.id, kept.change, kept.origin, kept.at.timestamp())
    return replace(kept, pending_file=file, pending_digest=staging.read(home, file, "").digest)
