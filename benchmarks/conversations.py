"""Whole conversations through the night: what of the labelled parts reaches the episodes, and how.

    python benchmarks/conversations.py [--errors] [--show NAME] [dev|test]

Each conversation is consolidated day by day. A labelled part is found where the statement that
cites most of it has its theme. An owner's affirmed decision, revision or mood that no label
covers is false. A question is answered where one statement, or one and those linked to it, holds
all the needles of one of its alternatives.
"""

from __future__ import annotations

import sys
from collections import Counter, defaultdict
from collections.abc import Sequence

from talks import LABELLED, Label, Talk, episodes, talks

from hfea.archive import render
from hfea.episode import Statement
from memory_core.model import Kind, Polarity, Theme
from memory_core.text import fold

COMMITTING = (Theme.DECISION, Theme.REVISION, Theme.MOOD)
CHANGE = ("decision", "revision")  # a change of plan may be told as either


def overlap(label: Label, s: Statement) -> int:
    """Return how many characters of the labelled part a statement cites."""
    return max(
        (
            min(c.end, label.end) - max(c.start, label.start)
            for c in s.citations
            if c.message_id == label.message
        ),
        default=-1,
    )


def covering(label: Label, told: Sequence[Statement]) -> Statement | None:
    """Return the statement that tells the labelled part: half of it, or a third if it is right."""
    length = label.end - label.start
    halves = [s for s in told if 2 * overlap(label, s) >= length]
    thirds = [s for s in told if 3 * overlap(label, s) >= length and right_theme(label, s)]
    return max(thirds or halves, key=lambda s: overlap(label, s), default=None)


def holder(s: Statement) -> str:
    """Return whose content a statement is."""
    return "third_party" if s.holder else s.author_kind.value


def right_theme(label: Label, s: Statement | None) -> bool:
    """Whether a statement tells the labelled part for what it is.

    A change of plan may be told as decision or revision; what others think one should do as an
    alternative or not at all; what is forbidden as a limit or a refusal.
    """
    if s is None:
        return label.theme == "none"
    if "inference" in (label.theme, s.kind.value):
        return s.kind is Kind.INFERENCE and label.theme in ("inference", s.theme.value)
    if label.theme == "quote":
        return s.kind is Kind.QUOTE
    mine = s.theme.value
    opinion = label.holder == "third_party" and {label.theme, mine} == {"alternative", "other"}
    forbidden = label.polarity == "negated" and (label.theme, mine) == ("constraint", "decision")
    return (
        label.theme == mine
        or (label.theme in CHANGE and mine in CHANGE)
        or opinion
        or (forbidden and s.polarity is Polarity.NEGATED)
        or (label.theme, mine) == ("none", "other")
    )


class Scorer:
    """Counts over conversations, and prints what is wrong where `errors` is set."""

    def __init__(self, *, errors: bool) -> None:
        self.counts: dict[str, Counter[str]] = defaultdict(Counter)
        self._errors = errors

    def score(self, talk: Talk) -> tuple[int, int]:
        """Count what was found of one conversation; return questions answered and asked."""
        told = [s for e in episodes(talk) for s in e.statements()]
        found = {label: covering(label, told) for label in talk.labels}
        tags = {label.tag: s for label, s in found.items() if label.tag}
        for label, s in found.items():
            self._theme(talk, label, s)
            self._facets(talk, label, s)
            for relation, tag in label.links:
                self._link(talk, label, (s, relation, tags.get(tag)))
        self._false_alarms(talk, told)
        answered = 0
        for question, needles in talk.questions:
            good = answers(needles, told)
            answered += good
            if not good:
                self._say(talk, f"UNANSWERED {question}")
        return answered, len(talk.questions)

    def _say(self, talk: Talk, what: str) -> None:
        if self._errors:
            print(f"  {talk.name:9} {what}")

    def _theme(self, talk: Talk, label: Label, s: Statement | None) -> None:
        right = right_theme(label, s)
        self.counts[label.theme]["hit" if right else "miss"] += 1
        if not right:
            self.counts[s.theme.value if s else "lost"]["false"] += 1
            read = f"{s.theme.value} {s.kind.value}" if s else "LOST"
            self._say(talk, f"{label.theme:11} read as {read:20} {label.text!r}")

    def _facets(self, talk: Talk, label: Label, s: Statement | None) -> None:
        if s is None:
            return
        for name, mine in (("polarity", s.polarity.value), ("holder", holder(s))):
            good = mine == getattr(label, name)
            self.counts[f"= {name}"]["hit" if good else "miss"] += 1
            if not good:
                self._say(talk, f"= {name} {mine}, not {getattr(label, name)}: {label.text!r}")

    def _link(
        self, talk: Talk, label: Label, link: tuple[Statement | None, str, Statement | None]
    ) -> None:
        s, relation, target = link
        good = bool(
            s
            and target
            and any(k.relation.value == relation and k.statement == target.id for k in s.links)
        )
        self.counts["= links"]["hit" if good else "miss"] += 1
        if not good:
            text = target.text if target else None
            self._say(talk, f"= link {relation} missing: {label.text!r} -> {text!r}")

    def _false_alarms(self, talk: Talk, told: Sequence[Statement]) -> None:
        """Count what the owner is said to have decided or felt where no label is like it."""
        for s in told:
            own = holder(s) == "owner" and s.kind not in (Kind.QUOTE, Kind.HOSTED)
            firm = s.polarity in (Polarity.AFFIRMED, Polarity.NEGATED) and len(s.citations) == 1
            if not own or not firm or s.theme not in COMMITTING:
                continue
            about = [x for x in talk.labels if overlap(x, s) > 0]
            if not any(right_theme(x, s) for x in about):
                self.counts[s.theme.value]["false"] += not about  # else counted with its label
                self._say(talk, f"FALSE {s.theme.value} {s.text!r}")


def answers(needles: Sequence[Sequence[str]], told: Sequence[Statement]) -> bool:
    """Whether one statement with its linked ones holds all the needles of one alternative."""
    texts = {s.id: fold(s.text) for s in told}
    joined = [
        " ".join([texts[s.id], *(texts.get(k.statement, "") for k in s.links)])
        for s in told
        if s.kind is not Kind.HOSTED
    ]
    return any(all(n in text for n in group) for group in needles for text in joined)


def table(title: str, counts: dict[str, Counter[str]]) -> None:
    """Print precision and recall with their numbers."""
    print(f"\n{title}")
    total = Counter[str]()
    for theme in sorted(counts):
        c = counts[theme]
        hit, miss, false = c["hit"], c["miss"], c["false"]
        if theme.startswith("="):
            print(f"  {theme:14} right {hit / max(1, hit + miss):.2f} ({hit}/{hit + miss})")
            continue
        if theme not in ("other", "none", "lost"):
            total.update(c)
        print(f"  {theme:14} precision {hit}/{hit + false}  recall {hit}/{hit + miss}")
    hit, miss, false = total["hit"], total["miss"], total["false"]
    print(
        f"  {'all themes':14} precision {hit / max(1, hit + false):.3f} ({hit}/{hit + false})"
        f"  recall {hit / max(1, hit + miss):.3f} ({hit}/{hit + miss})"
    )


def main() -> None:
    """Score the splits, by language and conversation; `--show NAME` prints the episodes of one."""
    words = sys.argv[1:]
    shown = words[words.index("--show") + 1] if "--show" in words else ""
    for split in [w for w in words if w in ("dev", "test")] or ["dev", "test"]:
        for path in sorted(LABELLED.glob("*.txt")):
            scorer = Scorer(errors="--errors" in words)
            asked: list[str] = []
            for talk in talks(path):
                if talk.name == shown:
                    for number, e in enumerate(episodes(talk), start=1):
                        print(render.episode(e, number))
                if talk.split == split:
                    good, total = scorer.score(talk)
                    asked.append(f"{talk.name} {good}/{total}")
            table(f"conversations {path.stem} {split}", scorer.counts)
            print(f"  questions answered by the episodes: {', '.join(asked)}")


if __name__ == "__main__":
    main()
