"""Ten years of generated episodes: how long the index takes to rebuild, and a search to answer.

    python benchmarks/index.py [--days 3650] [--per-day 137] [--queries 300] [--json]

The corpus is made, not read: words of a Zipf-distributed vocabulary of 40,000 with the function
words of Portuguese and English between them, each statement citing one message three times its
length. Parsing of Markdown is therefore not in the rebuild figure; benchmarks of the archive
measure it. The plain baseline is what FTS5 alone does with the same texts: unicode61, all words
joined by OR, ORDER BY bm25.
"""

from __future__ import annotations

import argparse
import datetime as dt
import json
import random
import sqlite3
import statistics
import tempfile
import time
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import accumulate
from pathlib import Path

from hfea.archive.index import FILE_NAME, Index
from hfea.archive.search import ArchiveSearch
from hfea.archive.search_model import Query
from hfea.episode import Citation, Episode, Narration, Statement, Thread
from memory_core.model import AuthorKind, Kind, Origin, Theme

FIRST = dt.date(2016, 1, 1)
FUNCTION = "a o que de para com não uma the of to and in is that we it por no na e".split()
SYLLABLES = [c + v for c in "b c d f g l m n p r s t v br tr pl ch".split() for v in "aeiou"]
ENDINGS = ["", "s", "r", "ção", "mente", "ing", "ed", "dor", "do", "ndo"]


class Words:
    """A vocabulary of which few words are frequent and most are rare (Zipf, exponent 1)."""

    def __init__(self, chance: random.Random, size: int = 40_000) -> None:
        made: dict[str, None] = {}
        while len(made) < size:
            stem = "".join(chance.choices(SYLLABLES, k=chance.randint(2, 4)))
            made[stem + chance.choice(ENDINGS)] = None
        self.all = list(made)
        self._weights = list(accumulate(1 / (rank + 8) for rank in range(size)))
        self._chance = chance

    def text(self, length: int) -> str:
        """Return *length* content words with function words between them."""
        content = self._chance.choices(self.all, cum_weights=self._weights, k=length)
        return " ".join(
            f"{self._chance.choice(FUNCTION)} {word}" if self._chance.random() < 0.6 else word
            for word in content
        )


@dataclass(frozen=True)
class Cited:
    """The text of a cited message."""

    source: str
    session_id: str
    message_id: str
    text: str


@dataclass(frozen=True)
class Read:
    """One day, as the index wants it."""

    day: dt.date
    episode: Episode
    evidence: tuple[Cited, ...]
    digest: str
    addenda: tuple = ()
    findings: tuple = ()


class Made:
    """An archive whose days are made when read, the same ones every time."""

    def __init__(self, days: int, per_day: int) -> None:
        self.words = Words(random.Random(7))
        self._days, self._per_day = days, per_day

    def days(self) -> Iterator[dt.date]:
        """Return the days, oldest first."""
        return (FIRST + dt.timedelta(days=n) for n in range(self._days))

    def read(self, day: dt.date) -> Read:
        """Make one day."""
        self.words._chance.seed(day.toordinal())  # noqa: SLF001 - the day decides its words
        at = dt.datetime(day.year, day.month, day.day, 12, tzinfo=dt.UTC)
        statements, evidence = [], []
        for number in range(self._per_day):
            place = Citation("made", day.isoformat(), f"m{number}", at, 0, 10, "0" * 64)
            statements.append(
                Statement(
                    id=f"s{day.toordinal()}{number}",
                    kind=list(Kind)[number % 5],
                    theme=list(Theme)[number % 12],
                    text=self.words.text(12),
                    at=at,
                    author="Ana",
                    author_kind=AuthorKind.OWNER,
                    origin=Origin.DIRECT,
                    citations=(place,),
                )
            )
            evidence.append(Cited("made", day.isoformat(), f"m{number}", self.words.text(36)))
        thread = Thread("t", self.words.text(3), "", (), at, at, tuple(statements))
        end = at + dt.timedelta(days=1)
        made = Episode(day, "UTC", at, end, (), (thread,), (), (), (), Narration(), "")
        return Read(day, made, tuple(evidence), day.isoformat())


def questions(archive: Made, count: int) -> list[str]:
    """Four content words of one statement, function words between; a tenth has two words."""
    chance, days, asked = random.Random(11), list(archive.days()), []
    for number in range(count):
        statements = list(archive.read(chance.choice(days)).episode.statements())
        said = [w for w in chance.choice(statements).text.split() if w not in FUNCTION]
        kept = chance.sample(said, 2 if number % 10 == 0 else 4)
        asked.append("onde foi que a " + " de ".join(kept))
    return asked


def seconds(run: object, *values: object) -> float:
    """Return CPU seconds: another program on the machine must not decide the figure."""
    start = time.process_time()
    run(*values)  # type: ignore[operator]
    return time.process_time() - start


def quantiles(times: list[float]) -> dict[str, float]:
    cuts = statistics.quantiles(times, n=100)
    figures = {"p50": cuts[49], "p95": cuts[94], "max": max(times)}
    return {name: round(1000 * value, 2) for name, value in figures.items()}


def plain_fts(archive: Made, path: Path) -> sqlite3.Connection:
    db = sqlite3.connect(path)
    db.execute(
        "CREATE VIRTUAL TABLE plain USING fts5(text, tokenize='unicode61 remove_diacritics 2')"
    )
    for day in archive.days():
        texts = [(s.text,) for s in archive.read(day).episode.statements()]
        db.executemany("INSERT INTO plain VALUES (?)", texts)
    db.commit()
    return db


def ask_plain(db: sqlite3.Connection, text: str) -> None:
    match = " OR ".join(f'"{word}"' for word in text.split())
    db.execute(
        "SELECT text FROM plain WHERE plain MATCH ? ORDER BY rank LIMIT 10", (match,)
    ).fetchall()


def main() -> None:
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("--days", type=int, default=3_650)
    options.add_argument("--per-day", type=int, default=137)
    options.add_argument("--queries", type=int, default=300)
    options.add_argument("--json", action="store_true")
    given = options.parse_args()
    archive = Made(given.days, given.per_day)
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / FILE_NAME
        made = seconds(lambda: [archive.read(day) for day in archive.days()])
        with Index(path) as index:
            whole = seconds(index.rebuild, archive)
            index.checkpoint()
        asked = questions(archive, given.queries)
        with ArchiveSearch.for_maintainer(path) as search:
            search.search(Query(asked[0]))
            ours = quantiles([seconds(search.search, Query(text)) for text in asked])
        plain = plain_fts(archive, Path(folder) / "plain.sqlite")
        ask_plain(plain, asked[0])
        theirs = quantiles([seconds(ask_plain, plain, text) for text in asked])
        figures = {
            "statements": given.days * given.per_day,
            "rebuild_seconds": round(whole - made, 1),
            "index_megabytes": round(path.stat().st_size / 1e6, 1),
            "search_ms": ours,
            "plain_fts_ms": theirs,
            "p95_ratio_to_plain": round(ours["p95"] / theirs["p95"], 2),
        }
    if given.json:
        print(json.dumps(figures))
    else:
        for name, value in figures.items():
            print(f"{name:20} {value}")


if __name__ == "__main__":
    main()
