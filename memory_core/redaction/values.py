"""Whether the value beside a secret's name is one, or a word, a template, a mask or code."""

# ruff: noqa: E501 (a pattern stays on one line, so that it can be read and searched)

from __future__ import annotations

import re

from memory_core.text import fold

_PLACEHOLDER = re.compile(
    r"^(?:[$%@<{\[(]|\\?\$\{|[*•xX.#…_-]+$)|\.\.\.|…|\*{3}|•{3}|\[secret:"
    r"|^(?:your|my|the|seu|sua|example|exemplo|changeme|placeholder|dummy|redacted|removed)[-_ ]?"
    r"|^(?:os|process|env|self|config|settings|request|args|this|ctx|secrets|st)\.|\(|::|->|=>|\{\{",
    re.IGNORECASE,
)
_WORDS = frozenset(
    # values that say something about a secret instead of being one; folded
    "none null nil true false yes no sim nao undefined empty vazio vazia string str text texto bytes "
    "int bool boolean object any required optional obrigatorio obrigatoria opcional invalid invalido "
    "invalida valid valida valido wrong errada errado incorrect incorreta incorreto expired expirada "
    "expirado vencida missing ausente hidden oculta here aqui there not now ok weak strong fraca forte "
    "segura seguro secure safe unsafe insecure boa ruim longa curta long short simple simples facil "
    "dificil easy hard same mesma mesmo other outra outro nova novo antiga antigo new old the a an uma "
    "um o de da do das dos no na nos nas em para por que com sem in on at to for with without from of "
    "stored saved guardada guardado salva salvo anotada anotado kept written only just like always never "
    "sempre nunca so apenas muito very too also tambem ainda still already ja what which qual quais "
    "igual diferente different unknown desconhecida set unset changed mudada trocada alterada reset "
    "needed necessaria necessario enough compartilhada shared public publica private privada minha sua "
    "nossa dele dela mine yours ours his hers theirs este esta esse essa isso isto this that it password "
    "senha secret segredo token user usuario username email key chave value valor default padrao "
    "username login basic bearer digest hash hashed encrypted criptografada minutes hours days fine "
    "important importante welcome blank fraquinha assim pelo pela pronta pronto done ready "
    "incorreto bloqueada bloqueado blocked locked ate mais menos more less about sobre being "
    "usada usado used reused leaked vazada vazou gone lost perdida esquecida forgotten".split()
)
_LEAST_NUMBER = 10  # digits of a bare number that may be an access token; fewer are a count


def secret_value(value: str) -> bool:
    """Whether a value given to a password's name is one: anything but a word about it."""
    bare = value.strip().strip("*_`~\"'")
    if len(bare) < 3 or _PLACEHOLDER.search(bare) or fold(bare) in _WORDS:  # noqa: PLR2004
        return False
    return not _identifier_path(bare)


def strong_value(value: str) -> bool:
    """Whether a value looks made to be secret: it mixes digits, cases or signs."""
    bare = value.strip()
    if not secret_value(bare) or len(bare) < 6:  # noqa: PLR2004
        return False
    if bare.isdigit():
        return len(bare) >= _LEAST_NUMBER
    digits = any(c.isdigit() for c in bare)
    letters = any(c.isalpha() for c in bare)
    mixed = any(c.isupper() for c in bare[1:]) and any(c.islower() for c in bare)
    return (
        (digits and letters)
        or (mixed and not _camel(bare))
        or bool(re.search(r"[!@#%&*+?$=^]", bare))
    )


def spoken_value(value: str) -> bool:
    """Whether the word after "the password is" is one: digits, mixed case, signs or quotes."""
    bare = value.strip()
    if not secret_value(bare) or bare.startswith(("http:", "https:", "/", "~/")):
        return False
    if bare.isdigit():
        return len(bare) >= 3  # noqa: PLR2004
    return bool(re.search(r"[0-9!@#%&*+$=^_]", bare)) or (
        any(c.isupper() for c in bare[1:]) and any(c.islower() for c in bare)
    )


def _camel(value: str) -> bool:
    return bool(re.fullmatch(r"(?:[A-Z]?[a-z]+)(?:[A-Z][a-z]+)+", value))


def _identifier_path(value: str) -> bool:
    """Whether it is a name in code or settings: `user.password`, `DB_PASSWORD`, `get_token`."""
    return bool(
        re.fullmatch(r"[A-Za-z_]\w*(?:\.[A-Za-z_]\w*)+", value) and not re.search(r"\d", value)
    ) or bool(re.fullmatch(r"[A-Z]+(?:_[A-Z]+)+|[a-z]+(?:_[a-z]+)+", value))
