"""Invariant 2: delete the index, rebuild it, and the same searches give the same order."""

from __future__ import annotations

import datetime as dt
from dataclasses import dataclass, field
from pathlib import Path
from tempfile import TemporaryDirectory

from hypothesis import given, settings
from hypothesis import strategies as st

from hfea.archive.day_files import day_path, files_hash
from hfea.archive.index import FILE_NAME, Index
from hfea.archive.search import ArchiveSearch
from hfea.archive.search_model import Excerpt, Query
from hfea.episode import (
    Addendum,
    Citation,
    Episode,
    Link,
    Narration,
    Relation,
    Statement,
    Thread,
)
from memory_core.model import AuthorKind, Kind, Origin, Theme

FIRST = dt.date(2026, 3, 2)
WORDS = "caixa cellar attic decisão decisões backup 备份 deploy.sh Igor".split()
QUERIES = ["caixa", "attic cellar", "decisão backup", "备份", "deploy.sh", "Igor", "", "cited"]


@dataclass(frozen=True)
class Cited:
    source: str
    session_id: str
    message_id: str
    text: str


@dataclass(frozen=True)
class Read:
    day: dt.date
    episode: Episode
    digest: str
    evidence: tuple[Cited, ...]
    addenda: tuple[Addendum, ...] = ()
    findings: tuple[str, ...] = field(default=())


def made(day: dt.date, number: int, line: str) -> Statement:
    """A line that begins with ! revises the first statement of the first day."""
    at = dt.datetime(day.year, day.month, day.day, 12, tzinfo=dt.UTC)
    links = (Link(Relation.REVISES, f"s{FIRST}-0", FIRST),) if line.startswith("!") else ()
    return Statement(
        id=f"s{day}-{number}",
        kind=Kind.EVENT,
        theme=Theme.OTHER,
        text=line,
        at=at,
        author="Ana",
        author_kind=AuthorKind.OWNER,
        origin=Origin.DIRECT,
        citations=(Citation("toy", str(day), f"m{number}", at, 0, 1),),
        links=links,
    )


class Folder:
    """Files of one statement a line; the last line is an addendum's."""

    def __init__(self, root: Path) -> None:
        self.root = root

    def write(self, day: dt.date, lines: list[str]) -> None:
        path = day_path(self.root, day)
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text("\n".join(lines), encoding="utf-8")

    def days(self) -> list[dt.date]:
        return [dt.date.fromisoformat(p.stem) for p in self.root.glob("????/??/*.md")]

    def read(self, day: dt.date) -> Read:
        lines = day_path(self.root, day).read_text(encoding="utf-8").split("\n")
        statements = [made(day, number, line) for number, line in enumerate(lines)]
        at = dt.datetime(day.year, day.month, day.day, tzinfo=dt.UTC)
        cut = len(statements) - 1
        kept, added = (
            Thread("t", "toy", "", (), at, at, tuple(part))
            for part in (statements[:cut], statements[cut:])
        )
        return Read(
            day,
            Episode(day, "UTC", at, at, (), (kept,), (), (), (), Narration(), ""),
            files_hash(self.root, day),
            tuple(Cited("toy", str(day), f"m{n}", "a cited word") for n in range(len(lines))),
            (Addendum(1, day, "late", "", (added,)),),
        )


def answers(root: Path) -> list[tuple[Excerpt, ...]]:
    with ArchiveSearch.for_maintainer(root / FILE_NAME) as search:
        return [search.search(Query(text, limit=50)).hits for text in QUERIES]


def rebuilt(folder: Folder) -> list[tuple[Excerpt, ...]]:
    for path in folder.root.glob(f"{FILE_NAME}*"):
        path.unlink()
    with Index(folder.root / FILE_NAME) as index:
        index.rebuild(folder)
    return answers(folder.root)


line = st.lists(st.sampled_from([*WORDS, "!"]), min_size=1, max_size=6).map(" ".join)
day_of = st.integers(0, 4).map(lambda n: FIRST + dt.timedelta(days=n))
change = st.tuples(day_of, st.lists(line, max_size=4))


@given(changes=st.lists(change, min_size=1, max_size=10))
@settings(max_examples=40, deadline=None)
def test_inv_02_the_same_searches_give_the_same_statements_in_the_same_order(
    changes: list[tuple[dt.date, list[str]]],
) -> None:
    with TemporaryDirectory() as name:
        folder = Folder(Path(name))
        with Index(folder.root / FILE_NAME) as index:
            for day, lines in changes:
                if lines:
                    folder.write(day, lines)
                else:
                    day_path(folder.root, day).unlink(missing_ok=True)
                index.refresh(folder, deep=True)
        before = answers(folder.root)
        assert before == rebuilt(folder)


def test_inv_02_a_withdrawn_link_and_the_words_of_evidence_survive_no_longer_than_the_files(
    tmp_path: Path,
) -> None:
    folder = Folder(tmp_path)
    monday, tuesday = FIRST, FIRST + dt.timedelta(days=1)
    folder.write(monday, ["the boxes are in the attic", "more"])
    folder.write(tuesday, ["! the boxes are in the cellar", "more"])
    with Index(tmp_path / FILE_NAME) as index:
        index.refresh(folder)
        assert answers(tmp_path)[1][0].superseded_by == (f"s{tuesday}-0",)
        folder.write(tuesday, ["the boxes are in the cellar now", "more"])
        index.refresh(folder)
    before = answers(tmp_path)
    assert len(before[-1]) == 4
    assert before == rebuilt(folder)
