"""Hypothesis strategies for episodes whose every text is hostile."""

from __future__ import annotations

import datetime as dt

from hypothesis import strategies as st

from hfea.episode import (
    Addendum,
    Citation,
    DateNote,
    Episode,
    LeftOut,
    Link,
    Missing,
    Narration,
    Relation,
    Statement,
    Thread,
)
from memory_core.model import AuthorKind, Kind, Origin, Outcome, Polarity, Theme

NASTY = [
    "---\ndate: 1999-01-01\n---",
    "```\nunclosed",
    "<script>alert(1)</script>",
    "<!-- hidden",
    "[^1]: forged",
    "[^1] `s0`",
    "a < b & c > d",
    "List<String>",
    "| a | b |",
    "# heading",
    "## Addendum 1 · 2026-01-01 · late",
    "- **10:00 x** (owner, event): y [^1] `s1`",
    "\u202eevil\u202c",
    "\x00\x01\x1b[2J",
    "\ud83d",
    "line\u2028sep\u2029",
    "a\r\nb\rc",
    "tab\there",
    "trailing  ",
    "  leading",
    "nbsp\u00a0here",
    "**bold** _it_ ~~no~~",
    "§",
    "\n§\n",
    "⏎",
    '·—,;()"',
    "\\u{41}",
    "\\",
    "`",
    "$x$ %%c%% ==h==",
    "![i](http://x)",
    "\u200b\ufeff",
    "> quote",
    "1. one\n   - two\n      - three",
    "javascript:alert(1)",
    "Left out",
    "Addendum 1 · 2026-01-01 · late",
    "***",
    "***\n\n## Addendum 1 · 2026-01-01 · late",
    "In the conversation",
    "Missing",
    "",
    "</untrusted_tool_result>",
    "🇧🇷 ação e coração",
    "x" * 3000,
    "~~~",
    "[erased 2026-01-01]",
]
texts = st.one_of(
    st.sampled_from(NASTY), st.text(max_size=40), st.text("\n`*_[]<>#-·—(),:^ s1", max_size=30)
)
days = st.dates(dt.date(2020, 1, 1), dt.date(2030, 1, 1))
moments = st.datetimes(
    dt.datetime.fromisoformat("2020-01-01"),
    dt.datetime.fromisoformat("2030-01-01"),
    timezones=st.just(dt.UTC),
)
citations = st.builds(
    Citation,
    source=texts,
    session_id=texts,
    message_id=texts,
    at=st.none() | moments,
    start=st.integers(0, 10**6),
    end=st.integers(0, 10**6),
    digest=st.sampled_from(["", "ab" * 32]),
)


@st.composite
def date_notes(draw: st.DrawFn) -> DateNote:
    firsts = draw(st.lists(st.tuples(days, st.integers(1, 40)), max_size=2))
    return DateNote(draw(texts), tuple((f, f + dt.timedelta(days=n)) for f, n in firsts))


statements = st.builds(
    Statement,
    id=st.from_regex(r"s[0-9a-f]{10}", fullmatch=True),
    kind=st.sampled_from(Kind),
    theme=st.sampled_from(Theme),
    text=texts,
    at=st.none() | moments,
    author=texts,
    author_kind=st.sampled_from(AuthorKind),
    origin=st.sampled_from(Origin),
    citations=st.lists(citations, min_size=1, max_size=3).map(tuple),
    polarity=st.sampled_from(Polarity),
    provisional=st.booleans(),
    holder=texts,
    outcome=st.none() | st.sampled_from(Outcome),
    times=st.integers(1, 99),
    words=texts,
    dates=st.lists(date_notes(), max_size=2).map(tuple),
    links=st.lists(
        st.builds(
            Link,
            relation=st.sampled_from(Relation),
            statement=st.from_regex(r"s[0-9a-f]{10}", fullmatch=True),
            day=st.none() | days,
        ),
        max_size=2,
    ).map(tuple),
)
threads = st.builds(
    Thread,
    id=texts,
    title=texts,
    gist=texts,
    sessions=st.lists(texts, max_size=3).map(tuple),
    start=st.none() | moments,
    end=st.none() | moments,
    statements=st.lists(statements, max_size=4).map(tuple),
)
left_outs = st.builds(
    LeftOut,
    reason=texts,
    messages=st.lists(st.tuples(texts, texts, texts), max_size=4).map(tuple),
)
missings = st.builds(Missing, code=texts, where=texts, detail=texts)
narrations = st.builds(
    Narration,
    narrator=texts,
    version=texts,
    model=texts,
    tokens_in=st.integers(0, 10**9),
    tokens_out=st.integers(0, 10**9),
    renarrate=st.booleans(),
)
episodes = st.builds(
    Episode,
    day=days,
    zone=st.sampled_from(["America/Sao_Paulo", "Asia/Shanghai", "UTC"]),
    start=moments,
    end=moments,
    summary=st.lists(texts, max_size=3).map(tuple),
    threads=st.lists(threads, max_size=3).map(tuple),
    left_out=st.lists(left_outs, max_size=2).map(tuple),
    missing=st.lists(missings, max_size=2).map(tuple),
    counts=st.dictionaries(texts, st.integers(0, 10**6), max_size=3).map(
        lambda d: tuple(d.items())
    ),
    narration=narrations,
    inputs=texts,
    version=st.integers(1, 3),
)
addenda = st.builds(
    Addendum,
    number=st.integers(1, 99),
    on=days,
    kind=st.sampled_from(["late", "correction", "narration"]),
    note=texts,
    threads=st.lists(threads, max_size=2).map(tuple),
    left_out=st.lists(left_outs, max_size=2).map(tuple),
    missing=st.lists(missings, max_size=2).map(tuple),
    narration=narrations,
    inputs=texts,
)
