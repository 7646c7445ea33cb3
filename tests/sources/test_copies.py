"""Forks, resumes and repeated rows: every message once, whatever comes when."""

from __future__ import annotations

import itertools
import json
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from source_reading import Reading, scan

from hfea.sources.base import SessionState
from hfea.sources.claude_code import claude_code_source
from hfea.sources.codex import codex_source
from hfea.sources.jsonl import jsonl_source

Row = dict[str, Any]


def write(path: Path, rows: list[Row]) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
    return path


def said(uuid: str, text: str, session: str, minute: int = 0) -> Row:
    """A row of Claude Code."""
    return {
        "type": "user",
        "uuid": uuid,
        "sessionId": session,
        "timestamp": f"2026-03-05T10:{minute:02}:00Z",
        "message": {"role": "user", "content": text},
    }


PARENT = [said(f"p{n}", f"step {n}", "P", n) for n in range(4)]
FORK = [said(f"p{n}", f"step {n}", "F", n) for n in range(3)]
OWN = said("f9", "another way", "F", 30)


def nights(home: Path, files: list[tuple[str, list[Row]]]) -> list[Reading]:
    """Let one file after another appear, and read after each."""
    known: dict[str, SessionState] = {}
    found = []
    for name, rows in files:
        write(home / name, rows)
        found.append(scan(claude_code_source(home), known))
        known |= found[-1].states
    return found


def test_i08_a_fork_that_arrives_on_a_later_night_adds_only_its_own(
    case: Callable[[str], Path], tmp_path: Path
) -> None:
    folder, home = case("I08"), tmp_path / "home"
    home.mkdir()
    shutil.copy(folder / "parent.claude.jsonl", home / "p.jsonl")
    first = scan(claude_code_source(home))
    shutil.copy(folder / "fork.claude.jsonl", home / "a.jsonl")
    second = scan(claude_code_source(home), first.states)
    assert [m.message_id for m in second.messages] == ["f4"]
    assert second.messages[0].conversation == "I08P"


def test_i08_without_any_mark_the_lineage_is_still_recorded(tmp_path: Path) -> None:
    _, second = nights(tmp_path, [("p.jsonl", PARENT), ("a.jsonl", [*FORK, OWN])])
    assert [(m.message_id, m.session_id, m.conversation) for m in second.messages] == [
        ("f9", "F", "P")
    ]


@pytest.mark.parametrize("names", list(itertools.permutations(["a", "b"])))
def test_i08_the_names_of_files_decide_nothing(tmp_path: Path, names: tuple[str, str]) -> None:
    write(tmp_path / f"{names[0]}.jsonl", PARENT)
    write(tmp_path / f"{names[1]}.jsonl", [*FORK, OWN])
    found = scan(claude_code_source(tmp_path))
    assert sorted((m.session_id, m.message_id) for m in found.messages) == [
        ("F", "f9"),
        ("P", "p0"),
        ("P", "p1"),
        ("P", "p2"),
        ("P", "p3"),
    ]


def test_a_file_keeps_what_it_gave_when_an_older_copy_turns_up(tmp_path: Path) -> None:
    """A restored parent must not take over what was recorded under the fork."""
    first, second = nights(tmp_path, [("f.jsonl", [*FORK, OWN]), ("p.jsonl", PARENT)])
    assert len(first.messages) == 4
    assert [m.message_id for m in second.messages] == ["p3"]
    again = scan(claude_code_source(tmp_path), {}, ())
    known = first.states | second.states
    both = scan(claude_code_source(tmp_path), known, tuple(known))
    assert len(again.messages) == len(both.messages) == 5
    by_unit = {m.message_id: m.session_id for m in both.messages}
    assert by_unit == {"p0": "F", "p1": "F", "p2": "F", "f9": "F", "p3": "P"}


def test_a_grown_fork_repeats_nothing_after_its_parent_was_deleted(tmp_path: Path) -> None:
    first, second = nights(tmp_path, [("p.jsonl", PARENT), ("f.jsonl", [*FORK, OWN])])
    (tmp_path / "p.jsonl").unlink()
    write(tmp_path / "f.jsonl", [*FORK, OWN, said("f10", "and more", "F", 40)])
    third = scan(claude_code_source(tmp_path), first.states | second.states)
    assert third.codes() == ["pruned"]
    assert [m.message_id for m in third.messages] == ["f9", "f10"]
    asked = scan(claude_code_source(tmp_path), first.states | second.states, ("p.jsonl",))
    assert [m.message_id for m in asked.messages] == ["p0", "p1", "p2", "f9", "f10"]


def test_a_moved_file_is_read_again_under_its_new_name(tmp_path: Path) -> None:
    (first,) = nights(tmp_path, [("old/p.jsonl", PARENT)])
    (tmp_path / "new").mkdir()
    (tmp_path / "old" / "p.jsonl").rename(tmp_path / "new" / "p.jsonl")
    second = scan(claude_code_source(tmp_path), first.states)
    assert len(second.messages) == 4
    assert second.codes() == ["pruned"]


def test_rows_that_were_appended_a_second_time_count_once(tmp_path: Path) -> None:
    (found,) = nights(tmp_path, [("s.jsonl", [*PARENT, *PARENT, OWN])])
    assert len(found.messages) == 5


def test_a_fork_is_no_unknown_shape_though_nothing_in_it_is_its_own(tmp_path: Path) -> None:
    _, second = nights(tmp_path, [("p.jsonl", PARENT), ("f.jsonl", [*FORK, {"type": "news"}])])
    assert (second.messages, second.problems) == ([], [])
    assert list(second.states) == ["f.jsonl"]


def turn(thread: str, rows: list[tuple[str, str]], start: int = 0) -> list[Row]:
    """Lines of Codex for (role, text)."""
    return [
        {
            "timestamp": f"2026-03-05T1{start}:{n:02}:00.000Z",
            "type": "response_item",
            "payload": {
                "type": "message",
                "role": role,
                "content": [{"type": "input_text", "text": text}],
            },
        }
        for n, (role, text) in enumerate(rows)
    ]


def meta(thread: str, **more: str) -> Row:
    return {
        "timestamp": "2026-03-05T10:00:00.000Z",
        "type": "session_meta",
        "payload": {"id": thread, "cwd": "/srv", **more},
    }


TALK = [("user", "plan it"), ("assistant", "three steps"), ("user", "go")]


def test_a_codex_fork_counts_its_parent_once_and_dates_it_by_the_parent(tmp_path: Path) -> None:
    write(tmp_path / "sessions" / "rollout-a.jsonl", [meta("A"), *turn("A", TALK)])
    fork = [meta("B", forked_from_id="A"), meta("A"), *turn("B", [*TALK, ("user", "stop")], 2)]
    write(tmp_path / "sessions" / "rollout-b.jsonl", fork)
    nested = [
        meta("C", forked_from_id="B"),
        meta("B", forked_from_id="A"),
        meta("A"),
        *turn("C", [*TALK, ("user", "stop"), ("user", "stop again")], 4),
    ]
    write(tmp_path / "sessions" / "rollout-c.jsonl", nested)
    found = scan(codex_source(tmp_path))
    assert found.texts() == ["plan it", "three steps", "go", "stop", "stop again"]
    assert [m.session_id for m in found.messages] == ["A", "A", "A", "B", "C"]
    assert {m.conversation for m in found.messages} == {"A"}
    assert all(m.at and m.at.hour == 10 for m in found.messages[:3])


def test_a_codex_fork_that_says_otherwise_at_the_same_place_is_kept(tmp_path: Path) -> None:
    write(tmp_path / "sessions" / "rollout-a.jsonl", [meta("A"), *turn("A", TALK)])
    first = scan(codex_source(tmp_path))
    other = [meta("B", forked_from_id="A"), *turn("B", [*TALK[:2], ("user", "no")], 2)]
    write(tmp_path / "sessions" / "rollout-b.jsonl", other)
    second = scan(codex_source(tmp_path), first.states)
    assert second.texts() == ["no"]


def test_archiving_and_packing_a_rollout_changes_nothing(tmp_path: Path) -> None:
    path = write(tmp_path / "sessions" / "2026" / "rollout-a.jsonl", [meta("A"), *turn("A", TALK)])
    first = scan(codex_source(tmp_path))
    (tmp_path / "archived_sessions").mkdir()
    path.rename(tmp_path / "archived_sessions" / "rollout-a.jsonl")
    (tmp_path / "sessions" / "2026").rmdir()
    second = scan(codex_source(tmp_path), first.states)
    assert (second.messages, second.problems) == ([], [])


def neutral(number: str, session: str, text: str, second: int = 0, **more: object) -> Row:
    at = f"2026-03-05T10:00:{second:02}Z"
    return {"id": number, "session_id": session, "ts": at, "role": "user", "content": text, **more}


def test_short_ids_are_only_a_sessions_own(tmp_path: Path) -> None:
    rows = [neutral("1", "a", "ok"), neutral("1", "b", "ok", 9)]
    assert len(scan(jsonl_source(write(tmp_path / "s.jsonl", rows))).messages) == 2


def test_one_session_in_two_files_counts_once(tmp_path: Path) -> None:
    write(tmp_path / "a.jsonl", [neutral("1", "s", "one"), neutral("2", "s", "two", 1)])
    first = scan(jsonl_source(tmp_path))
    write(tmp_path / "b.jsonl", [neutral("2", "s", "two", 1), neutral("3", "s", "three", 2)])
    assert scan(jsonl_source(tmp_path), first.states).texts() == ["three"]


def test_rows_without_ids_are_never_taken_for_copies(tmp_path: Path) -> None:
    for name in ("a", "b"):
        row = {"ts": "2026-03-05T10:00:00Z", "role": "user", "content": "ok"}
        write(tmp_path / f"{name}.jsonl", [row])
    assert len(scan(jsonl_source(tmp_path)).messages) == 2


def test_a_neutral_fork_under_new_ids_is_told_by_its_repeated_beginning(shared: Path) -> None:
    found = scan(jsonl_source(shared / "data" / "worlds" / "world-a"))
    fork = [m for m in found.messages if m.session_id == "A-s10f"]
    assert [(m.message_id, m.conversation) for m in fork] == [("A-s10f-04", "A-s10")]


def test_two_sessions_that_greet_alike_are_two(tmp_path: Path) -> None:
    rows = [neutral("1", "a", "oi"), neutral("2", "a", "tudo bem?", 5)]
    rows += [neutral("3", "b", "oi"), neutral("4", "b", "e aí?", 5)]
    assert len(scan(jsonl_source(write(tmp_path / "s.jsonl", rows))).messages) == 4


def test_a_named_parent_makes_equal_ids_copies(tmp_path: Path) -> None:
    rows = [neutral("1", "a", "one"), neutral("2", "a", "two", 1)]
    rows += [
        neutral("1", "b", "one", parent="a"),
        neutral("2", "b", "two", 1, parent="a"),
        neutral("3", "b", "three", 2, parent="a"),
    ]
    found = scan(jsonl_source(write(tmp_path / "s.jsonl", rows)))
    assert [(m.session_id, m.text) for m in found.messages] == [
        ("a", "one"),
        ("a", "two"),
        ("b", "three"),
    ]
