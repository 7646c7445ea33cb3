# ruff: noqa: E501 - word lists read best a row a line
"""Whole messages without content: greetings, thanks, acknowledgements."""

from __future__ import annotations

import re

from memory_core.text import fold

LONGEST = 90  # characters; a longer message has content
_TRIM = re.compile(r"[^\w\s]+", re.UNICODE)
_GREETING = (
    r"(?:oi+|ola|opa|e ai|eai|bom dia|boa tarde|boa noite|hello|hi+|hey|good (?:morning|afternoon"
    r"|evening|night)|tudo bem|tudo bom|how are you|hey stranger|sumido|there)"
)
_THANKS = (
    r"(?:(?:muito |mt )?obrigad[oa]s?|obg|brigad[oa]|valeu|vlw|agradecid[oa]|thanks?(?: you)?"
    r"|thx|ty|cheers|a lot|so much|very much|pela ajuda|por tudo|for the help|for everything"
    r"|for the support|pela forca|mesmo|demais|again|de novo)"
)
_ACK = (
    r"(?:ok+|okay|okey|blz|beleza|ta(?: bom| bem| certo| otimo)?|certo|certinho|combinado|entendi"
    r"|entendido|anotado|registrado|perfeito|otimo|show|legal|joia|sim|isso(?: mesmo)?|aham|uhum"
    r"|exato|pode ser|claro|massa|top|boa|feito|got it|sure|great|perfect|cool|nice|fine"
    r"|all right|alright|right|yes|yep|yeah|yup|understood|noted|done|good one|sounds good|awesome"
    r"|excellent|excelente|maravilha|disponha|de nada|imagina|you re welcome|youre welcome|welcome"
    r"|no problem|sem problema)"
)
_FAREWELL = (
    r"(?:tchau|ate (?:mais|logo|amanha|breve)|bye|goodbye|see you(?: tomorrow| later)?|abracos?"
    r"|abs|beijos?|bjs?|take care|falou|flw|good night|boa noite|bom descanso)"
)
_FILLER = r"(?:k{2,}|ha(?:ha)+|he(?:he)+|rs+|lol|lmao|hmm+|ah+|eh+|uau|wow|ufa|hein|ne|viu|por aqui|te ver)"
_NAME = r"(?:[a-z]{2,12})"
_KINDS = tuple(
    (name, re.compile(rf"{core}(?:\s+(?:e |and )?(?:{any_})(?:\s+{_NAME})?)*(?:\s+{_NAME})?\Z"))
    for any_ in (f"{_GREETING}|{_THANKS}|{_ACK}|{_FAREWELL}|{_FILLER}",)
    for name, core in (
        ("greeting", _GREETING),
        ("thanks", _THANKS),
        ("farewell", _FAREWELL),
        ("acknowledgement", _ACK),
        ("filler", _FILLER),
    )
)
# One trailing word is a name only if it is none of these: "ok, faz" asks for something.
_VERBS = frozenset(
    "faz faca pode vai vamos manda apaga roda cancela compra espera para go do run stop cancel "
    "delete send buy wait ship continue segue continua mas but porem entao so".split()
)


def small_talk(text: str) -> str:
    """Return why a whole message has no content; '' where it has some.

    `greeting`, `thanks`, `farewell`, `acknowledgement` or `filler` (laughter, emoji alone).
    """
    if len(text) > LONGEST:
        return ""
    words = " ".join(_TRIM.sub(" ", fold(text)).split())
    if not words:
        return "filler"
    last = words.rsplit(" ", 1)[-1]
    if last in _VERBS or any(c.isdigit() for c in words):
        return ""
    for name, pattern in _KINDS:
        if pattern.match(words):
            return name
    return ""
