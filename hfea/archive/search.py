"""The search of the archive: for an agent by ticket, one use a connection; for the maintainer.

Only `hfea.fallback` and `hfea.service` import this (and the command line, for its owner).
"""

from __future__ import annotations

import datetime as dt
import heapq
import sqlite3
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from types import TracebackType
from typing import Any, Self

from hfea.archive.candidates import POOL, Scope, gather, known_words, listing
from hfea.archive.day_files import files_hash, files_stamp
from hfea.archive.index_check import Freshness, IndexUnreadable, freshness
from hfea.archive.index_rows import facet, first_n, read_citations
from hfea.archive.index_schema import STEPS
from hfea.archive.ranking import Candidate, Weighted, score
from hfea.archive.search_model import Excerpt, Page, Query
from hfea.episode import Relation
from hfea.ledger.store import Ledger
from memory_core import sqlite_kit
from memory_core.lexicon import widened
from memory_core.model import AuthorKind, Kind, Origin, Polarity, Theme
from memory_core.text import index_terms, query_words

_SUPERSEDING = (Relation.REVISES.value, Relation.CORRECTS.value)


class ArchiveSearch:
    """One read-only connection to the index. Every hit is checked against its day's files."""

    def __init__(self, db: sqlite3.Connection, root: Path) -> None:
        self._db = db
        self._root = root

    @classmethod
    def by_ticket(  # noqa: PLR0913, PLR0917 - each is a fact the ticket is bound to
        cls,
        ledger: Ledger,
        archive_id: str,
        index_path: Path,
        token: str,
        question_id: str,
        now: dt.datetime,
    ) -> Self:
        """Spend a ticket, then open the index for one question; use as a context manager.

        Raises TicketRefused before the archive is touched (invariant 8), IndexUnreadable after.
        """
        ledger.tickets.redeem(token, question_id, archive_id, now)
        return cls.for_maintainer(index_path)

    @classmethod
    def for_maintainer(cls, index_path: Path, root: Path | None = None) -> Self:
        """Open the index for its owner, who may always read. Raises IndexUnreadable."""
        with _engine(index_path):
            db = sqlite_kit.open_store(index_path, STEPS, readonly=True)
        return cls(db, root or index_path.parent)

    def search(self, query: Query) -> Page:
        """Return one page of statements. Raises IndexUnreadable, never returns [] for an error.

        The order is total: relevance, then newer first. It is a function of the archive's files
        and the query alone.
        """
        with _engine(self._root), self._reading():
            return self._search(query)

    def neighbours(self, hits: Sequence[Excerpt]) -> list[Excerpt]:
        """Return the statements just before and after *hits* in their threads, in order of time.

        Raises IndexUnreadable.
        """
        with _engine(self._root), self._reading():
            known = {hit.id for hit in hits}
            numbers: set[int] = set()
            for hit in hits:
                numbers.update(self._beside(hit.id))
            found = (self._page(Query(""), 0, [(n, 0.0)], 1).hits for n in sorted(numbers))
            return [e for page in found for e in page if e.id not in known]

    def _beside(self, number: str) -> list[int]:
        rows = self._db.execute(
            "SELECT b.n FROM statement a JOIN statement b ON b.day = a.day AND b.title = a.title"
            " AND b.n IN (a.n - 1, a.n + 1) WHERE a.id = ?",
            (number,),
        ).fetchall()
        return [n for (n,) in rows]

    def freshness(self, days: Sequence[dt.date]) -> Freshness:
        """Compare the index with the files of *days* (those on disk): see `index_check`."""
        with _engine(self._root):
            return freshness(self._db, self._root, days)

    @contextmanager
    def _reading(self) -> Iterator[None]:
        """See one state of the index throughout; short, so that the `-wal` can shrink (O04)."""
        self._db.execute("BEGIN")
        try:
            yield
        finally:
            self._db.execute("ROLLBACK")

    def _search(self, query: Query) -> Page:
        offset = int(query.cursor or "0")
        scope = _scope(query)
        if not query_words(query.text):
            if query.text.strip():
                return Page((), 0)
            numbers, total = listing(self._db, scope, query.limit, offset)
            return self._page(query, offset, [(n, 0.0) for n in numbers], total)
        ranked, total = self._ranked(query, scope, offset)
        real = [(n, relevance) for n, relevance in ranked if relevance > 0]
        return self._page(query, offset, real, total)

    def _ranked(
        self, query: Query, scope: Scope, offset: int
    ) -> tuple[list[tuple[int, float]], int]:
        """Score the candidates in pools of a fixed size, so that pages never overlap."""
        (statements, terms) = self._db.execute(
            "SELECT coalesce(sum(statements), 0), coalesce(sum(terms), 0) FROM day"
        ).fetchone()
        asked = query_words(query.text)
        known = known_words(self._db, widened(asked) if query.wide else asked, statements)
        found = gather(self._db, known, scope)
        words = [word.weighted for word in known]
        first, after = offset // POOL, (offset + query.limit - 1) // POOL + 1
        best = heapq.nlargest(POOL * after, zip(found.values(), found, strict=True))
        ranked: list[tuple[int, float]] = []
        for start in range(POOL * first, POOL * after, POOL):
            pool = [n for _, n in best[start : start + POOL]]
            ranked += self._scored(pool, words, terms / max(statements, 1))
        within = offset % POOL
        return ranked[within : within + query.limit], len(found)

    def _scored(
        self, pool: Sequence[int], words: Sequence[Weighted], mean_length: float
    ) -> list[tuple[int, float]]:
        """Return the pool in order of relevance; a ghost keeps a place, with relevance 0."""
        scores = dict.fromkeys(pool, 0.0)
        for candidate in self._candidates(pool):
            scores[candidate.n] = round(score(candidate, words, mean_length), 9)
        return sorted(scores.items(), key=lambda pair: (-pair[1], -pair[0]))

    def _candidates(self, pool: Sequence[int]) -> Iterator[Candidate]:
        marks = ", ".join("?" * len(pool))
        rows = self._db.execute(
            "SELECT n, text, said, terms.title, cited FROM terms JOIN statement USING (n)"
            f" WHERE n IN ({marks})",
            tuple(pool),
        ).fetchall()
        for n, text, said, title, cited in rows:
            yield Candidate(n, text, said.split(), f" {title} ", f" {cited} ")

    def _page(
        self, query: Query, offset: int, ranked: Sequence[tuple[int, float]], total: int
    ) -> Page:
        hits, withheld = [], set()
        states: dict[dt.date, str] = {}
        for n, relevance in ranked:
            excerpt = self._excerpt(n, relevance)
            if excerpt is None:
                continue
            day = excerpt.day
            if day not in states:
                states[day] = self._state_now(day)
            if states[day] == "changed" or not self._in_step(n, excerpt.text):
                withheld.add(day)
            else:
                hits.append(excerpt)
        end = offset + query.limit
        following = str(end) if end < total else ""
        return Page(tuple(hits), total, following, tuple(sorted(withheld)))

    def _state_now(self, day: dt.date) -> str:
        """Return the state of a day, `changed` where its files differ from what was indexed."""
        found = self._db.execute(
            "SELECT state, stamp, files FROM day WHERE day = ?", (day.isoformat(),)
        ).fetchone()
        if found is None:
            return "changed"
        state, stamp, files = found
        if stamp != files_stamp(self._root, day) and files != files_hash(self._root, day):
            return "changed"
        return str(state)

    def _in_step(self, n: int, text: str) -> bool:
        """Whether the terms a statement was found under are those of its text (S09)."""
        found = self._db.execute("SELECT said FROM terms WHERE n = ?", (n,)).fetchone()
        return found is not None and found[0] == " ".join(index_terms(text))

    def _excerpt(self, n: int, relevance: float) -> Excerpt | None:
        row = self._db.execute(
            "SELECT id, statement.day, at, kind, theme, polarity, provisional, author,"
            " author_kind, origin, holder, text, title, citations, addendum, state"
            " FROM statement JOIN day USING (day) WHERE n = ?",
            (n,),
        ).fetchone()
        if row is None:
            return None
        links = self._db.execute(
            "SELECT relation, target, target_day FROM link WHERE n = ? ORDER BY 1, 2", (n,)
        ).fetchall()
        about = self._db.execute(
            "SELECT relation, id FROM link JOIN statement USING (n) WHERE target = ?"
            " ORDER BY link.n",
            (row[0],),
        ).fetchall()
        return _excerpt(row, relevance, links, about)

    def close(self) -> None:
        """Close the connection."""
        self._db.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.close()


@contextmanager
def _engine(place: Path) -> Iterator[None]:
    """Turn what the engine raises into an error: an engine's trouble is no empty answer (S01)."""
    try:
        yield
    except (sqlite3.Error, sqlite_kit.NewerSchema, sqlite_kit.OlderSchema, OSError) as error:
        msg = f"the index of {place} cannot be searched: {error}; `hfea doctor` says more"
        raise IndexUnreadable(msg) from error


def _scope(query: Query) -> Scope:
    facets = (
        tuple(facet("kind", kind.value) for kind in query.kinds),
        tuple(facet("theme", theme.value) for theme in query.themes),
        tuple(facet("author", author) for author in query.authors),
    )
    unbounded = Scope()
    return Scope(
        first_n(query.first) if query.first else unbounded.first,
        first_n(query.after) if query.after else unbounded.after,
        tuple(terms for terms in facets if terms),
    )


def _excerpt(
    row: tuple[Any, ...],
    relevance: float,
    links: list[tuple[str, str, str]],
    about: list[tuple[str, str]],
) -> Excerpt:
    number, day, at, kind, theme, polarity, provisional, author, author_kind, origin = row[:10]
    holder, text, title, citations, addendum, state = row[10:]
    return Excerpt(
        id=number,
        day=dt.date.fromisoformat(day),
        at=dt.datetime.fromisoformat(at) if at else None,
        kind=Kind(kind),
        theme=Theme(theme),
        polarity=Polarity(polarity),
        provisional=bool(provisional),
        author=author,
        author_kind=AuthorKind(author_kind),
        origin=Origin(origin),
        holder=holder,
        text=text,
        thread=title,
        citations=read_citations(citations),
        score=relevance,
        sealed=state == "sealed",
        addendum=addendum,
        links=tuple(links),
        superseded_by=tuple(i for relation, i in about if relation in _SUPERSEDING),
        outcomes=tuple(i for relation, i in about if relation == Relation.OUTCOME_OF.value),
    )
