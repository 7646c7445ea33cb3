"""Values of pt-BR and English come out alike, each under its type."""

from __future__ import annotations

import pytest

from memory_core.values import plain, values


@pytest.mark.parametrize(
    ("text", "money"),
    [
        ("valor solicitado de R$ 35.800", {"35800"}),
        ("requests R$ 38,500.", {"38500"}),
        ("R$ 61,50 por kg", {"61.50"}),
        ("cost $1,250.00 in all", {"1250"}),
        ("paguei 90 reais", {"90"}),
        ("no money here", set()),
    ],
)
def test_money_has_no_thousands_marks(text: str, money: set[str]) -> None:
    assert values(text).money == money


@pytest.mark.parametrize(
    ("text", "days", "times"),
    [
        ("26/08, 17h", {"08-26"}, {"17:00"}),
        ("28 August, 5:30 pm", {"08-28"}, {"17:30"}),
        ("on September 19 at noon", {"09-19"}, set()),
        ("12 de setembro, às 9h", {"09-12"}, {"09:00"}),
        ("2026-10-14", {"10-14"}, set()),
        ("40/50 e 12 caixas", set(), set()),
    ],
)
def test_days_and_times_are_read_in_both_languages(
    text: str, days: set[str], times: set[str]
) -> None:
    assert values(text).days == days
    assert values(text).times == times


def test_numbers_count_something_of_the_same_concept_in_both_languages() -> None:
    pt, en = values("limite de 12 crianças"), values("up to 14 children per class")
    assert {u for _, u in pt.counts} & {u for _, u in en.counts}
    assert {n for n, _ in pt.counts} == {"12"}


def test_what_is_numbered_may_stand_before_its_number() -> None:
    left, right = values("fica na porta 8443."), values("is on port 9443.")
    assert {u for _, u in left.counts} == {u for _, u in right.counts}


def test_codes_and_names() -> None:
    found = values("O protocolo é A7-0091x, com a Selma Prado.")
    assert found.codes == {"a7-0091x"}
    assert found.names == {"selma prado"}


@pytest.mark.parametrize(
    ("number", "want"),
    [
        ("4.200", "4200"),
        ("4,200.50", "4200.50"),
        ("58,00", "58"),
        ("7", "7"),
        ("1.250,40", "1250.40"),
    ],
)
def test_plain_numbers(number: str, want: str) -> None:
    assert plain(number) == want
