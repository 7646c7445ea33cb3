"""What is asked of the archive with one ticket: the question, what is missing, its days.

One ticket is one question and one connection; within it, the words are looked for on the days the
question names and on all others, and the statements beside the best ones are read as well.
"""

from __future__ import annotations

import datetime as dt
from collections.abc import Sequence

from hfea.archive.search import ArchiveSearch
from hfea.archive.search_model import Excerpt, Query
from memory_core.model import EvidenceReport, Verdict
from memory_core.question import Question

POOL = 24  # statements looked at, whatever their day
ON_THE_DAYS = 12  # and on the days that the question names
BESIDE = 8  # of the best ones, the statements before and after are read


def looked_up(
    search: ArchiveSearch, question: Question, verdict: Verdict, report: EvidenceReport
) -> list[Excerpt]:
    """Return what the archive has: found on the named days first, then anywhere, then beside."""
    wanted = " ".join(slot.value for slot in verdict.missing if slot.value)
    text = f"{question.text} {wanted}".strip()
    end = report.asked_at.date() + dt.timedelta(days=1)
    found: list[Sequence[Excerpt]] = []
    if question.span is not None:
        first, after = question.span
        if first < min(after, end):
            query = Query(text, first=first, after=min(after, end), limit=ON_THE_DAYS, wide=True)
            found.append(search.search(query).hits)
    found.append(search.search(Query(text, after=end, limit=POOL, wide=True)).hits)
    hits = list({e.id: e for part in found for e in part}.values())
    beside = [e for e in search.neighbours(hits[:BESIDE]) if e.day < end]
    return [*hits, *beside]
