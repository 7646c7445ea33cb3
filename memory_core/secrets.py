"""Redaction: secrets leave a text before it is stored; keyed placeholders take their place."""

from __future__ import annotations

import bisect
import hashlib
import hmac
import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from memory_core.redaction.blocks import BLOCKS
from memory_core.redaction.contexts import CONTEXTS
from memory_core.redaction.personal import PERSONAL
from memory_core.redaction.rule import Rule
from memory_core.redaction.tokens import TOKENS

RULES: tuple[Rule, ...] = (*BLOCKS, *TOKENS, *CONTEXTS, *PERSONAL)
VERSION = "1"  # of the rules as a whole; a sealed day is not reopened by a new one
PLACEHOLDER = re.compile(r"\[secret:[a-z0-9_]{2,40}:[0-9a-f]{8}\]")
_DIGEST = 8  # hex digits shown
_MOST_PASSES = 4  # a placeholder may uncover a neighbour; then one more look


@dataclass(frozen=True, slots=True)
class Found:
    """One secret: its kind, where it was in the original text, and what stands there now."""

    kind: str
    start: int
    end: int
    placeholder: str


@dataclass(frozen=True, slots=True)
class Redaction:
    """A redacted text, and how offsets of the original (code points) map into it."""

    text: str
    found: tuple[Found, ...] = ()

    def moved(self, offset: int, *, end: bool = False) -> int:
        """Return where *offset* of the original lies in `text`.

        Inside a secret it becomes the placeholder's start, or its end for *end*.
        """
        at = bisect.bisect_right([f.start for f in self.found], offset)
        shift = sum(len(f.placeholder) - (f.end - f.start) for f in self.found[:at])
        if at and (last := self.found[at - 1]).start < offset < last.end:
            return last.end + shift if end else last.end + shift - len(last.placeholder)
        if at and self.found[at - 1].start == offset:
            last = self.found[at - 1]
            return offset + shift - (len(last.placeholder) - (last.end - last.start))
        return offset + shift


@dataclass(frozen=True, slots=True)
class _Hit:
    start: int
    end: int
    rank: int


class Redactor:
    """Finds secrets by *rules* and replaces them; the same secret gives the same placeholder."""

    def __init__(
        self, key: bytes, *, personal_ids: bool = False, rules: Sequence[Rule] = RULES
    ) -> None:
        self._key = key
        self._rules = tuple(r for r in rules if personal_ids or not r.personal)

    def redact(self, text: str) -> Redaction:
        """Return *text* with every secret replaced; redacting again changes nothing."""
        result = Redaction(text)
        for _ in range(_MOST_PASSES):
            hits = self._hits(result.text)
            if not hits:
                break
            result = self._replaced(text, result, hits)
        return result

    def _hits(self, text: str) -> list[_Hit]:
        lowered = text.lower()
        hits: list[_Hit] = []
        for rank, rule in enumerate(self._rules):
            if rule.hints and not any(hint in lowered for hint in rule.hints):
                continue
            hits.extend(_Hit(start, end, rank) for start, end in rule.find(text) if start < end)
        if not hits:
            return []
        shields = [match.span() for match in PLACEHOLDER.finditer(text)]
        return [part for hit in _merged(hits) for part in _outside(hit, shields, text)]

    def _replaced(self, text: str, before: Redaction, hits: list[_Hit]) -> Redaction:
        fresh = []
        for hit in hits:
            start, end = _origin(before, hit.start), _origin(before, hit.end)
            kind = self._rules[hit.rank].kind
            fresh.append(Found(kind, start, end, self._placeholder(kind, text[start:end])))
        found = sorted((*before.found, *fresh), key=lambda f: f.start)
        return Redaction(_rebuilt(text, found), tuple(found))

    def _placeholder(self, kind: str, secret: str) -> str:
        material = f"{kind}\0{secret}".encode("utf-8", "surrogatepass")
        digest = hmac.new(self._key, material, hashlib.sha256).hexdigest()
        return f"[secret:{kind}:{digest[:_DIGEST]}]"


def _merged(hits: list[_Hit]) -> list[_Hit]:
    """Join overlapping hits, so that no part of either stays; the first rule names the kind."""
    out: list[_Hit] = []
    for hit in sorted(hits, key=lambda h: (h.start, -h.end, h.rank)):
        if out and hit.start < out[-1].end:
            last = out[-1]
            out[-1] = _Hit(last.start, max(last.end, hit.end), min(last.rank, hit.rank))
        else:
            out.append(hit)
    return out


def _outside(hit: _Hit, shields: Sequence[tuple[int, int]], text: str) -> Iterable[_Hit]:
    """Yield the parts of *hit* beside placeholders that hold a letter or a digit."""
    at = hit.start
    first = bisect.bisect_left(shields, (hit.start - 64, 0))
    for start, end in shields[first:]:
        if start >= hit.end:
            break
        if start <= hit.start < end:  # the name that led to it is the placeholder's own
            return
        if end > at:
            yield from _part(at, start, hit.rank, text)
            at = max(at, end)
    yield from _part(at, hit.end, hit.rank, text)


def _part(start: int, end: int, rank: int, text: str) -> Iterable[_Hit]:
    if start < end and any(c.isalnum() for c in text[start:end]):
        yield _Hit(start, end, rank)


def _origin(redaction: Redaction, offset: int) -> int:
    """Return the original offset of one in the redacted text (never inside a placeholder)."""
    shift = 0
    for found in redaction.found:
        if found.start + shift >= offset:
            break
        shift += len(found.placeholder) - (found.end - found.start)
    return offset - shift


def _rebuilt(text: str, found: Sequence[Found]) -> str:
    parts, at = [], 0
    for f in found:
        parts += [text[at : f.start], f.placeholder]
        at = f.end
    return "".join((*parts, text[at:]))
