"""Markdown safety: cases M01, M03, M04, M09 and X14."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from markdown_it import MarkdownIt
from safe_html import check_safe, tags
from sealed_days import DAY, KEY, episode, fixed, message

from hfea.archive import parse, render
from hfea.archive.html import to_html
from hfea.archive.store import Archive
from memory_core.model import Message


def inputs(shared: Path, case: str) -> list[Message]:
    lines = (shared / "cases/files" / case / "messages.jsonl").read_text("utf-8").splitlines()
    rows = [json.loads(line) for line in lines if line.strip()]
    return [message(str(r["content"]).replace("\r\n", "\n"), n + 1) for n, r in enumerate(rows)]


def sealed(tmp_path: Path, messages: list[Message]) -> str:
    store = Archive(tmp_path / "archive", KEY, entropy=fixed())
    store.seal(episode(messages), messages)
    day = store.read(DAY)
    assert [s.text for s in day.statements()] == [m.content for m in messages]
    return store.path(DAY).read_text("utf-8")


def test_m01_front_matter_inside_messages_is_text(shared: Path, tmp_path: Path) -> None:
    text = sealed(tmp_path, inputs(shared, "M01"))
    assert sum(line == "---" for line in text.split("\n")) == 2
    assert 'date: "2026-03-05"' in text.split("---\n")[1]


@pytest.mark.parametrize("case", ["M03", "M04", "M09"])
def test_m03_m04_each_message_stays_one_item_of_its_own(
    shared: Path, tmp_path: Path, case: str
) -> None:
    messages = inputs(shared, case)
    text = sealed(tmp_path, messages)
    for html in (False, True):
        tokens = MarkdownIt("commonmark", {"html": html}).parse(text.split("---\n", 2)[2])
        assert not any(t.type in ("fence", "code_block", "html_block") for t in tokens)
        inner = [c.type for t in tokens if t.children for c in t.children]
        assert "html_inline" not in inner
        items = [t for t in tokens if t.type == "inline" and "(owner, event" in t.content]
        assert len(items) == len(messages)


def test_m04_innocent_angle_brackets_stay_readable(tmp_path: Path) -> None:
    text = sealed(tmp_path, [message("a < b and List<String> & more")])
    assert "a < b and List<String> & more" in tags(to_html(text)).words


@pytest.mark.parametrize("case", ["M03", "M04", "M09"])
def test_m09_rendering_what_was_parsed_changes_no_byte(
    shared: Path, tmp_path: Path, case: str
) -> None:
    text = sealed(tmp_path, inputs(shared, case))
    found = parse.document(text)
    again = render.episode(found.episode, found.sequence)
    assert again == text
    twice = parse.document(again)
    assert render.episode(twice.episode, twice.sequence) == text


def test_x14_nothing_in_a_hostile_file_becomes_live(shared: Path) -> None:
    text = (shared / "cases/files/X14/episode.md").read_text("utf-8")
    check_safe(to_html(text))
