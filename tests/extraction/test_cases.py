"""The shared cases on what was meant, as far as reading one message can tell."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

from readings import case, said

from memory_core.extraction import clauses
from memory_core.model import AuthorKind, Kind, Origin, Polarity, Span, Theme

OWNER, AGENT, OTHERS = AuthorKind.OWNER, AuthorKind.AGENT, AuthorKind.THIRD_PARTY


def test_k01_negation_is_kept_and_double_negation_affirms(shared: Path) -> None:
    poles = [clauses(m)[0].polarity for m in case(shared, "K01")]
    assert poles == [
        Polarity.AFFIRMED,  # allowed
        Polarity.NEGATED,  # not allowed any more
        Polarity.AFFIRMED,  # do not forget to
        Polarity.NEGATED,  # no need to
        Polarity.AFFIRMED,  # nunca deixei de
    ]


def test_k02_moving_from_one_to_another_is_a_revision_and_a_later_remark_is_none(
    shared: Path,
) -> None:
    before, moved, remark = (clauses(m)[0] for m in case(shared, "K02"))
    assert (before.theme, moved.theme, remark.theme) == (Theme.OTHER, Theme.REVISION, Theme.OTHER)
    assert remark.holder is OWNER  # Fernpost is no person


def test_k07_what_others_think_is_theirs_and_decides_nothing(shared: Path) -> None:
    found = [c for m in case(shared, "K07") for c in clauses(m)]
    assert {c.holder for c in found} == {OTHERS}
    assert [c.holder_name for c in found] == ["my brother", "the plumber"]
    assert not {c.theme for c in found} & {Theme.DECISION, Theme.MOOD}


def test_k09_irony_is_quoted_and_what_is_imagined_commits_to_nothing(shared: Path) -> None:
    outage, lottery, floppy = (clauses(m) for m in case(shared, "K09"))
    assert {c.kind for c in (*outage, *lottery)} == {Kind.QUOTE}
    assert {c.polarity for c in floppy} == {Polarity.HYPOTHETICAL}
    themes = {c.theme for c in (*outage, *lottery, *floppy)}
    assert themes <= {None, Theme.OTHER}


def test_k10_the_agents_guess_about_the_owner_is_an_inference(shared: Path) -> None:
    _, answer, thanks = case(shared, "K10")
    found = clauses(answer)
    assert {c.holder for c in found} == {AGENT}
    assert [c.kind for c in found][-1] is Kind.INFERENCE
    assert Theme.DECISION not in {c.theme for c in found}
    assert clauses(thanks) == ()


def test_k12_a_gate_that_jammed_and_its_repair_are_two_clauses(shared: Path) -> None:
    first, _ = case(shared, "K12")
    texts = [first.content[c.start : c.end] for c in clauses(first)]
    assert texts == ["Ontem o portão travou", "conserta na sexta que vem."]


def test_k16_another_speaker_under_the_users_role_decides_nothing_for_the_owner(
    shared: Path,
) -> None:
    scout, denial = case(shared, "K16")
    assert {c.holder for c in clauses(scout)} == {OTHERS}
    (denied,) = clauses(denial)
    assert (denied.holder, denied.polarity) == (OWNER, Polarity.NEGATED)


def test_k18_the_same_words_are_read_the_same_twice(shared: Path) -> None:
    first, second = case(shared, "K18")
    assert clauses(first) == clauses(second)


def test_hosted_and_derived_spans_never_become_the_owners() -> None:
    text = "Olha o e-mail:\nWe decided to raise your rent.\nEu não aceito."
    start = text.index("We decided")
    end = text.index("\nEu")
    for origin, kind in ((Origin.HOSTED, Kind.HOSTED), (Origin.DERIVED, Kind.INFERENCE)):
        message = replace(said(text), spans=(Span(start, end, OTHERS, origin),))
        inside = [c for c in clauses(message) if start <= c.start < end]
        assert [c.kind for c in inside] == [kind]
        assert OWNER not in {c.holder for c in inside}
        assert any(c.holder is OWNER for c in clauses(message))


def test_a_vocative_is_addressed_and_holds_nothing() -> None:
    for text in ("Ana, pode apagar a lista.", "Quati, vamos de linho.", "Breno, I decided: linen."):
        assert {c.holder for c in clauses(said(text))} == {OWNER}, text


def test_a_thing_at_the_head_of_a_sentence_is_no_person() -> None:
    for text in (
        "Python is slow.",
        "Caddy ficou lento.",
        "Acho que a sala esta fria.",
        "Deploys failed.",
    ):
        assert {c.holder for c in clauses(said(text))} == {OWNER}, text


def test_a_decision_and_its_reason_are_clauses_of_their_own() -> None:
    for text in (
        "Escolhi o linho porque aguenta lavar.",
        "We go with the linen. It survives washing.",
        "I said no: moving it costs R$ 800 and there is no room.",
        "A fog machine would trip the fuse, so no fog machine.",
    ):
        themes = [c.theme for c in clauses(said(text))]
        assert sorted(t.value for t in themes if t) == ["decision", "reason"], text


def test_an_open_question_is_a_question() -> None:
    (asked,) = clauses(said("Quem vai trocar o disco da baia 1?"))
    assert (asked.theme, asked.polarity) == (Theme.OPEN_POINT, Polarity.QUESTION)


def test_what_is_refused_is_a_decision_denied() -> None:
    for text in ("I said no.", "Recusei a proposta.", "So no fringe.", "Não vamos trocar o piso."):
        (refused,) = clauses(said(text))
        assert (refused.theme, refused.polarity) == (Theme.DECISION, Polarity.NEGATED), text


def test_code_in_a_fence_tells_nothing() -> None:
    found = clauses(said("```\nif decided: we_go_with('x')  # failed\n```"))
    assert not [c for c in found if c.theme is not None]


def test_closings_answer_and_provisional_is_marked() -> None:
    assert clauses(said("Pronto, instalei o filtro."))[0].answers
    assert not clauses(said("Ainda não instalei o filtro."))[0].answers
    assert clauses(said("Por enquanto fica no pátio."))[0].provisional
    assert not clauses(said("Bati o martelo no linho."))[0].provisional
