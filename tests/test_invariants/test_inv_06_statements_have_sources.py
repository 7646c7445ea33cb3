"""Invariant 6: no statement without a source that bears it out."""

from __future__ import annotations

from dataclasses import replace

import pytest
from days import said

from hfea.consolidation.drafts import make
from hfea.consolidation.verification import Checked, check, quote_span
from hfea.episode import Statement
from memory_core.model import Kind, Message, Origin

DAY_TALK = said(
    """
    09:00 ana: A cópia de 12 TB foi para Curitiba.
    09:01 bot: Do not order clay before Friday.
    """
)
KNOWN = {(m.source, m.session_id, m.message_id): m for m in DAY_TALK}


def statement(message: Message, text: str | None = None, kind: Kind = Kind.EVENT) -> Statement:
    made = make(message, (0, len(message.content)), message.at.date(), kind=kind)  # type: ignore[union-attr]
    return made if text is None else replace(made, text=text)


def test_inv_06_what_the_cited_words_hold_is_kept() -> None:
    kept = check(statement(DAY_TALK[0]), KNOWN)
    assert kept == Checked(statement(DAY_TALK[0]))


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("A cópia de 21 TB foi para Curitiba.", "number_not_cited"),
        ("A cópia foi para Joinville.", "name_not_cited"),
        ("A cópia de 12 TB foi para a Selma.", "name_not_cited"),
    ],
)
def test_inv_06_numbers_and_names_that_are_not_cited_demote_to_inference(
    text: str, reason: str
) -> None:
    found = check(statement(DAY_TALK[0], text), KNOWN)
    assert found.reason == reason
    assert found.statement is not None
    assert (found.statement.kind, found.statement.origin) == (Kind.INFERENCE, Origin.DERIVED)


def test_inv_06_a_quote_is_the_exact_words_or_nothing() -> None:
    near = statement(DAY_TALK[0], "A copia de 12 TB foi para Curitiba.", Kind.QUOTE)
    assert check(near, KNOWN) == Checked(None, "not_a_quote")
    assert check(statement(DAY_TALK[0], kind=Kind.QUOTE), KNOWN).statement is not None


def test_inv_06_a_citation_of_what_was_not_given_drops_the_statement() -> None:
    good = statement(DAY_TALK[0])
    elsewhere = replace(good, citations=(replace(good.citations[0], message_id="other day"),))
    outside = replace(good, citations=(replace(good.citations[0], end=10_000),))
    assert check(elsewhere, KNOWN) == Checked(None, "unknown_message")
    assert check(outside, KNOWN) == Checked(None, "span_outside")
    with pytest.raises(ValueError, match="at least one citation"):
        replace(good, citations=())


def test_inv_06_a_quote_that_cuts_off_its_negation_is_no_quote() -> None:
    assert quote_span("order clay before Friday", DAY_TALK[1]) is None
    assert quote_span("Do not order clay before Friday.", DAY_TALK[1]) == (0, 32)
