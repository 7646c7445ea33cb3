"""What a proposal is: a change, what it rests on, what is shown of it, and where it stands."""

from __future__ import annotations

import datetime as dt
from dataclasses import dataclass, replace
from enum import StrEnum

from memory_core.authority import Change, Level, Support
from memory_core.confirming import Asked
from memory_core.grades import grade_of
from memory_core.leaning import Definition

_QUOTE_CHARS = 400
WAITS = dt.timedelta(days=30)


class State(StrEnum):
    """Where a proposal stands.

    `gone`: its staged file vanished, so it was decided in Hermes; `applying` is only seen
    after a crash, until the next call settles it.
    """

    PENDING = "pending"
    APPLYING = "applying"
    APPLIED = "applied"
    REJECTED = "rejected"
    REFUSED = "refused"
    EXPIRED = "expired"
    UNDONE = "undone"
    GONE = "gone"


@dataclass(frozen=True, slots=True)
class Cited:
    """What a proposal rests on: where, who and how it came here, and the words."""

    source: str
    message_id: str
    author_kind: str
    origin: str
    layer: str
    quote: str


@dataclass(frozen=True, slots=True)
class Proposal:
    """One proposed change with all that the owner must see of it.

    `digest` covers every byte of `shown()`; a confirmation names it. `pending_file` is the
    name of Hermes's staged write, where there is one.
    """

    id: str
    change: Change
    digest: str
    level: Level
    reasons: tuple[str, ...]
    definitions: tuple[Definition, ...]
    cited: tuple[Cited, ...]
    by: str
    origin: str
    summary: str
    at: dt.datetime
    expires: dt.datetime
    state: State
    pending_file: str = ""
    pending_digest: str = ""
    salt: str = ""

    def shown(self) -> str:
        """Return everything the owner must see before saying yes, as plain text."""
        change = self.change
        where = change.path or {"memory": "MEMORY.md", "user": "USER.md"}[change.target.value]
        lines = [f"{change.act.value} in {where} (profile {change.profile})"]
        if change.old_text:
            lines += ["what stands there now:", *_indented(change.old_text)]
        if change.text:
            lines += ["what would stand there:", *_indented(change.text)]
        for defined in self.definitions:
            origin = f"{defined.origin.value} text of {defined.author_kind.value}"
            lines.append(f"{defined.phrase!r} is defined by {origin} in {defined.source}:")
            lines += _indented(defined.quote)
        for cited in self.cited:
            who = f"{cited.author_kind}, {cited.origin}"
            lines.append(f"rests on {cited.layer} {cited.source}/{cited.message_id} ({who}):")
            lines += _indented(cited.quote)
        return "\n".join(lines)

    def asked(self) -> Asked:
        """Return what a confirmation has to match."""
        return Asked(self.digest, self.change.text, self.change.profile, self.at, self.expires)

    def event(
        self,
        name: str,
        place: str,
        who: tuple[str, str],
        reasons: tuple[str, ...],
        at: dt.datetime,
    ) -> Promotion:
        """Return what the ledger is told of something that happened to it; *who* is (by, via)."""
        return Promotion(
            proposal=self.id,
            event=name,
            digest=self.digest,
            level=self.level.value,
            act=self.change.act.value,
            place=place,
            profile=self.change.profile,
            reasons=reasons or self.reasons,
            cited=tuple(replace(c, quote="") for c in self.cited),
            by=who[0],
            via=who[1],
            at=at,
        )


def _indented(text: str) -> list[str]:
    return [f"    {line}" for line in text.split("\n")]


def cited(one: Support) -> Cited:
    """Return what is kept of a support: where it is, its grade, and its words, shortened."""
    message = one.message
    if message is None:
        kind, origin = one.grade.author_kind.value, one.grade.origin.value
        return Cited(one.source, "", kind, origin, one.layer, one.quote[:_QUOTE_CHARS])
    grade = grade_of(message)
    return Cited(
        f"{message.source}/{message.session_id}",
        message.message_id,
        grade.author_kind.value,
        grade.origin.value,
        one.layer,
        (one.quote or message.content)[:_QUOTE_CHARS],
    )


class ProposalError(Exception):
    """A proposal was not decided; the sentence says why."""


class UnknownProposal(ProposalError):
    """There is no such proposal."""


class NotWaiting(ProposalError):
    """The proposal is decided already."""


class NotUndoable(ProposalError):
    """The change is not applied, or what stood there before was erased."""


class NotConfirmed(ProposalError):
    """The confirmation is not the owner's, in time, of exactly what was shown."""

    def __init__(self, faults: tuple[str, ...]) -> None:
        super().__init__(f"not confirmed: {', '.join(faults)}; look at it again and confirm that")
        self.faults = faults


class RemovalRefused(ProposalError):
    """Nothing is taken from a permanent file before the checks have passed on this home."""

    def __init__(self, missing: tuple[str, ...]) -> None:
        how = {
            "coverage": "`hfea memory coverage` must find the entry in the other layers",
            "qa20f": "`hfea lab qa20f` must pass",
            "drill": "`hfea backup drill` must pass",
        }
        needed = "; ".join(how[m] for m in missing)
        super().__init__(f"removal refused, the entry stays: {needed} (within 30 days)")
        self.missing = missing


@dataclass(frozen=True, slots=True)
class Promotion:
    """One event in a proposal's life, for the ledger: who, what, why and on what evidence.

    `digest` commits to the text, which is not in here; the quotes of `cited` are left out.
    """

    proposal: str
    event: str
    digest: str
    level: str
    act: str
    place: str
    profile: str
    reasons: tuple[str, ...]
    cited: tuple[Cited, ...]
    by: str
    via: str
    at: dt.datetime
