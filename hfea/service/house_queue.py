"""Proposals through the service: the one gate; the token's name says who proposes."""

from __future__ import annotations

from typing import Any

from hfea.errors import UsageError
from hfea.gate import gate
from hfea.proposal_table import as_table
from hfea.service.doors import Proposed, Table
from hfea.service.house_questions import Base
from memory_core.authority import Act, Change, Target
from memory_core.confirming import Confirmation, Via
from memory_core.proposal import State
from memory_core.proposals import Proposer


class QueueDoor:
    """Propose, list, approve, reject. Nothing an agent sends here is taken as the owner's word."""

    def __init__(self, base: Base) -> None:
        self._base = base

    def propose(self, proposed: Proposed, by: str) -> Table:
        """Propose a change without support: it waits for the owner, or is refused."""
        change = Change(
            _one(Act, proposed.act, "act"),
            _one(Target, proposed.target, "target"),
            proposed.text,
            proposed.old_text,
            proposed.path,
            proposed.profile,
        )
        summary = self._base.redactor().redact(proposed.summary).text
        with gate(self._base.settings, proposed.profile, self._base.clock) as opened:
            return as_table(opened.propose(change, by=Proposer(by, summary=summary)))

    def proposals(self, state: str, profile: str) -> Table:
        """Return the proposals of a state; '' is all of them. Raises UsageError."""
        wanted = _one(State, state, "state") if state else None
        with gate(self._base.settings, profile, self._base.clock) as opened:
            return {"proposals": [as_table(p) for p in opened.list(wanted)]}

    def approve(self, number: str, digest: str, by: str, profile: str) -> Table:
        """Apply what was shown under *digest*. Raises ProposalError and what applying raises."""
        now = self._base.clock.now()
        with gate(self._base.settings, profile, self._base.clock) as opened:
            given = Confirmation(digest, by, Via.HTTP, now, now, profile)
            return as_table(opened.approve(number, given))

    def reject(self, number: str, by: str, note: str, profile: str) -> Table:
        """Decide against a proposal. Raises UnknownProposal, NotWaiting."""
        kept = self._base.redactor().redact(note).text
        with gate(self._base.settings, profile, self._base.clock) as opened:
            return as_table(opened.reject(number, by=by, via=Via.HTTP, note=kept))


def _one(kind: Any, value: str, what: str) -> Any:
    try:
        return kind(value)
    except ValueError:
        msg = f"{what} is one of {', '.join(k.value for k in kind)}"
        raise UsageError(msg) from None
