"""How often the archive was opened, needed, missed: from the ledger, each part kept apart.

- `all`: what every question shows by itself. archive_call: opened / answered. futile_trigger:
  opened and still a gap / opened. from_archive: grounded in the archive / opened. degraded.
- `feedback`: only of questions a person judged. false_trigger: opened and not needed / opened and
  judged needed or not. rescue: opened, grounded in the archive and needed / the same. harm: opened
  and wrong / opened and judged. missed_trigger: closed and missing / closed and judged.
  silent_miss: closed, sufficient and wrong / closed and judged.
- `shadow`: of answers given without the archive and checked against it afterwards.
  missed_trigger: the archive contradicts / checked.

Intervals are Wilson's at 95 %; no part is ever added to another.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any

from hfea.intervals import Rate
from hfea.ledger.questions import AskedQuestion, Feedback, Questions, Shadow
from memory_core.model import VerdictKind

Table = dict[str, Any]
_USE = frozenset({Feedback.NEEDED, Feedback.NOT_NEEDED})


def rates(questions: Questions, *, klass: str = "live") -> Table:
    """Return all rates of a class of questions, whole and by day, language and reason code."""
    asked = questions.every(klass=klass)
    ended = [q for q in asked if q.result is not None]
    shadows = questions.shadows()
    return {
        "asked": len(asked),
        "answered": len(ended),
        **_parts(ended, shadows),
        "cost_per_rescued": _cost(ended),
        "by_verdict": _counted(ended),
        "by_day": _grouped(ended, shadows, lambda q: [q.at.date().isoformat()]),
        "by_language": _grouped(ended, shadows, lambda q: [q.language]),
        "by_reason": _grouped(ended, shadows, _reasons),
    }


def _reasons(q: AskedQuestion) -> Sequence[str]:
    return q.result.reasons if q.result else ()


def _counted(ended: Iterable[AskedQuestion]) -> dict[str, int]:
    found: dict[str, int] = defaultdict(int)
    for q in ended:
        if q.result:
            found[q.result.verdict.value] += 1
    return dict(sorted(found.items()))


def _grouped(
    ended: Sequence[AskedQuestion],
    shadows: Mapping[str, Shadow],
    keys: Callable[[AskedQuestion], Sequence[str]],
) -> Table:
    groups: dict[str, list[AskedQuestion]] = defaultdict(list)
    for q in ended:
        for key in keys(q):
            groups[key].append(q)
    return {key: _parts(found, shadows) for key, found in sorted(groups.items())}


def _parts(ended: Sequence[AskedQuestion], shadows: Mapping[str, Shadow]) -> Table:
    counts: dict[str, dict[str, list[int]]] = {p: {} for p in ("all", "feedback", "shadow")}
    for q in ended:
        for part, name, k in _told(q, shadows.get(q.id)):
            pair = counts[part].setdefault(name, [0, 0])
            pair[0] += k
            pair[1] += 1
    return {
        part: {name: Rate(k, n).table() for name, (k, n) in sorted(found.items())}
        for part, found in counts.items()
    }


def _told(q: AskedQuestion, shadow: Shadow | None) -> Iterable[tuple[str, str, bool]]:
    r = q.result
    if r is None:
        return
    yield "all", "archive_call", r.archive_opened
    yield "all", "degraded", r.degraded
    if r.archive_opened:
        yield "all", "futile_trigger", r.outcome == "gap"
        yield "all", "from_archive", r.grounded_in == "archive"
    if shadow is not None:
        yield "shadow", "missed_trigger", shadow.verdict is VerdictKind.CONTRADICTORY
    said = {value for value, _ in q.feedback}
    if not said:
        return
    if not r.archive_opened:
        yield "feedback", "missed_trigger", Feedback.MISSING in said
        sure = r.verdict is VerdictKind.SUFFICIENT
        yield "feedback", "silent_miss", sure and Feedback.WRONG in said
        return
    yield "feedback", "harm", Feedback.WRONG in said
    if said & _USE:
        yield "feedback", "false_trigger", Feedback.NOT_NEEDED in said
        yield "feedback", "rescue", _rescued(q)


def _rescued(q: AskedQuestion) -> bool:
    told = q.result is not None and q.result.grounded_in == "archive"
    return told and any(value is Feedback.NEEDED for value, _ in q.feedback)


def _cost(ended: Sequence[AskedQuestion]) -> Table | None:
    """Return what all openings cost together per rescued answer; None where none was rescued."""
    rescued = sum(_rescued(q) for q in ended)
    if not rescued:
        return None
    opened = [q.result for q in ended if q.result and q.result.archive_opened]
    return {
        "rescued": rescued,
        "milliseconds": round(sum(r.milliseconds for r in opened) / rescued, 1),
        "tokens": round(sum(r.tokens_returned for r in opened) / rescued, 1),
        "money": round(sum(r.money for r in opened) / rescued, 6),
    }
