"""The words of the maintainer's pages in Brazilian Portuguese and English."""

from __future__ import annotations

from dataclasses import dataclass, fields


@dataclass(frozen=True, slots=True)
class Words:
    """Every fixed text of the pages in one language."""

    lang: str
    title: str
    days: str
    search: str
    rates: str
    sign_in: str
    credential: str
    credential_told: str
    refused: str
    sign_out: str
    statements: str
    partial: str
    nothing: str
    found: str
    previous: str
    next: str
    error: str
    of: str
    hosted: str
    changed: str
    asked: str
    where: str
    rate: str
    value: str
    interval: str
    other: str
    other_name: str


PT = Words(
    lang="pt-BR",
    title="Arquivo episódico",
    days="Dias",
    search="Buscar",
    rates="Taxas",
    sign_in="Entrar",
    credential="Credencial de mantenedor",
    credential_told="Crie uma com: hfea token create --scope maintainer",
    refused="Essa credencial não abre estas páginas.",
    sign_out="Sair",
    statements="afirmações",
    partial="parcial",
    nothing="Nada aqui.",
    found="encontradas",
    previous="anterior",
    next="seguinte",
    error="Não deu",
    of="de",
    hosted="de fora",
    asked="perguntas feitas",
    where="de onde",
    rate="taxa",
    value="valor",
    interval="intervalo de 95 %",
    changed="o arquivo deste dia foi alterado depois de selado",
    other="en",
    other_name="English",
)
EN = Words(
    lang="en",
    title="Episodic archive",
    days="Days",
    search="Search",
    rates="Rates",
    sign_in="Sign in",
    credential="Maintainer token",
    credential_told="Make one with: hfea token create --scope maintainer",
    refused="That token does not open these pages.",
    sign_out="Sign out",
    statements="statements",
    partial="partial",
    nothing="Nothing here.",
    found="found",
    previous="previous",
    next="next",
    error="That did not work",
    of="of",
    hosted="from outside",
    asked="questions asked",
    where="from",
    rate="rate",
    value="value",
    interval="95 % interval",
    changed="this day's file was changed after it was sealed",
    other="pt",
    other_name="Português",
)


def choose(wanted: str, accepted: str) -> Words:
    """Return the words for `?lang=`, else for the Accept-Language header; Portuguese if neither."""
    for told in (wanted, *_preferred(accepted)):
        code = told.strip().casefold()[:2]
        if code in ("pt", "en"):
            return PT if code == "pt" else EN
    return PT


def _preferred(header: str) -> list[str]:
    """Return the languages of an Accept-Language header, best first; nonsense weighs nothing."""
    found = []
    for place, part in enumerate(header[:200].split(",")):
        name, _, weight = part.partition(";q=")
        try:
            value = float(weight) if weight else 1.0
        except ValueError:
            value = 0.0
        found.append((-value, place, name))
    return [name for _, _, name in sorted(found)]


def names() -> tuple[str, ...]:
    """Return the names of all texts, so that a test can see that none is empty."""
    return tuple(f.name for f in fields(Words))
