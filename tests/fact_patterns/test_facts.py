"""What a fact carries: whose it is, who is spoken to, since when it holds, and its exact words."""

from __future__ import annotations

import datetime as dt
from dataclasses import replace
from zoneinfo import ZoneInfo

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memory_core.extraction.facts_model import EntityRole, FactType
from memory_core.extraction.facts_reading import facts
from memory_core.model import AuthorKind, Message, Origin, Role

SP = ZoneInfo("America/Sao_Paulo")


def said(text: str, at: str = "2026-03-04T15:00:00+00:00") -> Message:
    when = dt.datetime.fromisoformat(at)
    return Message(
        "default",
        "jsonl",
        "s",
        "m",
        when,
        Role.USER,
        "Rita",
        AuthorKind.OWNER,
        Origin.DIRECT,
        text,
        "x",
        0,
    )


def test_a_name_in_front_is_spoken_to_and_one_inside_is_mentioned() -> None:
    (fact,) = facts(said("Quati, minha chefe é a Bruna Reis."))
    roles = {(e.name, e.role) for e in fact.entities}
    assert roles == {
        ("Rita", EntityRole.UTTERED_BY),
        ("Quati", EntityRole.ADDRESSEE),
        ("Bruna Reis", EntityRole.MENTIONED),
    }
    assert (fact.subject, fact.value) == ("minha chefe", "Bruna Reis")


def test_a_fact_of_somebody_else_names_its_subject() -> None:
    (fact,) = facts(said("Minha mãe mora em Assis."))
    assert (fact.type, fact.subject, fact.value) == (FactType.RESIDENCE, "Minha mãe", "Assis")


def test_one_message_may_state_several_facts() -> None:
    found = facts(said("Me chamo Rute e moro em Natal. I speak French, and I have two cats."))
    assert [f.type.value for f in found] == ["identity", "residence", "skill", "possession"]


def test_relative_days_are_the_messages_own_local_days() -> None:
    # 01:30 UTC on the 5th is still the 4th in São Paulo
    (fact,) = facts(said("Tenho consulta amanhã às 10h.", "2026-03-05T01:30:00+00:00"), zone=SP)
    assert (fact.valid_from, fact.valid_to) == (dt.date(2026, 3, 4), dt.date(2026, 3, 6))
    (past,) = facts(said("Ontem bati o carro.", "2026-03-05T01:30:00+00:00"), zone=SP)
    assert (past.valid_from, past.valid_to) == (dt.date(2026, 3, 3), dt.date(2026, 3, 4))


def test_the_place_of_a_secret_is_kept_and_an_email_is_read_whole() -> None:
    (place,) = facts(said("A senha do cofre está na gaveta azul."))
    assert (place.subject, place.value) == ("A senha do cofre", "na gaveta azul")
    (mail,) = facts(said("My work email is r.hall@firm.example."))
    assert mail.value == "r.hall@firm.example"


def test_what_may_be_the_secret_itself_is_never_a_value() -> None:
    code = "48" + "2137"
    for text in (
        f"A senha do cofre: {code}.",
        f"Senha do cofre de casa: {code}.",
        f"The safe code: {code}.",
        f"A senha do cofre é Xk{code}.",
        f"The safe password is in {code}.",
        f"The safe password is Hunter{code}.",
    ):
        assert facts(said(text)) == (), text


@pytest.mark.parametrize("origin", [Origin.HOSTED, Origin.DERIVED])
def test_hosted_and_derived_text_states_nothing(origin: Origin) -> None:
    assert facts(replace(said("Moro em Natal."), origin=origin)) == ()


@given(st.text(max_size=400))
def test_any_text_is_read_and_every_fact_is_its_exact_words(text: str) -> None:
    for fact in facts(said("Moro em Natal. " + text)):
        assert ("Moro em Natal. " + text)[fact.start : fact.end] == fact.content
        assert fact.value in fact.content
