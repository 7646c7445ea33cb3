"""Words: folding, tokens, stems and language, the same for index, query and extraction."""

from __future__ import annotations

import re
import unicodedata
from functools import lru_cache

import Stemmer

_WORD = re.compile(r"[^\W_]+(?:[.\-'’_/@:][^\W_]+)*", re.UNICODE)
_PLURAL = re.compile(r"(oes|aes|aos)$")

_PT = frozenset(
    "a o as os um uma de do da dos das em no na nos nas por para pra com sem que e ou mas se "
    "como quando onde quem qual quais eu você voce ele ela nós nos eles elas meu minha seu sua "
    "não nao sim já ja foi era está esta estou tem tinha vai vou ser ter fazer isso isto aquilo "
    "mais menos muito pouco também tambem ainda até ate só so hoje ontem amanhã amanha".split()
)
_EN = frozenset(
    "a the an of in on at by for with without that and or but if as when where who which i you "
    "he she we they my your his her our not no yes already was were is are has had have will be "
    "do does did this these those more less very also still until only today yesterday tomorrow "
    "it to from what how why there".split()
)


def fold(text: str) -> str:
    """Return *text* without case and without diacritics, for comparison only."""
    decomposed = unicodedata.normalize("NFKD", text.casefold())
    return "".join(c for c in decomposed if not unicodedata.combining(c))


def words(text: str) -> list[str]:
    """Return the words of *text*, folded, in order; identifiers stay whole."""
    return _WORD.findall(fold(text))


def language(text: str) -> str:
    """Guess `pt` or `en` from function words; '' where they do not decide."""
    found = [w.casefold() for w in re.findall(r"[^\W\d_]+", text)[:400]]
    pt = sum(w in _PT for w in found) + 2 * sum(c in "ãõçáéíóúâêô" for c in text[:2000].lower())
    en = sum(w in _EN for w in found)
    if pt == en:
        return ""
    return "pt" if pt > en else "en"


@lru_cache(maxsize=2)
def _stemmer(name: str) -> Stemmer.Stemmer:
    return Stemmer.Stemmer(name)


@lru_cache(maxsize=200_000)
def stem(word: str, lang: str) -> str:
    """Return the stem of a folded word; Portuguese plurals in -ões/-ães/-ãos join -ão first."""
    if lang == "en":
        return str(_stemmer("english").stemWord(word))
    return fold(str(_stemmer("portuguese").stemWord(_PLURAL.sub("ao", word))))
