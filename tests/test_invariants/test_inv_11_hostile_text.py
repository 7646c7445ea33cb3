"""Invariant 11: hostile text is kept to the letter, and is nothing but text."""

from __future__ import annotations

import os
from dataclasses import replace

import pytest
from episodes import NASTY, addenda, episodes
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st
from markdown_it import MarkdownIt
from safe_html import check_safe
from sealed_days import episode as small_episode
from sealed_days import message

from hfea.archive import parse, render
from hfea.archive.html import to_html
from hfea.episode import Addendum, Episode

EXAMPLES = 5000 if os.environ.get("HFEA_PROFILE") == "soak" else 150


@pytest.mark.soak
@pytest.mark.timeout(1800)
@settings(
    max_examples=EXAMPLES,
    deadline=None,
    suppress_health_check=list(HealthCheck),
    phases=[Phase.explicit, Phase.generate],
)
@given(episodes, st.lists(addenda, max_size=2), st.integers(1, 10**6))
def test_inv_11_parsing_is_the_exact_inverse_of_rendering_on_hostile_text(
    episode: Episode, later: list[Addendum], sequence: int
) -> None:
    text = render.episode(episode, sequence)
    text += "".join(render.addendum(a, episode.zone) for a in later)
    text.encode()
    assert parse.document(text) == parse.Document(episode, tuple(later), sequence)


@settings(max_examples=100, deadline=None)
@given(
    st.lists(st.one_of(st.sampled_from(NASTY[:20]), st.text(max_size=60)), min_size=1, max_size=4)
)
def test_inv_11_hostile_text_is_neither_structure_nor_live(texts: list[str]) -> None:
    messages = [message(t or "x", n) for n, t in enumerate(texts, start=1)]
    value = small_episode(messages)
    value = replace(
        value,
        summary=tuple(texts),
        threads=(replace(value.threads[0], title=texts[0], gist=texts[-1]),),
    )
    text = render.episode(value, 1)
    check_safe(to_html(text))
    tokens = MarkdownIt("commonmark", {"html": True}).parse(text.split("---\n", 2)[2])
    assert not any(
        t.type in ("fence", "code_block", "html_block", "ordered_list_open") for t in tokens
    )
    assert sum(t.type == "heading_open" and t.tag == "h2" for t in tokens) == 2
