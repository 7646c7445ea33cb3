"""Personal numbers that carry check digits; redacted only where the owner asks for it.

CPF, CNPJ (alphanumeric since 2026 too), PIS and título: modulo 11 with the weights of Receita
Federal, Caixa and TSE. Cards: Luhn (ISO/IEC 7812). IBAN: modulo 97 (ISO 13616). Names, phone
numbers and e-mail addresses are not touched: without them a story cannot be read.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from memory_core.redaction.rule import Rule, shaped


def _digits(text: str) -> list[int]:
    return [int(c) for c in text if c.isascii() and c.isdigit()]


def _mod11(values: Sequence[int], weights: Sequence[int]) -> int:
    rest = sum(v * w for v, w in zip(values, weights, strict=True)) % 11
    return 0 if rest < 2 else 11 - rest  # noqa: PLR2004 (both standards write 0 for 10 and 11)


def cpf(text: str) -> bool:
    """Whether the two check digits of a CPF hold; repeated digits are nobody's."""
    d = _digits(text)
    if len(d) != 11 or len(set(d)) == 1:  # noqa: PLR2004
        return False
    first, second = _mod11(d[:9], range(10, 1, -1)), _mod11(d[:10], range(11, 1, -1))
    return d[9:] == [first, second]


def cnpj(text: str) -> bool:
    """Whether the check digits of a CNPJ hold; letters count as their ASCII code less 48."""
    signs = [c for c in text.upper() if c.isascii() and c.isalnum()]
    if len(signs) != 14 or len(set(signs)) == 1 or not "".join(signs[12:]).isdigit():  # noqa: PLR2004
        return False
    v = [ord(c) - 48 for c in signs]
    weights = [6, 5, 4, 3, 2, 9, 8, 7, 6, 5, 4, 3, 2]
    return v[12:] == [_mod11(v[:12], weights[1:]), _mod11(v[:13], weights)]


def pis(text: str) -> bool:
    """Whether the check digit of a PIS/NIS holds."""
    d = _digits(text)
    return (
        len(d) == 11 and len(set(d)) > 1 and d[10] == _mod11(d[:10], (3, 2, 9, 8, 7, 6, 5, 4, 3, 2))  # noqa: PLR2004
    )


def luhn(text: str) -> bool:
    """Whether a card number's check digit holds and its first digits are a known brand's."""
    d = _digits(text)
    if not 13 <= len(d) <= 19 or len(set(d)) == 1 or d[0] not in (2, 3, 4, 5, 6):  # noqa: PLR2004
        return False
    doubled = [x if i % 2 == 0 else sum(divmod(2 * x, 10)) for i, x in enumerate(reversed(d))]
    return sum(doubled) % 10 == 0


def iban(text: str) -> bool:
    """Whether an IBAN leaves 1 modulo 97."""
    bare = re.sub(r"[^A-Z0-9]", "", text)
    moved = bare[4:] + bare[:4]
    return 15 <= len(bare) <= 34 and int("".join(str(int(c, 36)) for c in moved)) % 97 == 1  # noqa: PLR2004


def titulo(text: str) -> bool:
    """Whether the two check digits of a título de eleitor hold (state 01 to 28)."""
    d = _digits(text)
    if len(d) != 12 or not 1 <= d[8] * 10 + d[9] <= 28:  # noqa: PLR2004
        return False
    first = sum(x * w for x, w in zip(d[:8], range(2, 10), strict=True)) % 11 % 10
    return d[10] == first and d[11] == (d[8] * 7 + d[9] * 8 + first * 9) % 11 % 10


def _ssn(text: str) -> bool:
    area, group, serial = text.split("-")
    return area not in ("000", "666") and area < "900" and group != "00" and serial != "0000"


_NOT = r"(?<![\w.-])"
_END = r"(?![\w-])"


def _personal(kind: str, pattern: str, check: object = None) -> Rule:
    return shaped(kind, pattern, "", check, personal=True)  # type: ignore[arg-type]


PERSONAL: tuple[Rule, ...] = (
    _personal("cpf", rf"{_NOT}\d{{3}}\.?\d{{3}}\.?\d{{3}}-?\d{{2}}{_END}", cpf),
    _personal(
        "cnpj",
        rf"{_NOT}[0-9A-Z]{{2}}\.?[0-9A-Z]{{3}}\.?[0-9A-Z]{{3}}/?[0-9A-Z]{{4}}-?\d{{2}}{_END}",
        cnpj,
    ),
    _personal("pis", rf"{_NOT}\d{{3}}\.?\d{{5}}\.?\d{{2}}-?\d{{1}}{_END}", pis),
    _personal("titulo", rf"(?i)t[ií]tulo[^\n\d]{{0,30}}(\d{{4}} ?\d{{4}} ?\d{{4}}){_END}", titulo),
    _personal("card", rf"{_NOT}\d(?:[ -]?\d){{12,18}}{_END}", luhn),
    _personal("iban", rf"{_NOT}[A-Z]{{2}}\d{{2}}(?: ?[A-Z0-9]){{11,30}}{_END}", iban),
    _personal("ssn", rf"{_NOT}\d{{3}}-\d{{2}}-\d{{4}}{_END}", _ssn),
)
