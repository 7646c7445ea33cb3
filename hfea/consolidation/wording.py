"""Titles, gists and the day's summary: made of words that were said, and a few fixed ones."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Sequence

from hfea.episode import Statement
from memory_core.model import AuthorKind, Kind, Outcome, Polarity, Theme
from memory_core.text import fold, is_function_word, stem

TITLE_PHRASES = 3
MOST_READ = 80  # statements of a thread that its title is made from
LONGEST_TITLE = 50  # characters after which no further phrase is added
LONGEST_LINE = 180
SUMMARY_LINES = 5
LEAST_GIST = 2  # weight below which a thread came to nothing worth a line
_LEAD = re.compile(
    r"^(?:o |a |the )?(?:motivo|razao|razão|reason)(?: é| e| is| foi| was)?:? ", re.IGNORECASE
)
_TOKEN = re.compile(r"[^\W_]+(?:[.\-'’/@][^\W_]+)*")
_INNER = frozenset("de do da dos das e of the in no na para".split())
_DULL = frozenset(
    "coisa coisas hoje ontem amanha agora gente favor oi bom dia boa tarde noite ok sim nao quero "
    "preciso pode vai vou fazer faz ver acho ficar fica deixa tudo nada isso aqui mesmo ainda "
    "thing things today yesterday tomorrow now please want need can will make do see think get "
    "good great thanks morning yes no let let's us it's i'm don't really just decidi mudei ideia "
    "outra outro decided".split()
)
# Word shapes that are mostly verbs: they say what was done, not what it was about.
_VERBAL = re.compile(
    r"(?:ando|endo|indo|[aei]mos|[aei]ram|ou|ei|iu|eu|[aeio]r|asse|esse|aria|eria|ing|ed|ize)$"
)
WORDS = {
    "pt": {
        "decision": "Decidido",
        "provisional": "Por enquanto",
        "revision": "Revisto",
        "failure": "Não deu certo",
        "success": "Feito",
        "open_point": "Em aberto",
        "learning": "Aprendido",
        "mood": "Como se sentia",
        "constraint": "Limite",
        "because": "motivo",
        "quiet": "Um dia só de conversa breve; nada a registrar.",
        "plain": "Conversas do dia",
        "tools": "Trabalho com ferramentas",
    },
    "en": {
        "decision": "Decided",
        "provisional": "For now",
        "revision": "Revised",
        "failure": "Did not work",
        "success": "Done",
        "open_point": "Still open",
        "learning": "Learned",
        "mood": "How it felt",
        "constraint": "Limit",
        "because": "reason",
        "quiet": "A day of small talk only; nothing to record.",
        "plain": "The day's talk",
        "tools": "Work with tools",
    },
}


def title(statements: Sequence[Statement], language: str) -> str:
    """Name a thread by its most telling phrases, as they were said; the owner's weigh double."""
    spoken = [s for s in statements if s.kind is not Kind.HOSTED and not _is_tool(s)]
    spoken = sorted(spoken, key=lambda s: s.author_kind is not AuthorKind.OWNER)[:MOST_READ]
    phrases = _phrases(spoken, language)
    if not phrases:
        tool = any(_is_tool(s) for s in statements)
        return WORDS[language]["tools" if tool else "plain"]
    line = ", ".join(phrases)
    return line[0].upper() + line[1:]


def _is_tool(s: Statement) -> bool:
    return s.theme is Theme.ATTEMPT and len(s.citations) > 1 and s.author_kind is AuthorKind.AGENT


def _phrases(spoken: Sequence[Statement], language: str) -> list[str]:
    """Return up to three phrases: runs of telling words, scored by how often their stems recur."""
    weight = _weights(spoken, language)
    scored: dict[str, tuple[float, int, frozenset[str], str]] = {}
    for place, s in enumerate(spoken):
        for run in _runs(s.text):
            for phrase, stems, score in _windows(run, s.text, weight, language):
                if score > scored.get(fold(phrase), (0.0,))[0]:
                    scored[fold(phrase)] = (score, place, stems, phrase)
    ranked = sorted(scored.items(), key=lambda kv: (-kv[1][0], kv[1][1], kv[0]))
    chosen: list[str] = []
    used: set[str] = set()
    for _, (_, _, stems, phrase) in ranked:
        if not stems & used and len(" ".join(chosen)) < LONGEST_TITLE:
            chosen.append(phrase)
            used |= stems
        if len(chosen) == TITLE_PHRASES:
            break
    return chosen


def _weights(spoken: Sequence[Statement], language: str) -> Counter[str]:
    weight = Counter[str]()
    for s in spoken:
        factor = 2 if s.author_kind is AuthorKind.OWNER else 1
        for w in set(map(fold, _TOKEN.findall(s.text))):
            if _tells(w):
                weight[stem(w, language)] += factor
    return weight


def _tells(word: str) -> bool:
    return (
        len(word) > 2  # noqa: PLR2004 - shorter words tell nothing
        and not is_function_word(word)
        and word not in _DULL
        and not word.isdigit()
    )


def _is_verbal(word: str) -> bool:
    return bool(_VERBAL.search(word))


def _runs(text: str) -> Iterator[list[re.Match[str]]]:
    """Yield runs of neighbouring telling words, broken by punctuation, verbs and the rest."""
    run: list[re.Match[str]] = []
    end = 0
    for match in _TOKEN.finditer(text):
        word = fold(match.group())
        broken = bool(run) and text[end : match.start()].strip()
        fits = _tells(word) or (bool(run) and word in _INNER)
        if broken or not fits:
            yield run
            run = []
        if _tells(word) or (run and word in _INNER):
            run.append(match)
        end = match.end()
    yield run


def _windows(
    run: list[re.Match[str]], text: str, weight: Counter[str], language: str
) -> Iterator[tuple[str, frozenset[str], float]]:
    """Yield every phrase of one to four words of a run, with its stems and score."""
    for start in range(len(run)):
        for end in range(start + 1, min(len(run), start + 4) + 1):
            words = [fold(m.group()) for m in run[start:end]]
            if words[0] in _INNER or words[-1] in _INNER:
                continue
            telling = [w for w in words if w not in _INNER]
            score = sum(
                weight[stem(w, language)]
                * (0.35 if _is_verbal(w) else 1.0)
                * (1.3 if m.group()[:1].isupper() and m.start() else 1.0)
                for w, m in zip(words, run[start:end], strict=True)
                if w not in _INNER
            )
            stems = frozenset(stem(w, language) for w in telling)
            yield text[run[start].start() : run[end - 1].end()], stems, score / len(telling) ** 0.6


def gist(statements: Sequence[Statement], language: str) -> str:
    """Return one line that says what the thread came to: its weightiest statement, and why."""
    ranked = sorted(enumerate(statements), key=lambda pair: (-_weight(pair[1]), -pair[0]))
    if not ranked or _weight(ranked[0][1]) < LEAST_GIST:
        return ""
    top = ranked[0][1]
    line = f"{_label(top, language)}: {shortened(top.text)}"
    reason = next(
        (
            s
            for s in statements
            if s.theme is Theme.REASON and any(k.statement == top.id for k in s.links)
        ),
        None,
    )
    if reason is not None and reason.text not in top.text:
        line += f" ({WORDS[language]['because']}: {shortened(_LEAD.sub('', reason.text), 90)})"
    return line


def _weight(s: Statement) -> int:
    if s.kind in (Kind.HOSTED, Kind.INFERENCE) or s.author_kind is not AuthorKind.OWNER:
        own = s.author_kind is AuthorKind.AGENT and s.theme is Theme.ATTEMPT
        return 2 if own and s.outcome is Outcome.FAILURE else 1 if own else 0
    if s.polarity is Polarity.QUESTION:
        return 1
    base = {
        Theme.REVISION: 9,
        Theme.DECISION: 8,
        Theme.LEARNING: 6,
        Theme.ATTEMPT: 5,
        Theme.OPEN_POINT: 5,
        Theme.CONSTRAINT: 4,
        Theme.MOOD: 3,
        Theme.EXPECTATION: 3,
        Theme.ALTERNATIVE: 3,
    }.get(s.theme, 1)
    return base - (2 if s.provisional else 0)


def _label(s: Statement, language: str) -> str:
    words = WORDS[language]
    if s.theme is Theme.DECISION:
        return words["provisional" if s.provisional else "decision"]
    if s.theme is Theme.ATTEMPT:
        return (
            words["failure" if s.outcome is Outcome.FAILURE else "success"]
            if (s.outcome is not Outcome.UNKNOWN)
            else s.author
        )
    return words.get(s.theme.value, s.author)


def summary(statements: Sequence[Statement], language: str) -> tuple[str, ...]:
    """Return up to five lines: what was decided, revised, learned, failed, felt, left open."""
    closed = {k.statement for s in statements for k in s.links if k.relation.value == "closes"}
    own = [s for s in statements if _weight(s) >= 3 and s.id not in closed]  # noqa: PLR2004
    ranked = sorted(enumerate(own), key=lambda p: (-_weight(p[1]), p[0]))[:SUMMARY_LINES]
    chosen = [own[n] for n, _ in sorted(ranked)]
    lines = [f"{_label(s, language)}: {shortened(s.text)}" for s in chosen]
    return tuple(dict.fromkeys(lines))


def shortened(text: str, longest: int = LONGEST_LINE) -> str:
    """Return *text* on one line, cut at a word where it is too long."""
    line = " ".join(text.split())
    if len(line) <= longest:
        return line
    return line[:longest].rsplit(" ", 1)[0].rstrip(",;:") + "…"
