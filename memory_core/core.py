"""MemoryCore: wires the layers, answers with an evidence report; knows nothing of the archive."""

from __future__ import annotations

import datetime as dt
import hashlib
import sqlite3
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path

from memory_core import signals, sufficiency
from memory_core.contradiction import conflicts
from memory_core.layers import facts, history, permanent, skills, wiki
from memory_core.model import Conflict, Evidence, EvidenceReport, Message, Route, Verdict
from memory_core.passages import Passage, PassageStore, evidence
from memory_core.question import Question, understand
from memory_core.question_types import AnswerType

PREFETCH = ("permanent", "facts")
RECALL = (*PREFETCH, "history")
ASK = (*RECALL, "wiki")
ASK_HOW_TO = (*ASK, "skills")
PER_LAYER = 12


@dataclass(frozen=True, slots=True)
class HistoryFeed:
    """Where the history layer gets its messages: a cheap stamp, and the messages of a window."""

    stamp: Callable[[], str]
    messages: Callable[[], Iterable[Message]]


@dataclass(frozen=True, slots=True)
class CoreSettings:
    """Where the layers live. `home` is a Hermes home; `facts` are extra fact files (JSONL).

    `history_days` is the declared window: None for all, 0 for none. `frozen` sets the wall
    clock aside: the window then ends at the time the question was asked. `owner` is who asks:
    "what did I say" means them.
    """

    home: Path
    store: Path | None = None
    wiki: tuple[Path, ...] = ()
    facts: tuple[Path, ...] = ()
    history_days: int | None = 30
    history: HistoryFeed | None = field(default=None)
    owner: str = ""


class MemoryCore:
    """Recall over the layers; every answer says which layers were asked and how they were."""

    def __init__(self, settings: CoreSettings) -> None:
        self._settings = settings
        self._store = PassageStore(settings.store)
        self._history = history.History(_beside(settings.store))
        self._history_stamp = ""

    def close(self) -> None:
        """Close the core's own indexes."""
        self._history.close()
        self._store.close()

    def recall(
        self, text: str, *, asked_at: dt.datetime, as_of: dt.date | None = None
    ) -> EvidenceReport:
        """Return what permanent memory, facts and history say to *text*."""
        return self._report(understand(text, asked_at), RECALL, asked_at, as_of)

    def consult(
        self, text: str, *, asked_at: dt.datetime, as_of: dt.date | None = None
    ) -> tuple[EvidenceReport, Verdict]:
        """Ask every layer that must have spoken before a ticket may be minted, and judge."""
        question = understand(text, asked_at)
        layers = ASK_HOW_TO if AnswerType.HOW_TO in question.types else ASK
        report = self._report(question, layers, asked_at, as_of)
        return report, self.judge(text, report)

    def judge(self, text: str, report: EvidenceReport) -> Verdict:
        """Judge a report, perhaps one that was widened by what a ticket brought."""
        question = understand(text, report.asked_at)
        idf = self._store.idf(question.wanted, ASK_HOW_TO)
        return sufficiency.judge(question, report, idf)

    def ranked(self, text: str, report: EvidenceReport) -> tuple[Evidence, ...]:
        """Return the pieces of a report, those that look most like an answer first.

        What is no longer valid, superseded or hosted comes after everything that may answer.
        """
        question = understand(text, report.asked_at)
        idf = self._store.idf(question.wanted, ASK_HOW_TO)
        usable = [r.evidence for r in signals.readings(question, report, idf)]
        known = {id(e) for e in usable}
        return (*usable, *(e for e in report.evidence if id(e) not in known))

    def conflicts(self, text: str, report: EvidenceReport) -> tuple[Conflict, ...]:
        """Return the conflicts within a report, perhaps one widened by what a ticket brought."""
        question = understand(text, report.asked_at)
        return self._conflicts(question, report.evidence, report.as_of or report.asked_at.date())

    def _conflicts(
        self, question: Question, found: Sequence[Evidence], on: dt.date
    ) -> tuple[Conflict, ...]:
        idf = self._store.idf(question.wanted, ASK_HOW_TO)
        seen = {i: signals.seen(e) for i, e in enumerate(found)}
        return conflicts(found, on=on, question=question, idf=idf, seen=seen)

    def scored(
        self, text: str, pieces: Iterable[Evidence], asked_at: dt.datetime
    ) -> tuple[Evidence, ...]:
        """Return *pieces* with the raw coverage of the question by their original words."""
        question = understand(text, asked_at)
        idf = self._store.idf(question.wanted, ASK_HOW_TO)
        return tuple(
            replace(
                e,
                scores={
                    **e.scores,
                    "coverage": signals.coverage(question, signals.seen(e), idf),
                },
            )
            for e in pieces
        )

    def _report(
        self,
        question: Question,
        layers: Sequence[str],
        asked_at: dt.datetime,
        as_of: dt.date | None,
    ) -> EvidenceReport:
        found: list[Evidence] = []
        routes = []
        for layer in layers:
            route, pieces = self._ask(layer, question, asked_at)
            routes.append(route)
            found += pieces
        when = as_of or _single_day(question)
        on = when or asked_at.date()
        return EvidenceReport(
            question=question.text,
            asked_at=asked_at,
            as_of=when,
            evidence=tuple(sorted(found, key=lambda e: (-e.scores["coverage"], e.source))),
            conflicts=self._conflicts(question, found, on),
            routes=tuple(routes),
        )

    def _ask(
        self, layer: str, question: Question, asked_at: dt.datetime
    ) -> tuple[Route, list[Evidence]]:
        started = time.perf_counter()
        try:
            found = self._found(layer, question, asked_at)
        except (OSError, sqlite3.Error, facts.FactStoreUnreadable, UnicodeError) as error:
            return Route(layer, "error", 0, _ms(started), str(error)), []
        idf = self._store.idf(question.wanted, ASK_HOW_TO)
        pieces = []
        for piece in found:
            cover = signals.coverage(question, signals.seen(piece), idf)
            pieces.append(replace(piece, scores={**piece.scores, "coverage": cover}))
        state = "ok" if pieces else "empty"
        return Route(layer, state, len(pieces), _ms(started)), pieces

    def _found(self, layer: str, question: Question, asked_at: dt.datetime) -> list[Evidence]:
        if layer == history.LAYER:
            return self._remembered(question, asked_at)
        self._sync(layer)
        hits = self._store.find(question.wanted, (layer,), PER_LAYER)
        return [evidence(hit.passage, {"bm25": hit.bm25}) for hit in hits]

    def _remembered(self, question: Question, asked_at: dt.datetime) -> list[Evidence]:
        """Search the declared window of sessions; only conversations that changed are read in."""
        feed, days = self._settings.history, self._settings.history_days
        if feed is None or days == 0:
            return []
        stamp = feed.stamp()
        if stamp != self._history_stamp:
            self._history.sync(feed.messages())
            self._history_stamp = stamp
        wanted = history.Wanted(days=days, limit=PER_LAYER, me=self._settings.owner)
        found = self._history.search(question.text, asked_at, wanted).found
        return [evidence(f.passage, {"own": f.signals.get("own", 0.0)}) for f in found]

    def _sync(self, layer: str) -> None:
        stamp, passages = self._origin(layer)
        if self._store.stamp(layer) != stamp:
            self._store.replace(layer, stamp, passages)

    def _origin(self, layer: str) -> tuple[str, Iterator[Passage]]:
        s = self._settings
        extra = _files_stamp(s.facts)
        given = (p for path in s.facts for p in facts.imported(path) if p.layer == layer)
        if layer == permanent.LAYER:
            return permanent.stamp(s.home) + extra, _chain(permanent.passages(s.home), given)
        if layer == facts.LAYER:
            store = s.home / "memory_store.db"
            return facts.stamp(store) + extra, _chain(facts.passages(store), given)
        if layer == wiki.LAYER:
            folders = s.wiki or (s.home / "wiki",)
            return wiki.stamp(folders) + extra, _chain(wiki.passages(folders), given)
        if layer == skills.LAYER:
            folder = s.home / "skills"
            return skills.stamp(folder) + extra, _chain(skills.passages(folder), given)
        msg = f"no layer of the core is called {layer}"
        raise ValueError(msg)


def _beside(store: Path | None) -> Path | None:
    """Return where the history's index lies: beside the store of the other layers."""
    return store.with_name(f"{store.stem}-history{store.suffix}") if store else None


def _chain(*parts: Iterator[Passage]) -> Iterator[Passage]:
    for part in parts:
        yield from part


def _files_stamp(paths: Iterable[Path]) -> str:
    return "".join(hashlib.sha256(p.read_bytes()).hexdigest() for p in paths)


def _ms(started: float) -> float:
    return round((time.perf_counter() - started) * 1000, 3)


def _single_day(question: Question) -> dt.date | None:
    """Return the day a question names, where it names exactly one; facts are judged as of it."""
    if question.span is None:
        return None
    first, after = question.span
    return first if after - first == dt.timedelta(days=1) else None
