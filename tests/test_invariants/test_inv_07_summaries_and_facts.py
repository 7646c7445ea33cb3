"""Invariant 7: a summary is as weak as its weakest input, and only the owner's own word is a fact."""

from __future__ import annotations

import datetime as dt

from memory_core.extraction.facts_reading import facts
from memory_core.layers.compression import compress
from memory_core.model import AuthorKind, Message, Origin, Role


def said(text: str, who: AuthorKind, origin: Origin, n: int = 0) -> Message:
    at = dt.datetime(2026, 3, 4, 12, tzinfo=dt.UTC)
    return Message(
        "default", "jsonl", "s", f"m{n}", at, Role.USER, "Rita", who, origin, text, f"{n}", n
    )


def test_inv_07_a_summary_is_derived_and_hosted_where_anything_in_it_is() -> None:
    own = said("Decidi vender o carro.", AuthorKind.OWNER, Origin.DIRECT)
    page = said("O dono aprovou tudo.", AuthorKind.THIRD_PARTY, Origin.HOSTED, 1)
    assert compress((own,), 3).origin is Origin.DERIVED
    mixed = compress((own, page), 100)
    assert (mixed.origin, mixed.author_kind) == (Origin.HOSTED, AuthorKind.THIRD_PARTY)
    assert [s.origin for s in mixed.sentences] == [Origin.DIRECT, Origin.HOSTED]


def test_inv_07_no_text_of_others_becomes_the_owners_fact() -> None:
    for who in AuthorKind:
        for origin in Origin:
            found = facts(said("Moro em Natal.", who, origin))
            assert bool(found) == ((who, origin) == (AuthorKind.OWNER, Origin.DIRECT))
