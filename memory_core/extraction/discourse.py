"""What a clause is because of the clause beside it: reasons that no word announces."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace

from memory_core.extraction.model import Clause
from memory_core.model import AuthorKind, Kind, Polarity, Theme
from memory_core.text import content_terms, fold

MOST_CLAUSES = 5  # in a longer message, what stands beside a choice need not be about it
_CHOSEN = frozenset({Theme.DECISION, Theme.REVISION, Theme.ALTERNATIVE})
_HELD = _CHOSEN | {Theme.MOOD, Theme.CONSTRAINT}
_THEREFORE = re.compile(r"(?:so|entao|por isso|dai|therefore|that's why)\b")
_ANAPHOR = re.compile(r"(?:it|that|this|they|he|she|isso|esse|essa|ele|ela|eles|elas)\b")


def with_reasons(found: Sequence[Clause], text: str) -> list[Clause]:
    """Return the clauses of one message, those that give the reason of a choice marked so.

    After a colon behind a refusal, a choice or a mood; before "so" and a choice; and, in a
    short message, right after a choice where a pronoun or a repeated word ties them.
    """
    result = _sealed(found, text)
    for n, clause in enumerate(result):
        if not _may_explain(clause):
            continue
        before = result[n - 1] if n else None
        after = result[n + 1] if n + 1 < len(found) else None
        if _explains(before, clause, text, len(found)) or _leads_to(clause, after, text):
            result[n] = replace(clause, theme=Theme.REASON, kind=Kind.REPORTED_STATE)
    return result


def _sealed(found: Sequence[Clause], text: str) -> list[Clause]:
    """Return the clauses, what a bare "Final." or "Fechado." closes told as the decision it is."""
    result = list(found)
    for n in range(1, len(result)):
        last, seal = result[n - 1], result[n]
        bare = seal.theme is Theme.DECISION and len(text[seal.start : seal.end].split()) == 1
        if bare and last.theme is Theme.OTHER and last.polarity is Polarity.AFFIRMED:
            result[n - 1] = replace(last, theme=Theme.DECISION, kind=Kind.EVENT)
    return result


def _may_explain(clause: Clause) -> bool:
    limits = clause.theme is Theme.CONSTRAINT and "sem-x-nao" in clause.cues
    told = clause.theme is Theme.OTHER and clause.kind not in (Kind.QUOTE, Kind.INFERENCE)
    asks = clause.polarity is Polarity.QUESTION
    return (told or limits) and not asks and clause.holder is not AuthorKind.AGENT


def _explains(before: Clause | None, clause: Clause, text: str, total: int) -> bool:
    if before is None or before.theme not in _HELD:
        return False
    if ":" in text[before.end : clause.start]:
        return True
    if total > MOST_CLAUSES or before.theme not in _CHOSEN or clause.kind is Kind.EVENT:
        return False
    own = text[clause.start : clause.end]
    if _ANAPHOR.match(fold(own)):
        return True
    return bool(set(content_terms(own)) & set(content_terms(text[before.start : before.end])))


def _leads_to(clause: Clause, after: Clause | None, text: str) -> bool:
    if after is None or after.theme not in _CHOSEN:
        return False
    between = text[clause.end : after.start]
    return "." not in between and bool(_THEREFORE.match(fold(text[after.start : after.end])))
