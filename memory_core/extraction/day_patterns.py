# ruff: noqa: E501 - a table of patterns reads best a row a line
"""The patterns of time expressions, pt-BR and English, over folded text."""

from __future__ import annotations

import re

from memory_core.extraction import day_meanings as means
from memory_core.extraction.day_meanings import (
    EN_DAY,
    EN_MONTH,
    PT_DAY,
    PT_MONTH,
    SHORT_MONTH,
    Meaning,
    N,
)

HINT = re.compile(
    r"\d|ontem|hoje|amanha|noite|manha|segunda|terca|quarta|quinta|sexta|sabado|domingo|semana"
    r"|mes\b|meses|ano\b|anos|dia\b|dias|day|week|month|year|night|morrow|morning|afternoon|evening|"
    + PT_MONTH
    + "|"
    + EN_MONTH
)
_PT_YEAR = r"(?:,? (?:de )?(?P<year>(?:19|20)\d\d))?"
# "na quinta tentativa": the day's name is an ordinal where a noun that is counted follows.
_NOT_COUNTED = (
    r"(?! (?:\w+ )?(?:tentativas?|vez|vezes|rodada|parte|casa|linha|posicao|pagina|edicao|fase"
    r"|etapa|serie|aula|versao|opcao|via|fila|fileira|cena|volta|marcha|turma|temporada|chance)\b)"
)
_EN_YEAR = r"(?:,? (?:of )?(?P<year>(?:19|20)\d\d))?"


# Longer and surer patterns first; a stretch of text is taken once.
ROWS: tuple[tuple[str, Meaning, bool], ...] = (
    (r"\b(?P<year>(?:19|20)\d\d)-(?P<month>\d\d)-(?P<d>\d\d)\b(?!-)", means.iso, False),
    (
        (
            r"(?<![\d/.,:-])(?!24/7)(?=\d{1,2}/\d{1,2}/\d\d|\d{1,2} ?(?:a|e|ate) ?\d{1,2}/\d\d|\d\d/\d\d?|\d/\d\d|(?<=dia )|(?<=em )|(?<=on )|(?<=ate )|(?<=by ))"
            r"(?P<a>\d{1,2})(?: ?(?:a|e|ate) ?(?P<d2>\d{1,2}))?/(?P<b>\d{1,2})(?:/(?P<year>(?:20)?\d\d))?(?![\d/]|[.,]\d)"
        ),
        means.slashed,
        False,
    ),
    (
        r"(?<![\d.,:/-])(?:(?:"
        + PT_DAY
        + r"),? )?(?:dia )?(?P<d>\d{1,2}|primeiro\b)[o°]?(?: ?(?:a|e|ate) ?(?P<d2>\d{1,2}))? de (?P<month>"
        + PT_MONTH
        + r")\b"
        + _PT_YEAR,
        means.day_and_month,
        False,
    ),
    (
        r"\b(?P<month>"
        + EN_MONTH
        + r") (?P<d>\d{1,2})(?:st|nd|rd|th)?(?:-(?P<d2>\d{1,2}))?\b(?![:%])"
        + _EN_YEAR,
        means.day_and_month,
        False,
    ),
    (
        r"(?<![\d.,:/-])(?:(?:"
        + EN_DAY
        + r"),? )?(?:the )?(?P<d>\d{1,2})(?:st|nd|rd|th)?(?: of)? (?P<month>"
        + EN_MONTH
        + r"|(?:"
        + SHORT_MONTH
        + r")\b\.?)"
        + _EN_YEAR,
        means.day_and_month,
        False,
    ),
    (r"\b(?:antes de ontem|anteontem|the day before yesterday)\b", means.offset(-2), True),
    (r"\b(?:depois de amanha|the day after tomorrow)\b", means.offset(2), True),
    (
        r"\b(?:ontem|yesterday)(?: (?:de |a |in the )?(?:manha|tarde|noite|morning|afternoon|evening|night))?\b",
        means.offset(-1),
        True,
    ),
    (r"\blast night\b|\bontem a noite\b", means.offset(-1), True),
    (
        r"\b(?:hoje|today|tonight)(?: (?:de |a )?(?:manha|tarde|noite)| cedo)?\b|\bthis (?:morning|afternoon|evening)\b|\b(?:nesta|esta|hoje a|hoje de) (?:manha|tarde|noite)\b",
        means.offset(0),
        True,
    ),
    (
        r"\b(?:amanha|tomorrow)(?: (?:cedo|de manha|a tarde|a noite|morning|afternoon|evening|night))?\b",
        means.offset(1),
        True,
    ),
    (
        r"\b(?:ha|faz|tem) (?:uns |umas |cerca de |mais de )?(?P<n>"
        + N
        + r") (?P<unit>dias?|semanas?|mes|meses|anos?)(?: atras)?\b",
        means.ago,
        True,
    ),
    (
        r"\b(?P<n>" + N + r") (?P<unit>dias?|semanas?|mes|meses|anos?) (?:atras|antes de hoje)\b",
        means.ago,
        True,
    ),
    (
        r"\b(?:about |some )?(?P<n>"
        + N
        + r")(?: of)? (?P<unit>days?|weeks?|months?|years?) (?:ago|back)\b",
        means.ago,
        True,
    ),
    (
        r"\b(?:daqui a|daqui|dentro de|em) (?P<n>"
        + N
        + r") (?P<unit>dias?|semanas?|mes|meses|anos?)\b",
        means.ahead,
        True,
    ),
    (
        r"\b(?:in|within) (?:about )?(?P<n>"
        + N
        + r")(?: of)? (?P<unit>days?|weeks?|months?|years?)(?:'? time)?\b",
        means.ahead,
        True,
    ),
    (
        r"\b(?P<n>" + N + r") (?P<unit>days?|weeks?|months?|years?) from (?:now|today)\b",
        means.ahead,
        True,
    ),
    (r"\b(?:na |no )?(?:ultim[ao] )(?P<day>" + PT_DAY + r")\b", means.last_weekday, True),
    (
        r"\b(?:na |no )?(?P<day>" + PT_DAY + r") (?:passad[ao]|retrasad[ao]|que passou)\b",
        means.last_weekday,
        True,
    ),
    (r"\b(?:last|this past) (?P<day>" + EN_DAY + r")\b", means.last_weekday, True),
    (
        r"\b(?:na |no )?(?P<day>" + PT_DAY + r") (?:que vem|seguinte|proxim[ao])\b",
        means.next_weekday,
        True,
    ),
    (r"\b(?:na |no )?proxim[ao] (?P<day>" + PT_DAY + r")\b", means.next_weekday, True),
    (r"\bnext (?P<day>" + EN_DAY + r")\b", means.next_weekday, True),
    (r"\b(?:nest[ae]|est[ae]) (?P<day>" + PT_DAY + r")\b", means.this_weekday, True),
    (r"\bthis (?P<day>" + EN_DAY + r")\b", means.this_weekday, True),
    (r"\b(?:fim de semana passado|ultimo fim de semana|last weekend)\b", means.weekend(-1), True),
    (r"\b(?:fim de semana que vem|proximo fim de semana|next weekend)\b", means.next_weekend, True),
    (
        r"\b(?:n?[eo]st[ea] fim de semana|fim de semana|this weekend|the weekend)\b",
        means.weekend(0),
        True,
    ),
    (r"\b(?:semana passada|last week)\b", lambda _m, s: means.week(s.day, -1), True),
    (r"\b(?:semana que vem|proxima semana|next week)\b", lambda _m, s: means.week(s.day, 1), True),
    (r"\b(?:n?est[ae] semana|this week)\b", lambda _m, s: means.week(s.day, 0), True),
    (r"\b(?:mes passado|last month)\b", means.relative_month(-1), True),
    (r"\b(?:mes que vem|proximo mes|next month)\b", means.relative_month(1), True),
    (r"\b(?:n?este mes|this month)\b", means.relative_month(0), True),
    (r"\b(?:ano passado|last year)\b", means.relative_year(-1), True),
    (r"\b(?:ano que vem|proximo ano|next year)\b", means.relative_year(1), True),
    (r"\b(?:n?este ano|this year)\b", means.relative_year(0), True),
    (
        r"\b(?:ate|by|until|on or before) (?:a |o |next )?(?P<day>"
        + PT_DAY
        + "|"
        + EN_DAY
        + r")\b",
        means.future_weekday,
        True,
    ),
    (
        r"\b(?:na|no|nas|nos|on|de|as|aos) (?P<day>"
        + PT_DAY
        + "|"
        + EN_DAY
        + r")\b(?!s)"
        + _NOT_COUNTED,
        means.bare_weekday,
        True,
    ),
    (
        r"(?<![\w-])(?P<day>(?:segunda|terca|quarta|quinta|sexta)-feira|sabado|domingo|(?:mon|tues|wednes|thurs|fri|satur|sun)day)\b(?!s)",
        means.bare_weekday,
        True,
    ),
    (
        r"(?<![\w-])(?P<day>segunda|terca|quarta|quinta|sexta)(?= (?:cedo|de manha|a tarde|a noite|[aeo] (?:segunda|terca|quarta|quinta|sexta|sabado|domingo)\b)|[.,;!?]|$)",
        means.bare_weekday,
        True,
    ),
    (r"\bdia (?P<d>[0-3]?\d)\b(?! de |/|[.,]\d)", means.day_of_month, False),
    (
        r"\bthe (?P<d>[0-3]?\d)(?:st|nd|rd|th)\b(?! (?:of|floor|time|attempt|day|row|place))",
        means.day_of_month,
        False,
    ),
    (
        r"\b(?:em|de|desde|no mes de|para|ate|(?:no |ao )?(?P<part>comeco|inicio|meados|meio|fim|final) de) (?P<month>"
        + PT_MONTH
        + r")\b"
        + _PT_YEAR,
        means.named_month,
        False,
    ),
    (
        r"\b(?:in|since|until|by|during|(?:the )?(?P<part>early|mid|late|beginning of|start of|end of))[ -](?P<month>"
        + EN_MONTH
        + r")\b"
        + _EN_YEAR,
        means.named_month,
        False,
    ),
    (r"\b(?:em|de|in|since|desde|during) (?P<year>20\d\d)\b(?![-/:.,]\d)", means.whole_year, False),
)
