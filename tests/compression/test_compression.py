"""Layer 6: what is kept is as it was said, what is dropped is listed, and it always fits."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from memory_core.grades import grade_of
from memory_core.layers.compression import (
    ModelSentence,
    SummariserFailed,
    compress,
    tokens,
)
from memory_core.model import AuthorKind, Message, Origin, Role, Span, weakest_origin


def said(
    n: int, text: str, who: AuthorKind = AuthorKind.OWNER, origin: Origin = Origin.DIRECT
) -> Message:
    return Message(
        "default", "jsonl", "s", f"m{n}", None, Role.USER, "Rita", who, origin, text, f"{n}", n
    )


DAY = (
    said(1, "Bom dia!"),
    said(
        2,
        "Decidimos usar o forno elétrico, porque o gás custa 900 reais por mês. O céu hoje está bonito e a rua anda calma. Parece que todo mundo acordou tarde, o que é raro por aqui.",
    ),
    said(
        3,
        "Lindo mesmo, o céu estava todo azul e a rua calma, quase ninguém passava.",
        AuthorKind.AGENT,
    ),
    said(4, "Ainda falta decidir quem busca a encomenda no dia 14 de maio."),
    said(
        5,
        "2026-05-01 10:00 job 17 ok; 2026-05-01 10:05 job 18 ok; took 31 ms; retry 0 of 3 on node 44.",
        AuthorKind.TOOL,
        Origin.HOSTED,
    ),
    said(6, "Obrigada, viu."),
)


def test_decisions_numbers_dates_and_open_points_outlast_the_weather() -> None:
    made = compress(DAY, 60)
    assert tokens(made.text) <= 60
    for kept in ("forno elétrico", "900 reais", "falta decidir", "14 de maio"):
        assert kept in made.text
    assert "azul" not in made.text
    assert "m1" in {d.message_id for d in made.dropped}
    assert "m2" in made.partly


def test_a_conversation_that_fits_is_kept_whole() -> None:
    made = compress(DAY, 10_000)
    assert made.made_by == "whole"
    assert (made.dropped, made.partly) == ((), ())
    assert made.kept == tuple(m.message_id for m in DAY)


def test_hosted_stays_hosted_and_the_summary_is_the_weakest_of_all() -> None:
    text = "Recebi isto: o boleto vence dia 9 e custa 80 reais."
    mail = replace(
        said(7, text),
        spans=(Span(13, len(text), AuthorKind.THIRD_PARTY, Origin.HOSTED, "quoted mail"),),
    )
    made = compress((mail,), 100)
    assert [s.origin for s in made.sentences] == [Origin.DIRECT, Origin.HOSTED]
    assert "[hosted: " in made.text
    assert made.origin is Origin.HOSTED
    assert compress(DAY[:2], 20).origin is Origin.DERIVED


class Model:
    def __init__(self, *sentences: ModelSentence, fails: str = "") -> None:
        self.sentences, self.fails = sentences, fails

    def summarise(self, messages: Sequence[Message], budget: int) -> Sequence[ModelSentence]:
        assert (bool(messages), budget) == (True, 60)
        if self.fails:
            raise SummariserFailed(self.fails)
        return self.sentences


@pytest.mark.parametrize(
    ("model", "problem"),
    [
        (Model(fails="timed out"), "model_failed: timed out"),
        (
            Model(ModelSentence("Forno a gás por 950 reais.", ("m2",))),
            "model_unsupported: 1 of 1 sentences",
        ),
        (Model(ModelSentence("Forno elétrico.", ("m99",))), "model_unsupported: 1 of 1 sentences"),
        (Model(), "model_unsupported: 0 of 0 sentences"),
        (Model(ModelSentence("Forno. " * 90, ("m2",))), "model_over_budget: 160 of 60 tokens"),
    ],
)
def test_a_model_that_fails_loses_nothing_and_it_is_said(model: Model, problem: str) -> None:
    made, plain = compress(DAY, 60, model), compress(DAY, 60)
    assert made.problems == (problem,)
    assert (made.text, made.kept, made.dropped) == (plain.text, plain.kept, plain.dropped)


def test_a_models_sentence_is_derived_or_as_weak_as_what_it_cites() -> None:
    model = Model(
        ModelSentence("Escolheram o forno elétrico.", ("m2",)),
        ModelSentence("O job 18 passou.", ("m5",)),
    )
    made = compress(DAY, 60, model)
    assert [s.origin for s in made.sentences] == [Origin.DERIVED, Origin.HOSTED]
    assert made.made_by == "model"
    assert made.kept == ("m2", "m5")
    assert {d.message_id for d in made.dropped} == {"m1", "m3", "m4", "m6"}


def test_a_negative_budget_is_refused() -> None:
    with pytest.raises(ValueError, match="not negative"):
        compress(DAY, -1)


TEXTS = st.text(max_size=300) | st.sampled_from([m.content for m in DAY])
MESSAGES = st.lists(
    st.tuples(TEXTS, st.sampled_from(list(AuthorKind)), st.sampled_from(list(Origin))), max_size=12
)


@settings(max_examples=150, deadline=None)
@given(raw=MESSAGES, budget=st.integers(0, 300))
def test_any_conversation_fits_and_every_message_is_accounted_for(
    raw: list[tuple[str, AuthorKind, Origin]], budget: int
) -> None:
    messages = [said(n, *row) for n, row in enumerate(raw)]
    made = compress(messages, budget)
    assert tokens(made.text) <= budget
    gone = [d.message_id for d in made.dropped]
    assert sorted([*made.kept, *gone]) == sorted(m.message_id for m in messages)
    assert set(made.partly) <= set(made.kept)
    if messages:
        assert made.origin is weakest_origin([*(m.origin for m in messages), Origin.DERIVED])
    by_id = {m.message_id: m for m in messages}
    for s in made.sentences:
        source = by_id[s.message_ids[0]]
        assert source.content[s.start : s.end] == s.text
        assert s.origin is grade_of(source, s.start, s.end).origin
    assert compress(messages, budget) == made
