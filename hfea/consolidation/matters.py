"""Which earlier statement is about the same matter: shared words, names, values, and nearness."""

from __future__ import annotations

import datetime as dt
import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from functools import lru_cache

from hfea.consolidation.inputs import Prior
from hfea.episode import Relation, Statement
from memory_core.model import Kind
from memory_core.text import content_terms, fold

LATEST = 400  # earlier statements that are compared with one, the newest that share a stem
RAREST = 12  # stems of a statement by which earlier ones are looked up
SAME_MATTER = 0.34  # share of the rarer statement's idf mass that both must have
FEW = 6  # statements that hold a stem, up to which it alone may show the matter
RECENT = 14  # statements back that still belong to the talk
_NAME = re.compile(r"(?<![.!?:]\s)(?<!^)\b[A-ZÀ-Þ][\w'’-]{2,}")
_ANAPHOR = re.compile(r"\b(?:isso|isto|it|that|this|them|el[ae]s?|la|one|ones|there|disso|nisso)\b")
# Shapes of what a plan fixes: a clock time, a date, money, a share, a number with its unit.
_SHAPES = (
    ("time", re.compile(r"\b\d{1,2}(?::\d{2}|h\d{0,2}\b| ?[ap]m\b)|\b(?:as|pr?as|at) \d{1,2}\b")),
    (
        "date",
        re.compile(
            r"\b\d{1,2}(?:st|nd|rd|th)\b|\bdia \d{1,2}\b|\b\d{1,2} de \w+o\b|\b(?:mon|tues|wednes"
            r"|thurs|fri|satur|sun)day\b|\b(?:segunda|terca|quarta|quinta|sexta|sabado|domingo)s?\b"
        ),
    ),
    ("money", re.compile(r"(?:r\$|us\$|[$£€]) ?\d|\b\d+ (?:reais|rand|mil|k)\b")),
    ("share", re.compile(r"\d ?%")),
    (
        "amount",
        re.compile(r"\b\d+(?:[.,]\d+)? ?(?:mg|ml|kg|g|km|m|gb|tb|h|horas?|hours?|copies)\b"),
    ),
)
_VALUE = re.compile(r"\d+(?:[.,:]\d+)*")


@lru_cache(maxsize=100_000)
def terms_of(text: str) -> frozenset[str]:
    """Return the stems of a text's telling words."""
    return frozenset(content_terms(text))


@dataclass(frozen=True, slots=True)
class Said:
    """A statement as it is remembered: its stems, those it points back to, and its day."""

    statement: Statement
    terms: frozenset[str]
    context: frozenset[str]
    day: dt.date | None

    @property
    def talk(self) -> tuple[str, str]:
        """The source and session it was said in."""
        first = self.statement.citations[0]
        return first.source, first.session_id


class Weights:
    """The idf of stems, and the mass of sets of them, each summed once."""

    def __init__(self, idf: Mapping[str, float]) -> None:
        self._idf = idf
        self._masses: dict[frozenset[str], float] = {}

    def mass(self, terms: frozenset[str]) -> float:
        """Return the summed idf of *terms*; a stem that is not known weighs 1."""
        found = self._masses.get(terms)
        if found is None:
            found = sum(self._idf.get(t, 1.0) for t in sorted(terms))
            self._masses[terms] = found
        return found


class Memory:
    """Earlier statements by the stems they hold, so that one is found without reading all."""

    def __init__(self, prior: Prior) -> None:
        self.said: list[Said] = []
        self.closed: set[str] = set()
        self._places: dict[str, list[int]] = {}
        for day, statement in prior:
            self.add(statement, day)

    def add(self, statement: Statement, day: dt.date | None = None) -> None:
        """Remember one more; what came from outside is nothing to revise or close."""
        if statement.kind is Kind.HOSTED:
            return
        said = self.read(statement, day)
        self.closed.update(k.statement for k in statement.links if k.relation is Relation.CLOSES)
        for term in said.terms | said.context:
            self._places.setdefault(term, []).append(len(self.said))
        self.said.append(said)

    def read(self, statement: Statement, day: dt.date | None = None) -> Said:
        """Return a statement with the stems of what its pronouns may point back to."""
        terms = terms_of(statement.text)
        context: frozenset[str] = frozenset()
        last = self.said[-1] if self.said else None
        points_back = bool(_ANAPHOR.search(fold(statement.text)))
        if last is not None and points_back and _one_breath(last.statement, statement):
            context = last.terms - terms
        return Said(statement, terms, context, day)

    def spread(self, term: str) -> int:
        """Return how many statements hold a stem."""
        return len(self._places.get(term, ()))

    def sharing(self, said: Said) -> list[int]:
        """Return the places of statements that hold one of the stems, in order."""
        mine = said.terms | said.context
        known = [t for t in mine if t in self._places]
        rare = sorted(known, key=lambda t: (self.spread(t), t))[:RAREST]
        # Places stand in order: older ones than the last LATEST of a stem are never among them.
        found = {n for t in rare for n in self._places[t][-LATEST:]}
        return sorted(found)[-LATEST:]

    def recent(self, said: Said, fits: Callable[[Statement], bool]) -> Iterator[Said]:
        """Yield what was said last in the same talk and fits, the newest first."""
        for other in reversed(self.said[-RECENT * 3 :]):
            if other.talk == said.talk and fits(other.statement):
                yield other


def _one_breath(last: Statement, statement: Statement) -> bool:
    """Whether two statements were said by one author, one right after the other."""
    if last.author != statement.author or last.at is None or statement.at is None:
        return False
    return abs(statement.at - last.at) <= dt.timedelta(minutes=3)


def likeness(a: Said, b: Said, weights: Weights) -> float:
    """Return the idf mass that two statements share, over the smaller mass; 0 below two stems."""
    left, right = a.terms | a.context, b.terms | b.context
    shared = left & right
    if len(shared) < 2:  # noqa: PLR2004 - one common stem shows no common matter
        return 0.0
    mass = weights.mass(shared)
    least = min(weights.mass(a.terms) or mass, weights.mass(b.terms) or mass)
    return min(1.0, mass / least) if least else 0.0


def one_rare_word(a: frozenset[str], b: frozenset[str], memory: Memory) -> bool:
    """Whether two sets of stems share a word that hardly any other statement holds."""
    shared = a & b
    return bool(shared) and any(memory.spread(t) <= FEW and not t.isdigit() for t in shared)


@lru_cache(maxsize=100_000)
def names(text: str) -> frozenset[str]:
    """Return the folded names of a text: capitalised words that do not begin a sentence."""
    return frozenset(fold(m) for m in _NAME.findall(text))


@lru_cache(maxsize=100_000)
def shapes(text: str) -> frozenset[str]:
    """Return what kinds of value a text fixes: `time`, `date`, `money`, `share`, `amount`."""
    folded = fold(text)
    return frozenset(name for name, pattern in _SHAPES if pattern.search(folded))


@lru_cache(maxsize=100_000)
def values(text: str) -> frozenset[str]:
    """Return the numbers of a text."""
    return frozenset(_VALUE.findall(text))
