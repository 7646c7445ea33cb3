"""What is asked of the archive and what it answers: values only."""

from __future__ import annotations

import datetime as dt
from dataclasses import dataclass

from hfea.episode import Citation
from hfea.errors import UsageError
from memory_core.model import AuthorKind, Kind, Origin, Polarity, Theme

MOST_HITS = 100


class BadQuery(UsageError):
    """A query's bounds, limit or cursor cannot be; its text always can."""


@dataclass(frozen=True, slots=True)
class Query:
    """What is asked of the archive; days are half-open, empty filters admit everything.

    Any *text* is valid. Without a single word in it, statements come in order of time. With
    *wide*, a word is satisfied by others of its concept, in either language.
    """

    text: str
    first: dt.date | None = None
    after: dt.date | None = None
    kinds: tuple[Kind, ...] = ()
    themes: tuple[Theme, ...] = ()
    authors: tuple[str, ...] = ()
    limit: int = 10
    cursor: str = ""
    wide: bool = False

    def __post_init__(self) -> None:
        if not 1 <= self.limit <= MOST_HITS:
            msg = f"a limit lies between 1 and {MOST_HITS}"
            raise BadQuery(msg)
        if self.cursor and not (self.cursor.isascii() and self.cursor.isdigit()):
            msg = "this cursor did not come from a search"
            raise BadQuery(msg)
        if self.first and self.after and self.after < self.first:
            msg = "the last day lies before the first"
            raise BadQuery(msg)


@dataclass(frozen=True, slots=True)
class Excerpt:
    """One statement as found. `sealed` is False where its file was edited by hand since.

    `links` are (relation, statement id, day or ''); `superseded_by` and `outcomes` are the ids
    of later statements that revise, correct or conclude this one.
    """

    id: str
    day: dt.date
    at: dt.datetime | None
    kind: Kind
    theme: Theme
    polarity: Polarity
    provisional: bool
    author: str
    author_kind: AuthorKind
    origin: Origin
    holder: str
    text: str
    thread: str
    citations: tuple[Citation, ...]
    score: float
    sealed: bool
    addendum: int = 0
    links: tuple[tuple[str, str, str], ...] = ()
    superseded_by: tuple[str, ...] = ()
    outcomes: tuple[str, ...] = ()

    @property
    def message_ids(self) -> tuple[str, ...]:
        """The messages it cites, each once, in order."""
        return tuple(dict.fromkeys(c.message_id for c in self.citations))


@dataclass(frozen=True, slots=True)
class Page:
    """Hits in order, how many statements matched, and where the next page begins ('': nowhere).

    `withheld` names the days of hits not served, because their files no longer say what was
    indexed: an answer built on this page is not complete.
    """

    hits: tuple[Excerpt, ...]
    total: int
    next: str = ""
    withheld: tuple[dt.date, ...] = ()
