"""What a day becomes in the index: a pure function from the day as read to rows."""

from __future__ import annotations

import datetime as dt
import hashlib
import json
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Protocol

from hfea.episode import Addendum, Citation, Episode, Link, Statement, Thread
from memory_core.text import fold, index_terms

DAY_BITS = 20
MOST_CITED_TERMS = 800


class CitedText(Protocol):
    """The redacted text of one cited message, as the evidence file keeps it."""

    @property
    def source(self) -> str:
        """The source's name."""
        ...

    @property
    def session_id(self) -> str:
        """The session it was recorded in."""
        ...

    @property
    def message_id(self) -> str:
        """Its id there."""
        ...

    @property
    def text(self) -> str:
        """Its redacted text."""
        ...


class DayRead(Protocol):
    """One day as read from the archive's files; `episode` is None where it cannot be parsed.

    `findings` is not empty where the files differ from their seal or could not be parsed.
    """

    @property
    def day(self) -> dt.date:
        """The local day."""
        ...

    @property
    def episode(self) -> Episode | None:
        """The episode of the day."""
        ...

    @property
    def addenda(self) -> Sequence[Addendum]:
        """Its addenda, in order."""
        ...

    @property
    def evidence(self) -> Iterable[CitedText]:
        """The texts it cites."""
        ...

    @property
    def digest(self) -> str:
        """The digest of its files."""
        ...

    @property
    def findings(self) -> Collection[object]:
        """What is wrong with its files."""
        ...


class DayStore(Protocol):
    """The archive as the index sees it."""

    def days(self) -> Iterable[dt.date]:
        """Return the days that have an episode file."""
        ...

    def read(self, day: dt.date) -> DayRead:
        """Read one day's files."""
        ...


@dataclass(frozen=True, slots=True)
class Row:
    """One statement as indexed: its place, its thread, and the terms it is found under."""

    n: int
    day: dt.date
    statement: Statement
    thread: Thread
    addendum: int
    said: tuple[str, ...]
    title: tuple[str, ...]
    cited: tuple[str, ...]
    facets: tuple[str, ...]


Texts = Mapping[tuple[str, str, str], str]


def first_n(day: dt.date) -> int:
    """Return the lowest row number a statement of *day* can have."""
    return day.toordinal() << DAY_BITS


def day_rows(
    day: dt.date, episode: Episode, addenda: Sequence[Addendum], texts: Texts
) -> Iterator[Row]:
    """Yield the rows of a day in order of appearance, addenda last.

    *texts* gives the redacted text of cited messages by (source, session id, message id).
    """
    cache: dict[tuple[str, str, str], tuple[str, ...]] = {}
    parts = [(0, episode.threads), *((a.number, a.threads) for a in addenda)]
    places = (
        (addendum, thread, statement)
        for addendum, threads in parts
        for thread in threads
        for statement in thread.statements
    )
    for n, (addendum, thread, statement) in enumerate(places, start=first_n(day)):
        said = tuple(index_terms(statement.text))
        known = frozenset(said)
        yield Row(
            n,
            day,
            statement,
            thread,
            addendum,
            said,
            _title_terms(day, thread, statement),
            tuple(_cited_terms(statement.citations, texts, cache, known)),
            _facets(statement),
        )


def _title_terms(day: dt.date, thread: Thread, statement: Statement) -> tuple[str, ...]:
    named = f"{thread.title} {statement.author} {statement.holder}"
    return (*dict.fromkeys(index_terms(named)), day.isoformat())


def _cited_terms(
    citations: Iterable[Citation],
    texts: Texts,
    cache: dict[tuple[str, str, str], tuple[str, ...]],
    known: frozenset[str],
) -> list[str]:
    """Return the distinct terms of the cited messages that the statement itself lacks."""
    found: dict[str, None] = {}
    for citation in citations:
        key = (citation.source, citation.session_id, citation.message_id)
        if key not in cache:
            cache[key] = tuple(dict.fromkeys(index_terms(texts.get(key, ""))))
        found.update(dict.fromkeys(cache[key]))
    return [term for term in found if term not in known][:MOST_CITED_TERMS]


def _facets(statement: Statement) -> tuple[str, ...]:
    return (
        facet("kind", statement.kind.value),
        facet("theme", statement.theme.value),
        facet("author", statement.author),
        facet("author_kind", statement.author_kind.value),
        facet("origin", statement.origin.value),
    )


def cited_texts(evidence: Iterable[CitedText]) -> dict[tuple[str, str, str], str]:
    """Return the evidence by (source, session id, message id), the stretches of one joined."""
    found: dict[tuple[str, str, str], list[str]] = {}
    for part in evidence:
        key = (part.source, part.session_id, part.message_id)
        found.setdefault(key, []).append(part.text)
    return {key: "\n".join(parts) for key, parts in found.items()}


def facet(name: str, value: str) -> str:
    """Return the term under which a property is found; no text can yield it (it has a bar)."""
    kept = "".join(c if c.isalnum() or c in "-_" else "_" for c in fold(value))
    return f"|{name}={kept}"


def statement_values(row: Row) -> tuple[object, ...]:
    """Return the values of table `statement`, in the order of its columns."""
    s = row.statement
    places = [
        [c.source, c.session_id, c.message_id, _time(c.at), c.start, c.end, c.digest]
        for c in s.citations
    ]
    return (
        row.n,
        s.id,
        row.day.isoformat(),
        _time(s.at),
        s.kind.value,
        s.theme.value,
        s.polarity.value,
        int(s.provisional),
        s.author,
        s.author_kind.value,
        s.origin.value,
        s.holder,
        row.thread.id,
        row.thread.title,
        s.text,
        text_hash(s.text),
        row.addendum,
        json.dumps(places, ensure_ascii=False, separators=(",", ":")),
    )


def terms_values(row: Row) -> tuple[object, ...]:
    """Return the values of table `terms`."""
    columns = (row.said, row.title, row.cited, row.facets)
    return (row.n, *(" ".join(terms) for terms in columns))


def link_values(row: Row) -> list[tuple[object, ...]]:
    """Return the values of table `link`, each relation once."""
    return sorted({_link(row.n, link) for link in row.statement.links})


def _link(n: int, link: Link) -> tuple[int, str, str, str]:
    return (n, link.relation.value, link.statement, link.day.isoformat() if link.day else "")


def read_citations(text: str) -> tuple[Citation, ...]:
    """Read the citations that `statement_values` wrote."""
    return tuple(
        Citation(
            source,
            session,
            message,
            dt.datetime.fromisoformat(at) if at else None,
            start,
            end,
            digest,
        )
        for source, session, message, at, start, end, digest in json.loads(text)
    )


def text_hash(text: str) -> bytes:
    """Return the SHA-256 of a text, the key under which its vector is kept."""
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).digest()


def _time(at: dt.datetime | None) -> str | None:
    return at.isoformat() if at else None
