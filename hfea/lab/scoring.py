"""What a run over a world is worth: the rates of design section 7, against the world's labels.

Definitions (a question without a result counts as an error with the archive closed):

- archive_call: opened / all. false_trigger: opened / labelled core.
- missed_trigger: not opened / labelled archive. futile_trigger: labelled none / opened.
- silent_miss: core-grounded on a fact the world knows to be bad / archive questions that have one.
- rescue: not right by the core alone, right after the archive / all; harm: the other way round.
  Right means: core and archive questions hold every `must_have`, none questions end in a gap.
  The core alone answers where its verdict is sufficient and says gap elsewhere.
- false_answer: grounded / labelled none; negative_empty: gap / labelled none.
- false_refusal: gap / labelled core or archive.
- evidence_recall@5: gold message ids in the first five pieces of evidence / gold message ids.
- citation_precision: lines of grounded archive answers whose words stand in a message they cite.
- contradiction_precision, contradiction_recall: conflict outcome or contradictory verdict.
- inference_as_fact: answer lines made of an inference that do not say so / such lines.
"""

from __future__ import annotations

import math
import re
import unicodedata
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from hfea.intervals import Rate

NO_RESULT: Mapping[str, Any] = {
    "outcome": "error",
    "grounded_in": None,
    "verdict": "error",
    "archive_opened": False,
    "answer": "",
    "evidence": [],
}
NAMES = (
    "archive_call",
    "false_trigger",
    "missed_trigger",
    "silent_miss",
    "futile_trigger",
    "rescue",
    "harm",
    "false_answer",
    "false_refusal",
    "negative_empty",
    "evidence_recall@5",
    "citation_precision",
    "contradiction_precision",
    "contradiction_recall",
    "inference_as_fact",
    "must_have",
    "right_route",
)
FIRST = 5  # pieces of evidence that count for recall
_APOSTROPHES = re.compile("[\u2018\u2019\u00b4`]")

Pair = tuple[Mapping[str, Any], Mapping[str, Any]]


def score(
    labels: Sequence[Mapping[str, Any]], rows: Sequence[Mapping[str, Any]]
) -> dict[str, Rate]:
    """Return every rate of *rows* (one a question, by `qid`) against *labels*."""
    found = {row["qid"]: row for row in rows}
    pairs = [(label, found.get(label["qid"], NO_RESULT)) for label in labels]
    counts = {name: [0, 0] for name in NAMES}
    for pair in pairs:
        for name, k, n in _counts(*pair):
            counts[name][0] += k
            counts[name][1] += n
    rates = {name: Rate(k, n) for name, (k, n) in counts.items()}
    _check(pairs, rates)
    return rates


def _check(pairs: Sequence[Pair], rates: Mapping[str, Rate]) -> None:
    """Refuse figures that contradict one another (invariant 15)."""
    parts = rates["false_trigger"].n + rates["missed_trigger"].n + rates["false_answer"].n
    sound = (
        rates["archive_call"].n == len(pairs) == parts
        and rates["futile_trigger"].n == rates["archive_call"].k
        and rates["negative_empty"].n == rates["false_answer"].n
        and rates["rescue"].k + rates["harm"].k <= len(pairs)
    )
    if not sound:
        msg = "the rates contradict one another: a label is missing or of an unknown kind"
        raise ValueError(msg)


def _counts(label: Mapping[str, Any], row: Mapping[str, Any]) -> Iterable[tuple[str, int, int]]:
    source, opened = label["answerable_from"], bool(row["archive_opened"])
    outcome = row["outcome"]
    yield "archive_call", opened, 1
    if opened:
        yield "futile_trigger", source == "none", 1
    if source == "core":
        yield "false_trigger", opened, 1
    elif source == "archive":
        yield "missed_trigger", not opened, 1
        bad = {f"facts:{number}" for number in label.get("bad_core_facts") or ()}
        if bad:
            yield "silent_miss", not opened and outcome == "grounded" and _rests_on(row, bad), 1
    else:
        yield "false_answer", outcome == "grounded", 1
        yield "negative_empty", outcome == "gap", 1
    if source != "none":
        yield "false_refusal", outcome == "gap", 1
        yield from _evidence(label, row)
    wanted = label.get("must_have") or ()
    if wanted:
        yield "must_have", _has_all(wanted, row.get("answer") or ""), 1
    yield from _contradiction(label, row)
    yield from _paired(label, row)
    yield from _lines(row)
    yield "right_route", _right_route(source, row), 1


def _rests_on(row: Mapping[str, Any], sources: set[str]) -> bool:
    first = (row.get("evidence") or [])[:1]
    return any(e.get("source") in sources for e in first)


def _evidence(label: Mapping[str, Any], row: Mapping[str, Any]) -> Iterable[tuple[str, int, int]]:
    gold = set(label.get("evidence") or ())
    got = {m for e in (row.get("evidence") or [])[:FIRST] for m in e.get("message_ids") or ()}
    yield "evidence_recall@5", len(gold & got), len(gold)


def _contradiction(
    label: Mapping[str, Any], row: Mapping[str, Any]
) -> Iterable[tuple[str, int, int]]:
    said = row["outcome"] == "conflict" or row["verdict"] == "contradictory"
    if said:
        yield "contradiction_precision", bool(label.get("contradiction")), 1
    if label.get("contradiction"):
        yield "contradiction_recall", said, 1


def _paired(label: Mapping[str, Any], row: Mapping[str, Any]) -> Iterable[tuple[str, int, int]]:
    now = _right(label, row)
    alone = now if not row["archive_opened"] else label["answerable_from"] == "none"
    yield "rescue", now and not alone, 1
    yield "harm", alone and not now, 1


def _right(label: Mapping[str, Any], row: Mapping[str, Any]) -> bool:
    if label["answerable_from"] == "none":
        return bool(row["outcome"] == "gap")
    told = row["outcome"] in ("grounded", "conflict")
    return told and _has_all(label.get("must_have") or (), row.get("answer") or "")


def _right_route(source: str, row: Mapping[str, Any]) -> bool:
    told = row["outcome"] in ("grounded", "conflict")
    if source == "none":
        return bool(row["outcome"] == "gap")
    return told and bool(row["archive_opened"]) == (source == "archive")


def _lines(row: Mapping[str, Any]) -> Iterable[tuple[str, int, int]]:
    """Count the pieces of evidence that the answer quotes."""
    answer = row.get("answer") or ""
    quoted = [e for e in row.get("evidence") or () if f"[{e.get('source')}]" in answer]
    if row.get("grounded_in") == "archive":
        for e in quoted:
            cited = bool(e.get("message_ids")) or bool(e.get("source"))
            yield "citation_precision", cited and fold(e["text"]) in fold(answer), 1
    for e in quoted:
        if e.get("kind") == "inference":
            line = next(x for x in answer.splitlines() if f"[{e['source']}]" in x)
            said = "não é fato" in line or "not a fact" in line
            yield "inference_as_fact", not said, 1


def _has_all(wanted: Iterable[str], answer: str) -> bool:
    return all(has(w, answer) for w in wanted)


def has(wanted: str, text: str) -> bool:
    """Whether *text* holds *wanted* at word edges, folded; `||` parts alternatives."""
    hay = fold(text)
    return any(_at_edges(fold(part), hay) for part in wanted.split("||") if fold(part))


def _at_edges(needle: str, hay: str) -> bool:
    left = r"(?<!\w)" if needle[0].isalnum() else ""
    right = r"(?!\w)" if needle[-1].isalnum() else ""
    return bool(re.search(left + re.escape(needle) + right, hay))


def fold(text: str) -> str:
    """Return *text* without accents, case and doubled blanks."""
    plain = unicodedata.normalize("NFKD", text)
    plain = "".join(c for c in plain if not unicodedata.combining(c)).casefold()
    return " ".join(_APOSTROPHES.sub("'", plain).split())


def mcnemar(rescue: int, harm: int) -> float:
    """Return the exact two-sided p of McNemar's test on *rescue* against *harm* (binomial)."""
    n = rescue + harm
    if not n:
        return 1.0
    tail = sum(math.comb(n, i) for i in range(min(rescue, harm) + 1)) / 2**n
    return float(min(1.0, 2 * tail))
