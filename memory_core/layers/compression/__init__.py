"""Layer 6: a long conversation within a budget of tokens, with where everything came from.

Extractive by default: sentences are kept word for word, so that a decision, a number, a date or
an open point is either there as it was said or listed as dropped. A model may write instead;
each of its sentences is checked against what it cites, and where it fails or takes too much
room the extractive summary stands and says so.
"""

from __future__ import annotations

from collections.abc import Sequence

from memory_core.grades import Grade, grade_of, made_from
from memory_core.layers.compression.choosing import chosen, rendered
from memory_core.layers.compression.model import (
    Compression,
    Dropped,
    KeptSentence,
    ModelSentence,
    Summariser,
    SummariserFailed,
    tokens,
)
from memory_core.layers.compression.units import Unit, numbers, units
from memory_core.model import Message

__all__ = [
    "Compression",
    "Dropped",
    "KeptSentence",
    "ModelSentence",
    "Summariser",
    "SummariserFailed",
    "compress",
    "tokens",
]


def compress(
    messages: Sequence[Message], budget: int, summariser: Summariser | None = None
) -> Compression:
    """Return *messages* within *budget* tokens, in their order; pure but for the model.

    Raises ValueError for a negative budget.
    """
    if budget < 0:
        msg = f"a budget of tokens is not negative, got {budget}"
        raise ValueError(msg)
    parts = units(messages)
    whole = rendered(parts, messages)
    if tokens(whole) <= budget:
        return _extract(messages, budget, parts, "whole", ())
    problems: tuple[str, ...] = ()
    if summariser is not None:
        written = _written(messages, budget, summariser)
        if isinstance(written, Compression):
            return written
        problems = (written,)
    kept = chosen(parts, messages, budget)
    return _extract(messages, budget, kept, "extractive", problems)


def _worth(messages: Sequence[Message]) -> Grade:
    return made_from(grade_of(m) for m in messages)


def _extract(
    messages: Sequence[Message],
    budget: int,
    kept: Sequence[Unit],
    made_by: str,
    problems: tuple[str, ...],
) -> Compression:
    sentences = tuple(_sentence(u, messages[u.index]) for u in kept)
    there = {u.index for u in kept}
    # A message without a single word is in the summary as much as it ever was anywhere.
    if made_by == "whole":
        there |= set(range(len(messages)))
    return _result(
        messages, budget, (rendered(kept, messages), sentences), (there, made_by, problems), kept
    )


def _sentence(unit: Unit, message: Message) -> KeptSentence:
    return KeptSentence(
        text=unit.text,
        message_ids=(message.message_id,),
        author=message.author,
        author_kind=unit.grade.author_kind,
        origin=unit.grade.origin,
        start=unit.start,
        end=unit.end,
    )


def _result(
    messages: Sequence[Message],
    budget: int,
    told: tuple[str, tuple[KeptSentence, ...]],
    how: tuple[set[int], str, tuple[str, ...]],
    kept: Sequence[Unit],
) -> Compression:
    there, made_by, problems = how
    worth = _worth(messages)
    ids = dict.fromkeys(messages[n].message_id for n in sorted(there))
    dropped = [m for m in messages if m.message_id not in ids]
    return Compression(
        text=told[0],
        budget=budget,
        sentences=told[1],
        kept=tuple(ids),
        partly=tuple(_partly(messages, kept, made_by)),
        dropped=tuple(
            Dropped(m.message_id, m.author_kind, m.origin, len(m.content)) for m in dropped
        ),
        author_kind=worth.author_kind,
        origin=worth.origin,
        made_by=made_by,
        problems=problems,
    )


def _partly(messages: Sequence[Message], kept: Sequence[Unit], made_by: str) -> list[str]:
    if made_by == "whole":
        return []
    told: dict[int, int] = {}
    for unit in kept:
        told[unit.index] = told.get(unit.index, 0) + len("".join(unit.text.split()))
    return list(
        dict.fromkeys(
            messages[n].message_id
            for n, chars in told.items()
            if chars < len("".join(messages[n].content.split()))
        )
    )


def _written(messages: Sequence[Message], budget: int, model: Summariser) -> Compression | str:
    """Return the model's summary, or the reason why it is not used."""
    try:
        proposed = model.summarise(messages, budget)
    except SummariserFailed as error:
        return f"model_failed: {error}"
    by_id = {m.message_id: m for m in messages}
    sentences = [_checked(s, by_id) for s in proposed]
    sound = [s for s in sentences if s is not None]
    if not sound or len(sound) < len(sentences):
        return f"model_unsupported: {len(sentences) - len(sound)} of {len(sentences)} sentences"
    text = "\n".join(f"({s.origin.value}) {s.text}" for s in sound)
    if tokens(text) > budget:
        return f"model_over_budget: {tokens(text)} of {budget} tokens"
    cited = {i for s in sound for i in s.message_ids}
    there = {n for n, m in enumerate(messages) if m.message_id in cited}
    return _result(messages, budget, (text, tuple(sound)), (there, "model", ()), ())


def _checked(said: ModelSentence, by_id: dict[str, Message]) -> KeptSentence | None:
    """Return a model's sentence graded by what it cites; None where that does not hold it.

    Its ids exist, and each of its numbers stands in what they cite.
    """
    cited = [by_id[i] for i in said.message_ids if i in by_id]
    text = " ".join(said.text.split())
    if not text or not cited or len(cited) < len(said.message_ids):
        return None
    there = " ".join(m.content for m in cited)
    if any(number not in there for number in numbers(text)):
        return None
    worth = made_from(grade_of(m) for m in cited)
    return KeptSentence(text, said.message_ids, "", worth.author_kind, worth.origin)
