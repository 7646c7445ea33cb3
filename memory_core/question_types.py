# ruff: noqa: E501 - tables and patterns read best a row a line
"""What kind of thing a question asks for, from its words alone: pt-BR and English."""

from __future__ import annotations

import re
from enum import StrEnum


class AnswerType(StrEnum):
    """What kind of thing would answer; a question may ask for several."""

    WHO = "who"
    WHEN = "when"
    WHERE = "where"
    HOW_MANY = "how_many"
    YES_NO = "yes_no"
    WHY = "why"
    HOW_TO = "how_to"
    PROCESS = "process"
    CHANGE = "change"
    MOOD = "mood"
    ALTERNATIVES = "alternatives"
    WHAT = "what"


# Questions of these types ask how something came about: one matching line does not answer them.
NARRATIVE = frozenset({AnswerType.PROCESS, AnswerType.CHANGE})

_MEASURES = (
    "preco|valor|custo|taxa|tarifa|aluguel|mensalidade|diaria|multa|salario|orcamento|franquia"
    "|porta|potencia|velocidade|temperatura|umidade|tamanho|peso|altura|idade|distancia|limite"
    "|capacidade|quantidade|margem|percentual|percentagem|porcentagem|tiragem|numero|protocolo"
    "|codigo|telefone|nota|saldo|total|desconto|juros|dose|pressao|medida|espessura|cnpj|cpf|cep"
    "|price|cost|fee|rate|rent|fine|salary|budget|port|power|speed|temperature|humidity|size"
    "|weight|height|age|distance|limit|capacity|quantity|margin|percentage|number|code|phone"
    "|balance|total|discount|dose|pressure|rating|deductible|premium|amount|score"
)
# Folded text, first match wins within a type; every type that matches is kept.
_TYPES: tuple[tuple[AnswerType, re.Pattern[str]], ...] = tuple(
    (kind, re.compile(pattern))
    for kind, pattern in (
        (
            AnswerType.WHY,
            r"\bpor ?que\b|\bwhy\b|\bmotivo|\brazao\b|\breasons?\b|\bwhat made\b|\bhow come\b",
        ),
        (
            AnswerType.PROCESS,
            (
                r"\bcomo (?:\w+ ){0,2}(?:surgiu|chegou|chegamos|nasceu|amadureceu|evoluiu|foi decidid|mudou)"
                r"|\bhow did (?:\w+ ){1,6}(?:come|end up|evolve|mature|unfold|change|develop)|\bhow (?:has|have)\b"
                r"|\bpasso a passo\b|\bsequencia\b|\bhistoria d[aeo]\b|\bsequence\b|\bstory of\b|\bstep by step\b"
            ),
        ),
        (AnswerType.CHANGE, r"\bo que mudou\b|\bmudou\b|\bwhat (?:has )?changed\b|\bmudanca"),
        (
            AnswerType.ALTERNATIVES,
            (
                r"\balternativ|\bopc(?:ao|oes)\b|\boptions?\b|\bdescart|\brejeit|\bdiscarded\b"
                r"|\brejected\b|\bruled out\b|\bweighed\b"
            ),
        ),
        (
            AnswerType.MOOD,
            (
                r"\b(?:como|how) (?:\w+ ){0,4}(?:se )?(?:sentiu|sentia|sente|sentiram|felt|feel|feels|feeling)\b"
                r"|\bcomo (?:a |o )?\w+(?: \w+)? (?:estava|ficou)\b|\bhow was \w+ (?:doing|on)\b|\bhumor\b|\bmood\b"
            ),
        ),
        (
            AnswerType.HOW_MANY,
            (
                r"\bquant[oa]s?\b|\bhow (?:many|much|long|often|big|far|old|tall|high|hot|heavy|fast)\b|\bpercent"
                rf"|\b(?:qual|quais|que|what|which)\b(?: \w+){{0,3}}? (?:{_MEASURES})s?\b"
            ),
        ),
        (
            AnswerType.WHO,
            r"\bquem\b|\bwho\b|\bwhose\b|\bwhom\b|\bsobrenome\b|\bsurname\b|\blast name\b",
        ),
        (
            AnswerType.WHEN,
            (
                r"\bquando\b|\bwhen\b|\b(?:que|qual) (?:e |era |foi )?(?:o |a )?(?:dia|data|horas?|horario|mes|ano|prazo)\b"
                r"|\b(?:what|which) (?:day|date|time|month|year|hour)s?\b|\bhow long ago\b|\bha quanto tempo\b"
                r"|\bem que dias?\b|\b(?:what|which) (?:is |was )?the (?:\w+ )?(?:deadline|date)\b"
            ),
        ),
        (AnswerType.WHERE, r"\b(?:para |de |a)?onde\b|\bwhere\b"),
        (
            AnswerType.HOW_TO,
            r"\bcomo (?:eu |se |a gente )?(?:fa[zc]|posso|devo)|\bhow (?:do (?:i|you|we)|to|can|should)\b",
        ),
    )
)
_ASKS = re.compile(
    r"\b(?:que|qual|quais|quem|quando|onde|como|quant[oa]s?|what|which|who|when|where|why|how)\b"
)
# "Which of ... or ...?" and what begins with a verb ask for yes or no.
_POLAR = re.compile(
    r"\A\W*(?:is|are|was|were|am|do|does|did|has|have|had|can|could|may|might|will|would|shall|should|must"
    r"|e verdade|ja|ainda|sera)\b"
)


def types_of(folded: str) -> tuple[AnswerType, ...]:
    """Return the types that a folded question asks for, at least one."""
    if _POLAR.match(folded):
        return (AnswerType.YES_NO,)
    found = tuple(kind for kind, pattern in _TYPES if pattern.search(folded))
    if AnswerType.WHEN in found and AnswerType.HOW_MANY in found and "how long ago" in folded:
        found = tuple(kind for kind in found if kind is not AnswerType.HOW_MANY)
    if found:
        return found
    return (AnswerType.WHAT,) if _ASKS.search(folded) else (AnswerType.YES_NO,)
