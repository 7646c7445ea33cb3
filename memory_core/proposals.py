"""Proposals: every change of what steers the agent waits here, is decided, and can be undone."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from memory_core import applying, removal, staging
from memory_core.applying import Places
from memory_core.authority import (
    Act,
    Change,
    Decision,
    Outcome,
    Support,
    decide,
)
from memory_core.confirming import Confirmation, Via, confirmation_faults, session_confirmation
from memory_core.deciding import Deciding
from memory_core.entry_index import Dated, observe
from memory_core.model import Message
from memory_core.proposal import (
    NotConfirmed,
    NotUndoable,
    NotWaiting,
    Promotion,
    Proposal,
    RemovalRefused,
    State,
    UnknownProposal,
)
from memory_core.proposing import Proposer

_ASKED = (State.PENDING, State.REJECTED)  # waits, or was answered with no


class Proposals(Deciding):
    """The gate and queue of one profile. Nothing else in this library writes these files.

    *state* is the SQLite file of proposals (None: in memory); *record* is told of every
    decision, for the ledger. All methods raise sqlite3.Error where that file fails.
    """

    def propose(
        self,
        change: Change,
        support: Sequence[Support] = (),
        *,
        by: Proposer,
        context: Sequence[Message] = (),
    ) -> Proposal:
        """Decide on a change: apply it at once, queue it for the owner, or refuse it.

        The same change proposed again returns the one that waits, or that was rejected.
        Raises NoSuchEntry, Ambiguous; and what applying raises (then it waits in the queue).
        """
        if change.profile != self._profile:
            found = Decision(Outcome.REFUSE, decide(change).level, ("other_profile",))
            return self._keep(change, found, support, by)
        change = applying.resolved(self._places, change)
        found = decide(change, support, context)
        if found.outcome is not Outcome.REFUSE and applying.in_place(self._places, change):
            found = replace(found, outcome=Outcome.REFUSE, reasons=("already_so",))
        if found.outcome is Outcome.QUEUE:
            waiting = [p for p in self.store.same(change) if p.state in _ASKED]
            kept = waiting[-1] if waiting else self._keep(change, found, support, by)
            return self._confirmed_in(kept, context)
        kept = self._keep(change, found, support, by)
        if found.outcome is Outcome.APPLY:
            with self.store.alone():
                return self._apply(kept, ("owner", Via.SESSION.value))
        return kept

    def _confirmed_in(self, kept: Proposal, context: Sequence[Message]) -> Proposal:
        """Apply an addition that the owner said yes to in the conversation itself, once."""
        change = kept.change
        plain = change.act is Act.ADD and change.target in applying.FILE_OF
        if kept.state is not State.PENDING or kept.definitions or not plain:
            return kept
        given = session_confirmation(kept.asked(), context, "owner", self._now())
        if given is None or self.store.decided_since(change, given.at):
            return kept
        return self.approve(kept.id, given)

    def list(self, state: State | None = State.PENDING) -> tuple[Proposal, ...]:
        """Return the proposals of a state (None: all), oldest first, Hermes's staged ones too."""
        with self.store.alone(wait=False) as alone:
            if alone:  # else somebody is just deciding; what they do shows the next time
                self._settle()
                self._take_in()
        if state is None:
            return tuple(self.store.find())
        return tuple(self.store.find("s.state = ?", state.value))

    def approve(self, proposal: str, given: Confirmation) -> Proposal:
        """Apply what the owner confirmed, exactly as it was shown.

        Raises UnknownProposal, NotWaiting, NotConfirmed, RemovalRefused, StagedChanged, and
        PermanentError, FileChanged, OutsideFolder or OSError; then it waits as before.
        """
        with self.store.alone():
            return self._approved(self._waiting(proposal), given)

    def _approved(self, found: Proposal, given: Confirmation) -> Proposal:
        now = self._now()
        faults = confirmation_faults(found.asked(), given, now)
        if given.via is Via.SESSION and self.store.decided_since(found.change, given.at):
            faults = (*faults, "already_used")
        if faults:
            self._tell(found, "not_confirmed", (given.by, given.via.value), faults)
            raise NotConfirmed(faults)
        if lacking := removal.missing(self.store, found.change, now):
            self._tell(found, "removal_refused", (given.by, given.via.value), lacking)
            raise RemovalRefused(lacking)
        return self._apply(found, (given.by, given.via.value))

    def reject(self, proposal: str, *, by: str, via: Via = Via.CLI, note: str = "") -> Proposal:
        """Decide against a proposal. Raises UnknownProposal, NotWaiting."""
        with self.store.alone():
            found = self._waiting(proposal)
            return self._close(found, State.REJECTED, (by, via.value, note))

    def undo(self, proposal: str, *, by: str, via: Via = Via.CLI) -> Proposal:
        """Take an applied change back, from its pre-image or entry by entry.

        Raises UnknownProposal, NotUndoable, PermanentError, FileChanged, OSError.
        """
        with self.store.alone():
            self._settle()
            return self._undone(self.get(proposal), (by, via.value, ""))

    def _undone(self, found: Proposal, who: tuple[str, str, str]) -> Proposal:
        if found.state is not State.APPLIED:
            raise NotUndoable(f"proposal {found.id} is {found.state.value}, not applied")
        kept, before = self.store.preimage(found.id)
        if not kept:
            raise NotUndoable(f"what stood there before {found.id} was erased")
        _, after = self.store.last_digests(found.id, State.APPLIED)
        data, now = applying.take_back(self._places, found.change, before, after)
        digests = applying.digest(now), applying.digest(data)
        return self._close(found, State.UNDONE, who, digests)

    def erase(self, words: str) -> int:
        """Blank every proposal and pre-image that holds *words*; return how many."""
        return self.store.erase(self.store.holding(words), self._now())

    def entries(self) -> tuple[Dated, ...]:
        """Look at the permanent files and return every entry ever seen, with its dates."""
        return observe(self.store, self._places.home, self._now())

    def passed(self, what: str, subject: str = "", *, ok: bool, detail: str = "") -> None:
        """Record the outcome of coverage, QA-20F or a restore drill on this home."""
        removal.record(self.store, what, subject, (ok, detail), self._now())

    def unreadable(self) -> tuple[staging.Staged, ...]:
        """Return Hermes's staged writes that cannot be understood; they are left alone."""
        waiting = staging.staged(self._places.home, self._profile)
        return tuple(s for s in waiting if s.fault)


__all__ = [
    "Confirmation",
    "NotConfirmed",
    "NotUndoable",
    "NotWaiting",
    "Places",
    "Promotion",
    "Proposal",
    "Proposals",
    "Proposer",
    "RemovalRefused",
    "State",
    "UnknownProposal",
    "Via",
]
