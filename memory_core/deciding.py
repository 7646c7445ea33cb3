"""The steps of a proposal's life: kept, applied, put back, closed, settled, told to the ledger."""

from __future__ import annotations

import datetime as dt
import secrets
from collections.abc import Callable, Sequence
from pathlib import Path
from types import TracebackType
from typing import Self

from memory_core import applying, staging, taking_in
from memory_core.applying import Places
from memory_core.authority import Change, Decision, Outcome, Support
from memory_core.confirming import Via
from memory_core.layers.permanent import ChangedSince, PermanentError
from memory_core.proposal import NotWaiting, Promotion, Proposal, State, UnknownProposal
from memory_core.proposal_store import ProposalStore
from memory_core.proposing import Proposer, proposed, staged_too
from memory_core.text_files import FileChanged, OutsideFolder

_TRIES = 5  # a file that others keep writing is tried so often
_FAILED = (PermanentError, FileChanged, OutsideFolder, OSError, UnicodeDecodeError)

Clock = Callable[[], dt.datetime]
Recorder = Callable[[Promotion], None]


class Deciding:
    """What every decision needs: the store, the files, the time, and somebody to tell."""

    def __init__(
        self,
        state: Path | None,
        places: Places,
        *,
        now: Clock,
        profile: str = "default",
        record: Recorder | None = None,
    ) -> None:
        self.store = ProposalStore(state)
        self._places, self._now, self._profile = places, now, profile
        self._record = record or (lambda _: None)

    def close(self) -> None:
        """Close the state file."""
        self.store.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.close()

    def get(self, proposal: str) -> Proposal:
        """Return one proposal. Raises UnknownProposal."""
        found = self.store.get(proposal)
        if found is None:
            raise UnknownProposal(f"there is no proposal {proposal[:40]!a}")
        return found

    def _keep(
        self, change: Change, found: Decision, support: Sequence[Support], by: Proposer
    ) -> Proposal:
        kept = proposed(change, found, support, by, (self._number(), self._now()))
        if found.outcome is Outcome.QUEUE:
            kept = staged_too(self._places.home, kept)
        self.store.add(kept)
        event = "refused" if kept.state is State.REFUSED else "proposed"
        self._tell(kept, event, (by.name, by.origin))
        return kept

    def _number(self, wanted: str = "") -> str:
        number = wanted or secrets.token_hex(4)
        while self.store.get(number) is not None:
            number = secrets.token_hex(4)
        return number

    def _waiting(self, proposal: str) -> Proposal:
        self._settle()
        self._take_in()
        found = self.get(proposal)
        if found.state is not State.PENDING:
            raise NotWaiting(f"proposal {found.id} is already {found.state.value}")
        return found

    def _apply(self, found: Proposal, who: tuple[str, str]) -> Proposal:
        by, via = who
        for attempt in range(1, _TRIES + 1):
            before = applying.current(self._places, found.change)
            self.store.keep_preimage(found.id, applying.place_of(found.change), before)
            digests = applying.digest(before), ""
            self.store.step(found.id, State.APPLYING, (by, via, ""), digests, self._now())
            try:
                after = applying.carry_out(self._places, found.change, before)
                break
            except ChangedSince:
                if attempt == _TRIES:
                    self._back(found, "changed_since")
                    raise
            except _FAILED as error:
                self._back(found, type(error).__name__)
                raise
        return self._close(
            found, State.APPLIED, (by, via, ""), (digests[0], applying.digest(after))
        )

    def _back(self, found: Proposal, why: str) -> None:
        self.store.step(found.id, State.PENDING, ("hfea", "", why), ("", ""), self._now())
        self._tell(found, "not_applied", ("hfea", ""), (why,))

    def _close(
        self,
        found: Proposal,
        state: State,
        who: tuple[str, str, str],
        digests: tuple[str, str] = ("", ""),
    ) -> Proposal:
        self.store.step(found.id, state, who, digests, self._now())
        self._tell(found, state.value, who[:2])
        hermess = (
            found.by == "hermes" and state is State.EXPIRED
        )  # Hermes waits as long as it likes
        if (
            found.pending_file
            and not hermess
            and not self.store.find(
                "p.pending_file = ? AND p.pending_digest = ? AND s.state = 'pending'",
                found.pending_file,
                found.pending_digest,
            )
        ):
            staging.discard(self._places.home, found.pending_file)
        return self.get(found.id)

    def _settle(self) -> None:
        """Finish what a crash left between two steps, and let go of what waited too long."""
        for found in self.store.find("s.state = 'applying'"):
            if self._is_so(found):
                before, _ = self.store.last_digests(found.id, State.APPLYING)
                after = applying.digest(applying.current(self._places, found.change))
                self._close(found, State.APPLIED, ("hfea", "recovery", ""), (before, after))
            else:
                self._back(found, "interrupted")
        now = self._now()
        for found in self.store.find("s.state = 'pending'"):
            if found.expires <= now:
                self._close(found, State.EXPIRED, ("hfea", "", ""))
            elif found.by != "hermes" and self._is_so(found):
                self._close(found, State.GONE, ("hfea", "", "it is so already"))

    def _is_so(self, found: Proposal) -> bool:
        try:
            return applying.in_place(self._places, found.change)
        except (OutsideFolder, OSError):
            return False

    def _take_in(self) -> None:
        """Bring the queue in step with Hermes's staging: new writes in, vanished ones out."""
        now = self._now()
        step = taking_in.compare(self.store, self._places, self._profile)
        for found, so in step.vanished:
            self._close(found, State.GONE, ("owner", Via.HERMES.value, so))
        for found in step.altered:
            who = "hfea", "", "the staged write was altered"
            self.store.step(found.id, State.REFUSED, who, ("", ""), now)
            self._tell(found, "staged_write_altered", who[:2])
        for one, change in step.fresh:
            kept = taking_in.proposal(one, change, self._number(taking_in.number(one)), now)
            self.store.add(kept)
            event = "taken_in" if kept.state is State.PENDING else "refused"
            self._tell(kept, event, ("hermes", ""))

    def _tell(
        self, found: Proposal, event: str, who: tuple[str, str], reasons: Sequence[str] = ()
    ) -> None:
        place = applying.place_of(found.change)
        self._record(found.event(event, place, who, tuple(reasons), self._now()))
