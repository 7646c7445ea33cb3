"""The verdict says sufficient only where the evidence fills what the question asks for."""

from __future__ import annotations

import datetime as dt
import json
from dataclasses import replace
from importlib import resources

import pytest

from memory_core import sufficiency
from memory_core.model import (
    AuthorKind,
    Evidence,
    EvidenceReport,
    Origin,
    Route,
    Verdict,
    VerdictKind,
)
from memory_core.question import understand

NOW = dt.datetime(2026, 10, 14, 12, tzinfo=dt.UTC)
ROUTES = tuple(Route(name, "ok", 1) for name in ("permanent", "facts", "history", "wiki"))


def _judge(question: str, *texts: str, **more: object) -> Verdict:
    pieces = tuple(
        replace(
            Evidence(t, "facts", f"facts:{n}", NOW, "x", AuthorKind.AGENT, Origin.DERIVED),
            **more,  # type: ignore[arg-type]
        )
        for n, t in enumerate(texts)
    )
    report = EvidenceReport(question, NOW, None, pieces, (), ROUTES)
    return sufficiency.judge(understand(question, NOW), report, {})


@pytest.mark.parametrize(
    ("question", "text"),
    [
        ("Qual é o aluguel do galpão?", "Aluguel mensal do galpão: R$ 4.200."),
        ("How much is the warehouse rent?", "Aluguel mensal do galpão: R$ 4.200."),
        ("Onde ficam os ensaios?", "Os ensaios ficam no pátio."),
        ("Who is the sign language interpreter?", "Sign language interpreter: Joana Prates."),
    ],
)
def test_evidence_that_says_it_suffices(question: str, text: str) -> None:
    assert _judge(question, text).kind is VerdictKind.SUFFICIENT


@pytest.mark.parametrize(
    ("question", "text"),
    [  # the right person, another attribute
        ("Qual é o CNPJ do Café Aurora?", "O Café Aurora paga R$ 58,00 por kg."),
        # the right event, the wrong person
        ("Why did Bruno sprain his ankle at the rehearsal?", "Nilo sprained his ankle."),
        # no number where one is asked for
        ("Quanto custou o nobreak da loja?", "Comprei um nobreak para a loja."),
        # no reason where one is asked for
        ("Por que a loja mudou de endereço?", "A loja mudou de endereço."),
        # no mood where one is asked for
        ("Como a Helena se sentiu depois da feira?", "A Helena foi à feira."),
    ],
)
def test_evidence_beside_the_point_does_not(question: str, text: str) -> None:
    found = _judge(question, text)
    assert found.kind is VerdictKind.INSUFFICIENT
    assert found.missing


def test_nothing_at_all_is_insufficient_and_a_broken_layer_an_error() -> None:
    assert _judge("Quem fechou a loja?").kind is VerdictKind.INSUFFICIENT
    report = EvidenceReport("x", NOW, None, (), (), (Route("facts", "error", 0, 0.0, "gone"),))
    found = sufficiency.judge(understand("Quem fechou a loja?", NOW), report, {})
    assert found.kind is VerdictKind.ERROR
    assert "unavailable:facts" in found.reasons


def test_hosted_superseded_and_expired_evidence_never_suffices() -> None:
    question, text = "Qual é o aluguel do galpão?", "Aluguel mensal do galpão: R$ 4.200."
    for spoilt in (
        {"origin": Origin.HOSTED},
        {"superseded_by": "facts:9"},
        {"valid_to": NOW.date()},
        {"valid_from": NOW.date() + dt.timedelta(days=1)},
    ):
        assert _judge(question, text, **spoilt).kind is VerdictKind.INSUFFICIENT


def test_a_story_needs_several_days_of_evidence() -> None:
    question = "Como amadureceu a decisão sobre o backup?"
    text = "A decisão sobre o backup amadureceu."
    assert _judge(question, text).kind is VerdictKind.INSUFFICIENT


def test_the_weights_say_what_they_were_fitted_on() -> None:
    data = json.loads((resources.files("memory_core") / "weights" / "verdict-2.json").read_text())
    assert len(data["fitted_on"]) == 64
    assert data["worlds"]
    version = sufficiency.weights()
    assert 0 < version.core.sufficient < 1
    assert 0 < version.archive.sufficient < 1


def test_trust_never_enters_the_verdict() -> None:
    question, text = "Qual é o aluguel do galpão?", "Aluguel mensal do galpão: R$ 4.200."
    plain = _judge(question, text)
    for trust in (0.0, 0.5, 1.0):
        assert _judge(question, text, scores={"trust": trust, "fused": trust}) == plain
