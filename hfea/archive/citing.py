"""Citations bound to the words they cite: salted hashes, and the evidence that is kept."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace

from hfea.archive import evidence
from hfea.archive.evidence import CitedText, Key
from hfea.archive.seal import salts
from hfea.episode import Citation, Statement, Thread
from hfea.errors import HfeaError
from memory_core.model import Message


class DanglingCitation(HfeaError):
    """A statement cites a message, or a stretch of one, that is not there (invariant 6)."""

    def __init__(self, citation: Citation) -> None:
        place = f"{citation.source} {citation.session_id} {citation.message_id}"
        super().__init__(f"a citation of {place} resolves to nothing; the day was not sealed")


def by_key(messages: Iterable[Message]) -> dict[Key, Message]:
    """Return *messages* by what citations name them with."""
    return {(m.source, m.session_id, m.message_id): m for m in messages}


def cited_words(c: Citation, known: Mapping[Key, Sequence[Message | CitedText]]) -> str:
    """Return the words that *c* cites. Raises DanglingCitation."""
    for found in known.get((c.source, c.session_id, c.message_id), ()):
        if isinstance(found, Message) and 0 <= c.start < c.end <= len(found.content):
            return found.content[c.start : c.end]
        if isinstance(found, CitedText) and c.start < c.end and found.holds(c.start, c.end):
            return found.text[c.start - found.offset : c.end - found.offset]
    raise DanglingCitation(c)


def digest(salt: str, words: str) -> str:
    """Return hex SHA-256(salt ‖ words)."""
    return hashlib.sha256(bytes.fromhex(salt) + words.encode("utf-8", "surrogatepass")).hexdigest()


def with_digests(
    threads: Sequence[Thread], known: Mapping[Key, Sequence[Message | CitedText]], seed: bytes
) -> tuple[tuple[Thread, ...], tuple[str, ...]]:
    """Fill each citation's salted hash; return the threads and the salts in footnote order."""
    fresh = salts(seed, "cite")
    filled: dict[Citation, Citation] = {}
    used: list[str] = []

    def fill(c: Citation) -> Citation:
        if c not in filled:
            used.append(next(fresh))
            filled[c] = replace(c, digest=digest(used[-1], cited_words(c, known)))
        return filled[c]

    done = tuple(
        replace(
            thread,
            statements=tuple(
                replace(s, citations=tuple(map(fill, s.citations))) for s in thread.statements
            ),
        )
        for thread in threads
    )
    return done, tuple(used)


def evidence_lines(
    statements: Iterable[Statement], messages: Mapping[Key, Message]
) -> tuple[str, ...]:
    """Return the lines of the evidence file for what *statements* cite."""
    citations = [c for s in statements for c in s.citations]
    return tuple(evidence.line(part) for part in evidence.stretches(citations, messages))
