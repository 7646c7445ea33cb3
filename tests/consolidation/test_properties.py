"""What holds of every day, whatever was said: invariants 3, 6, 7 and 11 of consolidation."""

from __future__ import annotations

import datetime as dt
import random
from pathlib import Path

from days import DAY, by_day, case_messages, day_input, said, story
from hypothesis import given, settings
from hypothesis import strategies as st

from hfea.archive import parse, render
from hfea.consolidation.assemble import consolidate
from hfea.episode import Episode
from memory_core.model import AuthorKind, Kind, Message, Origin, Role, Span

NASTY = [
    "---\ndate: 1999-01-01\n---",
    "```",
    "<script>x</script>",
    "[^1]: forged",
    "\u202eabc",
    "# heading",
    "> quote",
    "ok",
    "obrigada!",
    "Decidi: vai para Curitiba.",
    "Ontem falhou de novo.",
    "Por que parou?",
    "sim",
    "não",
    "",
    "   ",
    "🙂",
    "Estou exausta.",
    "x" * 3000,
    "a < b & c",
    'Ana disse "nunca mais".',
    "If it rains, we stay.",
    "\x00\x01",
    "1. um\n2. dois",
]
texts = st.one_of(st.sampled_from(NASTY), st.text(max_size=80))
kinds = st.sampled_from(AuthorKind)


@st.composite
def days(draw: st.DrawFn) -> list[Message]:
    """A day of up to 14 messages of anybody, in two sessions, some with a hosted span."""
    found = []
    for n in range(draw(st.integers(1, 14))):
        kind, text = draw(kinds), draw(texts)
        minutes = draw(st.integers(0, 1439))
        origin = Origin.HOSTED if kind is AuthorKind.TOOL else draw(st.sampled_from(Origin))
        spans = ()
        if kind is AuthorKind.OWNER and len(text) > 8 and draw(st.booleans()):
            spans = (Span(4, len(text), AuthorKind.THIRD_PARTY, Origin.HOSTED, "document"),)
        found.append(
            Message(
                profile="p",
                source="s",
                session_id=draw(st.sampled_from(["a", "b"])),
                message_id=f"m{n}",
                at=None
                if minutes % 97 == 0
                else dt.datetime.combine(DAY, dt.time(), dt.UTC) + dt.timedelta(minutes=minutes),
                role=Role.TOOL if kind is AuthorKind.TOOL else Role.USER,
                author=kind.value,
                author_kind=kind,
                origin=origin,
                content=text,
                identity=f"{n:064x}",
                position=n,
                spans=spans,
                marks=frozenset(
                    draw(
                        st.sets(
                            st.sampled_from(
                                ["undone", "own_output", "summary", "subagent", "error_notice"]
                            ),
                            max_size=1,
                        )
                    )
                ),
            )
        )
    return found


def check_everything_resolves(episode: Episode, messages: list[Message]) -> None:
    known = {(m.source, m.session_id, m.message_id): m for m in messages}
    for s in episode.statements():
        for c in s.citations:
            content = known[c.source, c.session_id, c.message_id].content
            assert 0 <= c.start < c.end <= len(content)
        first = known[(k := s.citations[0]).source, k.session_id, k.message_id]
        if s.kind is Kind.QUOTE:
            assert s.text in first.content


@settings(max_examples=150, deadline=None)
@given(days(), st.randoms(use_true_random=False))
def test_inv_03_the_order_of_arrival_changes_nothing(
    messages: list[Message], shuffle: random.Random
) -> None:
    other = list(messages)
    shuffle.shuffle(other)
    assert consolidate(day_input(messages)) == consolidate(day_input(other))


@settings(max_examples=150, deadline=None)
@given(days())
def test_inv_06_every_citation_resolves_and_every_owner_message_is_accounted_for(
    messages: list[Message],
) -> None:
    episode = consolidate(day_input(messages)).episode
    check_everything_resolves(episode, messages)
    cited = {(c.session_id, c.message_id) for s in episode.statements() for c in s.citations}
    listed = [(session, m) for part in episode.left_out for _, session, m in part.messages]
    assert len(listed) == len(set(listed))
    for m in messages:
        if m.author_kind is AuthorKind.OWNER:
            key = (m.session_id, m.message_id)
            assert (key in cited) != (key in listed)


@settings(max_examples=150, deadline=None)
@given(days())
def test_inv_07_kind_and_authority_are_the_weakest_of_what_is_cited(
    messages: list[Message],
) -> None:
    known = {(m.session_id, m.message_id): m for m in messages}
    for s in consolidate(day_input(messages)).episode.statements():
        for c in s.citations:
            m = known[c.session_id, c.message_id]
            hosted = m.origin is Origin.HOSTED or any(
                p.start < c.end and c.start < p.end for p in m.spans
            )
            if hosted and m.author_kind is not AuthorKind.TOOL:
                assert s.kind in (Kind.HOSTED, Kind.INFERENCE)
                assert s.author_kind is not AuthorKind.OWNER
        if s.author_kind is AuthorKind.OWNER:
            assert any(
                known[c.session_id, c.message_id].author_kind is AuthorKind.OWNER
                for c in s.citations
            )


@settings(max_examples=100, deadline=None)
@given(days())
def test_inv_11_any_day_renders_and_parses_back(messages: list[Message]) -> None:
    episode = consolidate(day_input(messages)).episode
    assert parse.document(render.episode(episode, 1)).episode == episode


def test_inv_13_own_output_is_never_told(tmp_path: Path) -> None:
    own = said("09:00 bot: As cópias vão para Curitiba.")[0]
    marked = Message(
        **{f: getattr(own, f) for f in Message.__dataclass_fields__}
        | {"marks": frozenset({"own_output"})}
    )
    episode = story([marked])
    assert list(episode.statements()) == []
    assert [p.reason for p in episode.left_out] == ["own output"]
    del tmp_path


def test_c15_five_nights_of_recalled_text_give_no_statement(shared: Path) -> None:
    recalled = '<hfea-recall nonce="x">A loja fica em Curitiba.</hfea-recall>'
    doc = "\n".join(
        f'{{"id": "r{n}", "session_id": "s{n}", "ts": "2026-03-0{n + 1}T10:00:00Z", "role": "user",'
        f' "author": "Rita", "content": "onde fica a loja? {recalled}"}}'
        for n in range(5)
    ).replace('nonce="x"', 'nonce=\\"x\\"')
    path = Path(__import__("tempfile").mkdtemp()) / "s.jsonl"
    path.write_text(doc + "\n", encoding="utf-8")
    for episode in by_day(case_messages(path, "Rita")):
        assert not [s for s in episode.statements() if "Curitiba" in s.text]
        assert [s.text for s in episode.statements()] == ["onde fica a loja?"]
    del shared


def test_tool_and_hosted_text_shrink_by_nine_tenths_on_a_day_full_of_them() -> None:
    lines = [
        f"09:{n % 60:02} tool: " + f"linha {n} do log com muitas palavras iguais. " * 40
        for n in range(60)
    ]
    messages = said("09:00 ana: olha os logs\n" + "\n".join(lines))
    episode = story(messages)
    given_text = sum(len(m.content) for m in messages if m.author_kind is AuthorKind.TOOL)
    told = sum(len(s.text) for s in episode.statements() if s.kind is Kind.HOSTED)
    assert told <= 0.1 * given_text


def test_a_talkative_day_is_told_in_less_than_six_tenths() -> None:
    answer = "A primeira parte explica o contexto em detalhe. " * 8
    lines = []
    for n in range(12):
        lines.append(f"10:{n:02} ana: e sobre o ponto {n}, o que você acha que devo olhar agora?")
        lines.append(f"10:{n:02} bot: {answer}Ponto {n} resumido.")
    messages = said("\n".join(lines))
    own = sum(len(m.content) for m in messages)
    assert sum(len(s.text) for s in story(messages).statements()) <= 0.6 * own
