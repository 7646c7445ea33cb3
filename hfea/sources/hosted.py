"""What an owner's message brought in from outside: pasted documents, mails, logs, chats.

Two kinds of signs: the text's own shape (pasted_shapes), and an introduction by the owner
("I pasted the manual …"), after which, or before which, whole paragraphs are the document.
A document ends where the owner speaks again: last paragraphs in the first person or asking,
which neither address assistants nor announce the document's end. In doubt it is hosted.
"""

# ruff: noqa: E501 (a pattern stays on one line, so that it can be read and searched)

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

from hfea.sources.pasted_shapes import Piece, shaped_pieces
from memory_core.model import AuthorKind, Origin, Owner, Span

_NOUN = (
    r"manual|guia|e-?mails?|texto|documento|doc|pdf|contrato|ata|site|p[aá]gina|artigo|mensagem|aviso|recado|carta|relat[oó]rio|"
    r"boleto|fatura|proposta|or[cç]amento|conversa|chat|print|log|erro|sa[ií]da|planilha|anexo|bula|receita|edital|regulamento|not[ií]cia|post|ficha|folheto|circular|comunicado|"
    r"guide|text|document|contract|minutes|website|page|article|message|notice|letter|report|invoice|proposal|quote|conversation|"
    r"output|sheet|attachment|leaflet|recipe|policy|news|terms|readme|listing|review|transcript|memo|brochure|newsletter"
)
_CUE = re.compile(
    rf"(?:\b(?:colei|colo|colando|copiei|copio|cola[dn]o|segue|seguem|encaminho|encaminhando|repasso|transcrevo|recebi|chegou|encontrei|achei|peguei|baixei|mandaram|mandou|enviou|olha|veja|v[eê]|l[eê]|leia|resum[ae]|abaixo|acima|conte[uú]do|texto d[oae]|"
    rf"pasted|pasting|copied|here(?:'s|’s| is| are)|below|above|forward(?:ing|ed)?|received|got|found|downloaded|sent|attached|read|summari[sz]e|check|look at|see|contents? of|text (?:of|from))\b[^\n]{{0,80}}?\b(?:{_NOUN}|sent|mandou|mandaram|enviou|veio)\b)"
    rf"|\b(?:{_NOUN})\b[^\n]{{0,60}}\b(?:abaixo|acima|a seguir|below|above|follows|following|says|diz|pasted|colad[oa])\b"
    r"|\b(?:pr[oó]xima linha|next line|what follows|o que segue|a seguir)\b",
    re.IGNORECASE,
)
_STRONG = re.compile(
    rf"\b(?:text|message|note|words|email|e-mail|texto|mensagem|recado|palavras)\b[^\n:]{{0,30}}\b(?:from|by|de|d[oa]|of)\b[^\n:]{{0,40}}:\s|\b(?:{_NOUN})\b[^\n:.]{{0,30}}\b(?:says|diz|dizia|said)\b ?:\s",
    re.IGNORECASE,
)
_MY = re.compile(
    r"(?:segue|seguem|here(?:'s|’s| is| are)|below|abaixo)[^\n]{0,12}\b(?:minhas?|meus?|my|our|nossas?|nossos?)\b(?! (?:chefe|boss|vizinh|neighbo|fornecedor|vendor))",
    re.IGNORECASE,
)
_PERSON = re.compile(
    r"\b(?:eu|meu|minha|mim|comigo|quero|queria|prefiro|acho|concordo|decidi|vou|gostei|preciso|"
    r"i|i['’](?:m|ll|d|ve)|my|me|mine)\b"
    r"|\b(?:o que (?:voc[eê]|tu|vc)|voc[eê] acha|me (?:diz|conta|explica)|any idea|what do you|can you|could you|"
    r"pode (?:resumir|ver|explicar)|resume|resuma|guarda|anota|lembra)\b|\?\s*$",
    re.IGNORECASE,
)
_TO_MACHINES = re.compile(
    r"\b(?:assistentes?(?: digitais| virtuais)?|assistants?|agentes?(?: de ia)?|ai (?:agents?|assistants?)|ias?|llms?|chatbots?|bots?|system note|nota do sistema)\b"
    r"[^\n]{0,40}(?::|\b(?:dev(?:em|e)|must|should|shall|registr\w+|grav\w+|remember|store|save|lembr\w+|record)\b)"
    r"|\b(?:fim|final|t[eé]rmino) d[oae] (?:documento|texto|manual|e-?mail|mensagem)|\bend of (?:the )?(?:document|text|manual|e-?mail|message|file)",
    re.IGNORECASE,
)
_DEAR = re.compile(r"(?:Prezad|Car[oa]s? |Dear |Estimad|Ilm[oa])")
_BYE = re.compile(
    r"(?im)^(?:atenciosamente|cordialmente|att\.?|abra[cç]os|(?:kind |best |warm )?regards|sincerely|yours)\b"
)
_PARAGRAPH = re.compile(r"\S(?:[^\n]|\n(?![ \t]*\n))*")


def hosted_spans(text: str, *, owner: Owner) -> tuple[Span, ...]:
    """Return the pasted blocks of an owner's message, in order, as hosted third-party spans.

    Offsets are code points of *text*. The owner's sentence that introduces a block, and the
    owner's own words after it, are in none.
    """
    pieces = [*shaped_pieces(text, owner), *_introduced(text), *_letters(text)]
    return tuple(
        Span(start, end, AuthorKind.THIRD_PARTY, Origin.HOSTED, label)
        for start, end, label in _union(text, pieces)
    )


def _paragraphs(text: str) -> list[tuple[int, int]]:
    return [m.span() for m in _PARAGRAPH.finditer(text)]


def _introduced(text: str) -> Iterator[Piece]:
    paragraphs = _paragraphs(text)
    if not paragraphs:
        return
    first, last = paragraphs[0], paragraphs[-1]
    head = text[first[0] : first[1]]
    opening = head.split("\n", 1)[0]
    if _cued(opening):
        yield from _after(text, first[0] + len(opening), paragraphs)
    elif len(paragraphs) > 1 and _cued(text[slice(*last)]) and "\n" not in text[slice(*last)]:
        if not _PERSON.search(opening) or len(paragraphs) > 2 or "\n" in head:  # noqa: PLR2004
            yield first[0], paragraphs[-2][1], "document"
    else:
        yield from _addressed(text, paragraphs)


def _cued(line: str) -> bool:
    return bool(_CUE.search(line) or _STRONG.search(line)) and not _MY.search(line)


def _after(text: str, at: int, paragraphs: list[tuple[int, int]]) -> Iterator[Piece]:
    """Yield what follows the introducing line, less the owner's own last paragraphs."""
    line = text[paragraphs[0][0] : at]
    if match := _STRONG.search(line):
        yield paragraphs[0][0] + match.end(), _own_end(text, at, paragraphs), "document"
        return
    start = next((p for p in _starts(text, at)), len(text))
    end = _own_end(text, start, paragraphs)
    if start < end:
        yield start, end, "document"


def _starts(text: str, at: int) -> Iterator[int]:
    for i in range(at, len(text)):
        if not text[i].isspace():
            yield i


def _own_end(text: str, start: int, paragraphs: list[tuple[int, int]]) -> int:
    inside = [p for p in paragraphs if p[1] > start]
    if not inside:
        return start
    while len(inside) > 1 and _own(text[slice(*inside[-1])]):
        inside.pop()
    return inside[-1][1]


def _own(paragraph: str) -> bool:
    return (
        bool(_PERSON.search(paragraph))
        and not _TO_MACHINES.search(paragraph)
        and not _BYE.search(paragraph)
        and not _DEAR.match(paragraph)
        and paragraph.count("\n") < 3  # noqa: PLR2004 (an afterword is short)
    )


def _addressed(text: str, paragraphs: list[tuple[int, int]]) -> Iterator[Piece]:
    """Yield paragraphs of several lines that speak to assistants at large."""
    for start, end in paragraphs:
        body = text[start:end]
        if "\n" in body and _TO_MACHINES.search(body):
            yield start, end, "document"


def _letters(text: str) -> Iterator[Piece]:
    paragraphs = _paragraphs(text)
    start = -1
    for begin, end in paragraphs:
        if _DEAR.match(text, begin) and start < 0:
            start = begin
        if start >= 0 and _BYE.search(text[begin:end]):
            yield start, end, "quoted mail"
            start = -1


def _union(text: str, pieces: Iterable[Piece]) -> Iterator[Piece]:
    merged: list[Piece] = []
    for start, end, label in sorted(pieces):
        while end > start and text[end - 1].isspace():
            end -= 1  # noqa: PLW2901
        if start >= end:
            continue
        if merged and not text[merged[-1][1] : start].strip():
            before = merged[-1]
            merged[-1] = (before[0], max(before[1], end), before[2])
        else:
            merged.append((start, end, label))
    yield from merged
