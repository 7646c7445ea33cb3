"""Lineage: what continues what, which rows are copies, and that long histories stay cheap."""

from __future__ import annotations

import tracemalloc
from pathlib import Path

from hermes_home import T0, home
from hypothesis import given
from hypothesis import strategies as st
from source_reading import scan

from hfea.sources.hermes import HermesSource, lineage
from hfea.sources.hermes.lineage import _overlap
from hfea.sources.hermes.outline import Outline
from memory_core.model import AuthorKind, Origin

SUMMARY = "[CONTEXT COMPACTION — REFERENCE ONLY] so far"
ENDED = {"ended_at": T0 + 9999}


@given(st.lists(st.sampled_from([b"a", b"b"])), st.lists(st.sampled_from([b"a", b"b"])))
def test_the_overlap_is_the_longest_there_is(keys: list[bytes], generation: list[bytes]) -> None:
    most = range(min(len(keys), len(generation)), -1, -1)
    longest = next(n for n in most if keys[:n] == generation[len(generation) - n :])
    assert _overlap(keys, generation) == longest


def test_a_tail_repeated_over_and_over_is_kept_once(tmp_path: Path) -> None:
    """Real databases hold thousands of rows for a few dozen live ones."""
    live = [f"message {n}" for n in range(80)]
    rows = [{"content": text} for text in live]
    for _ in range(40):
        rows += [{"content": SUMMARY}, *({"content": text} for text in live)]
    found = scan(HermesSource(home(tmp_path, rows)))
    assert [m.text for m in found.messages if m.origin is Origin.DIRECT] == live


@given(st.lists(st.integers(1, 5), min_size=1, max_size=5), st.integers(0, 2), st.integers(0, 4))
def test_summaries_that_say_the_same_each_time_hide_no_copies(
    stretches: list[int], head: int, tail: int
) -> None:
    """A failed summary is a placeholder, the same at each compaction."""
    said: list[str] = []
    live: list[str] = []
    rows: list[Outline] = []
    for number, length in enumerate(stretches):
        fresh = [f"{number}.{n}" for n in range(length)]
        said += fresh
        live += fresh
        rows += [line(len(rows) + n, text) for n, text in enumerate(fresh)]
        live = [*live[:head], SUMMARY, *(live[max(head, len(live) - tail) :] if tail else [])]
        rows += [line(len(rows) + n, text) for n, text in enumerate(live)]
    aligned, _ = lineage.align(rows)
    assert [a.row.same.decode() for a in aligned if not a.row.summary] == said


def line(number: int, text: str) -> Outline:
    same, stored = text.encode(), f"{number} {text}".encode()
    return Outline(number, True, text == SUMMARY, False, len(text), same, stored)


def test_hidden_originals_of_a_carried_tail_keep_their_place_and_undone_rows_are_marked(
    tmp_path: Path,
) -> None:
    rows = [
        {"id": 1, "content": "head", "timestamp": T0 + 1},
        {"id": 2, "content": "taken back", "timestamp": T0 + 2, "active": 0, "compacted": 0},
        {"id": 3, "content": "tail", "timestamp": T0 + 3, "active": 0, "compacted": 0},
        {"id": 4, "content": SUMMARY, "timestamp": T0 + 4},
        {"id": 5, "content": "tail", "timestamp": T0 + 3},
        {"id": 6, "content": "new", "timestamp": T0 + 5},
    ]
    found = scan(HermesSource(home(tmp_path, rows)))
    direct = [m for m in found.messages if m.origin is Origin.DIRECT]
    assert [(m.message_id, m.text) for m in direct] == [
        ("1", "head"),
        ("2", "taken back"),
        ("3", "tail"),
        ("6", "new"),
    ]
    assert [("undone" in m.marks) for m in direct] == [False, True, False, False]


def test_a_chain_of_a_hundred_compactions_is_one_conversation(tmp_path: Path) -> None:
    sessions: list[dict[str, object]] = []
    rows: list[dict[str, object]] = []
    for n in range(100):
        parent = f"s{n - 1:03}" if n else None
        sessions.append(
            {"id": f"s{n:03}", "parent_session_id": parent, "end_reason": "compression", **ENDED}
        )
        if n:
            rows.append({"session_id": f"s{n:03}", "content": "head 0"})
            rows.append({"session_id": f"s{n:03}", "content": f"{SUMMARY} {n}"})
        rows.append({"session_id": f"s{n:03}", "content": f"head {n}"})
    found = scan(HermesSource(home(tmp_path, rows, sessions)))
    assert {m.conversation for m in found.messages} == {"s000"}
    direct = [m.text for m in found.messages if m.origin is Origin.DIRECT]
    assert direct == [f"head {n}" for n in range(100)]


def test_parents_that_go_round_in_a_circle_are_one_conversation_and_lose_nothing(
    tmp_path: Path,
) -> None:
    sessions = [
        {"id": a, "parent_session_id": b, "end_reason": "compression", **ENDED}
        for a, b in (("a", "b"), ("b", "a"))
    ]
    rows = [{"session_id": s, "content": f"from {s}"} for s in "ab"]
    found = scan(HermesSource(home(tmp_path, rows, sessions)))
    assert sorted(found.texts()) == ["from a", "from b"]
    assert {m.conversation for m in found.messages} == {"a"}


def test_a_branch_gives_only_what_is_its_own(tmp_path: Path) -> None:
    sessions = [
        {"id": "p", "end_reason": "branched", **ENDED},
        {"id": "c", "parent_session_id": "p", "model_config": '{"_branched_from": "p"}', **ENDED},
    ]
    rows = [
        {"session_id": "p", "content": "one"},
        {"session_id": "p", "content": "two"},
        {"session_id": "c", "content": "one"},
        {"session_id": "c", "content": "two"},
        {"session_id": "c", "content": "two"},
        {"session_id": "c", "content": "three"},
    ]
    found = scan(HermesSource(home(tmp_path, rows, sessions)))
    branch = [m for m in found.messages if m.session_id == "c"]
    assert [m.text for m in branch] == ["two", "three"]
    assert all("branch" in m.marks and m.conversation == "p" for m in branch)


def test_a_delegation_is_never_the_owner_and_a_reset_is_a_conversation_of_its_own(
    tmp_path: Path,
) -> None:
    key = "agent:main:telegram:dm:7"
    sessions = [
        {"id": "p", "end_reason": "session_reset", "session_key": key, **ENDED},
        {"id": "d", "parent_session_id": "p", "model_config": '{"_delegate_from": "p"}', **ENDED},
        {"id": "r", "parent_session_id": "p", "session_key": key, **ENDED},
    ]
    rows = [{"session_id": s, "content": f"from {s}"} for s in "pdr"]
    found = {m.session_id: m for m in scan(HermesSource(home(tmp_path, rows, sessions))).messages}
    assert found["d"].author_kind is AuthorKind.THIRD_PARTY
    assert "subagent" in found["d"].marks
    assert (found["r"].conversation, found["r"].marks) == ("r", frozenset())


def test_a_parent_that_was_pruned_leaves_its_child_readable(tmp_path: Path) -> None:
    sessions = [{"id": "c", "parent_session_id": "gone", **ENDED}]
    rows = [{"session_id": "c", "content": "still here"}]
    found = scan(HermesSource(home(tmp_path, rows, sessions)))
    assert [(m.text, m.conversation) for m in found.messages] == [("still here", "c")]


def test_a_parent_that_ends_later_has_its_child_read_again(tmp_path: Path) -> None:
    child = {"id": "c", "parent_session_id": "p", **ENDED}
    rows = [{"session_id": s, "content": f"from {s}"} for s in "pc"]
    first = scan(HermesSource(home(tmp_path / "1", rows, [{"id": "p", **ENDED}, child])))
    ended = {"id": "p", "end_reason": "compression", **ENDED}
    later = scan(HermesSource(home(tmp_path / "2", rows, [ended, child])), first.states)
    assert {m.conversation for m in later.messages if m.session_id == "c"} == {"p"}


def test_rows_replaced_with_new_ids_give_the_same_words_in_the_same_order(tmp_path: Path) -> None:
    rows = [{"content": f"word {n}"} for n in range(5)]
    first = scan(HermesSource(home(tmp_path / "1", rows)))
    moved = [{**row, "id": 100 + n, "timestamp": T0 + 1 + n} for n, row in enumerate(rows)]
    second = scan(HermesSource(home(tmp_path / "2", moved)), first.states)
    assert [(m.session_id, m.role, m.text, m.at) for m in second.messages] == [
        (m.session_id, m.role, m.text, m.at) for m in first.messages
    ]


def test_a_long_session_is_read_in_bounded_memory(tmp_path: Path) -> None:
    folder = home(tmp_path, [{"content": f"{n} " + "x" * 200_000} for n in range(300)])
    tracemalloc.start()
    try:
        count = sum(1 for _ in HermesSource(folder).scan({}))
        _, peak = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert count == 301
    assert peak < 30_000_000  # the texts are 60 MB


def test_aligning_nothing_gives_nothing() -> None:
    assert lineage.align([]) == ([], [])
