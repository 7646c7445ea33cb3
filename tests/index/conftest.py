"""A toy archive: one line of a day's file is one statement."""

from __future__ import annotations

import datetime as dt
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from pathlib import Path

import pytest

from hfea.archive.day_files import day_path, files_hash
from hfea.archive.index import FILE_NAME, Index
from hfea.archive.search import ArchiveSearch
from hfea.archive.search_model import Excerpt, Query
from hfea.episode import Citation, Episode, Link, Narration, Relation, Statement, Thread
from memory_core.model import AuthorKind, Kind, Origin, Theme

MONDAY = dt.date(2026, 3, 2)


def statement(day: dt.date, number: int, text: str, **changes: object) -> Statement:
    at = dt.datetime(day.year, day.month, day.day, 12, tzinfo=dt.UTC) + dt.timedelta(minutes=number)
    values: dict[str, object] = {
        "id": f"s{day:%m%d}-{number}",
        "kind": Kind.EVENT,
        "theme": Theme.OTHER,
        "text": text,
        "at": at,
        "author": "Ana Souza",
        "author_kind": AuthorKind.OWNER,
        "origin": Origin.DIRECT,
        "citations": (Citation("jsonl:toy", f"session-{day}", f"m{number}", at, 0, 3),),
    }
    return Statement(**(values | changes))  # type: ignore[arg-type]


def episode(day: dt.date, statements: Iterable[Statement], title: str = "matters") -> Episode:
    noon = dt.datetime(day.year, day.month, day.day, tzinfo=dt.UTC)
    thread = Thread("t1", title, "gist", (f"session-{day}",), noon, noon, tuple(statements))
    end = noon + dt.timedelta(days=1)
    return Episode(day, "UTC", noon, end, (), (thread,), (), (), (), Narration(), "inputs")


@dataclass(frozen=True)
class Quoted:
    source: str
    session_id: str
    message_id: str
    text: str


@dataclass(frozen=True)
class Read:
    day: dt.date
    episode: Episode | None
    digest: str
    addenda: tuple = ()
    evidence: tuple[Quoted, ...] = ()
    findings: tuple[str, ...] = ()


@dataclass
class Toy:
    """`2026/03/2026-03-02.md` holds a statement a line; `unreadable` and `edited` are the words
    that make a file so; `~` begins a line's cited message."""

    root: Path
    changes: dict[str, dict[str, object]] = field(default_factory=dict)

    def write(self, day: dt.date, *texts: str) -> Path:
        path = day_path(self.root, day)
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text("\n".join(texts), encoding="utf-8", newline="\n")
        return path

    def days(self) -> list[dt.date]:
        return [dt.date.fromisoformat(p.stem) for p in self.root.glob("????/??/????-??-??.md")]

    def read(self, day: dt.date) -> Read:
        body = day_path(self.root, day).read_text(encoding="utf-8")
        digest = files_hash(self.root, day)
        if "UNREADABLE" in body:
            return Read(day, None, digest, findings=("cannot be parsed",))
        lines = [line for line in body.split("\n") if line]
        made, evidence = [], []
        for number, line in enumerate(lines):
            text, _, cited = line.partition("~")
            made.append(statement(day, number, text, **self.changes.get(text, {})))
            evidence.append(Quoted("jsonl:toy", f"session-{day}", f"m{number}", cited))
        findings = ("edited by hand",) if "EDITED" in body else ()
        return Read(day, episode(day, made), digest, (), tuple(evidence), findings)

    def index(self) -> Index:
        return Index(self.root / FILE_NAME)

    def search(self, text: str, **more: object) -> list[Excerpt]:
        with ArchiveSearch.for_maintainer(self.root / FILE_NAME) as search:
            return list(search.search(Query(text, **more)).hits)  # type: ignore[arg-type]

    def found(self, text: str, **more: object) -> list[str]:
        return [hit.text for hit in self.search(text, **more)]


@pytest.fixture
def toy(tmp_path: Path) -> Toy:
    return Toy(tmp_path)


@pytest.fixture
def indexed(tmp_path: Path) -> Callable[..., Toy]:
    """Write one day of these statements and index it."""

    def make(*texts: str, day: dt.date = MONDAY) -> Toy:
        archive = Toy(tmp_path)
        archive.write(day, *texts)
        with archive.index() as index:
            index.refresh(archive)
        return archive

    return make


@pytest.fixture
def link_to() -> Callable[[Relation, str], dict[str, object]]:
    return lambda relation, target: {"links": (Link(relation, target),)}
