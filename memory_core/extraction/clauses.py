"""Reading one message: its clauses, each with kind, theme, polarity and holder."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from memory_core.extraction import holder, polarity
from memory_core.extraction.cues import TABLE
from memory_core.extraction.discourse import with_reasons
from memory_core.extraction.judging import Part, judged, speaker
from memory_core.extraction.model import Clause
from memory_core.extraction.sentences import clauses_of, sentences
from memory_core.extraction.small_talk import small_talk
from memory_core.model import AuthorKind, Kind, Message, Origin, Polarity, Span, Theme
from memory_core.text import fold

QUOTED_IN_PASSING = 160  # characters of quoted words that do not stand for themselves
_FENCE = re.compile(r"```.*?(?:```|\Z)", re.DOTALL)
_QUOTE = re.compile(r"[«“\"]([^»”\"]{3,})[»”\"]")
_SAID = re.compile(
    r"\b(?:escreveu|disse|falou|respondeu|gritou|perguntou|said|wrote|says|replied|shouted|asked)\b"
)


def clauses(
    message: Message, owner: object = None, *, without: frozenset[str] = frozenset()
) -> tuple[Clause, ...]:
    """Read a message. *without* names cues that are switched off, for tests and explanations.

    Hosted spans are `hosted` and the third party's, derived ones `inference`, whatever they say.
    """
    del owner  # who the owner is was settled when the message came in; kept for callers
    if message.author_kind is AuthorKind.TOOL or message.origin is Origin.HOSTED:
        return _whole(message, Kind.HOSTED, AuthorKind.THIRD_PARTY)
    if message.origin is Origin.DERIVED:
        return _whole(message, Kind.INFERENCE, AuthorKind.AGENT)
    if small_talk(message.content):
        return ()
    return tuple(with_reasons(list(_read(message, without)), message.content))


def _whole(message: Message, kind: Kind, who: AuthorKind) -> tuple[Clause, ...]:
    found = [
        Clause(a, b, kind, Theme.OTHER, Polarity.AFFIRMED, who)
        for a, b in sentences(message.content)
    ]
    return tuple(found)


def _read(message: Message, without: frozenset[str]) -> Iterator[Clause]:
    for start, end in _own_stretches(message):
        for first, last in _prose(message.content, start, end):
            for a, b in sentences(message.content[first:last]):
                yield from _sentence(message, first + a, first + b, without)
    for span in message.spans:
        if in_passing(span, message):
            continue
        kind = Kind.HOSTED if span.origin is Origin.HOSTED else Kind.INFERENCE
        for a, b in sentences(message.content[span.start : span.end]):
            yield Clause(
                span.start + a,
                span.start + b,
                kind,
                Theme.OTHER,
                Polarity.AFFIRMED,
                AuthorKind.THIRD_PARTY if kind is Kind.HOSTED else AuthorKind.AGENT,
            )


def in_passing(span: Span, message: Message) -> bool:
    """Whether a span is a few quoted words inside a sentence ("ela falou “quero bolo”").

    The sentence that holds it is told whole, as a quotation.
    """
    return any(
        s.start <= span.start and span.end <= s.end and _few_quoted_words(s, message.content)
        for s in message.spans
    )


def _few_quoted_words(span: Span, text: str) -> bool:
    line = text[text.rfind("\n", 0, span.start) + 1 : span.start]
    short = span.end - span.start <= QUOTED_IN_PASSING and "\n" not in text[span.start : span.end]
    return span.label == "quote" and short and bool(line.strip())


def _own_stretches(message: Message) -> Iterator[tuple[int, int]]:
    at = 0
    apart = (s for s in message.spans if not in_passing(s, message))
    for span in sorted(apart, key=lambda s: s.start):
        if span.start > at:
            yield at, span.start
        at = max(at, span.end)
    if at < len(message.content):
        yield at, len(message.content)


def _prose(text: str, start: int, end: int) -> Iterator[tuple[int, int]]:
    """Yield the stretches of a stretch that are no fenced code: code says nothing of the day."""
    for fence in _FENCE.finditer(text, start, end):
        yield start, fence.start()
        start = fence.end()
    yield start, end


def _sentence(message: Message, start: int, end: int, without: frozenset[str]) -> Iterator[Clause]:
    text = message.content
    whole = fold(text[start:end]).strip()
    ironic = polarity.is_ironic(whole)
    reported = holder.third_party(text[start:end])
    quote = _QUOTE.search(text[start:end])
    passing = any(s.start < end and start < s.end for s in message.spans)
    if passing or (quote and (_SAID.search(whole) or quote.group().startswith(("«", "“")))):
        who = speaker(message)
        yield Clause(
            start, end, Kind.QUOTE, Theme.OTHER, Polarity.AFFIRMED,
            AuthorKind.THIRD_PARTY if passing or reported or who is not AuthorKind.OWNER else who,
            holder_name=reported,
        )  # fmt: skip
        return
    if ironic:
        yield Clause(start, end, Kind.QUOTE, None, Polarity.AFFIRMED, speaker(message))
        return
    asks = polarity.is_question(whole)
    for a, b in _cut_at_colons(text, clauses_of(text, start, end)):
        folded = fold(text[a:b]).strip()
        part = Part(a, b, text[a:b], folded, asks and whole.endswith(folded[-12:]))
        yield judged(message, part, reported, without)


def _cut_at_colons(text: str, pieces: Sequence[tuple[int, int]]) -> Iterator[tuple[int, int]]:
    """Cut "I said no: it costs too much", where the left side is whole without the right."""
    for start, end in pieces:
        colon = _COLON.search(text, start, end)
        if colon and (
            _whole_by_itself(fold(text[start : colon.start()]))
            or _concludes(text[start : colon.start()], fold(text[colon.end() : end]))
        ):
            yield start, colon.start()
            yield colon.end(), end
        else:
            yield start, end


_COLON = re.compile(r"(?<=\w{2}):\s+(?=\S.{7})")
_WHOLE = frozenset(
    "for-now said-no descartei x-nao nao-vamos feeling exclaimed only-then accept never-do idiom "
    "i-do i-dont i-am-doing feeling-more feeling-more-en".split()
)


def _concludes(left: str, right: str) -> bool:
    """Whether what stands after a colon is the choice that the words before it lead to."""
    choice = any(c.name in _CHOICES for c in TABLE.find(right))
    return len(left.split()) >= LEAST_GROUND and choice


LEAST_GROUND = 4  # words before a colon that may be a ground and no mere heading
_CHOICES = frozenset({"vamos-de", "i-do", "i-dont", "i-will", "i-am-doing", "lets-go-with"})


def _whole_by_itself(folded: str) -> bool:
    return any(c.name in _WHOLE for c in TABLE.find(folded))
