# ruff: noqa: E501 - word lists read best a row a line
"""What may be the value of a fact: a name where one is due, nothing pointed at, never a secret."""

from __future__ import annotations

import re

from memory_core.extraction.facts_model import FactType
from memory_core.text import fold

_CODE = re.compile(r"\d{4,}|\w*\d\w*[^\W\d]\w*\d|[!@#$%^&*]\w")
_CREDENTIAL = re.compile(
    r"\b(?:senhas?|token|chaves?|pin|codigo|credencia\w*|segredo|passwords?|passphrase|keys?|code|secret|login)\b"
)
_UNTOLD = re.compile(r"\b(?:del[ea]s?|dess[ea]s?|dest[ea]s?|disso|his|her|their|its|your)\b")
_POINTING = re.compile(
    r"^(?:the (?:way|thought|idea|energy|sound|fact|part|look|freedom|connection)|all the|a parte|o fato|o jeito|to (?:help|see|hear))\b"
    r"|\b(?:you|your|them|their|his|her|these|those|this|that|its?|teu|tua|seus?|suas?|del[ea]s?|ess[ea]s?|est[ea]s?)\b"
)
_ARTICLE = re.compile(r"(?:[oa]s?|um|uma|the|an?|n[oa]) ")
_EMPTY = frozenset(
    "isso isto aquilo ele ela eles elas voce assim tudo nada algo it this that them you so here there everything nothing something him her us".split()
)
_NO_NAMES = frozenset(
    "isso isto esse essa este esta ele ela that this it he she they who quem what tudo nada todo toda ontem hoje amanha sim nao ok mas entao bom olha ah e agora depois nunca sempre yesterday today tomorrow yes no but so well now then never always actually please anteontem segunda terca quarta quinta sexta sabado domingo".split()
)


def is_name(word: str) -> bool:
    """Whether a word may be somebody's name: a capital, and no word that only begins a sentence."""
    return word[:1].isupper() and fold(word) not in _NO_NAMES


def value_of(match: re.Match[str], text: str, kind: FactType) -> str:
    """Return the value of a match as *text* has it; '' where it is none, or no name where one is due."""
    groups = match.groupdict()
    if groups.get("sp"):
        subject = text[match.start("sp") : match.end("sp")]
        if not subject[:1].isupper() or not is_name(subject):
            return ""
    if groups.get("s") and _UNTOLD.search(groups["s"]):
        return ""  # "her bike": whose, another sentence tells
    name = "p" if groups.get("p") else "v"
    value = text[match.start(name) : match.end(name)].strip(" .,;:!")
    if name == "p" and not _ARTICLE.sub("", value, count=1)[:1].isupper():
        return ""
    if _may_be_secret(value, groups.get("s") or "", kind):
        return ""
    liked = kind in (FactType.PREFERENCE, FactType.DISLIKE)
    if fold(value) in _EMPTY or (liked and _POINTING.search(fold(value))):
        return ""  # "I love your turtles": what is pointed at is of the moment
    return value


def _may_be_secret(value: str, subject: str, kind: FactType) -> bool:
    """Whether a value may be a credential itself: its place is told, the thing never."""
    if kind is FactType.CREDENTIAL_PLACE:
        return bool(_CODE.search(value))
    return kind is FactType.SETTING and bool(_CREDENTIAL.search(subject))
