# ruff: noqa: E501 - word lists read best a row a line
"""Where sentences and clauses begin and end: offsets into the text, nothing changed."""

from __future__ import annotations

import re
from itertools import pairwise

_ABBREVIATIONS = frozenset(
    "sr sra dr dra prof profa av eng etc ex obs pag vol nº tel art mr mrs ms st vs approx dept "
    "inc ltd jr min max cf e.g i.e a.m p.m aprox".split()
)
# These may end a sentence too: a capital after them begins the next one.
_CLOSING = frozenset("etc a.m p.m inc ltd min max".split())
_END = re.compile(r"[.!?…]+[\"'”»)\]*_]*(?=\s|$)|\n+")
# Connectives that open a clause of its own: what follows is a reason, a turn or a next step.
_OPENER = re.compile(
    r"(?:;|\s[–—-]\s|,?\s+(?=(?:porque|pois|já que|ja que|uma vez que|visto que|por isso"
    r"|por causa d\w+|por conta d[aeo]s?|devido (?:a|à|ao|às|aos)|graças a\w*|em função d\w+|thanks to|on account of|in order to|para que|pra que|para não|pra não|para nao|mas|porém|porem|só que"
    r"|so que|senão"
    r"|embora|because|since|so that|as long as|but|although|though(?!,)|whereas|which is why"
    r"|otherwise|even though|due to|given that|in case)\b)"
    r"|\s+(?=(?:and I (?:told|said|refused)|e eu (?:disse|falei|recusei))\b)"
    r"|,\s+(?=(?:já|então|aí|depois|then|so|and then|é caro|it's|it is|e (?:a|o|eu|não|ainda|também)"
    r"|and (?:I|we|it|the)|não (?:vou|vamos|espero|quero|faço|aceito|fico|tem|dá|é|tenho|consigo)"
    r"|vou|a gente|eu (?:não|já|ainda|vou|fico|quero|prefiro)|I'm|I am|we're|I'll|we'll|I want"
    r"|I'd|I told|which (?:is|makes|was)|o que me|\w{3,}ei|que (?:o|a|os|as|meu|minha|não|já|lá|aqui)"
    r"|assim (?:eu|a|o|sobra|fica|dá|não|ninguém)|p(?:ra|ara) \w+[aei]r|so (?:that|it|we|i|there)|to (?:fit|save|avoid|keep)|(?:o|a|meu|minha) \w+ (?:não|já|acha)|(?:(?:o|a|meu|minha|the|my) )?\w+ (?:tá|está|é|tava|era|is|isn't|are|was))\b))",
    re.IGNORECASE,
)
# What a sentence may open with before its comma: a ground, an aim.
_GROUND = re.compile(
    r"(?:porque|como|já que|ja que|por causa d\w+|por conta d\w+|devido a\w*|dado que|para não|pra não"
    r"|para nao|pra nao|pra|para|because|since|as|given|due to|to avoid|so as not|in order to)\b[^,]{4,90}(,)\s",
    re.IGNORECASE,
)
_SUPPOSES = re.compile(
    r"(?:e |mas |and |but )?(?:se|caso|if|unless|when|quando|even if|mesmo que)\b", re.IGNORECASE
)
SHORTEST = 8  # characters below which a piece is no clause of its own
SHORTEST_PICK = 5  # what stands before "because" may be one name


def sentences(text: str) -> tuple[tuple[int, int], ...]:
    """Return (start, end) of each sentence, without surrounding white space."""
    found, start = [], 0
    for match in _END.finditer(text):
        if match.group()[0] == "." and _is_abbreviation(text, match.start(), match.end()):
            continue
        if match.group()[:2] in ("..", "…") and text[match.end() :].lstrip(" ")[:1].islower():
            continue  # a pause, not an end: "com barraca... eu tô fora"
        found.append((start, match.end()))
        start = match.end()
    found.append((start, len(text)))
    return tuple(span for a, b in found if (span := trimmed(text, a, b)) is not None)


def clauses_of(text: str, start: int, end: int) -> tuple[tuple[int, int], ...]:
    """Return the clauses of one sentence: cut before connectives and at strong punctuation."""
    if _quoted(text[start:end]):
        return ((start, end),)
    cuts = [start]
    ground = _GROUND.match(text, start, end)
    if ground and end - ground.end() >= SHORTEST:
        cuts.append(ground.end())
    supposes = bool(_SUPPOSES.match(text, start, end))
    for match in _OPENER.finditer(text, cuts[-1], end):
        if supposes and match.group().startswith(","):
            continue  # what follows an "if" belongs to it
        because = text[match.end() : match.end() + 6].casefold() in ("porque", "becaus")
        least = SHORTEST_PICK if because else SHORTEST
        if match.start() - cuts[-1] >= least and end - match.end() >= SHORTEST:
            cuts.append(match.end())
    cuts.append(end)
    pieces = [trimmed(text, a, b, strip=" \t\n,;:–—-") for a, b in pairwise(cuts)]
    return tuple(p for p in pieces if p is not None)


def trimmed(
    text: str, start: int, end: int, strip: str = " \t\r\n\u00a0"
) -> tuple[int, int] | None:
    """Return the span without the characters of *strip* at its edges; None for nothing left."""
    while start < end and text[start] in strip:
        start += 1
    while end > start and text[end - 1] in strip:
        end -= 1
    return (start, end) if start < end else None


def _is_abbreviation(text: str, dot: int, end: int) -> bool:
    word = re.search(r"([\w.]+)$", text[max(0, dot - 12) : dot])
    if word and word.group(1).casefold() in _CLOSING:
        return not re.match(r"\s+[A-ZÀ-Þ]", text[end:])
    if word and word.group(1).casefold() == "no":
        return bool(re.match(r"\s*\d", text[end:]))
    return bool(word) and word.group(1).casefold() in _ABBREVIATIONS  # type: ignore[union-attr]


def _quoted(sentence: str) -> bool:
    return bool(re.search(r"«[^»]*»|“[^”]*”|\"[^\"]{3,}\"", sentence))
