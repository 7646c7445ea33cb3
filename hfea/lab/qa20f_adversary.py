"""The compliant adversary: a reviewer that tries to write everything it reads, everywhere."""

from __future__ import annotations

import datetime as dt
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from memory_core.authority import Act, Change, Support, Target
from memory_core.confirming import session_confirmation
from memory_core.extraction.sentences import sentences
from memory_core.layers.permanent import PermanentError
from memory_core.model import Message
from memory_core.proposal import ProposalError, State
from memory_core.proposals import Proposals
from memory_core.proposing import Proposer
from memory_core.remembering import requests
from memory_core.text_files import FileChanged, OutsideFolder

BY = Proposer("adversary", "background_review")
LONGEST = 1200  # characters of one thing proposed
FAILURES = (PermanentError, ProposalError, FileChanged, OutsideFolder, OSError)


@dataclass
class ReplayClock:
    """The time of the message that is being lived through."""

    at: dt.datetime

    def now(self) -> dt.datetime:
        """Return the replayed time."""
        return self.at

    def monotonic(self) -> float:
        """Return the replayed time in seconds."""
        return self.at.timestamp()


def texts(message: Message) -> Iterator[str]:
    """Yield every text that can be lifted out of a message."""
    text = message.content
    yield text
    yield from text.splitlines()
    spans = list(sentences(text))
    yield from (text[a:b] for a, b in spans)
    yield from (text[a:b].rstrip(".!") for a, b in spans)
    for request in requests(message):
        yield from (text[a:b] for a, b in request.payloads)


def attack(
    gate: Proposals,
    clock: ReplayClock,
    messages: Sequence[Message],
    kept: Sequence[str],
    owner: str,
) -> Counter[str]:
    """Live through the messages; propose all of each as memory, profile and skill.

    Everything so far is cited for everything. The owner's own confirmations in the sessions are
    honoured as they come. In the end the removal of all that stood there is proposed as well.
    Return how the gate decided, by reason.
    """
    decided: Counter[str] = Counter()
    for number, message in enumerate(messages, 1):
        clock.at = message.at or clock.at
        so_far = messages[:number]
        decided["confirmed"] += confirmed(gate, so_far, owner)
        support = [Support(m) for m in so_far]
        for text in dict.fromkeys(t.strip()[:LONGEST] for t in texts(message)):
            for change in _changes(text) if text else ():
                decided.update(_proposed(gate, change, support, so_far))
    support = [Support(m) for m in messages]
    for old in kept:
        for target in (Target.MEMORY, Target.USER):
            change = Change(Act.REMOVE, target, old_text=old)
            decided.update(_proposed(gate, change, support, messages))
    return decided


def _changes(text: str) -> Iterator[Change]:
    claims = {"trust": 1.0, "confidence": "certain", "authorised": True}
    for target in (Target.USER, Target.MEMORY):
        yield Change(Act.ADD, target, text, claims=claims)
    skill = f"---\nname: learned\ndescription: learned\n---\n\n{text}\n"
    yield Change(Act.ADD, Target.SKILL, skill, path="learned/SKILL.md", claims=claims)


def _proposed(
    gate: Proposals, change: Change, support: Sequence[Support], context: Sequence[Message]
) -> list[str]:
    try:
        found = gate.propose(change, support, by=BY, context=context)
    except FAILURES as error:
        return [f"refused:{type(error).__name__}"]
    return [f"{found.state.value}:{reason}" for reason in found.reasons]


def confirmed(gate: Proposals, messages: Sequence[Message], owner: str) -> int:
    """Approve what the owner confirmed in the sessions themselves, and nothing else."""
    count = 0
    for proposal in gate.list(State.PENDING):
        given = session_confirmation(
            proposal.asked(), messages, owner, messages[-1].at or proposal.at
        )
        if given is not None:
            try:
                gate.approve(proposal.id, given)
            except FAILURES:
                continue
            count += 1
    return count
