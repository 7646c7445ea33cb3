"""Author kind and origin of stretches and mixtures of text: always the weakest of the inputs."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace

from memory_core.model import AuthorKind, Message, Origin, weakest_author, weakest_origin


@dataclass(frozen=True, slots=True)
class Grade:
    """Author kind and origin of a text, as code stamped them."""

    author_kind: AuthorKind
    origin: Origin

    @property
    def foreign(self) -> bool:
        """Whether the text is neither the owner's nor the agent's own direct word."""
        speaks = self.author_kind in (AuthorKind.OWNER, AuthorKind.AGENT)
        return self.origin is not Origin.DIRECT or not speaks


def combined(grades: Iterable[Grade]) -> Grade:
    """Return the weakest author and the weakest origin of the inputs (invariant 7).

    For quoting, merging and echoing alike; unknown and hosted for no input.
    """
    found = tuple(grades)
    return Grade(
        weakest_author(g.author_kind for g in found), weakest_origin(g.origin for g in found)
    )


def made_from(grades: Iterable[Grade]) -> Grade:
    """Return the grade of a summary or paraphrase of its inputs: never better than derived."""
    weakest = combined(grades)
    return replace(weakest, origin=weakest_origin((weakest.origin, Origin.DERIVED)))


def grade_of(message: Message, start: int = 0, end: int | None = None) -> Grade:
    """Return the grade of a stretch of a message: the message's and that of spans it touches.

    *start* and *end* are half-open code-point offsets into its content.
    """
    end = len(message.content) if end is None else end
    touched = [s for s in message.spans if s.start < end and start < s.end]
    own = Grade(message.author_kind, message.origin)
    return combined((own, *(Grade(s.author_kind, s.origin) for s in touched)))


def foreign_pieces(message: Message) -> list[str]:
    """Return the parts of a message that are neither the owner's nor the agent's direct words."""
    if Grade(message.author_kind, message.origin).foreign:
        return [message.content]
    return [
        message.content[s.start : s.end]
        for s in message.spans
        if Grade(s.author_kind, s.origin).foreign
    ]


def own_stretches(message: Message) -> list[tuple[int, int]]:
    """Return the stretches of a message outside every span, as half-open offsets, in order."""
    found, at = [], 0
    for span in sorted(message.spans, key=lambda s: s.start):
        if span.start > at:
            found.append((at, span.start))
        at = max(at, span.end)
    if at < len(message.content):
        found.append((at, len(message.content)))
    return found
