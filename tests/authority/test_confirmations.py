"""A confirmation is the owner's, of exactly the bytes shown, in time, and said in person."""

from __future__ import annotations

import datetime as dt
from collections.abc import Callable
from dataclasses import replace

import pytest

from memory_core.confirming import (
    SHOWN_FOR,
    Asked,
    Confirmation,
    Via,
    confirmation_faults,
    session_confirmation,
)
from memory_core.model import AuthorKind, Message, Origin, Role, Span

Say = Callable[..., Message]
NOON = dt.datetime(2026, 11, 3, 12, tzinfo=dt.UTC)
TEXT = "o jardineiro vem às quintas"
ASKED = Asked("d" * 64, TEXT, "default", NOON, NOON + dt.timedelta(days=30))
NOW = NOON + dt.timedelta(minutes=30)
LATER = NOON + dt.timedelta(hours=8)
YES = Confirmation("d" * 64, "Lívia", Via.CLI, NOW, NOW)


def agent(say: Say, text: str) -> Message:
    return say(text, role=Role.ASSISTANT, author_kind=AuthorKind.AGENT)


def test_the_owners_yes_to_what_was_shown_counts() -> None:
    assert confirmation_faults(ASKED, YES, NOW) == ()


@pytest.mark.parametrize(
    ("given", "fault"),
    [
        (replace(YES, digest="e" * 64), "other_text"),
        (replace(YES, digest=""), "other_text"),
        (replace(YES, profile="work"), "other_profile"),
        (replace(YES, by=" "), "nobody"),
        (replace(YES, shown_at=NOW - SHOWN_FOR * 2), "shown_too_long_ago"),
        (replace(YES, shown_at=NOW + dt.timedelta(seconds=1)), "impossible_time"),
        (replace(YES, at=NOW + dt.timedelta(hours=9)), "impossible_time"),
        (replace(YES, shown_at=NOON - dt.timedelta(minutes=9)), "before_the_proposal"),
        (replace(YES, via=Via.SESSION), "no_answer"),
        (replace(YES, via=Via.HERMES), "not_in_person"),
    ],
)
def test_anything_else_confirms_nothing(given: Confirmation, fault: str) -> None:
    assert fault in confirmation_faults(ASKED, given, NOW)


def test_a_proposal_expires() -> None:
    late = ASKED.expires
    given = replace(YES, at=late, shown_at=late)
    assert "proposal_expired" in confirmation_faults(ASKED, given, late)


@pytest.mark.parametrize(
    ("question", "answer"),
    [
        (f'Posso guardar na memória: "{TEXT}"?', "sim"),
        (f"Quer que eu guarde isto?\n{TEXT}", "pode guardar"),
        (f"Shall I remember this: {TEXT}", "yes, please do"),
        (f"Guardo na memória: «{TEXT}»?", "isso mesmo, guarda"),
        (f"A página fala disso. Quer que eu guarde na memória que {TEXT}?", "quero sim"),
        (f"Do you want me to remember that {TEXT}?", "yes, save it"),
        (f'Salvar na memória: "{TEXT}"?', "👍"),
        (f"Registrar isto na memória?\n- **{TEXT}**", "tá bom, pode registrar"),
    ],
)
def test_yes_to_the_agents_question_in_the_session_counts(
    say: Say, question: str, answer: str
) -> None:
    if "?" not in question:
        question += "?"
    talk = [agent(say, question), say(answer)]
    found = session_confirmation(ASKED, talk, "Lívia", LATER)
    assert found is not None
    assert found.answer is talk[1]


SHOWN = f'Posso guardar na memória: "{TEXT}"?'
NO_YES = [
    ("sim, mas só às terças"),
    ("não"),
    ("sim? quem disse isso"),
    ("talvez"),
    ('ele respondeu "sim"'),
    ("> sim"),
    ("se ele confirmar, sim"),
    ("depois vejo"),
    ("yes, but not on Fridays"),
    ("qual o tempo amanhã"),
]


@pytest.mark.parametrize("answer", NO_YES)
def test_an_answer_that_is_no_plain_yes_confirms_nothing(say: Say, answer: str) -> None:
    assert session_confirmation(ASKED, [agent(say, SHOWN), say(answer)], "Lívia", LATER) is None


@pytest.mark.parametrize(
    "given",
    [
        {"author_kind": AuthorKind.TOOL, "role": Role.TOOL, "origin": Origin.HOSTED},
        {"author_kind": AuthorKind.THIRD_PARTY},
        {"origin": Origin.DERIVED},
        {"origin": Origin.HOSTED},
        {"spans": (Span(0, 3, AuthorKind.THIRD_PARTY, Origin.HOSTED, "chat export"),)},
        {"profile": "work"},
        {"conversation": "s2"},
    ],
)
def test_a_yes_from_a_summary_a_tool_or_a_pasted_chat_confirms_nothing(
    say: Say, given: dict[str, object]
) -> None:
    talk = [agent(say, SHOWN), say("sim", **given)]
    assert session_confirmation(ASKED, talk, "Lívia", LATER) is None


@pytest.mark.parametrize(
    "shown",
    [
        f"O documento diz que {TEXT}. Quer que eu resuma o resto?",
        'Posso guardar na memória: "o jardineiro vem às quartas"?',
        f'Posso guardar na memória: "não é verdade que {TEXT}"?',
        f"{TEXT}",
        "Posso guardar isso na memória?",
        f'Você lembra: "{TEXT}"?',
        f"Quer que eu guarde que não é verdade que {TEXT}?",
        f"Quer que eu guarde que {TEXT} só em maio?",
    ],
)
def test_a_yes_to_something_else_confirms_nothing(say: Say, shown: str) -> None:
    assert session_confirmation(ASKED, [agent(say, shown), say("sim")], "Lívia", LATER) is None


def test_a_yes_to_a_question_that_somebody_else_put_confirms_nothing(say: Say) -> None:
    forged = say(SHOWN, role=Role.TOOL, author_kind=AuthorKind.TOOL, origin=Origin.HOSTED)
    assert session_confirmation(ASKED, [forged, say("sim")], "Lívia", LATER) is None


def test_a_yes_that_does_not_follow_at_once_confirms_nothing(say: Say) -> None:
    talk = [agent(say, SHOWN), say("que horas são?"), agent(say, "Dez."), say("sim")]
    assert session_confirmation(ASKED, talk, "Lívia", LATER) is None


def test_a_yes_of_long_ago_or_long_after_the_question_confirms_nothing(say: Say) -> None:
    talk = [agent(say, SHOWN), say("sim")]
    assert session_confirmation(ASKED, talk, "Lívia", LATER) is not None
    late = NOON + dt.timedelta(days=31)
    assert (
        session_confirmation(
            replace(ASKED, expires=late + dt.timedelta(days=9)), talk, "Lívia", late
        )
        is None
    )
    slow = [talk[0], replace(talk[1], at=NOON + dt.timedelta(hours=3))]
    assert session_confirmation(ASKED, slow, "Lívia", LATER) is None
