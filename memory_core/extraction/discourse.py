# ruff: noqa: E501 - patterns read best a row a line
"""What a clause is because of the clauses beside it: conclusions, picks, reasons, outcomes.

No word announces them: "Salão custa três mil. Então bolo em casa." gives the reason and the
choice; "I tried the app, it hangs. In the end the clinic's other line worked." an outcome.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace

from memory_core.extraction import polarity
from memory_core.extraction.model import Clause
from memory_core.extraction.small_talk import small_talk
from memory_core.model import AuthorKind, Kind, Outcome, Polarity, Theme
from memory_core.text import content_terms, fold

MOST_CLAUSES = 5  # in a longer message, what stands beside a choice need not be about it
LONGEST_CONCLUSION = 18  # words
LONGEST_PICK = 5
LEAST_REASON = 3
_CHOSEN = frozenset({Theme.DECISION, Theme.REVISION, Theme.ALTERNATIVE})
_HELD = _CHOSEN | {Theme.MOOD, Theme.CONSTRAINT}
_NOT_TOLD = frozenset({Kind.QUOTE, Kind.INFERENCE, Kind.HOSTED})
_FIRM = frozenset({Theme.DECISION, Theme.REVISION})
_THEREFORE = re.compile(r"(?:so|entao|por isso|dai|therefore|that's why)\b")
_ANAPHOR = re.compile(r"(?:it|that|this|they|he|she|isso|esse|essa|ele|ela|eles|elas)\b")
_CONCLUDES = re.compile(
    r"(?:(?:e|and|but|mas|ok|okay|right|bom),? )?"
    r"(?:então[:,]? (?!que\b|foi\b|qualquer\b|eu (?:acho|sei)\b|é isso)"
    r"|(?:so|then),? (?=(?-i:[A-Z])(?!')(?!\s)\w|the\b|that (?:one|option|plan|way)\b|an?\b|my\b|our\b|no\b|just the\b|both\b|(?<=(?-i:so ))\w{4,}\.?$|[$£€]\d)"
    r"(?!\w+(?:ing|ly|ful|ous|ed|ive|ty|able)\b|cute|good|great|nice|cool|proud|glad|true|sure|happy|sweet|what\b|much\b|many\b|sorry|funny|close|tired|angry))"
    r"|(?:e |and |but |mas )?(?:just|only|só) (?:the (?=[\w ]*\b(?:this|for now|now|today|next))|an?|[oa]s?|uma?|\d)\b"
    r"|(?:[\w’'-]+ ){1,3}então[.!]?$"
    r"|.*(?:, então|, then| it is then)[.!]?$"
    r"|(?:(?-i:[A-Z])[\w'’-]*)(?: (?-i:[A-Z])[\w'’-]*)? so[.!]?$",
    re.IGNORECASE,
)
# Finite verbs of being and having: a clause with one tells how things are, it settles nothing.
_STATE = re.compile(
    r"\b(?:é|são|está|estou|estava|estão|tá|to|tô|tem|têm|tinha|era|foi|há|acho|parece|sei|is|are|was|were|am|i'm|has|have|had|did|does|can|can't|will|would|should|been|sounds?|looks?|let's|what|how|feel|feels|seems?|think|know|love|hate)\b|['’](?:m|ve|re|ll|d)\b",
    re.IGNORECASE,
)
_ENDS = re.compile(r"[.!?…\n]")
_GIVES_UP = re.compile(
    r"\b(?:larguei|desisti|parei|abandonei|gave up|quit|stopped|dropped|cancelei)\b"
)
_BUT = re.compile(r"(?:mas|porem|so que|embora|but|though|although|however|except)\b")
_BECAUSE = re.compile(r"(?:because|porque|pois|on account of|por causa d)")
_LED = re.compile(r"^(?:então|ok|ah)(?:,? tá(?: bom)?)[:,]", re.IGNORECASE)
_THEN = re.compile(
    r"(?:e |and |mas |but )?(?:ai|dai|entao|depois|hoje|agora|enfim|finalmente|no fim|por fim|then|finally|in the end|at last|now|today|eventually|pel[oa]|with|via|using)\b"
)
_HINGES = re.compile(
    r"\b(?:amanha|hoje|ontem|dia \d|tomorrow|today|yesterday|on the \d|monday|tuesday|wednesday|thursday|friday|saturday|sunday)\b"
)


def with_reasons(found: Sequence[Clause], text: str) -> list[Clause]:
    """Return the clauses of one message, each told as what its neighbours show it to be."""
    result = _sealed(found, text)
    for n in range(len(result)):
        result[n] = _turned_out(result, n, text)
        result[n] = _settled(result, n, text)
    for n, clause in enumerate(result):
        if not _may_explain(clause):
            continue
        before = result[n - 1] if n else None
        after = result[n + 1] if n + 1 < len(found) else None
        if _explains(before, clause, text, len(found)) or _leads_to(
            clause, after, text, len(found)
        ):
            result[n] = replace(clause, theme=Theme.REASON, kind=Kind.REPORTED_STATE)
    return result


def _sealed(found: Sequence[Clause], text: str) -> list[Clause]:
    """Return the clauses, what a bare "Final." or "Fechado." closes told as the decision it is."""
    result = list(found)
    for n in range(1, len(result)):
        last, seal = result[n - 1], result[n]
        bare = seal.theme is Theme.DECISION and len(text[seal.start : seal.end].split()) == 1
        if bare and last.theme is Theme.OTHER and last.polarity is Polarity.AFFIRMED:
            result[n - 1] = replace(last, theme=Theme.DECISION, kind=Kind.EVENT)
    return result


def _turned_out(found: Sequence[Clause], n: int, text: str) -> Clause:
    """Return what came of a failed attempt told just before ("aí funcionou", "then it held")."""
    clause = found[n]
    if n == 0 or clause.theme is not Theme.OTHER or clause.polarity is not Polarity.AFFIRMED:
        return clause
    last = found[n - 1]
    failed = last.theme is Theme.ATTEMPT and last.outcome is not Outcome.SUCCESS
    folded = fold(text[clause.start : clause.end])
    if (
        _GIVES_UP.search(folded)
        or not failed
        or not _THEN.match(folded)
        or not polarity.happened(folded)
    ):
        return clause
    return replace(clause, theme=Theme.ATTEMPT, kind=Kind.EVENT, outcome=Outcome.SUCCESS)


def _settled(found: Sequence[Clause], n: int, text: str) -> Clause:
    """Return a clause without a verb as the choice it is: "então carro", "SQLite, because …"."""
    clause = found[n]
    own = clause.holder is AuthorKind.OWNER and clause.theme is Theme.OTHER
    if not own or clause.polarity is not Polarity.AFFIRMED or clause.kind is Kind.QUOTE:
        return clause
    words = text[clause.start : clause.end]
    folded, size = fold(words), len(words.split())
    verbless = not _STATE.search(_LED.sub("", words)) and not polarity.happened(folded)
    if not verbless or small_talk(words):
        return clause
    drawn = size <= LONGEST_CONCLUSION and size > 1 and bool(_CONCLUDES.match(words))
    if drawn or (size <= LONGEST_PICK and _picks(found, n, text)):
        return replace(clause, theme=Theme.DECISION, kind=Kind.EVENT)
    return clause


def _picks(found: Sequence[Clause], n: int, text: str) -> bool:
    """Whether a few words name one of the options just told, or open with their reason."""
    mine = set(content_terms(text[found[n].start : found[n].end]))
    for earlier in found[max(0, n - 2) : n]:
        if earlier.theme is Theme.ALTERNATIVE and earlier.polarity is not Polarity.NEGATED:
            return bool(mine & set(content_terms(text[earlier.start : earlier.end])))
    opens = (
        n == 0
        and len(found) > 1
        and bool(_BECAUSE.match(fold(text[found[1].start : found[1].end])))
    )
    return opens and bool(mine) and "," not in text[found[0].start : found[0].end]


def _may_explain(clause: Clause) -> bool:
    limits = clause.theme is Theme.CONSTRAINT and "sem-x-nao" in clause.cues
    supposed = clause.theme is None and clause.polarity is Polarity.HYPOTHETICAL
    told = (clause.theme is Theme.OTHER or supposed) and clause.kind not in _NOT_TOLD
    asks = clause.polarity is Polarity.QUESTION
    return (told or limits) and not asks and clause.holder is not AuthorKind.AGENT


def _explains(before: Clause | None, clause: Clause, text: str, total: int) -> bool:
    if before is None or before.theme not in _HELD:
        return False
    if ":" in text[before.end : clause.start]:
        return True
    own = text[clause.start : clause.end]
    ground = clause.theme is not None and _is_choice(before) and _says_how_things_are(clause, own)
    if before.theme in _CHOSEN and not _ENDS.search(text, before.end - 1, clause.start) and ground:
        return True
    if total > MOST_CLAUSES or before.theme not in _CHOSEN or _has_happened(clause):
        return False
    tied = set(content_terms(own)) & set(content_terms(text[before.start : before.end]))
    return ground or bool(tied) or bool(_ANAPHOR.match(fold(own)))


def _leads_to(clause: Clause, after: Clause | None, text: str, total: int) -> bool:
    """Whether a clause gives the ground of the choice that follows it."""
    if after is None or after.theme not in _CHOSEN:
        return False
    therefore = bool(_THEREFORE.match(fold(text[after.start : after.end])))
    if therefore and "." not in text[clause.end - 1 : after.start]:
        return True
    if not (_is_choice(after) and _says_how_things_are(clause, text[clause.start : clause.end])):
        return False
    one_sentence = _ENDS.search(text, clause.end - 1, after.start) is None
    return one_sentence or (total <= MOST_CLAUSES and not _has_happened(clause))


def _has_happened(clause: Clause) -> bool:
    return clause.kind is Kind.EVENT and clause.polarity is not Polarity.HYPOTHETICAL


def _is_choice(clause: Clause) -> bool:
    """Whether a clause settles something: a decision, a change, an option turned down."""
    refused = clause.theme is Theme.ALTERNATIVE and clause.polarity is Polarity.NEGATED
    return clause.holder is AuthorKind.OWNER and (clause.theme in _FIRM or refused)


def _says_how_things_are(clause: Clause, words: str) -> bool:
    own = clause.holder is AuthorKind.OWNER
    told = own and len(words.split()) >= LEAST_REASON and not small_talk(words)
    folded = fold(words)
    return told and not _HINGES.search(folded) and not _BUT.match(folded)
