"""Invariant 2, the files: what was sealed is in Markdown, evidence and seals, and nowhere else."""

from __future__ import annotations

import datetime as dt
from dataclasses import replace

import pytest
from episodes import NASTY
from hypothesis import given, settings
from hypothesis import strategies as st
from sealed_days import DAY, KEY, addendum, archive, episode, message, thread

from hfea.archive.store import Archive
from hfea.episode import DateNote, Link, Relation, Statement, Thread

texts = st.one_of(st.sampled_from([t for t in NASTY if t]), st.text(min_size=1, max_size=60))


def without_digests(threads: tuple[Thread, ...]) -> list[Statement]:
    found = [s for t in threads for s in t.statements]
    return [replace(s, citations=tuple(replace(c, digest="") for c in s.citations)) for s in found]


@settings(max_examples=60, deadline=None)
@given(st.lists(texts, min_size=2, max_size=5), texts)
def test_inv_02_another_process_reads_from_the_files_what_was_sealed(
    tmp_path_factory: pytest.TempPathFactory, said: list[str], late: str
) -> None:
    messages = [message(text, n) for n, text in enumerate(said, start=1)]
    last = message(late, 50)
    base = thread(messages)
    first, *rest = base.statements
    rich = replace(
        first,
        links=(Link(Relation.REVISES, rest[0].id, DAY - dt.timedelta(days=9)),),
        dates=(DateNote(said[0], ((DAY, DAY + dt.timedelta(days=2)),)),),
        holder=late,
        words=said[1],
        provisional=True,
    )
    made = replace(episode(messages), threads=(replace(base, statements=(rich, *rest)),))
    later = addendum([last])
    folder = tmp_path_factory.mktemp("a")
    archive(folder).seal(made, messages)
    archive(folder).append(DAY, later, [last])

    day = Archive(folder / "archive", KEY).read(DAY)
    assert day.findings == ()
    assert day.episode is not None
    assert without_digests(day.episode.threads) == without_digests(made.threads)
    assert replace(day.episode, threads=()) == replace(made, threads=())
    (kept,) = day.addenda
    assert without_digests(kept.threads) == without_digests(later.threads)
    for s in day.statements():
        for c in s.citations:
            (part,) = [p for p in day.evidence if p.message_id == c.message_id]
            assert part.text[c.start - part.offset : c.end - part.offset] == s.text
