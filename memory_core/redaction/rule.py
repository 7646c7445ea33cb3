"""A redaction rule, and the two ways to make one: by regular expression or by function.

Linear time on hostile input is kept by three habits: a run is either greedy to its end or
bounded, nothing has to match after an unbounded run, and a rule whose literals do not occur in
the text is not tried at all.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import partial

Spans = Iterator[tuple[int, int]]
Check = Callable[[str], bool]

# How a name is parted from its value: `:`, `=`, `=>`, URL-encoded, quoted, escaped or in markup.
MARKUP = r"[*_`~]{0,3}"
SEPARATOR = rf"(?:\\?[\"'])?{MARKUP}\s{{0,4}}(?::=|=>|[:=]|%3[ad]){MARKUP}[ \t]{{0,4}}{MARKUP}"
# A value: escaped, double, single or back quotes, or a bare run. Exactly one group matches.
_DOUBLE = r'\\"((?:[^"\\\n]|\\(?!"))+)|"((?:[^"\\\n]|\\.)+)'
_SINGLE = r"'((?:[^'\\\n]|\\.)+)|`([^`\n]+)"
QUOTED = rf"{_DOUBLE}|{_SINGLE}"
BARE_SIGNS = r"[^\s\"'`,;&<>|\\]"
LONGEST_TRY = 512
BARE = rf"({BARE_SIGNS}{{3,{LONGEST_TRY}}})"
VALUE = rf"(?:{QUOTED}|{BARE})"
_REST = re.compile(rf"{BARE_SIGNS}*")


@dataclass(frozen=True, slots=True)
class Rule:
    """One kind of secret: how it is found, and what must occur for that to be tried.

    `find` yields half-open spans of a text; `hints` are lower-case literals of which one must
    occur in the lower-cased text (none: always tried).
    """

    kind: str
    find: Callable[[str], Spans]
    hints: tuple[str, ...]
    personal: bool = False


def shaped(
    kind: str, pattern: str, hints: str, check: Check | None = None, *, personal: bool = False
) -> Rule:
    """Make a rule of a pattern whose matched group (or whole) is the secret; spaces part hints.

    The pattern is case-sensitive unless it begins with `(?i)`.
    """
    return Rule(kind, partial(_spans, re.compile(pattern), check), tuple(hints.split()), personal)


def token(kind: str, pattern: str, hints: str, check: Check | None = None) -> Rule:
    """Make a rule of a token that no letter or digit precedes; %2F-style escapes may."""
    return shaped(kind, rf"(?:(?<![A-Za-z0-9])|(?<=%[0-9A-Fa-f]{{2}}))(?:{pattern})", hints, check)


def named(kind: str, pattern: str, hints: str, check: Check) -> Rule:
    """Make a rule of a name followed by VALUE; a refused value is looked into again."""
    compiled = re.compile(pattern + VALUE, re.IGNORECASE)
    return Rule(kind, partial(_values, compiled, check), tuple(hints.split()))


def _spans(pattern: re.Pattern[str], check: Check | None, text: str) -> Spans:
    for match in pattern.finditer(text):
        start, end = match.span(match.lastindex or 0)
        if check is None or check(text[start:end]):
            yield start, end


def _values(pattern: re.Pattern[str], check: Check, text: str) -> Spans:
    at = 0
    while match := pattern.search(text, at):
        start, end = match.span(match.lastindex or 0)
        if match.lastindex == pattern.groups:
            end = trimmed(text, start, end)
        if not check(text[start:end]):
            at = max(start, match.start() + 1)
            continue
        if end - start >= LONGEST_TRY and (rest := _REST.match(text, end)):
            end = rest.end()
        yield start, end
        at = end


def trimmed(text: str, start: int, end: int) -> int:
    """Return *end* without the punctuation and markup that closes a sentence, not the value."""
    while end > start and text[end - 1] in ".,;:!?)]}*_`~…":
        if text[end - 1] in "!?)]}*_" and _opened(text, start, end):
            break
        end -= 1
    return end


def _opened(text: str, start: int, end: int) -> bool:
    last = text[end - 1]
    pair = {")": "(", "]": "[", "}": "{"}.get(last, "")
    return bool(pair) and text.find(pair, start, end) >= 0
