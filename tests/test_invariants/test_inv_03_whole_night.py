"""Invariant 3 on the whole night: run again, nothing changes, whoever runs it how often."""

from __future__ import annotations

import datetime as dt
import hashlib
import json
import os
import shutil
from collections.abc import Mapping, Sequence
from pathlib import Path

import pytest

from hfea.config import Settings, from_table
from hfea.consolidation.day import DayWindow
from hfea.episode import Addendum, Citation, Episode, Missing, Narration, Statement, Thread
from hfea.episode import statement_id as id_of
from hfea.ledger.nights import NightKind
from hfea.night.narrate import Before, Pen
from hfea.night.run import Night, Order, Watch
from hfea.wiring import consolidate, house
from memory_core.model import Kind, Message, Theme

KINDS = {
    "hermes": "data/hermes-home",
    "claude-code": "data/agents/claude",
    "codex": "data/agents/codex",
    "openclaw": "data/agents/openclaw",
    "jsonl": "data/worlds/world-a/sessions.jsonl",
}


class Clock:
    """A clock that stands still until it is set."""

    def __init__(self) -> None:
        self.at = dt.datetime(2026, 12, 1, 9, tzinfo=dt.UTC)

    def now(self) -> dt.datetime:
        return self.at

    def monotonic(self) -> float:
        return self.at.timestamp()


def threads(day: dt.date, messages: Sequence[Message]) -> tuple[Thread, ...]:
    told = []
    for m in messages:
        if not m.content.strip():
            continue
        cited = (Citation(m.source, m.session_id, m.message_id, m.at, 0, len(m.content)),)
        number = id_of(day, Kind.QUOTE, m.content, cited)
        who = (m.author, m.author_kind, m.origin)
        told.append(Statement(number, Kind.QUOTE, Theme.OTHER, m.content, m.at, *who, cited))
    return (Thread("t1", "talk", "", (), None, None, tuple(told)),)


def digest(messages: Sequence[Message]) -> str:
    return hashlib.sha256(repr(messages).encode()).hexdigest()


def quote_all(
    window: DayWindow, messages: Sequence[Message], missing: Sequence[Missing], _before: Before
) -> tuple[Episode, Mapping[str, int]]:
    counts = (("messages", len(messages)),)
    place = (window.day, window.zone, window.start, window.end)
    made = threads(window.day, messages)
    told = (Narration(), digest(messages))
    return Episode(*place, (), made, (), tuple(missing), counts, *told), {}


def quote_late(
    window: DayWindow, messages: Sequence[Message], on: dt.date, _before: Before
) -> tuple[Addendum | None, Mapping[str, int]]:
    made = threads(window.day, messages)
    return Addendum(0, on, "late", "late messages", made, inputs=digest(messages)), {}


PEN = Pen(quote_all, quote_late)


def settings_for(folder: Path, kind: str, path: Path) -> Settings:
    table = {
        "timezone": "America/Sao_Paulo",
        "owner": {"names": ["Ana", "Iara"]},
        "archive": {"path": str(folder / "archive")},
        "sources": [{"kind": kind, "path": str(path)}],
    }
    return from_table(table, folder / "hfea.toml")


def night(settings: Settings, clock: Clock | None = None) -> Night:
    return consolidate(settings, Order(), Watch(), clock=clock or Clock(), pen=PEN)


def state(root: Path) -> dict[str, tuple[bytes, int]]:
    files = [p for p in root.rglob("*") if p.is_file()]
    return {str(p): (p.read_bytes(), p.stat().st_mtime_ns) for p in files}


def listing(root: Path) -> list[tuple[str, int, int]]:
    found = [root, *root.rglob("*")]
    return sorted((str(p), p.stat().st_size, p.stat().st_mtime_ns) for p in found)


@pytest.mark.parametrize("kind", KINDS)
def test_inv_03_five_runs_leave_every_byte_and_every_mtime_alone(
    kind: str, shared: Path, tmp_path: Path
) -> None:
    settings = settings_for(tmp_path, kind, shared / KINDS[kind])
    first = night(settings)
    assert first.done
    assert first.failed == []
    before = state(tmp_path / "archive")
    assert any(name.endswith(".md") for name in before)
    for _ in range(5):
        assert night(settings).steps == ()
    assert state(tmp_path / "archive") == before


@pytest.mark.parametrize("kind", KINDS)
def test_inv_01_the_night_leaves_no_trace_beside_a_source(
    kind: str, shared: Path, tmp_path: Path
) -> None:
    source = shared / KINDS[kind]
    folder = source if source.is_dir() else source.parent
    before = listing(folder)
    night(settings_for(tmp_path, kind, source))
    assert listing(folder) == before


def test_c06_one_new_message_changes_its_own_day_only(shared: Path, tmp_path: Path) -> None:
    copy = tmp_path / "sessions.jsonl"
    shutil.copy(shared / KINDS["jsonl"], copy)
    settings = settings_for(tmp_path, "jsonl", copy)
    night(settings)
    before = state(tmp_path / "archive")
    row = {
        "id": "new-1",
        "session_id": "new",
        "ts": "2026-03-04T22:00:00-03:00",
        "role": "user",
        "author": "Iara",
        "content": "Ficou faltando dizer: o disco novo chega na sexta.",
    }
    with copy.open("a", encoding="utf-8") as f:
        f.write(json.dumps(row) + "\n")
    done = night(settings).done
    assert [(str(d.step.day), d.kind) for d in done] == [("2026-03-04", NightKind.LATE)]
    changed = {
        Path(name).name.partition(".")[0]
        for name, found in state(tmp_path / "archive").items()
        if before.get(name) != found and "sqlite" not in name
    }
    assert changed <= {"2026-03-04", "head"}


@pytest.mark.parametrize("moment", [None, 883612800])
def test_t14_new_file_times_of_a_source_change_no_episode(
    moment: int | None, shared: Path, tmp_path: Path
) -> None:
    home = tmp_path / "claude"
    shutil.copytree(shared / KINDS["claude-code"], home, copy_function=shutil.copyfile)
    settings = settings_for(tmp_path, "claude-code", home)
    night(settings)
    episodes = {n: v for n, v in state(tmp_path / "archive").items() if "sqlite" not in n}
    for path in [*home.rglob("*.jsonl")]:
        body = path.read_bytes()
        path.unlink()
        path.write_bytes(body)
        os.utime(path, None if moment is None else (moment, moment))
    assert night(settings).steps == ()
    now = {n: v for n, v in state(tmp_path / "archive").items() if "sqlite" not in n}
    assert now == episodes


def test_t07_the_late_batch_of_the_case_is_appended(shared: Path, tmp_path: Path) -> None:
    home = tmp_path / "in"
    home.mkdir()
    files = shared / "cases/files/T07"
    shutil.copyfile(files / "batch1.jsonl", home / "batch1.jsonl")
    settings = settings_for(tmp_path, "jsonl", home)
    clock = Clock()
    clock.at = dt.datetime(2026, 3, 12, 9, tzinfo=dt.UTC)
    night(settings, clock)
    before = state(tmp_path / "archive")
    shutil.copyfile(files / "batch2-late.jsonl", home / "batch2-late.jsonl")
    night(settings, clock)
    after = state(tmp_path / "archive")
    tenth = [n for n in before if "2026-03-10" in n]
    assert tenth
    assert all(before[n] == after[n] for n in tenth)
    fifth = next(body for n, (body, _) in after.items() if n.endswith("2026-03-05.md"))
    assert b"scanner" in fifth.lower()


def test_i25_what_was_captured_stays_when_the_source_deletes_it(
    shared: Path, tmp_path: Path
) -> None:
    home = tmp_path / "in"
    home.mkdir()
    for n in range(1, 41):
        row = {
            "id": f"m{n}",
            "session_id": f"s{n}",
            "ts": f"2026-{1 + n // 29:02d}-{1 + n % 28:02d}T12:00:00-03:00",
            "role": "user",
            "author": "Ana",
            "content": f"Sessão número {n} com conteúdo.",
        }
        (home / f"{n:02d}.jsonl").write_text(json.dumps(row) + "\n", encoding="utf-8")
    settings = settings_for(tmp_path, "jsonl", home)
    night(settings)
    before = {n: v for n, v in state(tmp_path / "archive").items() if "sqlite" not in n}
    for path in sorted(home.glob("*.jsonl"))[:30]:
        path.unlink()
    later = night(settings)
    assert {p.code for p in later.problems} == {"pruned"}
    assert later.steps == ()
    now = {n: v for n, v in state(tmp_path / "archive").items() if "sqlite" not in n}
    assert now == before
    with house(settings, Clock()) as opened:
        assert opened.archive.verify() == ()


def test_inv_15_the_nights_counts_add_up(shared: Path, tmp_path: Path) -> None:
    settings = settings_for(tmp_path, "hermes", shared / KINDS["hermes"])
    found = night(settings)
    with house(settings, Clock()) as opened:
        tally = opened.ledger.nights.tally()
        assert tally.finished == len(found.done)
        assert tally.unfinished == 0
        assert tally.days == len(opened.archive.days())
        heard = opened.ledger.seen.counts_by_day()
        for day in opened.archive.days():
            row = opened.ledger.nights.last(day)
            assert row is not None
            assert row.counts["messages"] == heard[day]
            statements = sum(1 for _ in opened.archive.read(day).statements())
            assert row.counts["statements"] == statements
        assert sum(heard.values()) == sum(d.step.messages for d in found.done)
