"""A talkative day stays under its share, and every message of the owner's keeps its trace."""

from __future__ import annotations

from days import DAY, said, story
from hypothesis import Phase, given, settings
from hypothesis import strategies as st

from hfea.consolidation import budget
from hfea.consolidation.drafts import make
from hfea.episode import Episode, Link, Relation
from memory_core.model import AuthorKind, Kind, Message, Theme

SHARE = 0.6
OPENINGS = (
    "Decidi que o armário fica na sala",
    "I think the blue paint suits the hallway",
    "Tentei ligar para a loja e ninguém atendeu",
    "We could rent the van or borrow my cousin's",
    "Estou cansada desta obra",
    "The carpenter came by this morning and measured the door",
    "O corredor tem três metros e duas tomadas",
    "My sister says the lamp is too bright",
)
TAILS = (
    "and then we had coffee with the neighbours from the second floor",
    "e depois fomos ver as cortinas na loja do centro com a vizinha",
    "which reminds me of the old house by the river",
    "porque a luz da tarde bate direto na parede do fundo",
    "but the colour of the tiles in the kitchen is another story",
)


def visible(episode: Episode) -> int:
    """Return the characters of statements, headings and summary."""
    told = sum(len(s.text) for s in episode.statements() if s.kind is not Kind.HOSTED)
    heads = sum(len(t.title) + len(t.gist) for t in episode.threads)
    return told + heads + sum(map(len, episode.summary))


def own_characters(messages: list[Message]) -> int:
    return sum(len(m.content) for m in messages if m.author_kind is not AuthorKind.TOOL)


lines = st.tuples(
    st.sampled_from(("ana", "bot")), st.sampled_from(OPENINGS), st.sampled_from(TAILS),
    st.integers(10, 99),
)  # fmt: skip


@settings(max_examples=25, deadline=None, phases=(Phase.explicit, Phase.generate))
@given(st.lists(lines, min_size=40, max_size=70, unique=True))
def test_a_talkative_day_is_told_in_under_six_tenths_headings_included(
    rows: list[tuple[str, str, str, int]],
) -> None:
    doc = "\n".join(
        f"{9 + n // 60:02}:{n % 60:02} {who}: {head} {number}. It is so, {tail} {number}."
        for n, (who, head, tail, number) in enumerate(rows)
    )
    messages = said(doc)
    episode = story(messages)
    assert own_characters(messages) >= budget.TALKATIVE
    assert visible(episode) <= SHARE * own_characters(messages)
    cited = {c.message_id for s in episode.statements() for c in s.citations}
    listed = {place[2] for left in episode.left_out for place in left.messages}
    owners = {m.message_id for m in messages if m.author_kind is AuthorKind.OWNER}
    assert owners <= cited | listed
    assert not {left.reason for left in episode.left_out} & {"not told"}


def test_a_short_day_is_told_whole() -> None:
    (message,) = said("09:00 ana: O corredor tem três metros.")
    told = [[make(message, (0, len(message.content)), DAY, kind=Kind.EVENT)]]
    assert budget.within(told, [message], DAY) == told


def test_what_is_shortened_keeps_its_links() -> None:
    long = "A parede do corredor " + "que fica ao lado da escada " * 12
    doc = "\n".join(f"{9 + n // 60:02}:{n % 60:02} ana: {n} {long}" for n in range(40))
    messages = said(doc)
    made = [
        make(m, (0, len(m.content)), DAY, kind=Kind.EVENT, theme=Theme.DECISION) for m in messages
    ]
    made[-1] = make(
        messages[-1], (0, 40), DAY, kind=Kind.EVENT, theme=Theme.REASON,
        links=(Link(Relation.REASON_FOR, made[0].id),),
    )  # fmt: skip
    (kept,) = budget.within([made], messages, DAY)
    assert sum(len(s.text) for s in kept) < SHARE * own_characters(messages)
    assert kept[-1].links[0].statement == kept[0].id


def test_a_day_of_pasted_and_tool_text_shrinks_by_nine_tenths() -> None:
    page = "> " + "\n> ".join(
        f"linha {n} do recado que veio de fora e se repete" for n in range(80)
    )
    messages = said("09:00 ana: Olha o recado.\n09:01 ana: Veja abaixo.")
    pasted = story(messages)
    assert visible(pasted) > 0
    doc = "\n".join(f"10:{n:02} tool: {page!r}" for n in range(20))
    outputs = said(doc)
    hosted = [s for s in story([*messages, *outputs]).statements() if s.kind is Kind.HOSTED]
    outside = sum(len(m.content) for m in outputs)
    assert sum(len(s.text) for s in hosted) <= 0.1 * outside
