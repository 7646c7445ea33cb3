"""Explicit requests to remember something, in the owner's own direct words (pt-BR and English).

A request is an imperative said to the agent ("anota aí que …", "remember that …"), a standing
order ("a partir de agora …", "from now on …") or one that follows what it means ("…, anota
isso"). Negated, supposed, asked back, quoted, reported or joking ones are none. What may be
kept of it is the whole of what was asked, never a part that could turn its meaning round.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import accumulate

from memory_core.extraction.polarity import is_ironic
from memory_core.extraction.sentences import sentences, trimmed
from memory_core.grades import own_stretches
from memory_core.model import AuthorKind, Message, Origin
from memory_core.request_words import (
    BARRED,
    BASE_FORM,
    BEFORE,
    FRAME,
    HEADING,
    OWN_LEAD,
    PASTES,
    POLITE_IF,
    RECALLS,
    REPORTED,
    REPORTED_AFTER,
    SPEAKS_NEXT,
    STANDING,
    SUPPOSED,
    TAG,
    TELLS,
    TRAILING,
    UNLESS_FIRST,
)
from memory_core.text import fold, words

_FENCE = re.compile(r"```.*?(?:```|\Z)", re.DOTALL)
_QUOTES = re.compile(r"“[^”]*”|«[^»]*»|\"[^\"\n]*\"|‘[^’]*’|(?<!\w)'[^'\n]*'(?!\w)")
_COURTESY = frozenset(
    "por favor please thanks thank you obrigado obrigada that this it isso".split()
)
_EDGES = " \t\r\n\u00a0,;:–—-*_"
_ENDS = " \t\r\n\u00a0.!?…"
_A_DOCUMENT = 2  # headings
_LOOKED_BACK = 600  # characters before a sentence that may change whose words it holds
LONGEST = 2000  # characters of a sentence; what is longer is no request
MOST = 200  # requests of one message; nobody makes more
SHORTEST = 3  # characters of something worth keeping


@dataclass(frozen=True, slots=True)
class Request:
    """One explicit request: the cue's offsets, and the stretches that may be kept verbatim.

    Offsets are half-open code points into the message's content. Each payload is the whole of
    what was asked: with or without the words that ask, with or without its full stop. `best` is
    the one to propose: without the words that ask, with those of a standing order.
    """

    start: int
    end: int
    payloads: tuple[tuple[int, int], ...]
    best: tuple[int, int]


@lru_cache(maxsize=512)
def requests(message: Message) -> tuple[Request, ...]:
    """Return the owner's explicit requests to remember in a message; none for anybody else."""
    if message.author_kind is not AuthorKind.OWNER or message.origin is not Origin.DIRECT:
        return ()
    text = message.content
    if not message.spans and len(HEADING.findall(text)) >= _A_DOCUMENT:
        return ()  # a page with headings that nobody marked: who speaks in it is not known
    barred = sorted(m.span() for m in (*_FENCE.finditer(text), *_quoted_lines(text)))
    starts, ends = [a for a, _ in barred], list(accumulate((b for _, b in barred), max))
    found: list[Request] = []
    for first, last in own_stretches(message):
        pieces = [(first + a, first + b) for a, b in sentences(text[first:last])]
        pasted = False  # whether a paste was announced and nothing of it marked
        for n, (start, end) in enumerate(pieces):
            asked = not pasted and end - start <= LONGEST
            pasted = pasted or (not message.spans and bool(PASTES.search(fold(text[start:end]))))
            before_end = bisect_left(starts, end)  # spans that begin before the sentence ends
            if not asked or (before_end and ends[before_end - 1] > start):
                continue
            if len(found) >= MOST:
                return tuple(found)
            before = text[max(pieces[0][0], start - _LOOKED_BACK) : start]
            after = text[pieces[n + 1][0] : pieces[n + 1][1]] if n + 1 < len(pieces) else ""
            if _meant(text[start:end], before, after[:LONGEST]):
                previous = pieces[n - 1] if n else None
                if previous and not _plain(text, pieces[: n + 1], barred):
                    previous = None
                found += _in_sentence(text, (start, end), last, previous)
    return tuple(found)


def _plain(text: str, pieces: Sequence[tuple[int, int]], barred: Sequence[tuple[int, int]]) -> bool:
    """Whether the sentence before the last of *pieces* is the owner's own plain word."""
    start, end = pieces[-2]
    if end - start > LONGEST or any(a < end and start < b for a, b in barred):
        return False
    before = text[max(pieces[0][0], start - _LOOKED_BACK) : start]
    return _meant(text[start:end], before, "")


def _quoted_lines(text: str) -> Iterator[re.Match[str]]:
    return re.finditer(r"(?m)^[ \t]*>.*$", text)


def _meant(sentence: str, before: str, after: str) -> bool:
    """Whether a sentence is said in earnest and as the owner's own, not shown as an example."""
    if is_ironic(fold(sentence)) or (after and is_ironic(fold(after))):
        return False
    if REPORTED_AFTER.search(fold(sentence)):
        return False
    led = fold(before).strip()
    if FRAME.search(f"{led} ") or SPEAKS_NEXT.search(led):
        return False
    last = led.rpartition("\n")[2].strip(" \"'“«*_-")
    return not last.endswith(":") or bool(OWN_LEAD.fullmatch(last[:-1]))


def _in_sentence(
    text: str, span: tuple[int, int], stretch_end: int, previous: tuple[int, int] | None
) -> Iterator[Request]:
    start, end = span
    sentence = text[start:end]
    quotes = [m.span() for m in _QUOTES.finditer(sentence)]
    tag = TAG.search(sentence)
    if tag:
        end = start + tag.start()
        sentence = text[start:end]
    asks = sentence.rstrip(" \"'”»)").endswith("?")
    trailing = TRAILING.search(sentence)
    told = trailing.start("cue") if trailing else len(sentence)
    for pattern in (TELLS, STANDING):
        for cue in pattern.finditer(sentence, 0, told):
            at, stop = cue.span("cue")
            if any(a < at < b for a, b in quotes) or not _addressed(sentence, at, cue["cue"]):
                continue
            if asks and not cue.groupdict().get("polite"):
                continue
            place = start + at, start + stop
            if payloads := _after(text, (start, end), place, stretch_end):
                whole = start if pattern is STANDING else place[1]
                yield Request(*place, payloads, _best(text, payloads, whole))
    if trailing and not asks and _addressed(sentence, trailing.start("cue"), trailing["cue"]):
        yield from _behind(text, span, trailing, previous)


def _addressed(sentence: str, at: int, cue: str) -> bool:
    """Whether what stands before the cue leaves it an order to the agent."""
    lead = fold(sentence[:at])
    if re.fullmatch(r"\s*[A-ZÀ-Þ][\w-]+\s+", sentence[:at]) and BASE_FORM.match(cue):
        # "Kit remember that": in English nobody else is told of in this form.
        return not BARRED.search(lead)
    head, colon, _ = lead.rpartition(":")
    if colon and not OWN_LEAD.fullmatch(head.strip(" \"'“«*_-")):
        return False
    if BARRED.search(lead) or not BEFORE.search(lead):
        return False
    if SUPPOSED.search(POLITE_IF.sub(" ", lead)):
        return False
    return not REPORTED.search(UNLESS_FIRST.sub(" ", lead))


def _after(
    text: str, sentence: tuple[int, int], cue: tuple[int, int], stretch_end: int
) -> tuple[tuple[int, int], ...]:
    """Return what may be kept of a request whose words stand in front of it."""
    end = sentence[1]
    block = _block(text, cue[1], stretch_end)
    opens = ":" in text[cue[0] : cue[1]]
    told = _says_something(text[cue[1] : end])
    if not told and not (opens and _says_something(text[block[0] : block[1]])):
        return ()
    if RECALLS.match(fold(text[cue[1] : end]).strip(_EDGES)):
        return ()
    spans = [(cue[1], end), (cue[0], end), sentence] if told else []
    if opens:
        spans.append(block)
        spans += [(block[0] + a, block[0] + b) for a, b in sentences(text[block[0] : block[1]])]
    return _kept(text, spans)


def _says_something(text: str) -> bool:
    return any(w not in _COURTESY for w in words(text))


def _block(text: str, start: int, stretch_end: int) -> tuple[int, int]:
    """Return what follows a colon to the next empty line."""
    gap = re.compile(r"\n[ \t]*\n").search(text, start, stretch_end)
    if gap and not text[start : gap.start()].strip():
        gap = re.compile(r"\n[ \t]*\n").search(text, gap.end(), stretch_end)
    return start, gap.start() if gap else stretch_end


def _behind(
    text: str, span: tuple[int, int], cue: re.Match[str], previous: tuple[int, int] | None
) -> Iterator[Request]:
    """Yield the request that stands after what it means: "I wake at six, remember that."""
    start, end = span
    at, stop = start + cue.start("cue"), start + cue.end("cue")
    meant = trimmed(text, start, at, strip=_EDGES)
    bare = meant is None or not re.search(r"\w{2,}\W+\w", text[meant[0] : meant[1]])
    if bare:
        if previous is None or text[previous[0] : previous[1]].rstrip().endswith("?"):
            return
        if re.search(r"\n[ \t]*\n", text[previous[1] : start]):
            return
        meant = previous
    if meant is not None and (payloads := _kept(text, [meant, (meant[0], end)])):
        yield Request(at, stop, payloads, _best(text, payloads, meant[0]))


def _best(text: str, payloads: tuple[tuple[int, int], ...], start: int) -> tuple[int, int]:
    """Return the payload that begins first at or after *start*, without its full stop."""
    first = min((a for a, _ in payloads if a >= start), default=payloads[0][0])
    found = [p for p in payloads if p[0] == first]
    bare = [p for p in found if text[p[1] - 1] not in _ENDS]
    return (bare or found)[0]


def _kept(text: str, spans: list[tuple[int, int]]) -> tuple[tuple[int, int], ...]:
    found: dict[tuple[int, int], None] = {}
    for start, end in spans:
        whole = trimmed(text, start, end, strip=_EDGES)
        if whole is None:
            continue
        bare = trimmed(text, whole[0], whole[1], strip=_ENDS + _EDGES)
        for piece in (whole, bare, _unquoted(text, bare)):
            asks = piece and text[piece[0] : piece[1]].endswith("?")
            if piece and not asks and piece[1] - piece[0] >= SHORTEST:
                found[piece] = None
    return tuple(found)


def _unquoted(text: str, span: tuple[int, int] | None) -> tuple[int, int] | None:
    if span is None:
        return None
    start, end = span
    if text[start] in "\"'“«‘" and text[end - 1] in "\"'”»’":
        return trimmed(text, start + 1, end - 1)
    return None
