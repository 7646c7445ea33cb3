"""What the service needs of the memory: one small protocol, so that its shells stay thin."""

from __future__ import annotations

import datetime as dt
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Protocol

from hfea.errors import HfeaError, Unavailable
from hfea.service.numbers import Numbers

Table = dict[str, Any]


class NotHere(HfeaError):
    """There is nothing of that id."""


class NotNow(Unavailable):
    """Too much is being asked at once, or it took too long; asking again later may work."""


@dataclass(frozen=True, slots=True)
class Asked:
    """One question as it came in; `asked_at` None is now."""

    text: str
    asked_at: dt.datetime | None = None
    as_of: dt.date | None = None


@dataclass(frozen=True, slots=True)
class Proposed:
    """A change someone wants to what steers the agent, in Hermes's words and ours."""

    act: str
    target: str
    text: str = ""
    old_text: str = ""
    path: str = ""
    profile: str = "default"
    summary: str = ""


@dataclass(frozen=True, slots=True)
class Looked:
    """What the maintainer searches the archive for."""

    text: str
    first: dt.date | None = None
    last: dt.date | None = None
    limit: int = 20
    cursor: str = ""


class Memory(Protocol):
    """Everything the shells call. Tables are plain JSON values.

    Methods raise HfeaError, sqlite3.Error, OSError and what the rooms below them raise.
    """

    def ask(self, asked: Asked) -> Table:
        """Answer a question as `hfea ask --json` does."""
        ...

    def recall(self, asked: Asked) -> Table:
        """Return the evidence of permanent memory, facts and history; the archive stays shut."""
        ...

    def prefetch(self, query: str, longest: int) -> Table:
        """Return what permanent memory and facts say, at most *longest* characters; be quick."""
        ...

    def facts(self, action: str, values: Mapping[str, Any], by: str) -> Table:
        """Carry out one action of the fact store."""
        ...

    def fact_feedback(self, number: int, *, helpful: bool) -> Table:
        """Say that a fact helped or did not."""
        ...

    def propose(self, proposed: Proposed, by: str) -> Table:
        """Propose a change; the gate decides what becomes of it."""
        ...

    def proposals(self, state: str, profile: str) -> Table:
        """Return the proposals of a state ('' all)."""
        ...

    def approve(self, number: str, digest: str, by: str, profile: str) -> Table:
        """Apply a proposal as it was shown; *digest* is what was shown."""
        ...

    def reject(self, number: str, by: str, note: str, profile: str) -> Table:
        """Decide against a proposal."""
        ...

    def feedback(self, question: str, value: str, note: str, by: str) -> None:
        """Record what someone said of an answer."""
        ...

    def rates(self) -> Table:
        """Return how often the archive was needed, with denominators."""
        ...

    def episodes(self) -> list[Table]:
        """Return a row for each day that has an episode, newest first."""
        ...

    def episode(self, day: dt.date) -> Table:
        """Return one episode's statements and state."""
        ...

    def markdown(self, day: dt.date) -> str:
        """Return the text of one episode's file."""
        ...

    def search(self, looked: Looked) -> Table:
        """Search the archive as its owner."""
        ...

    def ready(self) -> Table:
        """Return the state of each store, `ready` true where all can be read."""
        ...

    def gauges(self) -> Numbers:
        """Return the numbers of nights, questions and spending for the metrics."""
        ...
