"""The core's own derived index: passages of every layer in one SQLite file with FTS5.

It is a cache: each layer can fill it again from its own files. Only raw signals leave it.
"""

from __future__ import annotations

import datetime as dt
import json
import math
import sqlite3
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path

from memory_core import lexicon, sqlite_kit
from memory_core.matching import Wanted, beginning, wanted
from memory_core.model import AuthorKind, Evidence, Origin
from memory_core.text import index_terms, is_function_word, words


@dataclass(frozen=True, slots=True)
class Passage:
    """One retrievable piece of a layer; `key` is unique within the layer and stable."""

    layer: str
    key: str
    text: str
    subject: str = ""
    at: dt.datetime | None = None
    author: str = ""
    author_kind: AuthorKind = AuthorKind.UNKNOWN
    origin: Origin = Origin.DERIVED
    message_ids: tuple[str, ...] = ()
    valid_from: dt.date | None = None
    valid_to: dt.date | None = None
    superseded_by: str = ""


@dataclass(frozen=True, slots=True)
class Hit:
    """A passage and its raw BM25 score (positive, higher is better)."""

    passage: Passage
    bm25: float


def _m1_passages(db: sqlite3.Connection) -> None:
    db.execute(
        "CREATE TABLE passage (id INTEGER PRIMARY KEY, layer TEXT NOT NULL, key TEXT NOT NULL,"
        " text TEXT NOT NULL, subject TEXT NOT NULL, at TEXT, author TEXT NOT NULL,"
        " author_kind TEXT NOT NULL, origin TEXT NOT NULL, message_ids TEXT NOT NULL,"
        " valid_from TEXT, valid_to TEXT, superseded_by TEXT NOT NULL, UNIQUE (layer, key)) STRICT"
    )
    db.execute("CREATE VIRTUAL TABLE passage_terms USING fts5(terms, tokenize = 'ascii')")
    db.execute("CREATE TABLE synced (layer TEXT PRIMARY KEY, stamp TEXT NOT NULL) STRICT")


def _m2_concepts(db: sqlite3.Connection) -> None:
    """Index concepts and beginnings beside the words; the layers fill the cache again."""
    db.execute("DROP TABLE passage_terms")
    db.execute("DELETE FROM passage")
    db.execute("DELETE FROM synced")
    db.execute(
        "CREATE VIRTUAL TABLE passage_terms USING"
        " fts5(terms, concepts, beginnings, tokenize = 'ascii')"
    )


_STEPS = (_m1_passages, _m2_concepts)
# BM25 weights of the columns: a word's own stem counts most.
_BM25 = "bm25(passage_terms, 1.0, 0.6, 0.3)"
_COLUMNS = (
    "layer, key, text, subject, at, author, author_kind, origin, message_ids,"
    " valid_from, valid_to, superseded_by"
)


class PassageStore:
    """Keeps and finds passages; one writer at a time, readers never blocked for long."""

    def __init__(self, path: Path | None) -> None:
        """Open (or create, or migrate) the store at *path*; None keeps it in memory."""
        self._db = sqlite_kit.connect(path)
        sqlite_kit.migrate(self._db, _STEPS)

    def close(self) -> None:
        """Close the file."""
        self._db.close()

    def stamp(self, layer: str) -> str:
        """Return the stamp under which *layer* was last synced; '' if it never was."""
        row = self._db.execute("SELECT stamp FROM synced WHERE layer = ?", (layer,)).fetchone()
        return str(row[0]) if row else ""

    def replace(self, layer: str, stamp: str, passages: Iterable[Passage]) -> int:
        """Make *passages* all that *layer* holds, in one transaction; return how many."""
        with sqlite_kit.transaction(self._db):
            self._db.execute(
                "DELETE FROM passage_terms WHERE rowid IN (SELECT id FROM passage WHERE layer = ?)",
                (layer,),
            )
            self._db.execute("DELETE FROM passage WHERE layer = ?", (layer,))
            count = sum(self._insert(p) for p in passages)
            self._db.execute(
                "INSERT INTO synced VALUES (?, ?) ON CONFLICT (layer) DO UPDATE SET stamp = ?",
                (layer, stamp, stamp),
            )
        return count

    def _insert(self, p: Passage) -> int:
        values = (
            p.layer,
            p.key,
            p.text,
            p.subject,
            p.at.isoformat() if p.at else None,
            p.author,
            p.author_kind.value,
            p.origin.value,
            json.dumps(p.message_ids),
            p.valid_from.isoformat() if p.valid_from else None,
            p.valid_to.isoformat() if p.valid_to else None,
            p.superseded_by,
        )
        marks = ", ".join("?" * len(values))
        done = self._db.execute(f"INSERT INTO passage ({_COLUMNS}) VALUES ({marks})", values)
        self._db.execute(
            "INSERT INTO passage_terms (rowid, terms, concepts, beginnings) VALUES (?, ?, ?, ?)",
            (done.lastrowid, *_indexed(f"{p.author} {p.subject} {p.text}")),
        )
        return 1

    def count(self, layers: Sequence[str]) -> int:
        """Return how many passages *layers* hold."""
        marks = ", ".join("?" * len(layers))
        row = self._db.execute(
            f"SELECT count(*) FROM passage WHERE layer IN ({marks})", tuple(layers)
        ).fetchone()
        return int(row[0])

    def idf(self, asked: Iterable[Wanted], layers: Sequence[str]) -> dict[str, float]:
        """Return the inverse document frequency of each word among the passages of *layers*.

        idf = ln(1 + (N - df + 0.5) / (df + 0.5)), as in BM25 (Robertson and Zaragoza, 2009); a
        passage counts where it holds the word or another of its concept.
        """
        total = self.count(layers)
        marks = ", ".join("?" * len(layers))
        found = {}
        for word in asked:
            (df,) = self._db.execute(
                "SELECT count(*) FROM passage_terms t JOIN passage p ON p.id = t.rowid"
                f" WHERE passage_terms MATCH ? AND p.layer IN ({marks})",
                (_match(word), *layers),
            ).fetchone()
            found[word.word] = math.log(1 + (total - df + 0.5) / (df + 0.5))
        return found

    def find(self, asked: Iterable[Wanted], layers: Sequence[str], limit: int) -> list[Hit]:
        """Return the best passages by BM25 for any of the words; ties by layer and key."""
        query = " OR ".join(_match(word, cognates=True) for word in asked)
        if not query:
            return []
        marks = ", ".join("?" * len(layers))
        columns = ", ".join(f"p.{c.strip()}" for c in _COLUMNS.split(","))
        rows = self._db.execute(
            f"SELECT -{_BM25}, {columns} FROM passage_terms"
            " JOIN passage p ON p.id = passage_terms.rowid"
            f" WHERE passage_terms MATCH ? AND p.layer IN ({marks})"
            f" ORDER BY {_BM25}, p.layer, p.key LIMIT ?",
            (query, *layers, limit),
        ).fetchall()
        return [Hit(_passage(row[1:]), float(row[0])) for row in rows]

    def search(self, text: str, layers: Sequence[str], limit: int) -> list[Hit]:
        """Return the best passages for a person's *text*; any string is valid."""
        row = words(text)
        kept = [not is_function_word(w) for w in row]
        return self.find(wanted(row, kept if any(kept) else [True] * len(row)), layers, limit)

    def all(self, layer: str) -> list[Passage]:
        """Return every passage of *layer*, by key."""
        rows = self._db.execute(
            f"SELECT {_COLUMNS} FROM passage WHERE layer = ? ORDER BY key", (layer,)
        )
        return [_passage(row) for row in rows]


def evidence(p: Passage, scores: dict[str, float]) -> Evidence:
    """Turn a passage into evidence with its raw *scores*."""
    return Evidence(
        text=p.text,
        layer=p.layer,
        source=f"{p.layer}:{p.key}",
        at=p.at,
        author=p.author,
        author_kind=p.author_kind,
        origin=p.origin,
        subject=p.subject,
        message_ids=p.message_ids,
        valid_from=p.valid_from,
        valid_to=p.valid_to,
        superseded_by=p.superseded_by,
        scores=scores,
    )


def _indexed(text: str) -> tuple[str, str, str]:
    row = words(text)
    numbers = [n for found in lexicon.of_words(row) for n in sorted(found)]
    starts = [beginning(w) for w in row if not is_function_word(w)]
    return (
        " ".join(_hex(t) for t in index_terms(text)),
        " ".join(f"c{n}" for n in numbers),
        " ".join(_hex(b) for b in starts if b),
    )


def _match(word: Wanted, *, cognates: bool = False) -> str:
    """Write *word* as a query: its stems, or another word of its concept, or a cognate."""
    parts = [f'terms : "{_hex(s)}"' for s in word.stems]
    parts += [f'concepts : "c{n}"' for n in sorted(word.concepts)]
    if cognates and word.beginning:
        parts.append(f'beginnings : "{_hex(word.beginning)}"')
    return "(" + " OR ".join(parts) + ")"


def _hex(term: str) -> str:
    """Spell a term so that the ASCII tokenizer keeps it as one token, whatever it holds."""
    return "x" + term.encode("utf-8", "replace").hex()


def _date(text: str | None) -> dt.date | None:
    return dt.date.fromisoformat(text) if text else None


def _passage(row: Sequence[str]) -> Passage:
    return Passage(
        layer=row[0],
        key=row[1],
        text=row[2],
        subject=row[3],
        at=dt.datetime.fromisoformat(row[4]) if row[4] else None,
        author=row[5],
        author_kind=AuthorKind(row[6]),
        origin=Origin(row[7]),
        message_ids=tuple(json.loads(row[8])),
        valid_from=_date(row[9]),
        valid_to=_date(row[10]),
        superseded_by=row[11],
    )
