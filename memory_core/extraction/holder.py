# ruff: noqa: E501 - patterns read best a row a line
"""Whose content a clause is, which is not always who typed it."""

from __future__ import annotations

import re
from dataclasses import dataclass

from memory_core.text import fold, is_function_word

_RELATIONS = (
    "irmao|irma|mae|pai|filh[oa]|marido|esposa|mulher|namorad[oa]|amig[oa]|vizinh[oa]|chefe|soci[oa]|primo|prima|tio|tia|avo|cunhad[oa]|sogr[oa]|colega|contador[a]?|medic[oa]|sindico|porteiro|zelador|encanador|eletricista|pedreiro|costureira|cliente|fornecedor[a]?|rapaz|moca|estagiari[oa]|professor[a]?|advogad[oa]|conselho|prefeitura|gerente|banco|vendedor[a]?|tecnico|suporte|motorista|assembleia|bombeiro|diretor[a]?|equipe|pessoal|radio|loja"
    "|brother|sister|mother|father|mom|mum|dad|son|daughter|husband|wife|girlfriend|boyfriend|friend|neighbou?r|boss|partner|cousin|uncle|aunt|brother-in-law|sister-in-law|colleague|accountant|doctor|landlord|plumber|electrician|seamstress|client|customer|vendor|supplier|guy|lady|intern|teacher|lawyer|board|council|manager|bank|support|doorman|janitor|committee|driver|company|assembly|team|director|fire brigade|shop"
)
_SAYS = (
    "diz|diss(?:e|eram)|fal(?:ou|aram|a)|ach(?:a|am|ou)|pens(?:a|am|ou)|acredit\\w+|escrev(?:eu|e|eram)|pergunt(?:ou|aram|a)|cont(?:ou|aram)|avis(?:ou|aram|a)|suger(?:iu|e)|recomend(?:ou|a)|prefere|odeia|quer(?:ia|em)?|garant(?:iu|e)|jur(?:ou|a)|respond(?:eu|eram)|reclam(?:ou|aram|a)|mand(?:ou|a) dizer|gritou|comentou|insist(?:iu|e)|defend(?:eu|e)|orcou|cotou|propos"
    "|say|says|said|thinks?|thought|believes?|wrote|writes|asked|told|claims?|suggest(?:s|ed)|recommends?|warned|wants?|hates?|prefers?|reckons|replied|shouted|complained|insist(?:s|ed)|mentioned|blames?|blamed|quoted|push(?:es|ed) for|swears?|is all for|was all for|proposed"
)
_ACTS = (
    "decid(?:iu|iram)|resolv(?:eu|eram) \\w+r|escolheu|fechou|comprou|vendeu|tent(?:ou|aram)|descobriu|desistiu|votou|aprovou|recusou|remarcou|cancelou|aceitou"
    "|decided|chose|has decided|bought|sold|tried|found out|voted|approved|refused|rescheduled|cancel+ed|agreed"
)
_FEELS = "fic(?:ou|aram)|ta|esta|estava|estavam|anda|andava|parece|saiu|is|was|were|got|felt|feels|seems|looks|looked|has looked|left"
# Words that may stand between the person and the verb; anything else is another sentence's.
_GAP = r"(?:(?:tambem|também|ja|já|ainda|agora|sempre|nunca|nao|não|so|só|me|nos|lhe|te|ate|até|also|now|always|never|just|still|has|had|have|already|really) ){0,2}"
_FIRST = re.compile(
    r"^(?:eu|a gente|nos|i|we|my|meu|minha|i'm|i've|i'd|we're)\b"
    rf"(?! (?:\w+ )?(?:{_RELATIONS}))"
)
_WHO = rf"(?P<name>(?:o|a|os|as|um|uma|meu|minha|meus|minhas|seu|sua|the|my|our|his|her|their) (?:\w+ )?(?:{_RELATIONS})\w*)"
_AFTER = r"(?: d[aeo]s? \w+(?: \w+)?| at \w+)?,? "
_NAME = r"(?:[Oo]s? |[Aa]s? |[Mm]as [ao] |[Dd]ona |[Ss]eu |O seu |A dona )?(?P<name>[A-ZÀ-Þ][\w'’-]+(?: (?:d[aeo]s? )?[A-ZÀ-Þ][\w'’-]+){0,3})(?:, [^,]{3,40},| (?:on|from|at|d[aeo]|n[ao]) (?:the )?\w+)? "
_LEAD = r"^(?:(?:so que|mas|e|and|but|so|que) )?"
_RELATION_SAYS = re.compile(rf"{_LEAD}{_WHO}{_AFTER}{_GAP}(?:{_SAYS})\b")
_RELATION_ACTS = re.compile(rf"{_LEAD}{_WHO}{_AFTER}{_GAP}(?:{_ACTS})\b")
_RELATION_FEELS = re.compile(rf"{_LEAD}{_WHO}{_AFTER}{_GAP}(?:{_FEELS})\b")
_NAME_SAYS = re.compile(rf"^{_NAME}{_GAP}(?:{_SAYS})\b")
_NAME_ACTS = re.compile(rf"^{_NAME}{_GAP}(?:{_ACTS})\b")
_NAME_FEELS = re.compile(rf"^{_NAME}{_GAP}(?:{_FEELS}|está)\b")
_NAME_IS = re.compile(
    r"^(?:[Mm]as |[Bb]ut |[Aa]nd )?(?P<name>[A-ZÀ-Þ][a-zà-ÿ]+|[Mm]y \w+)'s (?:so |very |really |not |a bit |pretty )*"
    r"(?:relieved|upset|angry|thrilled|furious|worried|scared|delighted|heartbroken|proud|excited|disappointed|happy|sad|mortified)\b"
)
_ACCORDING = re.compile(
    r"(?:^|[,;] )(?:segundo|conforme|de acordo com|according to|pelo que|from what)\s+"
    r"(?P<name>(?:[oa] |the |my |meu |minha )?(?!\d)\w+(?: [A-ZÀ-Þ]\w+)?)(?: (?:disse|contou|told|said))?",
    re.IGNORECASE,
)
_INDEFINITE = re.compile(
    r"^(?P<name>disseram|ouvi dizer|dizem|they say|i heard|word is|el[ea]s? (?:disse|falou|gritou|escreveu|acha)\w*|(?:he|she|they) (?:said|says|thinks|shouted|wrote|told)\w*)\b"
)
_LAST_WORD_SAYS = re.compile(
    r", (?P<name>(?:[oa] |the |my |meu |minha )?[\w'-]+(?: [A-ZÀ-Þ][\w'-]+)?) (?:swears|says|said|jura|diz|disse|garante)[.!]?$"
)


@dataclass(frozen=True, slots=True)
class Other:
    """A third party in a clause: who, and what they do in it: `says`, `acts` or `feels`."""

    name: str
    does: str


NOBODY = Other("", "")


def other(clause: str) -> Other:
    """Return the third party whose words, act or state *clause* tells; `NOBODY` for none.

    Reported speech ("my brother says"), reported opinion ("segundo a Marta"), somebody else's
    decision or state. A name in front that is only addressed ("Ana, pode apagar") is nobody's.
    """
    text = clause.strip()
    folded = fold(text)
    if _FIRST.match(folded):
        return NOBODY
    for does, pattern, where in (
        ("says", _RELATION_SAYS, folded),
        ("acts", _RELATION_ACTS, folded),
        ("feels", _RELATION_FEELS, folded),
        ("says", _INDEFINITE, folded),
        ("says", _NAME_SAYS, text),
        ("acts", _NAME_ACTS, text),
        ("feels", _NAME_FEELS, text),
        ("feels", _NAME_IS, text),
        ("says", _ACCORDING, text),
        ("says", _LAST_WORD_SAYS, text),
    ):
        match = pattern.search(where)
        if match and not _no_name(match["name"]):
            return Other(match["name"].strip(), does)
    return NOBODY


def third_party(clause: str) -> str:
    """Return the name or relation of the third party whose words or act *clause* tells."""
    found = other(clause)
    return "" if found.does == "feels" else found.name


def _no_name(name: str) -> bool:
    first = fold(name).split()[0]
    return first in _STARTERS or (" " not in name.strip() and is_function_word(first))


# Words that begin a sentence with a capital and are nobody's name.
_STARTERS = frozenset(
    "eu i nos we isso isto this that it voce you tudo nada hoje ontem amanha agora ainda aqui ali la "
    "today yesterday tomorrow now still here there quem que what ok sim nao yes no mas but and "
    "ninguem nobody alguem somebody someone everyone everybody todo todos todas".split()
)
