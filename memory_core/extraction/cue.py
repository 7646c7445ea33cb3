"""A cue: a named pattern that shows what a clause is to the story."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable
from dataclasses import dataclass

from memory_core.model import Outcome, Theme

LONGEST = 1000  # characters of a clause that are searched; nobody says one thing in more
MOST_WORDS = 20_000  # that are remembered with the cues they lead to
_WORD = re.compile(r"[a-z0-9$]+(?:'[a-z]+)?")


@dataclass(frozen=True, slots=True)
class Cue:
    """A named pattern of a theme; `outcome` where it tells how an attempt ended.

    `keys` are words of which a clause must have one before the pattern is tried; one that ends
    in `*` is a beginning of a word. No keys: always tried.
    """

    name: str
    theme: Theme
    keys: tuple[str, ...]
    pattern: re.Pattern[str]
    outcome: Outcome | None = None
    provisional: bool = False


def cue(
    name: str,
    theme: Theme,
    keys: str,
    *patterns: str,
    outcome: Outcome | None = None,
    provisional: bool = False,
) -> Cue:
    """Return the row of a table of cues: any of *patterns*, tried where a word of *keys* is."""
    return Cue(
        name, theme, tuple(keys.split()), re.compile("|".join(patterns)), outcome, provisional
    )


class Table:
    """Cues found by the words of a clause; trying every pattern on every clause is too slow."""

    def __init__(self, cues: Iterable[Cue]) -> None:
        self.cues = tuple(cues)
        self._exact: dict[str, list[int]] = defaultdict(list)
        self._stems: dict[str, list[int]] = defaultdict(list)
        self._lengths: set[int] = set()
        self._known: dict[str, tuple[int, ...]] = {}
        self._always = [n for n, c in enumerate(self.cues) if not c.keys]
        for n, c in enumerate(self.cues):
            for key in c.keys:
                if key.endswith("*"):
                    self._stems[key[:-1]].append(n)
                    self._lengths.add(len(key) - 1)
                else:
                    self._exact[key].append(n)

    def _led_to(self, word: str) -> tuple[int, ...]:
        """Return the cues that a word leads to; remembered, for words come again."""
        found = self._known.get(word)
        if found is None:
            stems = [self._stems.get(word[:n], ()) for n in self._lengths if n <= len(word)]
            found = tuple({*self._exact.get(word, ()), *(i for s in stems for i in s)})
            if len(self._known) < MOST_WORDS:
                self._known[word] = found
        return found

    def find(self, folded: str, without: frozenset[str] = frozenset()) -> list[Cue]:
        """Return the cues of a folded clause, in the order of the table."""
        folded = folded[:LONGEST]
        tried = set(self._always)
        for word in set(_WORD.findall(folded)):
            tried.update(self._led_to(word))
        rows = (self.cues[n] for n in sorted(tried))
        return [c for c in rows if c.name not in without and c.pattern.search(folded)]
