# ruff: noqa: E501 - patterns read best a row a line
"""Whether a clause affirms, denies, supposes or asks; and whether it is meant at all."""

from __future__ import annotations

import re

from memory_core.model import Polarity

_QUESTION = re.compile(
    r"\?[\s\"'”»)]*$|^(?:sera que|do you|did (?:you|we)|is there|are we|can you|could you|quem|qual|quais|quando|onde|por que|what|which|who|when|where|why|how)\b.*\?|^(?:duvida|question):"
)
_HYPOTHETICAL = re.compile(
    r"^(?:e se|se|caso|if|unless|should (?:the|it|he|she|they|we|you)|imagin[ae]|suppose|supondo|supose|what if|whether)\b"
    r"|\b(?:se (?:a gente|eu|ele|ela|voce|der|nao der|fosse|tivesse|ganhar\w*|chover|precisar)|if (?:i|we|it|he|she|they|you|the)|talvez|quem sabe|pode ser que|maybe|perhaps|might|probably|provavelmente|parece que|it seems)\b"
    r"|\b(?:eu |a gente |i |we |i'd |we'd |it )?(?:compraria|fecharia|tentaria|usaria|faria|iria|escolheria|preferiria|would|'d (?:pick|buy|try|sign|use|go|choose|take|vote))\b"
    r"|\b(?:we|i|it|you|they)'d (?!been\b|\w+ed\b|gone\b|had\b|better\b|rather\b)\w+|\b(?:poderia|deveria|sairia|teria|ficaria)m?\b|\bsome ?day\b|\bit depends\b|\bdepende se\b|\b(?:first|initial) idea\b|\bprimeira ideia\b|\bleaning to\w*|, if \w+ \w+|\bimagino que\b|\bcaso\b \w+|\bprovisori\w+|\bprovisional\b|\btentative(?:ly)?\b|\bpor (?:enquanto|ora)\b|\bfor (?:now|the time being)\b|\bem principio\b|\bate a vistoria\b|\buntil the (?:inspection|audit)\b|\bthinking of\b|\bpenso em\b"
)
_DOUBTFUL = re.compile(
    r"\b(?:nao (?:sei|tenho certeza)|acho que|desconfi|duvid(?:o|amos)|not sure|unsure|i (?:doubt|wonder|suspect)|i think i)\b"
)
_CERTAIN = re.compile(r"\b(?:nao tenho duvida|no doubt|tenho certeza|certain\b|duvida nenhuma)\b")
_NEGATION = re.compile(
    r"^(?:so )?not \w|\bno \w+ yet\b|\b(?:nao|nunca|jamais|nem|ninguem|nenhum[a]?|nada|sem chance|not|never|no one|nobody|none|neither|nothing|no longer|cannot|can't|won't|don't|didn't|doesn't|isn't|aren't|wasn't|weren't|haven't|hasn't|couldn't|hadn't|shouldn't|wouldn't|no need|there will be no|is out|ruled out|rejected|discarded|turned down|dropped|esta fora|descart\w+|rejeit\w+|desist\w+|nem pensar)\b"
)
# Denials that deny nothing: "do not forget" asks for it, "nunca deixei de" means always.
_DOUBLE = re.compile(
    r"\b(?:nao (?:esque[cç]\w*|deix\w+ de)|nunca deix\w+ de|do(?:n't| not) forget|never (?:fail|forget)\w*|nao so\b|not only)\b"
)
_NOT_AFTER_COMMA = re.compile(r", (?:nao|not) (?!$)")
_IRONY = re.compile(
    r"\b(?:so que nao|lol|lmao|sqn|foi ironia|brincadeira|joking|just kidding|jk|ironia)\b|\. not\.$"
    r"|\b(?:could not|couldn't) be (?:happier|better)\b|\b(?:estou|to) radiante\b"
    r"|^(?:maravilha|que otimo|otimo|great|wonderful|lovely|perfect|adorei|loved),? .{0,60}\b(?:de novo|again|outage|queda|falh\w+|quebr\w+|erro|third|terceir[ao])\b"
)


_HAPPENED = re.compile(
    r"\b(?!(?:se|m|d|t)eu\b|museu|pneu|vou\b|sou\b|estou\b|temos|vamos|podemos|precisamos|queremos|somos|estamos|fazemos|sei\b|lei\b|rei\b|seis\b|achei que|hei\b)"
    r"(?:[a-z]{2,}(?:ei|ou|aram|eram|iram)|[a-z]{3,}(?:eu|iu|imos|amos|emos)|fiz|fez|foi|foram|veio|vieram|pus|pos|trouxe\w*|disse\w*|deu|deram|vi|viu|fui|teve|houve|quis)\b"
    r"|\b(?!need\b|speed\b|feed\b|seed\b|indeed|hundred|red\b|bed\b|used to|closed\b|allowed|supposed|rated|based|located)[a-z]{2,}ed\b"
    r"|\b(?:went|lost|gave|took|came|sent|made|sold|bought|got here|left|saw|told|found|paid|met|wrote|fell|broke|put|built|brought|held|kept|began|ran|won|shut|sank|tore|caught|cut)\b"
    r"|^(?:\w+ )?(?:enviad|feit|criad|pedid|comprad|pag|entregue|chegad)[oae]s?\b|^(?:le|leia|manda|abre|desculpa|read|ask|sorry|ignore)\b"
)


def happened(folded: str) -> bool:
    """Whether a clause tells of something done or asked, not of how things are."""
    return bool(_HAPPENED.search(folded))


def is_ironic(folded: str) -> bool:
    """Whether a sentence shows that it is not meant as it stands."""
    return bool(_IRONY.search(folded))


def is_question(folded: str) -> bool:
    """Whether a sentence asks."""
    return bool(_QUESTION.search(folded))


def is_hypothetical(folded: str) -> bool:
    """Whether a clause supposes, doubts, or holds only for now."""
    if _CERTAIN.search(folded):
        return False
    return bool(_HYPOTHETICAL.search(folded) or _DOUBTFUL.search(folded))


def is_negated(folded: str) -> bool:
    """Whether a clause denies; a double negation and "X, not Y" affirm."""
    if _DOUBLE.search(folded):
        return False
    return bool(_NEGATION.search(_NOT_AFTER_COMMA.split(folded)[0]))


def polarity(clause: str, *, asked: bool) -> Polarity:
    """Return the polarity of a folded clause; *asked*: its sentence asks, and ends with it."""
    if asked or is_question(clause):
        return Polarity.QUESTION
    if is_hypothetical(clause):
        return Polarity.HYPOTHETICAL
    return Polarity.NEGATED if is_negated(clause) else Polarity.AFFIRMED
