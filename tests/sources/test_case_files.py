"""Cases of areas T and I that transcripts of files show."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest
from source_reading import beside, scan

from hfea.sources.claude_code import claude_code_source
from hfea.sources.codex import codex_source
from hfea.sources.jsonl import jsonl_source
from memory_core.model import AuthorKind, Origin

Case = Callable[[str], Path]


def test_t01_messages_keep_their_own_times_across_midnight(case: Case) -> None:
    found = scan(claude_code_source(case("T01") / "session.claude.jsonl"))
    hours = [m.at.hour for m in found.messages if m.at]
    assert hours == sorted(hours)
    assert {m.session_id for m in found.messages} == {found.messages[0].session_id}
    assert len(found.messages) == 4


def test_t09_every_unit_gives_the_same_instant_and_bad_stamps_are_flagged(case: Case) -> None:
    found = scan(jsonl_source(case("T09") / "mixed-epochs.jsonl"))
    assert len(found.messages) == 13
    good = [m.at.replace(microsecond=0) for m in found.messages[:10] if m.at]
    assert [t.isoformat() for t in good] == ["2026-03-06T12:00:00+00:00"] * 10
    assert [m.at for m in found.messages[10:]] == [None] * 3
    assert all("no_usable_time" in m.marks for m in found.messages[10:])


def test_t10_naive_and_aware_times_keep_order_and_gap(case: Case) -> None:
    found = scan(jsonl_source(case("T10") / "naive.jsonl", zone="Europe/Lisbon"))
    first, second = found.messages
    assert first.at
    assert second.at
    assert (second.at - first.at).total_seconds() == 120
    assert "assumed_zone" in first.marks
    assert "assumed_zone" not in second.marks


def test_t14_copied_files_with_other_times_and_inodes_change_nothing(
    case: Case, tmp_path: Path
) -> None:
    folder = case("I08")
    before = scan(claude_code_source(folder))
    copy = tmp_path / "restored"
    shutil.copytree(folder, copy)
    for path in copy.iterdir():
        os.utime(path, (915_148_800, 915_148_800))
    after = scan(claude_code_source(copy), before.states)
    assert (after.messages, after.problems, after.states) == ([], [], {})


def test_i01_a_torn_last_line_waits_and_is_read_once_when_it_is_whole(case: Case) -> None:
    folder = case("I01")
    path = folder / "session.jsonl"
    part1, part2 = (folder / "part1.bin").read_bytes(), (folder / "part2.bin").read_bytes()
    path.write_bytes(part1)
    first = scan(jsonl_source(path))
    assert len(first.messages) == 1
    assert first.problems == []
    (state,) = first.states.values()
    offset = json.loads(state.cursor)["offset"]
    assert part1[:offset].endswith(b"\n")
    assert b"\n" not in part1[offset:]
    path.write_bytes(part1 + part2)
    second = scan(jsonl_source(path), first.states)
    assert len(second.messages) == 3
    assert len({m.message_id for m in second.messages}) == 3
    assert not any("\ufffd" in text for text in second.texts())
    third = scan(jsonl_source(path), second.states)
    assert (third.messages, third.states) == ([], {})


def test_i03_a_malformed_line_in_the_middle_ends_nothing(case: Case) -> None:
    path = case("I03") / "midfile-bad.claude.jsonl"
    found = scan(claude_code_source(path))
    assert found.texts() == [f"message {n}" for n in range(6)]
    (problem,) = found.problems
    assert problem.code == "malformed_line"
    assert path.read_bytes()[problem.offset :].startswith(b'{"type":"attachment"')
    assert problem.raw.startswith(b'{"type":"attachment"')


def test_i04_blocks_of_nul_bytes_are_reported_and_hide_nothing(case: Case) -> None:
    folder = case("I04")
    before = beside(folder)
    found = scan(claude_code_source(folder))
    assert found.texts() == ["message 0", "message 1", "message 2"]
    assert found.codes() == ["nul_block"] * 3
    assert beside(folder) == before


def test_i07_snapshots_of_one_answer_are_one_message_and_equal_replies_stay(case: Case) -> None:
    found = scan(claude_code_source(case("I07") / "streaming.claude.jsonl"))
    spoken = [m.text for m in found.messages if m.author_kind is AuthorKind.AGENT]
    assert spoken == ["The ports are 80, 443 and 8443."]
    assert found.texts().count("ok") == 2


@pytest.mark.parametrize("names", [("parent", "fork"), ("fork", "parent"), ("fork",)])
def test_i08_a_fork_counts_once_whatever_the_order(
    case: Case, tmp_path: Path, names: tuple[str, ...]
) -> None:
    folder, home = case("I08"), tmp_path / "home"
    home.mkdir()
    for number, name in enumerate(names):
        shutil.copy(folder / f"{name}.claude.jsonl", home / f"{number}-{name}.jsonl")
    found = scan(claude_code_source(home))
    assert len(found.messages) == 4
    assert {m.conversation for m in found.messages} == {"I08P"}
    if "parent" in names:
        assert [m.message_id for m in found.messages if m.session_id == "I08F"] == ["f4"]


def test_i12_old_and_new_shapes_are_read_and_an_unknown_one_is_loud(case: Case) -> None:
    folder = case("I12")
    assert len(scan(codex_source(folder / "codex-old.jsonl")).messages) == 2
    assert len(scan(codex_source(folder / "codex-new.jsonl")).messages) == 2
    unknown = scan(codex_source(folder / "codex-unknown.jsonl"))
    assert unknown.codes() == ["unknown_shape"]
    assert unknown.states == {}  # not consumed: it is tried again


def test_i15_empty_files_are_no_error_and_are_watched(case: Case) -> None:
    found = scan(claude_code_source(case("I15")))
    assert (found.messages, found.problems) == ([], [])
    assert len(found.states) == 4


def test_i21_provider_errors_are_not_speech(case: Case) -> None:
    found = scan(claude_code_source(case("I21") / "synthetic-errors.claude.jsonl"))
    notices = [m for m in found.messages if "error_notice" in m.marks]
    assert [m.author_kind for m in notices] == [AuthorKind.SYSTEM] * 2
    assert found.texts()[-1] == "Try again later, I am on the road."


def test_i23_one_bad_file_holds_back_no_other(tmp_path: Path) -> None:
    line = {"id": "1", "session_id": "s", "ts": "2026-03-05T10:00:00Z", "role": "user"}
    for name in ("a", "c"):
        (tmp_path / f"{name}.jsonl").write_text(
            json.dumps({**line, "id": name, "content": f"good {name}"}) + "\n", encoding="utf-8"
        )
    (tmp_path / "b.jsonl").write_text('{"frame": 1}\nnot json at all\n', encoding="utf-8")
    found = scan(jsonl_source(tmp_path))
    assert found.texts() == ["good a", "good c"]
    assert "unknown_shape" in found.codes()
    assert sorted(found.states) == ["a.jsonl", "c.jsonl"]


def test_i24_copies_beside_a_transcript_are_left_alone_and_named(
    case: Case, tmp_path: Path
) -> None:
    home = tmp_path / "projects" / "-home"
    home.mkdir(parents=True)
    good = case("I03") / "midfile-bad.claude.jsonl"
    for name in ("s.jsonl", "s.jsonl~", "s.jsonl.bak", "s.jsonl.reset.2026-03-05"):
        shutil.copy(good, home / name)
    source = claude_code_source(tmp_path)
    assert len(scan(source).messages) == 6
    assert len(source.ignored()) == 3


def test_i25_a_session_that_its_agent_deleted_is_reported_and_not_forgotten(
    tmp_path: Path,
) -> None:
    for n in range(4):
        row = {"id": str(n), "session_id": f"s{n}", "ts": 1772798400, "role": "user"}
        text = json.dumps({**row, "content": f"text {n}"}) + "\n"
        (tmp_path / f"{n}.jsonl").write_text(text, encoding="utf-8")
    first = scan(jsonl_source(tmp_path))
    for n in range(3):
        (tmp_path / f"{n}.jsonl").unlink()
    second = scan(jsonl_source(tmp_path), first.states)
    assert second.codes() == ["pruned"] * 3
    assert second.messages == []


def test_a_source_that_vanished_is_a_loud_problem(tmp_path: Path) -> None:
    found = scan(jsonl_source(tmp_path / "gone"))
    assert [(p.code, p.severity) for p in found.problems] == [("source_missing", "error")]


def test_a_file_that_shrank_is_a_loud_problem(tmp_path: Path) -> None:
    path = tmp_path / "s.jsonl"
    rows = [
        json.dumps(
            {
                "id": str(n),
                "session_id": "s",
                "ts": 1772798400 + n,
                "role": "user",
                "content": f"text {n}",
            }
        )
        for n in range(9)
    ]
    path.write_text("\n".join(rows) + "\n", encoding="utf-8")
    first = scan(jsonl_source(path))
    path.write_text("\n".join(rows[:2]) + "\n", encoding="utf-8")
    second = scan(jsonl_source(path), first.states)
    assert second.codes() == ["source_shrank"]
    assert len(second.messages) == 2


MEASURE = """
import sys
from pathlib import Path
from hfea.sources.claude_code import claude_code_source
from hfea.sources.base import RawMessage
found = [i for i in claude_code_source(Path(sys.argv[1])).scan({}) if isinstance(i, RawMessage)]
print([m.text[:40] for m in found])
# Not getrusage: its peak outlives exec, so it would be that of whoever started this process.
status = dict(line.split(':', 1) for line in open('/proc/self/status') if ':' in line)
print(int(status['VmHWM'].split()[0]) // 1024)
"""


@pytest.mark.slow
def test_i14_a_line_of_200_mb_passes_in_bounded_memory(shared: Path, tmp_path: Path) -> None:
    big = tmp_path / "big.jsonl"
    maker = shared / "cases" / "files" / "I14" / "make_huge.py"
    with big.open("wb") as out:
        subprocess.run([sys.executable, str(maker), "200"], stdout=out, check=True)
    done = subprocess.run(
        [sys.executable, "-c", MEASURE, str(big)], capture_output=True, text=True, check=True
    )
    texts, peak = done.stdout.splitlines()
    assert "before the picture" in texts
    assert "after the picture" in texts
    assert "[image: 2097152" in texts
    assert int(peak) < 300


def test_every_shared_history_of_files_is_read_without_touching_it(shared: Path) -> None:
    agents = shared / "data" / "agents"
    before = beside(agents / "claude") | beside(agents / "codex")
    claude = scan(claude_code_source(agents / "claude"))
    codex = scan(codex_source(agents / "codex"))
    assert [m.text for m in claude.messages if m.author_kind is None] == [
        "Adicione rate limit no /login 🙏",
        claude.messages[7].text,
        "decidimos: 5 req/min no /login e 2 req/min no /register",
        "continuando: e o CORS?",
    ]
    assert [m.text for m in codex.messages if m.author_kind is None] == [
        "hello from an early rollout (no envelope)",
        "Troque moment por date-fns no header",
    ]
    assert [m.origin for m in claude.messages if "summary" in m.marks] == [Origin.DERIVED]
    assert beside(agents / "claude") | beside(agents / "codex") == before
