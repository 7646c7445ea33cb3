"""Cases that Hermes's and OpenClaw's databases show, and the reading discipline of invariant 1."""

from __future__ import annotations

import os
import sqlite3
import subprocess
import sys
import time
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from source_reading import beside, scan, writable_copy

from hfea.sources.hermes import HermesSource, hermes_profiles, lineage
from hfea.sources.hermes.rows import Row
from hfea.sources.openclaw import OpenClawSource
from memory_core.model import AuthorKind, Origin

Case = Callable[[str], Path]
TABLES = (
    "CREATE TABLE sessions (id TEXT PRIMARY KEY, source TEXT, parent_session_id TEXT,"
    " started_at REAL, ended_at REAL, end_reason TEXT, title TEXT);"
    "CREATE TABLE messages (id INTEGER PRIMARY KEY AUTOINCREMENT, session_id TEXT, role TEXT,"
    " content TEXT, timestamp REAL, active INTEGER, compacted INTEGER);"
)


def home(folder: Path, texts: list[str], *, wal: bool = False) -> Path:
    """Write a small Hermes home with one session of these texts."""
    folder.mkdir(parents=True, exist_ok=True)
    path = folder / "state.db"
    with closing(sqlite3.connect(path)) as db:
        if wal:
            db.execute("PRAGMA journal_mode = WAL")
        db.executescript(TABLES)
        db.execute("INSERT INTO sessions (id, source, started_at) VALUES ('s', 'cli', 1772798400)")
        add(db, texts)
    return path


def add(db: sqlite3.Connection, texts: list[str], session: str = "s") -> None:
    (count,) = db.execute("SELECT count(*) FROM messages").fetchone()
    db.executemany(
        "INSERT INTO messages (session_id, role, content, timestamp, active, compacted)"
        " VALUES (?, 'user', ?, ?, 1, 0)",
        [(session, text, 1772798400 + count + n) for n, text in enumerate(texts)],
    )
    db.commit()


def test_i10_a_chain_of_compactions_is_one_conversation(case: Case) -> None:
    folder = case("I10")
    with closing(sqlite3.connect(folder / "state.db")) as db:
        db.executescript((folder / "hermes-chain.sql").read_text(encoding="utf-8"))
    found = scan(HermesSource(folder))
    assert {m.conversation for m in found.messages} == {"h-1"}
    assert [m.text for m in found.messages if m.author_kind is None] == [
        "Start a log for the hives.",
        "Hive 3 lost its queen.",
        "Correction pending: I have not checked hive 3 yet.",
        "Hive 3 is still queenless.",
    ]
    derived = [m for m in found.messages if m.origin is Origin.DERIVED]
    assert len(derived) == 2
    assert all("summary" in m.marks for m in derived)
    assert all("new queen" not in m.text for m in found.messages if m not in derived)


def test_in_place_compaction_keeps_each_message_once_with_its_first_time(shared: Path) -> None:
    found = scan(HermesSource(shared / "data" / "hermes-home"))
    session = [m for m in found.messages if m.session_id == "20261013_143000_60d0aa"]
    assert len(session) == 16
    tail = [m for m in session if m.text == "E o TTL do /me?"]
    assert [m.at.timestamp() for m in tail if m.at] == [pytest.approx(1791912960.169)]
    assert [m.text for m in session if m.author_kind is None][-1] == "valeu 👍"


def test_the_shared_home_is_read_whole_and_nothing_appears_beside_it(shared: Path) -> None:
    folder = shared / "data" / "hermes-home"
    before = beside(folder)
    found = scan(HermesSource(folder))
    assert beside(folder) == before
    assert found.problems == []
    by_text = {m.text: m for m in found.messages}
    assert "undone" in by_text["na verdade apaga tudo e recomeça em inglês"].marks
    assert by_text["alguém mexeu no DNS hoje?"].author_kind is AuthorKind.THIRD_PARTY
    assert "e a rotação?" in by_text
    assert "/deploy-fly — faz o deploy da branch release/10.14 na região gru" in by_text
    assert not any("Review the conversation" in t or "Nothing to save" in t for t in by_text)
    assert not any("<memory-context>" in t for t in by_text)
    assert len([t for t in found.texts() if t == "escreve um post sobre observabilidade"]) == 1


@pytest.mark.parametrize(
    ("name", "count", "undone"), [("hermes-legacy-v6", 2, 0), ("hermes-new-v30", 5, 1)]
)
def test_old_and_new_schemas_are_read_by_column_presence(
    shared: Path, name: str, count: int, undone: int
) -> None:
    folder = shared / "data" / "agents" / name
    before = beside(folder)
    found = scan(HermesSource(folder))
    assert len(found.messages) == count
    assert sum("undone" in m.marks for m in found.messages) == undone
    assert beside(folder) == before


def test_i17_a_database_swapped_underneath_is_noticed_and_read_once(tmp_path: Path) -> None:
    path = home(tmp_path / "h", ["one"])
    source = HermesSource(tmp_path / "h")
    first, stamp = scan(source), source.stamp()
    other = home(tmp_path / "other", ["one", "two"])
    other.replace(path)
    assert source.stamp() != stamp
    second = scan(source, first.states)
    assert second.texts() == ["one", "two"]
    assert scan(source, second.states).messages == []


def test_i18_a_damaged_search_table_is_reported_and_messages_are_read(case: Case) -> None:
    folder = case("I18")
    make = [sys.executable, str(folder / "make_damaged.py"), str(folder / "state.db")]
    subprocess.run(make, check=True, capture_output=True)
    before = beside(folder)
    found = scan(HermesSource(folder))
    assert len(found.messages) == 30
    assert found.codes() == ["damaged_index"]
    assert beside(folder) == before


def test_i24_copies_of_a_database_are_ignored_and_named(tmp_path: Path) -> None:
    path = home(tmp_path, ["one"])
    for suffix in (".malformed-backup-20260305_101010", ".bak"):
        (tmp_path / f"state.db{suffix}").write_bytes(path.read_bytes())
    (tmp_path / "backups").mkdir()
    source = HermesSource(tmp_path)
    assert scan(source).texts() == ["one"]
    assert len(source.ignored()) == 3


def test_a_pass_over_an_unchanged_home_reads_nothing(tmp_path: Path) -> None:
    home(tmp_path, ["one", "two"])
    source = HermesSource(tmp_path)
    first = scan(source)
    again = scan(source, first.states)
    assert (again.messages, again.states, again.problems) == ([], {}, [])


def test_flags_deletions_and_replacements_are_noticed(tmp_path: Path) -> None:
    path = home(tmp_path, ["one", "two", "three", "four", "five"])
    source = HermesSource(tmp_path)
    state = scan(source).states
    with closing(sqlite3.connect(path)) as db:
        db.execute("UPDATE messages SET active = 0 WHERE content = 'two'")
        db.commit()
    flipped = scan(source, state)
    assert ["undone" in m.marks for m in flipped.messages] == [False, True, False, False, False]
    with closing(sqlite3.connect(path)) as db:
        db.execute("DELETE FROM messages WHERE content IN ('three', 'four', 'five')")
        db.commit()
    assert scan(source, flipped.states).codes() == ["source_shrank"]


def test_a_same_length_edit_is_found_by_the_full_pass(tmp_path: Path) -> None:
    path = home(tmp_path, ["one"])
    cheap, full = HermesSource(tmp_path), HermesSource(tmp_path, full=True)
    state = scan(full).states
    with closing(sqlite3.connect(path)) as db:
        db.execute("UPDATE messages SET content = 'two'")
        db.commit()
    assert scan(cheap, state).messages == []
    assert scan(full, state).texts() == ["two"]


def test_an_emptied_home_is_a_loud_problem_and_another_database_too(tmp_path: Path) -> None:
    path = home(tmp_path, ["one"])
    source = HermesSource(tmp_path)
    state = scan(source).states
    with closing(sqlite3.connect(path)) as db:
        db.execute("DELETE FROM messages")
        db.commit()
    assert [(p.code, p.severity) for p in scan(source, state).problems] == [
        ("source_shrank", "error")
    ]
    path.unlink()
    assert scan(source, state).codes() == ["source_missing"]
    with closing(sqlite3.connect(path)) as db:
        db.execute("CREATE TABLE other (x)")
    assert scan(source, state).codes() == ["unknown_shape"]
    path.write_bytes(b"not a database at all" * 100)
    assert scan(source, state).codes() == ["unreadable"]


def test_profiles_are_sources_of_their_own(tmp_path: Path) -> None:
    home(tmp_path, ["root"])
    home(tmp_path / "profiles" / "work", ["work"])
    home(tmp_path / "profiles" / "Not A Profile", ["no"])
    assert [(s.name, s.profile) for s in hermes_profiles(tmp_path)] == [
        ("hermes:default", "default"),
        ("hermes:work", "work"),
    ]


def test_rows_that_only_the_wal_of_a_dead_writer_holds_are_read(tmp_path: Path) -> None:
    path = home(tmp_path / "live", ["one"], wal=True)
    db = sqlite3.connect(path)
    db.execute("PRAGMA wal_autocheckpoint = 0")
    add(db, ["two"])
    dead = tmp_path / "dead"
    dead.mkdir()
    for suffix in ("", "-wal"):
        (dead / f"state.db{suffix}").write_bytes(path.with_name(f"state.db{suffix}").read_bytes())
    db.close()
    before = beside(dead)
    assert scan(HermesSource(dead)).texts() == ["one", "two"]
    assert beside(dead) == before


WRITER = """
import sqlite3, sys, time
db = sqlite3.connect(sys.argv[1], timeout=10)
db.execute("PRAGMA journal_mode = WAL")
for n in range(400):
    db.execute("INSERT INTO messages (session_id, role, content, timestamp, active, compacted)"
               " VALUES ('s', 'user', ?, ?, 1, 0)", (f"live {n}", 1772798500 + n))
    db.commit()
    if n % 50 == 49:
        db.execute("PRAGMA wal_checkpoint(RESTART)")
print("done")
"""


def test_inv_01_a_live_writer_is_read_without_error_and_nothing_is_left_behind(
    tmp_path: Path,
) -> None:
    path = home(tmp_path, ["one"], wal=True)
    source = HermesSource(tmp_path)
    writer = subprocess.Popen([sys.executable, "-c", WRITER, str(path)], stdout=subprocess.PIPE)
    problems, counts = [], []
    while writer.poll() is None:
        found = scan(source)
        problems += found.problems
        counts.append(len(found.messages))
        time.sleep(0.01)
    writer.communicate()
    assert problems == []
    assert counts == sorted(counts)
    assert len(scan(source).messages) == 401
    assert {p.name for p in tmp_path.iterdir()} <= {"state.db", "state.db-wal", "state.db-shm"}


def test_inv_01_a_read_only_folder_is_no_obstacle(tmp_path: Path) -> None:
    home(tmp_path / "h", ["one"])
    before = beside(tmp_path / "h")
    (tmp_path / "h").chmod(0o555)
    try:
        assert scan(HermesSource(tmp_path / "h")).texts() == ["one"]
    finally:
        (tmp_path / "h").chmod(0o755)
    assert beside(tmp_path / "h") == before
    assert os.listdir(tmp_path / "h") == ["state.db"]  # noqa: PTH208 - names only


def row(number: int, text: str, *, summary: bool = False) -> Row:
    return Row(
        id=number,
        session="s",
        role="user",
        text=text,
        call_id="",
        calls=(),
        tool="",
        timestamp=float(number),
        finish="",
        observed=False,
        active=True,
        compacted=False,
        summary=summary,
        hidden=False,
    )


@settings(max_examples=200, deadline=None)
@given(
    st.lists(st.lists(st.sampled_from("abcdefg"), min_size=1, max_size=6), min_size=1, max_size=4),
    st.integers(0, 3),
    st.integers(0, 4),
)
def test_alignment_gives_back_what_was_said_whatever_was_compacted(
    generations: list[list[str]], head: int, tail: int
) -> None:
    """Compact after each stretch: copies of head and tail around a summary, all with new ids."""
    said: list[str] = []
    rows: list[Row] = []
    live: list[str] = []
    for number, fresh in enumerate(generations):
        texts = [f"{number}-{n}-{t}" for n, t in enumerate(fresh)]
        said += texts
        live += texts
        rows += [row(len(rows) + n, t) for n, t in enumerate(texts)]
        kept_tail = live[-tail:] if tail else []
        carried = [*live[:head], f"[CONTEXT COMPACTION] {number}", *kept_tail]
        for text in carried:
            rows.append(row(len(rows), text, summary=text.startswith("[CONTEXT")))
        live = carried
    aligned, _ = lineage.align(rows)
    assert [a.row.text for a in aligned if not a.row.summary] == said


def test_openclaw_eras_are_read_as_one_and_branches_are_told_apart(
    shared: Path, tmp_path: Path
) -> None:
    folder = writable_copy(shared / "data" / "agents" / "openclaw", tmp_path / "oc")
    before = beside(folder)
    source = OpenClawSource(folder)
    found = scan(source)
    main = [m for m in found.messages if m.session_id.startswith("a1b2")]
    assert len({m.message_id for m in main}) == len(main)
    by_text = {m.text: m for m in main}
    assert "abandoned" in by_text["Anotado: boleto na sexta 16/10 ✅"].marks
    assert "abandoned" not in by_text["ramo alternativo (branch a partir de m0000001)"].marks
    assert by_text["lembra de pagar o boleto sexta"].channel == "whatsapp"
    assert by_text["HEARTBEAT check"].author_kind is AuthorKind.SYSTEM
    assert len(source.ignored()) == 1
    assert scan(source, found.states).messages == []
    assert beside(folder) == before


def test_openclaw_files_hold_what_the_database_lacks(shared: Path, tmp_path: Path) -> None:
    folder = writable_copy(shared / "data" / "agents" / "openclaw", tmp_path / "oc")
    found = scan(OpenClawSource(folder))
    (folder / "agents" / "main" / "agent" / "openclaw-agent.sqlite").unlink()
    files_only = scan(OpenClawSource(folder))
    assert {m.message_id for m in files_only.messages} == {m.message_id for m in found.messages}
