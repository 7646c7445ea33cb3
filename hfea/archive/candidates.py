"""Which statements are worth scoring: rarest words first, so that common ones cost nothing.

Reading the postings of a rare word is cheap and says most. A word that more statements have
than the row budget allows is only looked up among statements already found, or together with
other common words, or, if there is nothing else, in the newest statements that have it.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Collection, Sequence
from dataclasses import dataclass

from hfea.archive.ranking import Weighted, idf
from memory_core.text import QueryWord

POOL = 200  # statements that are scored word by word
ROW_BUDGET = 8_000
NEWEST = 2_000
MOST_WORDS = 200
MOST_MATCHED = 24
MOST_CONJUNCTIONS = 6


@dataclass(frozen=True, slots=True)
class Scope:
    """What a match is limited to: row numbers, half-open, and facets (each any of its terms)."""

    first: int = 0
    after: int = 1 << 62
    facets: tuple[tuple[str, ...], ...] = ()


@dataclass(frozen=True, slots=True)
class Known:
    """A query word that the index has: its weight, and about how many statements have it."""

    weighted: Weighted
    rows: int

    @property
    def match(self) -> str:
        """The FTS5 expression for any of its terms."""
        return _any_of(self.weighted.word.terms)


def known_words(db: sqlite3.Connection, words: Sequence[QueryWord], statements: int) -> list[Known]:
    """Return the query words that occur at all, rarest first; absent ones cost nothing (S02)."""
    found = []
    for word in words[:MOST_WORDS]:
        # A word's terms are readings of one word and mostly occur together: no sum.
        rows = max(_rows_with(db, term) for term in word.terms)
        if rows:
            found.append(Known(Weighted(word, idf(rows, statements)), rows))
    found.sort(key=lambda known: (known.rows, known.weighted.word.terms))
    return found[:MOST_MATCHED]


def _rows_with(db: sqlite3.Connection, term: str) -> int:
    """Return how many statements have a term; fts5vocab counts postings without reading rows."""
    found = db.execute("SELECT doc FROM word_count WHERE term = ?", (term,)).fetchone()
    return int(found[0]) if found else 0


def gather(db: sqlite3.Connection, words: Sequence[Known], scope: Scope) -> dict[int, float]:
    """Return row numbers with the summed idf of the words found in each.

    Where no more than POOL are found, all will be scored, and the sums are not completed.
    """
    rare, common = _split(words)
    found: dict[int, float] = {}
    for word in rare:
        _add(found, _match(db, word.match, scope), word.weighted.idf)
    together = _conjunctions(db, common, scope, found)
    if rare and len(found) + len(together) > POOL:
        any_rare = _either([word.match for word in rare])
        for word in common:
            both = _match(db, _both([any_rare, word.match]), scope)
            _add(found, both, word.weighted.idf)
    return found | together


def _split(words: Sequence[Known]) -> tuple[list[Known], list[Known]]:
    rare: list[Known] = []
    budget = ROW_BUDGET
    for word in words:
        if word.rows > budget:
            break
        budget -= word.rows
        rare.append(word)
    return rare, list(words[len(rare) :])


def _conjunctions(
    db: sqlite3.Connection, common: Sequence[Known], scope: Scope, found: Collection[int]
) -> dict[int, float]:
    """Return the newest statements with all common words, with all but the commonest, ...

    Those of *found* are left out. Stops when NEWEST are known.
    """
    together: dict[int, float] = {}
    wanted = list(common[:MOST_CONJUNCTIONS])
    while wanted and len(found) + len(together) < NEWEST:
        weight = sum(word.weighted.idf for word in wanted)
        for n in _match(db, _both([word.match for word in wanted]), scope, newest=NEWEST):
            if n not in found:
                together.setdefault(n, weight)
        wanted.pop()
    return together


def listing(db: sqlite3.Connection, scope: Scope, limit: int, offset: int) -> tuple[list[int], int]:
    """Return row numbers of a scope in order of time, for a query without words, and how many."""
    if scope.facets:
        found = _match(db, _both([_any_of(f) for f in scope.facets]), Scope(*_range(scope)))
        return found[offset : offset + limit], len(found)
    (total,) = db.execute(
        "SELECT count(*) FROM statement WHERE n >= ? AND n < ?", _range(scope)
    ).fetchone()
    sql = "SELECT n FROM statement WHERE n >= ? AND n < ? ORDER BY n LIMIT ? OFFSET ?"
    rows = db.execute(sql, (*_range(scope), limit, offset)).fetchall()
    return [n for (n,) in rows], int(total)


def _range(scope: Scope) -> tuple[int, int]:
    return scope.first, scope.after


def _match(db: sqlite3.Connection, match: str, scope: Scope, *, newest: int = 0) -> list[int]:
    whole = _both([match, *(_any_of(facet) for facet in scope.facets)])
    sql = "SELECT rowid FROM words WHERE words MATCH ? AND rowid >= ? AND rowid < ?"
    values: tuple[object, ...] = (whole, *_range(scope))
    if newest:
        sql += " ORDER BY rowid DESC LIMIT ?"
        values = (*values, newest)
    else:
        sql += " ORDER BY rowid"
    return [n for (n,) in db.execute(sql, values).fetchall()]


def _add(found: dict[int, float], rows: Sequence[int], weight: float) -> None:
    for n in rows:
        found[n] = found.get(n, 0.0) + weight


def _any_of(terms: Sequence[str]) -> str:
    """Quote every term, so that nothing of it can be read as FTS5 syntax (S01)."""
    return _either(['"' + term.replace('"', '""') + '"' for term in terms])


def _either(expressions: Sequence[str]) -> str:
    return "(" + " OR ".join(expressions) + ")"


def _both(expressions: Sequence[str]) -> str:
    return "(" + " AND ".join(expressions) + ")"
