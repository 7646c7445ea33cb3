"""What a compression is: the sentences kept, the messages dropped, and how it was made."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol

from memory_core.model import AuthorKind, Message, Origin

CHARS_A_TOKEN = 4  # an estimate from above for English, close for Portuguese


def tokens(text: str) -> int:
    """Return the estimated tokens of *text*: four characters each, rounded up."""
    return -(-len(text) // CHARS_A_TOKEN)


@dataclass(frozen=True, slots=True)
class KeptSentence:
    """One sentence of the summary, with where it is from and what it is worth.

    `start` and `end` are half-open code-point offsets into the message's content for what was
    kept verbatim, and -1 for a model's sentence, whose origin is `derived` or weaker.
    """

    text: str
    message_ids: tuple[str, ...]
    author: str
    author_kind: AuthorKind
    origin: Origin
    start: int = -1
    end: int = -1


@dataclass(frozen=True, slots=True)
class Dropped:
    """A message of which nothing was kept: its id, who wrote it, and its length in characters."""

    message_id: str
    author_kind: AuthorKind
    origin: Origin
    chars: int


@dataclass(frozen=True, slots=True)
class Compression:
    """A conversation within a budget of tokens.

    `text` is what is handed on; `tokens(text)` never exceeds `budget`. `kept` are the ids of
    which something stands in it, `partly` those of them that lost something, `dropped` all
    others. `origin` and `author_kind` are the weakest of what was read; a summary is never
    better than derived. `made_by` is `whole`, `extractive` or `model`; `problems` say why a
    model's summary was not used.
    """

    text: str
    budget: int
    sentences: tuple[KeptSentence, ...]
    kept: tuple[str, ...]
    partly: tuple[str, ...]
    dropped: tuple[Dropped, ...]
    author_kind: AuthorKind
    origin: Origin
    made_by: str
    problems: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class ModelSentence:
    """One sentence that a model wrote, and the ids of the messages it rests on."""

    text: str
    message_ids: tuple[str, ...]


class SummariserFailed(Exception):
    """The model gave no summary; the reason is a word or two for the record."""


class Summariser(Protocol):
    """Writes sentences about messages; code checks each one."""

    def summarise(self, messages: Sequence[Message], budget: int) -> Sequence[ModelSentence]:
        """Return sentences within *budget* tokens; raises SummariserFailed."""
        ...
