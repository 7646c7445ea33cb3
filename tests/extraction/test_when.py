"""The specification of the time grammar: a phrase, and every reading of it, as a table.

Said on Thursday 12 March 2026, in São Paulo. `A` is one day, `A..B` the half-open range of days,
`X | Y` two readings of one phrase, `X ; Y` two phrases, and nothing means that no time is named.
"""

from __future__ import annotations

import datetime as dt
from itertools import pairwise
from zoneinfo import ZoneInfo

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memory_core import when

ZONE = ZoneInfo("America/Sao_Paulo")
SAID = dt.datetime(2026, 3, 12, 10, 0, tzinfo=ZONE)

TABLE = """
ontem caiu a luz => 03-11
Ontem à noite choveu => 03-11
anteontem => 03-10
antes de ontem eu vi => 03-10
hoje de manhã => 03-12
hoje à noite tem ensaio => 03-12
esta noite => 03-12
amanhã cedo => 03-13
amanha eu pago => 03-13
depois de amanhã => 03-14
há 3 dias => 03-09
ha 3 dias atras => 03-09
faz duas semanas => 02-26
três semanas atrás => 02-19
há quinze dias => 02-25
há um mês => 02-12
há um ano => 2025-03-12
daqui a dois dias => 03-14
daqui a uma semana => 03-19
dentro de 3 meses => 06-12
em dez dias => 03-22
terça passada => 03-10
terça-feira passada => 03-10
na última terça => 03-10
no último domingo => 03-08
quinta passada => 03-05
sábado passado => 03-07
sexta que vem => 03-13 | 03-20
na próxima sexta => 03-13 | 03-20
próxima segunda => 03-16
segunda que vem => 03-16
esta sexta => 03-13
nesta terça => 03-10
na sexta => 03-06 | 03-13
no domingo => 03-08 | 03-15
quarta-feira => 03-11 | 03-18
quinta-feira => 03-12
até sexta => 03-13
até segunda-feira => 03-16
semana passada => 03-02..03-09
na semana que vem => 03-16..03-23
próxima semana => 03-16..03-23
esta semana => 03-09..03-16
nesta semana => 03-09..03-16
mês passado => 02-01..03-01
mês que vem => 04-01..05-01
este mês => 03-01..04-01
no próximo mês => 04-01..05-01
ano passado => 2025-01-01..2026-01-01
ano que vem => 2027-01-01..2028-01-01
este ano => 2026-01-01..2027-01-01
fim de semana => 03-14..03-16
no fim de semana passado => 03-07..03-09
fim de semana que vem => 03-14..03-16 | 03-21..03-23
em março => 03-01..04-01
em abril de 2025 => 2025-04-01..2025-05-01
no começo de abril => 04-01..04-11
em meados de abril => 04-11..04-21
no fim de fevereiro => 02-21..03-01
dia 3 => 03-03
dia 3 de março => 03-03
3 de março de 2025 => 2025-03-03
em 6 de março => 03-06
12 a 15 de abril => 04-12..04-16
1º de setembro => 09-01 | 2025-09-01
primeiro de abril => 04-01
03/04/2026 foi ontem mesmo? => 04-03 ; 03-11
pago até 03/04 => 04-03
em 3/4 eu pago => 04-03
reunião dia 13/03 às 10h => 03-13
31/02/2026 não existe =>
no dia 25/12/2025 => 2025-12-25
2026-03-05 => 03-05
desde 2024 => 2024-01-01..2025-01-01
yesterday the gate jammed => 03-11
yesterday morning => 03-11
the day before yesterday => 03-10
today => 03-12
tonight => 03-12
this morning it worked => 03-12
last night => 03-11
tomorrow => 03-13
tomorrow evening => 03-13
the day after tomorrow => 03-14
in two days => 03-14
two weeks ago => 02-26
three days ago => 03-09
a month ago => 02-12
in a week => 03-19
in 3 weeks' time => 04-02
a couple of days ago => 03-10
five days from now => 03-17
last Tuesday => 03-10
last Thursday => 03-05
next Friday => 03-13 | 03-20
next Monday => 03-16
this Friday => 03-13
on Friday => 03-06 | 03-13
Sunday would do => 03-08 | 03-15
by Friday => 03-13
until Monday => 03-16
last week => 03-02..03-09
next week => 03-16..03-23
this week => 03-09..03-16
last month => 02-01..03-01
next month => 04-01..05-01
this year => 2026-01-01..2027-01-01
last year => 2025-01-01..2026-01-01
last weekend => 03-07..03-09
this weekend => 03-14..03-16
next weekend => 03-14..03-16 | 03-21..03-23
in March => 03-01..04-01
in May => 05-01..06-01
since January => 01-01..02-01
by the end of March => 03-21..04-01
early April => 04-01..04-11
mid-April => 04-11..04-21
March 3rd => 03-03
March 3, 2025 => 2025-03-03
on 3 March => 03-03
the 3rd of March => 03-03
3 Mar. 2026 => 03-03
on the 15th => 03-15
May 5 is fine => 05-05
by the 1st of April => 04-01
due on 03/04, the clerk said => 03-04 | 04-03
we met on 13/03 => 03-13
in 2024 => 2024-01-01..2025-01-01
We moved on 2026-03-05 and again on 2026-03-07 => 03-05 ; 03-07
The visit is in two days, not tomorrow => 03-14 ; 03-13
terça e quinta que vem eu não posso => 03-10 | 03-17 ; 03-19
what did we decide? =>
you may go now =>
may I ask something? =>
we march on =>
the sun is out =>
he sat there all day long =>
espera um segundo =>
o segundo lugar ficou vago =>
chegou em segundo =>
a terça parte do bolo =>
a quinta casa da rua =>
na quinta tentativa deu certo =>
o sexto sentido =>
version 3.4 is out =>
use 1/2 xícara =>
3/4 de xícara de leite =>
funciona 24/7 =>
às 10:30 em ponto =>
o IP é 192.168.10.3 =>
há pouco eu vi =>
há tempos =>
soon =>
set the table =>
out of order =>
marco a reunião depois =>
o Marco chegou =>
Dona Domingas ligou =>
one in three works =>
ten out of ten =>
pages 3-4 =>
o capítulo 12 de abril e tal? => 04-12
o dia todo =>
bom dia =>
boa tarde =>
todo dia =>
every day =>
um dia desses =>
mar calmo =>
some day =>
"""


def rows() -> list[tuple[str, list[set[str]]]]:
    found = []
    for line in TABLE.strip().splitlines():
        text, _, right = line.partition("=>")
        phrases = [{r.strip() for r in p.split("|")} for p in right.split(";") if p.strip()]
        found.append((text.strip(), phrases))
    return found


def shown(first: dt.date, after: dt.date) -> str:
    def short(day: dt.date) -> str:
        return day.isoformat()

    one = after - first == dt.timedelta(days=1)
    return short(first) if one else f"{short(first)}..{short(after)}"


def full(reading: str) -> str:
    return "..".join(d if len(d) > 5 else f"2026-{d}" for d in reading.split(".."))


@pytest.mark.parametrize(("text", "right"), rows(), ids=lambda v: v if isinstance(v, str) else "")
def test_a_phrase_has_these_readings(text: str, right: list[set[str]]) -> None:
    found = when.expressions(text, SAID)
    assert [{shown(*r) for r in e.readings} for e in found] == [
        {full(r) for r in phrase} for phrase in right
    ], [e.words for e in found]


QUESTIONS = """
o que decidimos em março? => 2026-03-01 2026-04-01
what did we decide in March? => 2026-03-01 2026-04-01
o que houve em 6 de março? => 2026-03-06 2026-03-07
o que eu fiz semana passada? => 2026-03-02 2026-03-09
what happened before March 3rd? => 0001-01-01 2026-03-03
o que mudou antes de 3 de março? => 0001-01-01 2026-03-03
o que mudou desde terça passada? => 2026-03-10 2026-03-13
what changed since last Tuesday? => 2026-03-10 2026-03-13
what happened between March 3 and March 6? => 2026-03-03 2026-03-07
entre 3 e 6 de março, o que caiu? => 2026-03-03 2026-03-07
o que eu disse ontem? => 2026-03-11 2026-03-12
what did we decide about the disk? => none
qual é a versão 3.4? => none
"""


@pytest.mark.parametrize("line", QUESTIONS.strip().splitlines())
def test_a_question_asks_about_these_days(line: str) -> None:
    question, _, right = line.partition(" => ")
    found = when.range_of(question, SAID)
    assert ("none" if found is None else f"{found[0]} {found[1]}") == right


def test_t12_yesterday_is_the_day_before_the_local_day_it_was_said_on() -> None:
    said = dt.datetime(2026, 3, 6, 1, 30, tzinfo=dt.UTC).astimezone(ZONE)
    jammed, repair = when.expressions("Ontem o portão travou; conserta na sexta que vem.", said)
    assert jammed.readings == ((dt.date(2026, 3, 4), dt.date(2026, 3, 5)),)
    assert jammed.words == "Ontem"
    assert [r[0] for r in repair.readings] == [dt.date(2026, 3, 6), dt.date(2026, 3, 13)]
    assert "sexta que vem" in repair.words


def test_k12_in_two_days_not_tomorrow_tells_which_one_is_denied() -> None:
    visit, denied = when.expressions("The visit is in two days, not tomorrow.", SAID)
    assert not visit.negated
    assert denied.negated
    (_, negated) = when.expressions("A visita é na sexta, e não amanhã.", SAID)
    assert negated.negated


def test_a_negated_sentence_does_not_deny_its_date() -> None:
    (found,) = when.expressions("O disco não chegou ontem", SAID)
    assert not found.negated


@given(st.text(max_size=80), st.sampled_from([p for p, r in rows() if r]))
def test_whatever_the_text_spans_are_exact_and_ordered(noise: str, phrase: str) -> None:
    text = f"{noise} {phrase} {noise}"
    found = when.expressions(text, SAID)
    assert all(text[e.start : e.end] == e.words for e in found)
    assert all(a.end <= b.start for a, b in pairwise(found))
    assert all(first < after for e in found for first, after in e.readings)
