# ruff: noqa: E501 - tables and patterns read best a row a line
"""Whether a piece of text holds the kind of thing a question asks for, beyond its own words."""

from __future__ import annotations

import re
from collections.abc import Callable

from memory_core.question import Question
from memory_core.question_types import AnswerType
from memory_core.text import fold

_NUMBER = re.compile(r"\d+(?:[.,:]\d+)*")
_NUMBER_WORD = re.compile(
    r"\b(?:dois|duas|tres|quatro|cinco|seis|sete|oito|nove|dez|onze|doze|treze|quatorze"
    r"|catorze|quinze|dezesseis|dezessete|dezoito|dezenove|vinte|trinta|quarenta|cinquenta"
    r"|sessenta|setenta|oitenta|noventa|cem|cento|duzentos|trezentos|quinhentos|mil|metade|dobro"
    r"|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|(?:thir|four|fif|six|seven|eigh|nine)"
    r"teen|twenty|thirty|forty|fifty|sixty|seventy|eighty|ninety|hundred|thousand|half|double|dozen"
    r"|nenhum|nenhuma|none|nobody|ninguem|twice|once)\b"
)
_DATE = re.compile(
    r"\d{1,2}/\d{1,2}|\d{4}-\d{2}-\d{2}|\b\d{1,2}h(?:\d{2})?\b|\b\d{1,2}:\d{2}\b"
    r"|\b(?:janeiro|fevereiro|marco|abril|maio|junho|julho|agosto|setembro|outubro|novembro"
    r"|dezembro|january|february|march|april|may|june|july|august|september|october|november"
    r"|december|segunda|terca|quarta|quinta|sexta|sabado|domingo|monday|tuesday|wednesday"
    r"|thursday|friday|saturday|sunday|ontem|amanha|hoje|yesterday|tomorrow|today)s?\b"
    r"|\b(?:last|next|this) (?:week|month|year|night|summer|winter|spring|fall|weekend)\b|\brecently\b"
    r"|\b(?:semana|mes|ano|fim de semana) (?:passad[oa]|que vem)\b|\b(?:proxim[oa]|neste|nesta|neste fim de)"
    r" (?:semana|mes|ano)\b|\b(?:days?|weeks?|months?|years?) ago\b|\bha \w+ (?:dias?|semanas?|meses|anos)\b"
    r"|\b(?:19|20)\d{2}\b|\b\d{1,2} ?(?:am|pm)\b|\bnoon\b|\bmeio-dia\b"
)
_CAUSE = re.compile(
    r"\b(?:porque|pois|ja que|por causa|devido|para (?:que|nao)|por isso|because|since|due to"
    r"|so that|as it|therefore|motivo|razao|reason)\b|\bpor (?:ser|ter|falta|conta)\b"
)
_FEELING = re.compile(
    r"\b(?:exaust|irritad|animad|feliz|triste|preocupad|alivi|cansad|frustrad|nervos|ansios|medo"
    r"|raiva|content|satisfeit|chatead|orgulhos|happy|sad|tired|exhausted|relieved|worried|angry"
    r"|upset|excited|anxious|proud|afraid|glad|frustrated|annoyed|nervous)"
)
_OTHERS = re.compile(
    r"\b(?:ou|em vez|descart\w+|rejeit\w+|alternativ\w+|outr[oa]s?|contra|entre|opc\w+|ao inves"
    r"|or|instead|rather|discarded|rejected|alternatives?|others?|versus|options?|ruled out|turned down)\b"
)
_NAME = re.compile(r"\b[A-ZÀ-Þ][\w'’-]+")
_NEGATION = re.compile(r"\b(?:nao|nunca|jamais|nenhum|not|never|no longer|n't|none)\b")


def holds_answer(question: Question, text: str) -> bool:
    """Whether *text* holds something of every type the question asks for, new to the question."""
    return all(_HOLDS[kind](question, text) for kind in question.types)


def denies(text: str) -> bool:
    """Whether *text* carries a negation."""
    return bool(_NEGATION.search(fold(text)))


def _new(pattern: re.Pattern[str], question: Question, text: str) -> bool:
    asked = fold(question.text)
    return any(m.group() not in asked for m in pattern.finditer(fold(text)))


def _who(question: Question, text: str) -> bool:
    asked = fold(question.text)
    return any(fold(m.group()) not in asked for m in _NAME.finditer(text))


def _how_many(question: Question, text: str) -> bool:
    return _new(_NUMBER, question, text) or _new(_NUMBER_WORD, question, text)


def _something(question: Question, text: str) -> bool:
    asked = set(fold(question.text).split())
    return any(w not in asked for w in fold(text).split())


def _matches(pattern: re.Pattern[str]) -> Callable[[Question, str], bool]:
    return lambda _question, text: bool(pattern.search(fold(text)))


_HOLDS: dict[AnswerType, Callable[[Question, str], bool]] = {
    AnswerType.WHO: _who,
    AnswerType.WHEN: lambda q, t: _new(_DATE, q, t),
    AnswerType.HOW_MANY: _how_many,
    AnswerType.WHY: _matches(_CAUSE),
    AnswerType.MOOD: _matches(_FEELING),
    AnswerType.WHERE: _something,
    AnswerType.YES_NO: lambda _q, _t: True,
    AnswerType.HOW_TO: _something,
    AnswerType.PROCESS: _something,
    AnswerType.CHANGE: _something,
    AnswerType.ALTERNATIVES: _matches(_OTHERS),
    AnswerType.WHAT: _something,
}
