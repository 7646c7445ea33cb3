"""An index of rows: SQLite with FTS5 for candidates, word frequencies, and each row taken apart.

It is a cache beside nothing but the core's own state: whoever fills it can fill it again. Any
string is a valid question; it never reaches FTS5 as anything but hexadecimal terms.
"""

from __future__ import annotations

import datetime as dt
import json
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path

from memory_core import sqlite_kit
from memory_core.matching import Wanted
from memory_core.retrieval import rows as reading
from memory_core.retrieval.asked import Asked
from memory_core.retrieval.index_tables import BM25, STEPS, Only, stamped
from memory_core.retrieval.rows import Read, Row
from memory_core.retrieval.slices import Counts, Placed, Slice, joined

DEPTH = 60  # candidates by BM25; a hundred found no more on the dev conversations
AROUND = 2  # neighbours of a candidate on each side
# A word in more rows than this share of a large index finds no candidates beside rarer ones.
_COMMON_SHARE, _COMMON_ROWS = 0.02, 2000
_ANY = Only()
_REMEMBERED = 50_000  # frequencies kept in memory until the next write
_PLACED = "r.id, r.thread, r.ord, r.speaker, substr(r.at, 1, 10), r.words, r.signs"


class RowIndex:
    """Keeps rows thread by thread and finds the slice that a question is ranked over."""

    def __init__(self, path: Path | None = None) -> None:
        """Open (or create, or migrate) the index at *path*; None keeps it in memory."""
        self._db = sqlite_kit.connect(path)
        sqlite_kit.migrate(self._db, STEPS)
        self._known: dict[str, int] = {}

    def close(self) -> None:
        """Close the file."""
        self._db.close()

    def __len__(self) -> int:
        return int(self._db.execute("SELECT rows FROM total").fetchone()[0])

    def stamps(self) -> dict[str, str]:
        """Return the stamp of every thread that is held."""
        return dict(self._db.execute("SELECT name, stamp FROM thread"))

    def put(self, thread: str, rows: Iterable[Row], stamp: str = "") -> int:
        """Make *rows*, in order, all that *thread* holds; an unchanged beginning is kept.

        Returns how many rows were written. One transaction; raises sqlite3.Error.
        """
        with sqlite_kit.transaction(self._db):
            return self._put(thread, list(rows), stamp)

    def put_all(self, threads: Iterable[tuple[str, Iterable[Row], str]]) -> int:
        """Put several threads in one transaction."""
        with sqlite_kit.transaction(self._db):
            return sum(self._put(name, list(rows), stamp) for name, rows, stamp in threads)

    def drop(self, threads: Iterable[str]) -> None:
        """Forget whole threads."""
        with sqlite_kit.transaction(self._db):
            for name in threads:
                self._cut(name, 0)
                self._db.execute("DELETE FROM thread WHERE name = ?", (name,))

    def _put(self, thread: str, rows: Sequence[Row], stamp: str) -> int:
        kept = self._kept(thread, rows)
        self._cut(thread, kept)
        speakers = {r.speaker for r in rows}
        terms: Counter[str] = Counter()
        size = 0
        for order, row in enumerate(rows[kept:], start=kept):
            read = self._insert(order, row, thread, speakers)
            terms.update(set(read.counts))
            size += read.size
        self._count(terms, 1)
        self._db.execute(
            "UPDATE total SET rows = rows + ?, size = size + ?", (len(rows) - kept, size)
        )
        self._count_speakers(Counter(r.speaker for r in rows[kept:]), 1)
        self._db.execute(
            "INSERT INTO thread VALUES (?, ?) ON CONFLICT (name) DO UPDATE SET stamp = ?",
            (thread, stamp, stamp),
        )
        return len(rows) - kept

    def _kept(self, thread: str, rows: Sequence[Row]) -> int:
        held = self._db.execute(
            "SELECT key, text, speaker, at, beside, role, scope, data FROM row"
            " WHERE thread = ? ORDER BY ord",
            (thread,),
        )
        kept = 0
        for old, row in zip(held, rows, strict=False):
            if tuple(old) != _values(row):
                break
            kept += 1
        return kept

    def _insert(self, order: int, row: Row, thread: str, speakers: set[str]) -> Read:
        line = " ".join(reading.content(f"{row.text}\n{row.beside}"))
        read = reading.take_apart(line)
        signs = reading.surface(row.text, speakers).packed()
        done = self._db.execute(
            "INSERT INTO row (key, text, speaker, at, beside, role, scope, data, thread, ord,"
            " words, signs, size) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
            (*_values(row), thread, order, line, signs, read.size),
        )
        terms = " ".join(_hex(s) for s, n in read.counts.items() for _ in range(n))
        concepts = " ".join(f"c{n}" for n in sorted(read.concepts))
        starts = " ".join(sorted(_hex(s) for s in read.starts))
        self._db.execute(
            "INSERT INTO row_terms (rowid, terms, concepts, starts) VALUES (?, ?, ?, ?)",
            (done.lastrowid, terms, concepts, starts),
        )
        return read

    def _cut(self, thread: str, kept: int) -> None:
        """Delete the rows of *thread* from place *kept* on."""
        gone = self._db.execute(
            "SELECT id, words, size, speaker FROM row WHERE thread = ? AND ord >= ?", (thread, kept)
        ).fetchall()
        if not gone:
            return
        terms = Counter(t for _, line, _, _ in gone for t in reading.take_apart(line).counts)
        self._count(terms, -1)
        self._count_speakers(Counter(g[3] for g in gone), -1)
        self._db.executemany("DELETE FROM row_terms WHERE rowid = ?", ((g[0],) for g in gone))
        self._db.execute("DELETE FROM row WHERE thread = ? AND ord >= ?", (thread, kept))
        self._db.execute(
            "UPDATE total SET rows = rows - ?, size = size - ?",
            (len(gone), sum(g[2] for g in gone)),
        )

    def _count(self, terms: Counter[str], sign: int) -> None:
        self._known.clear()
        self._db.executemany(
            "INSERT INTO frequency VALUES (?1, ?2)"
            " ON CONFLICT (term) DO UPDATE SET rows = rows + ?2",
            ((t, sign * n) for t, n in terms.items()),
        )

    def _count_speakers(self, names: Counter[str], sign: int) -> None:
        self._db.executemany(
            "INSERT INTO speaker VALUES (?1, ?2) ON CONFLICT (name) DO UPDATE SET rows = rows + ?2",
            ((name, sign * n) for name, n in names.items()),
        )

    def speakers(self) -> tuple[str, ...]:
        """Return the names of all speakers of the rows."""
        found = self._db.execute("SELECT name FROM speaker WHERE rows > 0 AND name <> ''")
        return tuple(str(name) for (name,) in found)

    def counts(self) -> Counts:
        """Return what BM25 needs to know of the whole."""
        rows, size = self._db.execute("SELECT rows, size FROM total").fetchone()
        return Counts(int(rows), size / rows if rows else 1.0, self._frequency)

    def _frequency(self, term: str) -> int:
        known = self._known.get(term)
        if known is None:
            if len(self._known) > _REMEMBERED:
                self._known.clear()
            known = self._known[term] = self._read_frequency(term)
        return known

    def _read_frequency(self, term: str) -> int:
        row = self._db.execute("SELECT rows FROM frequency WHERE term = ?", (term,)).fetchone()
        return int(row[0]) if row else 0

    def slice(
        self, asked: Asked, only: Only = _ANY, depth: int = DEPTH, more: Sequence[int] = ()
    ) -> Slice:
        """Return the best *depth* rows by BM25, rows *more* by number, and their neighbours."""
        counts = self.counts()
        found = {*self._candidates(asked, only, depth, counts), *more}
        return joined(self._placed(sorted(found), only), counts)

    def rows(self, numbers: Iterable[int]) -> dict[int, Row]:
        """Return the rows of *numbers* whole; a number that is gone is left out."""
        found = {}
        for number in numbers:
            row = self._db.execute(
                "SELECT key, text, speaker, at, thread, beside, role, scope, data FROM row"
                " WHERE id = ?",
                (number,),
            ).fetchone()
            if row:
                found[number] = _row(row)
        return found

    def all(self) -> Iterator[Row]:
        """Yield every row, by number."""
        found = self._db.execute(
            "SELECT key, text, speaker, at, thread, beside, role, scope, data FROM row ORDER BY id"
        )
        yield from map(_row, found)

    def keys(self, numbers: Iterable[int]) -> dict[int, str]:
        """Return the keys of the rows with *numbers*."""
        found = self._db.execute(
            "SELECT id, key FROM row WHERE id IN (SELECT value FROM json_each(?))",
            (json.dumps(list(numbers)),),
        )
        return {int(number): str(key) for number, key in found}

    def numbers(self, keys: Iterable[str]) -> list[int]:
        """Return the numbers of the rows with *keys*, in that order; unknown keys are left out."""
        known = (
            self._db.execute("SELECT id FROM row WHERE key = ?", (key,)).fetchone() for key in keys
        )
        return [int(row[0]) for row in known if row]

    def _candidates(self, asked: Asked, only: Only, depth: int, counts: Counts) -> list[int]:
        query = " OR ".join(_match(w, counts) for w in _telling(asked.words, counts))
        if not query:
            return []
        where, values = only.clause()
        # Without a filter the join would only cost: most matches are never looked at again.
        join = "" if only == _ANY else " JOIN row r ON r.id = row_terms.rowid"
        found = self._db.execute(
            f"SELECT row_terms.rowid FROM row_terms{join} WHERE row_terms MATCH ? AND {where}"
            f" ORDER BY {BM25}, row_terms.rowid LIMIT ?",
            (query, *values, depth),
        )
        return [int(row[0]) for row in found]

    def _placed(self, numbers: Sequence[int], only: Only) -> list[Placed]:
        where, values = only.clause()
        marks = ", ".join("?" * len(numbers))
        found = self._db.execute(
            f"SELECT {_PLACED} FROM row r WHERE r.id IN (SELECT n.id FROM row c JOIN row n"
            f" ON n.thread = c.thread AND n.ord BETWEEN c.ord - {AROUND} AND c.ord + {AROUND}"
            f" WHERE c.id IN ({marks})) AND {where}",
            (*numbers, *values),
        )
        return [_placed(row) for row in found]


def _telling(asked: Sequence[Wanted], counts: Counts) -> list[Wanted]:
    """Leave out words that very many rows have, where the index is large; the rarest stay."""
    if counts.rows < _COMMON_ROWS:
        return list(asked)
    limit = max(_COMMON_ROWS, int(_COMMON_SHARE * counts.rows))
    known = sorted(((_rows_with(w, counts), n) for n, w in enumerate(asked)))
    kept = [n for df, n in known if df <= limit]
    if not any(0 < df <= limit for df, _ in known):
        kept += [n for df, n in known if df > limit][:1]
    return [asked[n] for n in sorted(kept)]


def _rows_with(word: Wanted, counts: Counts) -> int:
    return max((counts.frequency(s) for s in word.stems), default=0)


def _values(row: Row) -> tuple[str | None, ...]:
    at = stamped(row.at) if row.at else None
    return row.key, row.text, row.speaker, at, row.beside, row.role, row.scope, row.data


def _row(values: Sequence[str]) -> Row:
    key, text, speaker, at, thread, beside, role, scope, data = values
    when = dt.datetime.fromisoformat(at) if at else None
    return Row(key, text, speaker, when, thread, beside, role, scope, data)


def _placed(row: Sequence[str]) -> Placed:
    number, thread, order, speaker, day, line, signs = row
    return Placed(
        number=int(number),
        thread=thread,
        order=int(order),
        speaker=speaker,
        day=dt.date.fromisoformat(day) if day else None,
        read=reading.take_apart(line),
        surface=reading.unpacked(signs),
    )


def _match(word: Wanted, counts: Counts) -> str:
    """Write *word* as an FTS5 query: its stems, words of its concepts, cognates.

    In a large index cognates find candidates only for a word that no row has.
    """
    parts = [f'terms : "{_hex(s)}"' for s in word.stems]
    parts += [f'concepts : "c{n}"' for n in sorted(word.concepts)]
    if word.beginning and (counts.rows < _COMMON_ROWS or not _rows_with(word, counts)):
        parts.append(f'starts : "{_hex(word.beginning)}"')
    return "(" + " OR ".join(parts) + ")"


def _hex(term: str) -> str:
    """Spell a term so that the ASCII tokenizer keeps it as one token, whatever it holds."""
    return "x" + term.encode("utf-8", "replace").hex()
