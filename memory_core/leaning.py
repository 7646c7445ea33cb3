"""What a request leaves to somebody else's text to define: "send it to the usual place"."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache

from memory_core.grades import foreign_pieces
from memory_core.model import AuthorKind, Message, Origin
from memory_core.text import content_terms, fold

SHOWN_CHARS = 400
_LINE_ENDS = re.compile(r"(?<=[.!?])\s+|\n+")
_PHRASE_WORDS = 3
# A definite phrase: an article or a demonstrative, and up to three words after it.
_DEFINITE = re.compile(
    r"\b(?:o|a|os|as|no|na|nos|nas|ao|aos|do|da|dos|das|pro|pra|pelo|pela|esse|essa|este|esta"
    r"|aquele|aquela|nesse|nessa|neste|nesta|naquele|naquela|seu|sua|the|that|this|those|these"
    r"|usual)\s+(?=((?:[\w'-]+\s+){0,2}[\w'-]+))"
)
_ALWAYS = re.compile(r"\b((?:[\w'-]+)\s+de\s+sempre)\b")
# A definition of one bare word counts only where it gives a place to send or do something.
_ADDRESS = re.compile(r"[@\d]|https?:|www\.")
_COPULA = (
    r"(?:e|eh|sao|fica|ficam|sera|passa a ser|significa|quer dizer|refere-se a|corresponde a"
    r"|is|are|means|will be|refers to|stands for|now is|shall be)\b|\s*[=:→]|\s*[–—-]\s"
)
_DEFINES = re.compile(_COPULA)
# Words that point at a text beside the request.
_POINTS = re.compile(
    r"\b(?:(?:acima|abaixo|a seguir)\b|(?:o|a|os|as|aquilo) que (?:esta|estao|diz|dizem|consta|ta)"
    r"\b|(?:como|conforme|segundo|de acordo com) (?:o |a |os |as |esse |essa |este |esta )?"
    r"(?:documento|texto|manual|pagina|email|e-mail|mensagem|arquivo|anexo|relatorio|politica"
    r"|instruc\w+|regras?|guia|site)\b|(?:n|d)(?:esse|essa|este|esta|aquele|aquela|o|a)s? "
    r"(?:documento|texto|manual|pagina|email|e-mail|mensagem|arquivo|anexo|relatorio|politica"
    r"|instrucoes|regras|guia|site)\b|esses? (?:passos?|instrucoes|regras?)\b"
    r"|(?:as )?(?:above|below|described there|listed there|stated there|attached)\b"
    r"|(?:what|as|how) (?:it|the \w+) (?:says|said|describes|lists)\b"
    r"|(?:according to|per|in|from|by|follow(?:ing)?) (?:the|this|that|those|these) "
    r"(?:document|text|manual|page|e-?mail|message|file|attachment|report|policy|instructions?"
    r"|rules?|guide|site|steps?)\b|(?:these|those) (?:steps?|instructions?|rules?)\b)"
)


@dataclass(frozen=True, slots=True)
class Definition:
    """A phrase of a request and the foreign words that give it its meaning, with their origin."""

    phrase: str
    quote: str
    source: str
    author_kind: AuthorKind
    origin: Origin


def definitions(text: str, context: Sequence[Message]) -> tuple[Definition, ...]:
    """Return what of *text* is defined by hosted or derived text of *context*, newest first.

    A phrase that the text itself defines ("the usual place is the loft") leans on nothing.
    """
    pieces = [(m, piece) for m in reversed(context) for piece in foreign_pieces(m) if piece.strip()]
    if not pieces:
        return ()
    folded = fold(text)
    found: dict[tuple[str, str], Definition] = {}
    for phrase in _leaning_phrases(folded):
        for message, piece in pieces:
            if quote := _defined_in(phrase, piece):
                found.setdefault((phrase, quote), _definition(phrase, quote, message))
    if pointed := _POINTS.search(folded):
        message, piece = pieces[0]
        quote = piece.strip()[:SHOWN_CHARS]
        found.setdefault((pointed.group(), quote), _definition(pointed.group(), quote, message))
    return tuple(found.values())


def _definition(phrase: str, quote: str, message: Message) -> Definition:
    spans = [s for s in message.spans if quote in message.content[s.start : s.end]]
    kind = spans[0].author_kind if spans else message.author_kind
    origin = spans[0].origin if spans else message.origin
    where = f"{message.source}/{message.session_id}/{message.message_id}"
    return Definition(phrase, quote, where, kind, origin)


def _leaning_phrases(folded: str) -> Iterator[str]:
    """Yield the definite phrases of a request that it does not define itself."""
    seen: set[str] = set()
    for match in (*_ALWAYS.finditer(folded), *_DEFINITE.finditer(folded)):
        parts = match.group(1).split()
        for size in range(min(_PHRASE_WORDS, len(parts)), 0, -1):
            phrase = " ".join(parts[:size])
            at = folded.find(phrase, match.start()) + len(phrase)
            if phrase in seen or _DEFINES.match(folded[at:].lstrip()):
                break
            if content_terms(phrase) and not _DEFINES.match(phrase):
                seen.add(phrase)
                yield phrase


@lru_cache(maxsize=256)
def _folded(piece: str) -> str:
    return fold(piece)


@lru_cache(maxsize=256)
def _lines(piece: str) -> tuple[tuple[str, str], ...]:
    """Return the sentences and lines of a piece, as typed and folded."""
    return tuple((line, fold(line)) for line in _LINE_ENDS.split(piece))


def _defined_in(phrase: str, piece: str) -> str:
    """Return the sentence or line of *piece* that defines *phrase*; '' for none."""
    if phrase not in _folded(piece):
        return ""
    for line, folded in _lines(piece):
        at = folded.find(phrase)
        if at < 0 or (at and folded[at - 1].isalnum()):
            continue
        rest = folded[at + len(phrase) :].lstrip(" \"'”»*_)")
        plain = len(phrase.split()) == 1 and not _ADDRESS.search(rest)
        if _DEFINES.match(rest) and not plain:
            return line.strip()[:SHOWN_CHARS]
    return ""
