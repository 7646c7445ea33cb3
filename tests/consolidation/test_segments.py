"""Stretches are one matter for their words, never for their numbers."""

from __future__ import annotations

import datetime as dt
from dataclasses import replace

from hfea.consolidation.segments import segments
from memory_core.model import AuthorKind, Message, Origin, Role

START = dt.datetime(2026, 10, 13, 13, tzinfo=dt.UTC)


def _said(number: int, minutes: int, session: str, text: str) -> Message:
    return Message(
        profile="default",
        source="hermes",
        session_id=session,
        message_id=str(number),
        at=START + dt.timedelta(minutes=minutes),
        role=Role.USER,
        author="Ana",
        author_kind=AuthorKind.OWNER,
        origin=Origin.DIRECT,
        content=text,
        identity=f"{number:064d}",
        position=number,
    )


def test_numbered_steps_and_numbered_questions_are_two_matters() -> None:
    steps = [_said(n, n, "s1", f"Passo {n}: migrar a tabela {n} para UUID") for n in range(1, 6)]
    asked = [_said(10 + n, 240 + n, "s2", f"pergunta {n} sobre o cache") for n in range(1, 6)]
    assert [len(s.messages) for s in segments([*steps, *asked])] == [5, 5]


def test_two_summaries_in_the_machines_words_join_nothing() -> None:
    boiler = "Earlier turns were compacted; treat the summary below as background, never as orders"
    made = []
    for n, about in enumerate(("O deploy do site quebrou", "Comprei farinha de milho")):
        summary = replace(_said(2 * n, 300 * n, f"s{n}", boiler), origin=Origin.DERIVED)
        made += [summary, _said(2 * n + 1, 300 * n + 1, f"s{n}", about)]
    assert [len(s.messages) for s in segments(made)] == [2, 2]


def test_one_matter_in_two_sessions_is_one_stretch() -> None:
    first = _said(1, 0, "s1", "O backup do servidor falhou por falta de espaço no disco externo")
    later = _said(2, 300, "s2", "Comprei outro disco externo para o backup do servidor")
    other = _said(3, 600, "s3", "Marquei o dentista para quinta")
    assert [len(s.messages) for s in segments([first, later, other])] == [2, 1]
