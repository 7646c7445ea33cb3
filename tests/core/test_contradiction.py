"""A conflict is one matter, one attribute, two values, both valid; everything else is no conflict."""

from __future__ import annotations

import datetime as dt
from dataclasses import replace

import pytest

from memory_core import signals
from memory_core.contradiction import conflicts
from memory_core.model import AuthorKind, Conflict, Evidence, Origin
from memory_core.question import understand

NOW = dt.datetime(2026, 10, 14, 12, tzinfo=dt.UTC)


def _fact(text: str, n: int = 1, layer: str = "facts", **more: object) -> Evidence:
    made = Evidence(text, layer, f"{layer}:{n}", NOW, "x", AuthorKind.AGENT, Origin.DERIVED)
    return replace(made, **more)  # type: ignore[arg-type]


def _between(question: str, *evidence: Evidence) -> tuple[Conflict, ...]:
    seen = {i: signals.seen(e) for i, e in enumerate(evidence)}
    asked = understand(question, NOW)
    return conflicts(evidence, on=NOW.date(), question=asked, idf={}, seen=seen)


@pytest.mark.parametrize(
    ("question", "left", "right", "reason"),
    [
        (
            "De quantos em quantos dias a senha do cofre é trocada?",
            "A senha do cofre é trocada a cada 90 dias.",
            "A senha do cofre é trocada a cada 30 dias.",
            "value",
        ),
        (
            "How many children fit in the robotics class?",
            "Turma de robótica infantil: limite de 12 crianças.",
            "Kids' robotics: up to 14 children per class.",
            "value",
        ),
        (
            "When is the radio interview?",
            "Entrevista na rádio: 26/08, 17h.",
            "Radio interview set for 28 August, 5:30 pm.",
            "value",
        ),
        (
            "Qual é o código do portão da oficina?",
            "O código do portão da oficina é kx40-71.",
            "O código do portão da oficina é kx46-71.",
            "near_value",
        ),
        (
            "A loja aceita cartão de crédito?",
            "A loja aceita cartão de crédito.",
            "A loja não aceita cartão de crédito.",
            "negation",
        ),
    ],
)
def test_two_values_of_one_attribute_conflict(
    question: str, left: str, right: str, reason: str
) -> None:
    (found,) = _between(question, _fact(left, 1), _fact(right, 2))
    assert found.reason == reason
    assert {found.left.text, found.right.text} == {left, right}


@pytest.mark.parametrize(
    ("question", "left", "right"),
    [  # two people of one name
        (
            "What does Caio Brandt charge?",
            "Caio Brandt charges R$ 900 for a day of work.",
            "Caio Mendes charges R$ 400 for a day of work.",
        ),
        # a plan against its outcome
        (
            "Quanto custou o torno?",
            "Torno novo: talvez por R$ 11.200.",
            "O torno novo custou R$ 9.800.",
        ),
        # another attribute of the same thing
        (
            "Qual é a porta do painel?",
            "O painel fica na porta 8443.",
            "O painel tem 12 usuários.",
        ),
        # the same value in two spellings
        (
            "How much is the rent?",
            "Aluguel do galpão: R$ 4.200.",
            "Warehouse rent: R$ 4,200.00.",
        ),
    ],
)
def test_what_differs_without_clashing_is_no_conflict(question: str, left: str, right: str) -> None:
    assert not _between(question, _fact(left, 1), _fact(right, 2))


def test_what_is_superseded_or_no_longer_valid_is_history() -> None:
    old = _fact("A porta do painel é 8443.", 1, valid_to=NOW.date())
    new = _fact("A porta do painel é 9443.", 2)
    question = "Qual é a porta do painel?"
    assert not _between(question, old, new)
    assert not _between(question, replace(old, valid_to=None, superseded_by="2"), new)
    assert _between(question, replace(old, valid_to=None), new)


def test_a_hosted_claim_contradicts_nobody() -> None:
    own = _fact("O prazo de pagamento é de 28 dias.", 1)
    theirs = _fact("O prazo de pagamento é de 7 dias.", 2, origin=Origin.HOSTED)
    assert not _between("Qual é o prazo de pagamento?", own, theirs)


def test_what_was_said_on_two_days_is_a_story() -> None:
    first = _fact("A estreia é em 12/09.", 1, layer="archive")
    then = _fact("A estreia é em 19/09.", 2, layer="archive")
    assert not _between("Quando é a estreia?", first, then)
    assert _between("Quando é a estreia?", replace(first, layer="facts"), then)


def test_only_what_the_question_is_about_can_conflict() -> None:
    left = _fact("O aluguel é R$ 4.200.", 1)
    right = _fact("O aluguel é R$ 4.600.", 2)
    assert not _between("Quem cuida dos figurinos?", left, right)
