"""Damaged databases: what can be read is read, what cannot is said loudly, nothing is repaired."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from pathlib import Path

from hermes_home import home
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from source_reading import Reading, beside, scan

from hfea.sources.hermes import HermesSource

ROWS, SESSIONS = 600, 20


def whole(folder: Path) -> Path:
    """Write a home of many pages; every text tells its session and number."""
    folder.mkdir(parents=True, exist_ok=True)
    with closing(sqlite3.connect(folder / "state.db")) as db:
        db.executescript(
            "CREATE TABLE sessions (id TEXT PRIMARY KEY, source TEXT, started_at REAL,"
            " ended_at REAL);"
            "CREATE TABLE messages (id INTEGER PRIMARY KEY AUTOINCREMENT, session_id TEXT,"
            " role TEXT, content TEXT, tool_calls TEXT, timestamp REAL);"
            "CREATE INDEX by_session ON messages (session_id);"
        )
        for n in range(SESSIONS):
            db.execute("INSERT INTO sessions VALUES (?, 'cli', 1, 2)", (f"s{n}",))
        db.executemany(
            "INSERT INTO messages VALUES (?, ?, 'user', ?, NULL, ?)",
            [
                (n + 1, f"s{n % SESSIONS}", f"text {n} " + "y" * 300, 1772798400.0 + n)
                for n in range(ROWS)
            ],
        )
        db.commit()
    return folder / "state.db"


def pages(path: Path, kind: str) -> list[int]:
    """Return the numbers, from 1, of the pages of a table or an index, leaves only."""
    with closing(sqlite3.connect(path)) as db:
        query = "SELECT rootpage FROM sqlite_master WHERE name = ?"
        (root,) = db.execute(query, (kind,)).fetchone()
        size = int(db.execute("PRAGMA page_size").fetchone()[0])
    raw = path.read_bytes()
    leaf = 0x0D if kind == "messages" else 0x0A
    first = raw[(root - 1) * size :]
    assert first[0] in (0x05, 0x02), "the root of a table this large is an interior page"
    cells = int.from_bytes(first[3:5], "big")
    offsets = [int.from_bytes(first[12 + 2 * n : 14 + 2 * n], "big") for n in range(cells)]
    children = [int.from_bytes(first[at : at + 4], "big") for at in offsets]
    children.append(int.from_bytes(first[8:12], "big"))
    return [page for page in children if raw[(page - 1) * size] == leaf]


def break_pages(path: Path, numbers: list[int]) -> None:
    raw, size = bytearray(path.read_bytes()), 4096
    for number in numbers:
        raw[(number - 1) * size : number * size] = b"\xff" * size
    path.write_bytes(raw)


def numbers(found: Reading) -> set[int]:
    return {int(m.text.split()[1]) for m in found.messages}


def ids_on(path: Path, number: int) -> set[int]:
    """Return the texts' numbers on a leaf of messages, by its cells (row ids are one more)."""
    page = path.read_bytes()[(number - 1) * 4096 : number * 4096]
    count = int.from_bytes(page[3:5], "big")
    cells = [int.from_bytes(page[8 + 2 * n : 10 + 2 * n], "big") for n in range(count)]
    return {varint(page, varint(page, cell)[1])[0] - 1 for cell in cells}


def varint(raw: bytes, at: int) -> tuple[int, int]:
    """Return a number of SQLite's variable length, and where it ends."""
    value = 0
    while True:
        value = value << 7 | raw[at] & 0x7F
        at += 1
        if raw[at - 1] < 0x80:
            return value, at


@settings(
    max_examples=12, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture]
)
@given(broken=st.sets(st.integers(0, 40), min_size=1, max_size=8))
def test_every_row_on_a_sound_page_is_read_and_the_loss_is_loud(
    tmp_path: Path, broken: set[int]
) -> None:
    (tmp_path / "state.db").unlink(missing_ok=True)
    path = whole(tmp_path)
    leaves = pages(path, "messages")
    hit = [leaves[n % len(leaves)] for n in broken]
    lost = set().union(*(ids_on(path, page) for page in hit))
    break_pages(path, hit)
    before = beside(tmp_path)
    found = scan(HermesSource(tmp_path))
    assert numbers(found) == set(range(ROWS)) - lost
    assert found.codes() == ["damaged_pages"]
    assert found.problems[0].severity == "error"
    assert beside(tmp_path) == before


def test_a_second_pass_over_a_damaged_database_reads_nothing_again(tmp_path: Path) -> None:
    path = whole(tmp_path)
    break_pages(path, pages(path, "messages")[3:4])
    first = scan(HermesSource(tmp_path))
    again = scan(HermesSource(tmp_path), first.states)
    assert again.messages == []
    assert again.codes() == ["damaged_pages"]


def test_the_index_of_messages_may_be_damaged_and_all_of_them_are_read(tmp_path: Path) -> None:
    path = whole(tmp_path)
    break_pages(path, pages(path, "by_session")[:2])
    found = scan(HermesSource(tmp_path))
    assert numbers(found) == set(range(ROWS))
    assert found.codes() == ["damaged_index"]


def test_an_index_that_leaves_rows_out_in_silence_is_noticed(tmp_path: Path) -> None:
    """The index was built over fewer rows, as lost writes leave it; no query fails on it."""
    path = whole(tmp_path)
    with closing(sqlite3.connect(path)) as db:
        db.execute("PRAGMA writable_schema = 1")
        (saved,) = db.execute("SELECT sql FROM sqlite_master WHERE name = 'by_session'").fetchone()
        root = "SELECT rootpage FROM sqlite_master WHERE name = 'by_session'"
        (page,) = db.execute(root).fetchone()
        db.execute("DELETE FROM sqlite_master WHERE name = 'by_session'")
        db.commit()
    with closing(sqlite3.connect(path)) as db:
        db.execute("INSERT INTO messages VALUES (NULL, 's1', 'user', 'text 600 late', NULL, 1.8e9)")
        db.execute("PRAGMA writable_schema = 1")
        row = ("index", "by_session", "messages", page, saved)
        db.execute("INSERT INTO sqlite_master VALUES (?, ?, ?, ?, ?)", row)
        db.commit()
    found = scan(HermesSource(tmp_path))
    assert numbers(found) == set(range(ROWS + 1))
    assert found.codes() == ["damaged_index"]


def test_a_damaged_last_page_does_not_hide_the_pages_before_it(tmp_path: Path) -> None:
    path = whole(tmp_path)
    leaves = pages(path, "messages")
    lost = ids_on(path, leaves[-1]) | ids_on(path, leaves[-3])
    break_pages(path, [leaves[-1], leaves[-3]])
    found = scan(HermesSource(tmp_path))
    assert numbers(found) == set(range(ROWS)) - lost


def test_a_search_table_whose_tokenizer_is_unknown_here_is_not_called_damaged(
    tmp_path: Path,
) -> None:
    folder = home(tmp_path, [{"content": "greenhouse"}])
    with closing(sqlite3.connect(folder / "state.db")) as db:
        db.execute("CREATE VIRTUAL TABLE messages_fts USING fts5(content)")
        db.execute("PRAGMA writable_schema = 1")
        sql = "CREATE VIRTUAL TABLE messages_fts USING fts5(content, tokenize = 'elsewhere')"
        db.execute("UPDATE sqlite_master SET sql = ? WHERE name = 'messages_fts'", (sql,))
        db.commit()
    found = scan(HermesSource(folder))
    assert (found.texts(), found.codes()) == (["greenhouse"], [])
