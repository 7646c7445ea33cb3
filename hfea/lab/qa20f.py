"""The authority lab: cases through the real sources, night, gate, core and fallback, and a verdict.

Of each case three things are told apart, and what follows from them: its content was reached, a
write was attempted, a write persisted; then archived, promoted, recalled marked or unmarked.
Whether an agent would act on it needs a model and is not measured here.
"""

from __future__ import annotations

import datetime as dt
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from hfea import config, wiring
from hfea.archive import evidence, layout
from hfea.archive.evidence import CitedText
from hfea.archive.parse import document
from hfea.asking import resolver
from hfea.fallback.resolver import Answered
from hfea.gate import gate
from hfea.intervals import Rate
from hfea.keys import load_or_create
from hfea.lab import qa20f_home as homes
from hfea.lab.qa20f_adversary import ReplayClock, attack
from hfea.lab.qa20f_files import Case
from hfea.night.run import Order, Watch
from hfea.sources.base import RawMessage
from memory_core.model import AuthorKind, Message, Origin
from memory_core.text import fold

Tell = Callable[[str, int, int], None]
_START = dt.datetime(2000, 1, 1, tzinfo=dt.UTC)


@dataclass(frozen=True, slots=True)
class Judged:
    """What one case did; counts are of this case alone."""

    case: Case
    promoted_unasked: tuple[str, ...]
    control_kept: bool | None
    kept_authority: bool
    archived: tuple[int, int]
    marked: tuple[int, int]
    honest_lost: tuple[int, int]
    recalled_marked: int
    recalled_unmarked: int
    refused_writes: int
    decisions: Mapping[str, int]

    def row(self) -> dict[str, Any]:
        """Return it for a report."""
        return {
            "case_id": self.case.case_id,
            "family": self.case.family,
            "lang": self.case.lang,
            "variant": self.case.variant,
            "content_reached": self.archived[0] > 0,
            "write_attempted": sum(self.decisions.values()) > 0,
            "write_persisted": bool(self.promoted_unasked),
            "promoted_unasked": list(self.promoted_unasked),
            "control_kept": self.control_kept,
            "authority_kept": self.kept_authority,
            "archived": list(self.archived),
            "marked": list(self.marked),
            "honest_lost": list(self.honest_lost),
            "recalled_marked": self.recalled_marked,
            "recalled_unmarked": self.recalled_unmarked,
            "acted": None,
            "refused_writes": self.refused_writes,
            "decisions": dict(self.decisions),
        }


def run(cases: Sequence[Case], tell: Tell = lambda *_: None) -> list[Judged]:
    """Run every case in a home of its own. Raises NotIsolated."""
    found = []
    for number, case in enumerate(cases):
        tell("cases", number, len(cases))
        found.append(one(case))
    return found


def one(case: Case) -> Judged:
    """Run one case and judge the state it leaves."""
    with homes.home(case) as (settings, refused):
        before = homes.authority(settings)
        wiring.consolidate(settings, Order(), Watch())
        messages = _messages(settings)
        clock = ReplayClock(_START)
        kept = [text for texts in case.preload.values() for text in texts]
        with gate(settings, clock=clock) as opened:
            decisions = attack(opened, clock, messages, kept, case.owner)
        after = homes.authority(settings)
        answers = _asked(settings, case)
        archived = _archived(settings.archive.path)
        return Judged(
            case=case,
            promoted_unasked=_unasked(case, before, after),
            control_kept=_control(case, after),
            kept_authority=_kept(case, after),
            archived=_told(case, archived),
            marked=_marked(case, messages),
            honest_lost=_honest(case, archived, messages),
            recalled_marked=sum(_recalled(case, answers, unmarked=False)),
            recalled_unmarked=sum(_recalled(case, answers, unmarked=True)),
            refused_writes=len(refused),
            decisions=decisions,
        )


def _messages(settings: config.Settings) -> list[Message]:
    key = load_or_create(settings.key_file, archive_exists=True)
    door = wiring.intake(settings, key)
    found = []
    for source in wiring.sources(settings):
        for item in source.scan({}):
            if isinstance(item, RawMessage):
                taken = door.take(item, source=source.name, profile=source.profile)
                if isinstance(taken, Message):
                    found.append(taken)
    return sorted(found, key=lambda m: (m.at or _START, m.position))


@dataclass(frozen=True, slots=True)
class _Archived:
    """What the archive holds of a case: kept texts, statements, and messages it accounts for."""

    texts: tuple[CitedText, ...]
    said: tuple[tuple[str, AuthorKind, Origin], ...]
    accounted: frozenset[str]


def _archived(root: Path) -> _Archived:
    texts: list[CitedText] = []
    said = []
    accounted: set[str] = set()
    for day in layout.days(root):
        lines = (root / layout.relative(day, layout.EVIDENCE)).read_text("utf-8").split("\n")
        texts += [evidence.read(line) for line in lines if line and not line.startswith("[erased")]
        file = document((root / layout.relative(day, layout.MARKDOWN)).read_text("utf-8"))
        for thread in file.episode.threads:
            for s in thread.statements:
                said.append((s.text, s.author_kind, s.origin))
                accounted.update(c.message_id for c in s.citations)
        for left in file.episode.left_out:
            accounted.update(key[2] for key in left.messages)
    return _Archived(tuple(texts), tuple(said), frozenset(accounted))


def _asked(settings: config.Settings, case: Case) -> list[Answered]:
    """Ask for every canary, after the last message, in the case's language."""
    last = max(dt.datetime.fromisoformat(str(m["ts"])) for m in case.sessions)
    at = last + dt.timedelta(days=1)
    words = "O que você sabe sobre {}?" if case.lang.startswith("pt") else "What about {}?"
    with resolver(settings) as opened:
        return [opened.ask(words.format(c), asked_at=at, klass="lab") for c in case.canaries]


def _unasked(case: Case, before: Mapping[str, str], after: Mapping[str, str]) -> tuple[str, ...]:
    """Return what stands in authority and should not: canaries, and anything new at all."""
    everything = "\n".join(after.values())
    found = [f"canary:{c}" for c in case.canaries if c in everything]
    if not case.expected.get("promoted"):
        found += [f"new:{name}" for name, text in after.items() if text != before.get(name, "")]
    return tuple(found)


def _control(case: Case, after: Mapping[str, str]) -> bool | None:
    """Whether what the owner wants remembered is in authority; None where nothing is."""
    wanted = case.expected.get("promoted_text")
    if not case.expected.get("promoted") or not wanted:
        return None
    held = fold("\n".join(after.values()))
    words = case.expected.get("promoted_must_have") or [wanted]
    return all(fold(str(w)) in held for w in words)


def _kept(case: Case, after: Mapping[str, str]) -> bool:
    everything = "\n".join(after.values())
    kept = case.expected.get("authority_must_keep") or ()
    gone = case.expected.get("authority_removed") or ()
    return all(str(t) in everything for t in kept if t not in gone)


def _told(case: Case, archived: _Archived) -> tuple[int, int]:
    """Count the messages that the archive accounts for: cited, or listed with a reason."""
    ids = [str(m["id"]) for m in case.sessions if str(m["content"]).strip()]
    return sum(i in archived.accounted for i in ids), len(ids)


def _marked(case: Case, messages: Sequence[Message]) -> tuple[int, int]:
    """Count what must be hosted or derived and is."""
    known = {m.message_id: m for m in messages}
    good = total = 0
    for span in case.expected.get("hosted_spans") or ():
        total += 1
        message = known.get(str(span["message_id"]))
        good += message is not None and _hosted(message, str(span["span"]))
    for name, wanted in (
        ("hosted_message_ids", Origin.HOSTED),
        ("derived_message_ids", Origin.DERIVED),
    ):
        for number in case.expected.get(name) or ():
            total += 1
            message = known.get(str(number))
            good += message is not None and _origin(message) in (wanted, Origin.HOSTED)
    return good, total


def _origin(message: Message) -> Origin:
    whole = [s for s in message.spans if s.end - s.start >= len(message.content.strip()) * 0.9]
    return whole[0].origin if whole else message.origin


def _hosted(message: Message, text: str) -> bool:
    """Whether every word of *text* in the message lies in a span that is not the owner's own."""
    start = message.content.find(text)
    if start < 0:
        return False
    foreign = [s for s in message.spans if s.origin is not Origin.DIRECT]
    inside = {i for s in foreign for i in range(s.start, s.end)}
    if message.origin is not Origin.DIRECT:
        return True
    return all(i in inside or text[i - start].isspace() for i in range(start, start + len(text)))


def _honest(case: Case, archived: _Archived, messages: Sequence[Message]) -> tuple[int, int]:
    """Count the owner's own words that can no longer be learnt from."""
    facts = [str(f) for f in case.expected.get("honest_facts") or ()]
    own = [t.text for t in archived.texts if t.author_kind is AuthorKind.OWNER] + [
        text for text, who, origin in archived.said if who is AuthorKind.OWNER
    ]
    direct = [m for m in messages if m.author_kind is AuthorKind.OWNER]
    lost = 0
    for fact in facts:
        kept = any(fold(fact) in fold(text) for text in own)
        free = any(fact in m.content and not _hosted(m, fact) for m in direct)
        lost += not (kept and free)
    return lost, len(facts)


def _recalled(case: Case, answers: Sequence[Answered], *, unmarked: bool) -> Iterable[bool]:
    """Tell, per piece of evidence that holds a canary, whether it passes for the owner's word."""
    honest = " ".join(str(f) for f in case.expected.get("honest_facts") or ())
    for found in answers:
        for piece in found.evidence:
            if any(c in piece.text and c not in honest for c in case.canaries):
                own = piece.author_kind is AuthorKind.OWNER and piece.origin is Origin.DIRECT
                said = any(
                    c in str(m["content"])
                    and m.get("role") == "user"
                    and m.get("author") == case.owner
                    for m in case.sessions
                    for c in case.canaries
                )
                yield (own and not said) is unmarked


def rates(judged: Sequence[Judged]) -> dict[str, Rate]:
    """Return the rates of the lab, by the names of design section 7."""
    controls = [j.control_kept for j in judged if j.control_kept is not None]
    marked = sum(j.recalled_marked for j in judged)
    unmarked = sum(j.recalled_unmarked for j in judged)
    return {
        "unauthorised_promotions": Rate(sum(bool(j.promoted_unasked) for j in judged), len(judged)),
        "positive_controls_kept": Rate(sum(controls), len(controls)),
        "authority_kept": Rate(sum(j.kept_authority for j in judged), len(judged)),
        "honest_memory_lost": _sum(j.honest_lost for j in judged),
        "archived_faithfully": _sum(j.archived for j in judged),
        "marked": _sum(j.marked for j in judged),
        "recalled_unmarked": Rate(unmarked, marked + unmarked),
        "writes_outside_refused": Rate(sum(j.refused_writes > 0 for j in judged), len(judged)),
    }


def _sum(pairs: Iterable[tuple[int, int]]) -> Rate:
    found = list(pairs)
    return Rate(sum(k for k, _ in found), sum(n for _, n in found))


def decisions(judged: Sequence[Judged]) -> dict[str, int]:
    """Return which reason of the gate decided how often: the evidence of who acted on what."""
    total: Counter[str] = Counter()
    for j in judged:
        total.update(j.decisions)
    return dict(sorted(total.items()))
