"""Words: folding, tokens, stems and language, the same for index, query and extraction."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache
from itertools import chain

import Stemmer

from memory_core.irregular import INFINITIVES

# A word, and an identifier whose parts are joined by one sign; C++ and C# keep their signs.
_JOINED = r"[.\-'_/@:+]"
_SIGNS = r"(?:\+\+|#(?!\w))?"
_WORD = re.compile(rf"[^\W_]+(?:{_JOINED}[^\W_]+)*{_SIGNS}")
# Vowel and tone signs of Indic and south-east Asian scripts are marks, not letters.
_SIGNS_OF_SCRIPTS = "\u0900-\u0dff\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u3099\u309a"
_WIDE = rf"(?:[^\W_]|[{_SIGNS_OF_SCRIPTS}])"
_WIDE_WORD = re.compile(rf"{_WIDE}+(?:{_JOINED}{_WIDE}+)*{_SIGNS}")
_PARTS = re.compile(rf"{_WIDE}+")
_LETTERS = re.compile(r"[^\W\d_]+")
_DIGIT_EDGE = re.compile(r"(?<=\d)(?=[a-z])|(?<=[a-z])(?=\d)")
_MOST_PIECES = 3
_THOUSANDS = re.compile(r"\d{1,3}(?:\.\d{3})+\Z")
_PLURAL = re.compile(r"(oes|aes|aos)$")
# Scripts written without spaces: CJK, kana, Hangul, Thai, Lao, Khmer, Myanmar.
_UNSPACED = re.compile(
    "[\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff"
    "\uac00-\ud7af\uf900-\ufaff\U00020000-\U0002ffff]+"
)
# Accents, Hebrew points and Arabic vowel signs; kana voicing marks and Thai tones are letters.
_ACCENTS = "\u0300-\u036f\u0591-\u05c7\u064b-\u065f\u0670"
_MARKS = re.compile(f"[{_ACCENTS}]+")
# A word before folding: its accents may still be marks of their own, its apostrophe curly.
# Underscores stay inside it here (one character class is fast); folding takes them apart.
_RAW = rf"[\w{_SIGNS_OF_SCRIPTS}{_ACCENTS}]+"
_RAW_WORD = re.compile(rf"{_RAW}(?:[.\-'’_/@:+]{_RAW})*{_SIGNS}")
_ASCII = re.compile(r"[\x00-\x7f]*\Z")
# Letters that NFKD does not take apart.
_LETTERS_APART = {"ı": "i", "ø": "o", "đ": "d", "ł": "l", "æ": "ae", "œ": "oe", "’": "'"}
_LIGATURES = str.maketrans(_LETTERS_APART)
_LIGATURE = re.compile("[" + "".join(_LETTERS_APART) + "]")

_PT = frozenset(
    "a o as os um uma uns umas de do da dos das em no na nos nas por para pra pro com sem que "
    "e ou mas se como quando onde quem qual quais eu voce ele ela nos eles elas me te lhe meu "
    "minha meus minhas seu sua seus suas nao sim ja foi era sao esta estao estou estava tem "
    "tinha ter vai vou ser isso isto aquilo esse essa este aquele aquela mais menos muito pouco "
    "tambem ainda ate so hoje ontem amanha ao aos pelo pela pelos pelas num numa dele dela entao "
    "ha eh e la aqui ali porque pois sobre entre depois antes".split()
)
_EN = frozenset(
    "a the an of in on at by for with without that and or but if as when where who which i you "
    "he she we they me him them my your his her our their not no yes already was were is are am "
    "has had have will be been do does did this these those more less very also still until only "
    "today yesterday tomorrow it its to from what how why there here than then about into after "
    "before so can could would should".split()
)
_ONLY_PT = _PT - _EN
_ONLY_EN = _EN - _PT
# Frequent words of one language that are no function words, for very short texts.
_PT_HINTS = frozenset(
    "obrigado obrigada bom dia tarde noite feito pronto valeu oi ola quero".split()
)
_EN_HINTS = frozenset("thanks thank good morning hello hi please done great want let".split())
# Endings that only one of the two languages has, for texts without any such word.
_PT_ENDING = re.compile(
    r"\w{2,}(?:ou|aram|eram|iram|ando|endo|indo|cao|coes|mente|inho|inha|eza|dade)\Z"
)
_EN_ENDING = re.compile(r"\w{2,}(?:ing|ed|tion|tions|ly|ness|ght|ould|ck|th|sh)\Z")
_PT_LETTERS = re.compile("[ãõçâêôáéíóúà]")


def fold(text: str) -> str:
    """Return *text* without case and without diacritics, for comparison only."""
    if _ASCII.match(text):
        return text.lower()
    lowered = unicodedata.normalize("NFKC", text).casefold()
    if _LIGATURE.search(lowered):
        lowered = lowered.translate(_LIGATURES)
    bare = _MARKS.sub("", unicodedata.normalize("NFKD", lowered))
    return unicodedata.normalize("NFC", bare)


def words(text: str) -> list[str]:
    """Return the words of *text*, folded, in order; identifiers stay whole."""
    return _find_words(fold(text))


def surface_words(text: str) -> list[str]:
    """Return the words of *text* in lower case with their accents kept, composed, in order."""
    return _find_words(unicodedata.normalize("NFC", text.lower().replace("’", "'")))


def _find_words(text: str) -> list[str]:
    return (_WORD if _ASCII.match(text) else _WIDE_WORD).findall(text)


def is_function_word(word: str) -> bool:
    """Whether a folded word only holds a sentence together, in Portuguese or English."""
    return word in _PT or word in _EN


def language(text: str) -> str:
    """Guess `pt` or `en` from function words, letters and endings; '' where they do not decide."""
    head = text[:4000]
    found = _LETTERS.findall(fold(head))[:400]
    accents = len(_PT_LETTERS.findall(head.lower()))
    pt = sum((w in _ONLY_PT) + (w in _PT_HINTS) for w in found) + min(accents, 10)
    en = sum((w in _ONLY_EN) + (w in _EN_HINTS) for w in found)
    if pt == en:
        pt = sum(bool(_PT_ENDING.match(w)) for w in found)
        en = sum(bool(_EN_ENDING.match(w)) for w in found)
    if pt == en:
        return ""
    return "pt" if pt > en else "en"


@lru_cache(maxsize=2)
def _stemmer(name: str) -> Stemmer.Stemmer:
    return Stemmer.Stemmer(name)


@lru_cache(maxsize=200_000)
def stem(word: str, lang: str) -> str:
    """Return the stem of a folded word; Portuguese plurals in -ões/-ães/-ãos join -ão first.

    Snowball leaves *decisao* and *decisoes* apart; folding the plural first joins them.
    """
    word = INFINITIVES.get(word, word)
    if lang == "en":
        return str(_stemmer("english").stemWord(word))
    return fold(str(_stemmer("portuguese").stemWord(_PLURAL.sub("ao", word))))


def index_terms(text: str, lang: str = "") -> list[str]:
    """Return every term under which *text* is found, for index and query alike, in order.

    A word gives its stems in both languages (a text may mix them), or in *lang* alone where
    that is given; an identifier gives itself and its parts; scripts without spaces give single
    characters and bigrams. Terms hold no white space.
    """
    if _ASCII.match(text):
        found = [_word_terms(word, lang) for word in _WORD.findall(text.lower())]
    else:
        # Folding word by word lets the cache save it; a text has few words it never had before.
        raw = _RAW_WORD.findall(unicodedata.normalize("NFKC", text))
        found = [_raw_terms(word, lang) for word in raw]
    return list(chain.from_iterable(found))


@lru_cache(maxsize=200_000)
def _raw_terms(raw: str, lang: str) -> tuple[str, ...]:
    return tuple(_spaced_terms(fold(raw), lang))


def content_terms(text: str) -> list[str]:
    """Return the index terms of the words of *text* that are no function words."""
    terms: list[str] = []
    for word in words(text):
        if not is_function_word(word):
            terms.extend(_word_terms(word, ""))
    return terms


@dataclass(frozen=True, slots=True)
class QueryWord:
    """One thing a query asks for: any of `terms` in a text satisfies it.

    `surface` is the word as typed, in lower case with its accents; '' for parts of a word.
    """

    terms: tuple[str, ...]
    surface: str = ""


def query_words(text: str) -> list[QueryWord]:
    """Return what a query asks for, in order, each once; any string is a valid query.

    Function words count only where there is nothing else. An identifier asks for itself and
    for each of its parts of two characters or more; a run of an unspaced script asks for its
    bigrams.
    """
    folded = words(text)
    pairs = list(zip(folded, surface_words(text), strict=False))
    if len(pairs) != len(folded):  # folding joined or parted something; accents are unknown
        pairs = [(word, "") for word in folded]
    if any(not is_function_word(word) for word, _ in pairs):
        pairs = [p for p in pairs if not is_function_word(p[0])]
    found: dict[tuple[str, ...], QueryWord] = {}
    for word, surface in pairs:
        for wanted in _wanted(word, surface):
            found.setdefault(wanted.terms, wanted)
    return list(found.values())


def _wanted(word: str, surface: str) -> Iterator[QueryWord]:
    if _UNSPACED.search(word):
        yield from (QueryWord((term,)) for term in _unspaced_terms(word, "", least=2))
        return
    parts = _PARTS.findall(word)
    if parts == [word]:
        yield from _wanted_part(word, surface)
        return
    whole = (word, word.replace(".", "")) if _THOUSANDS.match(word) else (word,)
    yield QueryWord(whole, surface)
    for part in parts:
        if len(part) > 1:
            yield from _wanted_part(part, "")


def _wanted_part(part: str, surface: str) -> Iterator[QueryWord]:
    yield QueryWord(_stems(part, ""), surface)
    for piece in _pieces(part):
        if len(piece) > 1 or piece.isdigit():
            yield QueryWord(_stems(piece, ""))


def _stems(part: str, lang: str) -> tuple[str, ...]:
    if lang:
        return (stem(part, lang),)
    return tuple(dict.fromkeys((stem(part, "pt"), stem(part, "en"))))


def _pieces(part: str) -> list[str]:
    """Part 14h30 or abc12 where digits meet letters; a hexadecimal digest stays whole."""
    pieces = _DIGIT_EDGE.split(part)
    return pieces if 1 < len(pieces) <= _MOST_PIECES else []


@lru_cache(maxsize=200_000)
def _word_terms(word: str, lang: str) -> tuple[str, ...]:
    if _UNSPACED.search(word):
        return tuple(dict.fromkeys(_unspaced_terms(word, lang)))
    parts = _PARTS.findall(word)
    found: dict[str, None] = {}
    if parts != [word]:
        found[word] = None
    if _THOUSANDS.match(word):
        found[word.replace(".", "")] = None
    for part in parts:
        found.update(dict.fromkeys(_stems(part, lang)))
        if pieces := _pieces(part):
            found.update(dict.fromkeys((part, *pieces)))
            for piece in pieces:
                found.update(dict.fromkeys(_stems(piece, lang)))
    return tuple(found)


def _unspaced_terms(word: str, lang: str, *, least: int = 1) -> Iterator[str]:
    end = 0
    for run in _UNSPACED.finditer(word):
        yield from _spaced_terms(word[end : run.start()], lang)
        chars = run.group()
        if least == 1 or len(chars) == 1:
            yield from chars
        yield from (chars[i : i + 2] for i in range(len(chars) - 1))
        end = run.end()
    yield from _spaced_terms(word[end:], lang)


def _spaced_terms(text: str, lang: str) -> Iterator[str]:
    for piece in _find_words(text):
        yield from _word_terms(piece, lang)
