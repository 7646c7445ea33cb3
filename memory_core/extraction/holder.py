# ruff: noqa: E501 - patterns read best a row a line
"""Whose content a clause is, which is not always who typed it."""

from __future__ import annotations

import re

from memory_core.text import fold

_RELATIONS = (
    "irmao|irma|mae|pai|filh[oa]|marido|esposa|mulher|namorad[oa]|amig[oa]|vizinh[oa]|chefe|soci[oa]|primo|prima|tio|tia|av[oô]|cunhad[oa]|sogr[oa]|colega|contador[a]?|medic[oa]|sindico|porteiro|zelador|encanador|eletricista|pedreiro|costureira|cliente|fornecedor[a]?|rapaz|moca|estagiari[oa]|professor[a]?|advogad[oa]|conselho|prefeitura|gerente|banco|vendedor[a]?|tecnico|suporte|motorista"
    "|brother|sister|mother|father|mom|mum|dad|son|daughter|husband|wife|girlfriend|boyfriend|friend|neighbou?r|boss|partner|cousin|uncle|aunt|brother-in-law|sister-in-law|colleague|accountant|doctor|landlord|plumber|electrician|seamstress|client|customer|vendor|supplier|guy|lady|intern|teacher|lawyer|board|council|manager|bank|support|doorman|janitor|committee|driver|company"
)
_SAYS = (
    "diz|disse(?:ram|mos)?|fal(?:ou|aram|a)|ach(?:a|am|ou)|pens(?:a|am|ou)|acredit\\w+|escreveu|escreve|pergunt(?:ou|aram|a)|contou|avis(?:ou|a)|suger(?:iu|e)|recomend(?:ou|a)|prefere|odeia|quer(?:ia)?|garant(?:iu|e)|jur(?:ou|a)|respondeu|reclam(?:ou|a)|mand(?:ou|a) dizer|gritou|comentou"
    "|say|says|said|thinks?|thought|believes?|wrote|writes|asked|told|claims?|suggest(?:s|ed)|recommends?|warned|wants?|hates?|prefers?|reckons|replied|shouted|complained|insists?|mentioned"
)
_DECIDES = (
    "decidiu|resolveu|escolheu|fechou|comprou|vendeu|tentou|descobriu|ficou|esta|estava|anda|parece|desistiu|saiu"
    "|decided|chose|has decided|bought|sold|tried|found out|got|is|was|left|feels|felt|seems"
)
_FIRST = re.compile(
    r"^(?:eu|a gente|nos|i|we|my|meu|minha|i'm|i've|i'd|we're)\b(?! (?:irm|mae|pai|chefe|vizinh|brother|sister|mother|father|boss|primo|cunhad|amig|contad|medic|filh|cousin|friend))"
)
_RELATION = re.compile(
    rf"^(?:(?:mas|e|and|but|so|que) )?(?P<name>(?:o|a|os|as|um|uma|meu|minha|meus|minhas|seu|sua|the|my|our|his|her|their) (?:\w+ )?(?:{_RELATIONS})\w*)(?: d[aeo]s? \w+(?: \w+)?| at \w+)?,? (?:\w+ ){{0,2}}(?:{_SAYS}|{_DECIDES})\b"
)
_NAMED = re.compile(
    rf"^(?:[Oo] |[Aa] |[Mm]as [ao] |[Dd]ona |[Ss]eu )?(?P<name>[A-ZÀ-Þ][\w'’-]+(?: (?:d[aeo]s? )?[A-ZÀ-Þ][\w'’-]+){{0,3}})(?:, [^,]{{3,40}},)? (?:\w+ ){{0,2}}?(?:{_SAYS}|{_DECIDES})\b"
)
_ACCORDING = re.compile(
    r"\b(?:segundo|conforme|de acordo com|according to|pelo que|from what)\s+(?P<name>(?:[oa] |the )?\w+(?: \w+)?)(?: (?:disse|contou|told|said))?",
    re.IGNORECASE,
)
_INDEFINITE = re.compile(
    r"^(?P<name>disseram|ouvi dizer|dizem|they say|i heard|word is|el[ea]s? (?:disse|falou|gritou|escreveu|acha)\w*|(?:he|she|they) (?:said|says|thinks|shouted|wrote|told)\w*)\b"
)
_THEIR_STATE = re.compile(
    rf"^(?P<name>(?:[Oo] |[Aa] )?[A-ZÀ-Þ][\w'’-]+|(?:[Mm]inha|[Mm]eu|[Mm]y|[Oo]|[Aa]|[Tt]he) (?:{_RELATIONS})\w*) (?:ficou|esta|está|estava|anda|is|was|got|felt|feels)\b"
)


def third_party(clause: str) -> str:
    """Return the name or relation of the third party whose content *clause* is; '' for none.

    Reported speech ("my brother says"), reported opinion ("segundo a Marta"), somebody else's
    decision or state. A name in front that is only addressed ("Ana, pode apagar") is nobody's.
    """
    folded = fold(clause).strip()
    if _FIRST.match(folded):
        return ""
    for pattern, text in (
        (_RELATION, folded),
        (_INDEFINITE, folded),
        (_NAMED, clause.strip()),
        (_ACCORDING, clause.strip()),
        (_THEIR_STATE, clause.strip()),
    ):
        match = pattern.search(text)
        if match and fold(match["name"]) not in _PRONOUNS:
            return match["name"].strip()
    return ""


_PRONOUNS = frozenset(
    "eu i a gente nos we isso isto this that it ele ela voce you tudo nada o a the hoje ontem amanha agora ainda aqui ali la today yesterday tomorrow now still here there who quem que what ok sim nao yes no mas but and".split()
)
