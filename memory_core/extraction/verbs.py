# ruff: noqa: E501 - lists of words read best a row a line
"""Verbs of choosing and doing, in the forms by which an owner commits to them or orders them.

Lists of infinitives and the regular endings of three conjugations; irregular verbs are spelled
out. Everything is folded (no case, no diacritics). Verbs of looking, asking and telling are left
out: who asks for a table or wants to see a price decides nothing.
"""

from __future__ import annotations

from collections.abc import Iterable

_AR = (
    "abandonar aceitar acionar adiantar adiar adotar alugar antecipar apagar aplicar aprovar "
    "arquivar assinar aumentar autorizar baixar bancar botar cancelar chamar colocar "
    "comprar congelar contratar cortar deixar deletar desligar desmarcar devolver dispensar "
    "encerrar encomendar entrar entregar enterrar fechar ficar financiar gastar gravar guardar "
    "instalar largar levar liberar ligar mandar marcar matricular migrar mudar negociar "
    "pagar parar parcelar passar pintar plantar poupar publicar quitar recusar reformar "
    "remarcar renovar reservar resgatar retirar retomar tirar tomar transferir "
    "tratar trocar usar vender viajar voltar zerar"
)
_ER = "devolver escolher escrever mexer meter resolver vender"
_IR = "abrir assumir decidir demitir dividir incluir excluir imprimir desistir permitir"
# first person singular, plural, third person (also the informal order), formal order, infinitive
_IRREGULAR = (
    "faco fazemos faz faca fazer",
    "ponho pomos poe ponha por",
    "vou vamos vai va ir",
    "mantenho mantemos mantem mantenha manter",
    "saio saimos sai saia sair",
    "subo subimos sobe suba subir",
    "sigo seguimos segue siga seguir",
    "transfiro transferimos transfere transfira transferir",
    "invisto investimos investe invista investir",
    "reduzo reduzimos reduz reduza reduzir",
    "trago trazemos traz traga trazer",
    "comeco comecamos comeca comece comecar",
    "recomeco recomecamos recomeca recomece recomecar",
)
_ENGLISH = (
    "accept add adopt approve archive ban bin book borrow buy call cancel change choose close cover "
    "cut decline delay delete deploy ditch do drop enrol fire fix freeze go hire hold install invest "
    "join keep leave lend lock lower make merge migrate move order paint pause pay pencil pick plant "
    "postpone publish pull put quit raise refuse reject release remove renew rent repair replace "
    "resign retire return revert scrap sell send set settle ship shut sign skip split stay stick "
    "stop store swap switch take throw transfer travel upgrade use wait withdraw"
)


def _regular(infinitives: str, first: str, third: str) -> Iterable[tuple[str, ...]]:
    for verb in infinitives.split():
        stem, vowel = verb[:-2], verb[-2]
        order = stem
        if vowel == "a":
            order = {"c": stem[:-1] + "qu", "g": stem + "u"}.get(stem[-1], stem)
        own = stem[:-1] + "j" if vowel != "a" and stem.endswith("g") else stem
        formal = order + ("e" if vowel == "a" else "a")
        yield own + "o", stem + first, stem + third, formal, verb


_FORMS = (
    *_regular(_AR, "amos", "a"),
    *_regular(_ER, "emos", "e"),
    *_regular(_IR, "imos", "e"),
    *(tuple(row.split()) for row in _IRREGULAR),
)
_NOUNS = frozenset("banco contrato marco negocio trato passo reformo custo".split())
# Orders that rather ask for a service: who says so has decided nothing yet.
_SERVICES = frozenset(
    "manda mande envia liga ligue abre abra traz traga grava grave guarda guarde escreve escreva quite comeca comece passa passe".split()
)
_ENGLISH_SERVICES = frozenset("call send open hold wait store fix make do go keep put take".split())
_DOUBLING = frozenset("bin cut drop put quit set ship shut skip split stop swap".split())


def _any(words: Iterable[str]) -> str:
    return "|".join(sorted(set(words)))


def _ing(verb: str) -> str:
    if verb in _DOUBLING or verb == "pin":
        return verb + verb[-1] + "ing"
    return (verb[:-1] if verb.endswith("e") and not verb.endswith("ee") else verb) + "ing"


# What is only said once it is settled; the others ("uso", "pago") are as often habits.
_TURNS = (
    "abandonar aceitar adiar adotar antecipar arquivar cancelar contratar cortar deletar demitir "
    "desligar desmarcar devolver dispensar dividir encerrar encomendar fechar largar liberar "
    "parcelar quitar recusar remarcar renovar reservar resgatar retirar transferir trocar vender "
    "comecar recomecar escolher assumir excluir incluir desistir alugar mudar"
).split()
I_TURN = _any({f[0] for f in _FORMS if f[4] in _TURNS} - _NOUNS)  # resgato, fecho, troco
I_DO = _any({f[0] for f in _FORMS} - _NOUNS)  # resgato, fecho, faco
WE_DO = _any(f[1] for f in _FORMS)  # fechamos, ficamos
ONE_DOES = _any(f[2] for f in _FORMS)  # "a gente fecha"
ORDERED = _any({w for f in _FORMS for w in f[2:4]} - _SERVICES - {"va", "vai", "marca", "sai"})
TO_DO = _any(f[4] for f in _FORMS)
DO = _any(_ENGLISH.split())
ORDERED_EN = _any(set(_ENGLISH.split()) - _ENGLISH_SERVICES)
DOING = _any(
    map(
        _ing,
        "accept book buy cancel close cut decline ditch drop hire keep merge order pay pick "
        "quit refuse reject remove renew rent revert scrap sell ship sign skip stick stop swap switch".split(),
    )
)
