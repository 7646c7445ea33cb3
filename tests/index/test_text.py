from __future__ import annotations

import unicodedata

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from memory_core.text import fold, index_terms, language, query_words, stem, surface_words, words


@pytest.mark.parametrize(
    ("text", "folded"),
    [
        ("AÇÃO", "acao"),
        (unicodedata.normalize("NFD", "ação"), "acao"),
        ("Straße", "strasse"),
        ("İstanbul ISTANBUL ılık", "istanbul istanbul ilik"),
        ("ﬁnal ﬂuxo", "final fluxo"),
        ("Ærø Œuvre Łódź", "aero oeuvre lodz"),
        ("백업", "백업"),
        ("バックアップ", "バックアップ"),
        ("Ｆｕｌｌ", "full"),
        ("ПРИВЕТ Ёлка", "привет елка"),
    ],
)
def test_folding_takes_case_and_accents_and_leaves_letters(text: str, folded: str) -> None:
    assert fold(text) == folded


def test_identifiers_are_found_whole_and_by_their_parts() -> None:
    assert {"deploy.sh", "deploy", "sh"} <= set(index_terms("rode o deploy.sh"))
    assert {"pol-358", "pol", "358"} <= set(index_terms("POL-358"))
    assert {"src/main.py", "src", "main", "py"} <= set(index_terms("src/main.py"))
    assert {"c++", "c#"} <= set(index_terms("C++ e C#"))
    assert {"1.500", "1500"} <= set(index_terms("R$ 1.500,00"))
    assert {"14h30", "14", "30"} <= set(index_terms("às 14h30"))
    assert index_terms("3f2a9c1b") == ["3f2a9c1b"]


def test_unspaced_scripts_give_bigrams_and_the_names_glued_to_them() -> None:
    assert {"部署", "署方", "方案"} <= set(index_terms("部署方案"))
    assert {"job-alpha", "alpha", "重跑"} <= set(index_terms("重跑job-alpha后"))
    assert [w.terms for w in query_words("백업은")] == [("백업",), ("업은",)]
    assert [w.terms for w in query_words("山")] == [("山",)]
    assert words("สำรองข้อมูล") == [fold("สำรองข้อมูล")]


@pytest.mark.parametrize(
    ("one", "other", "lang"),
    [
        ("decisão", "decisões", "pt"),
        ("servidor", "servidores", "pt"),
        ("pães", "pão", "pt"),
        ("decided", "decide", "en"),
        ("boxes", "box", "en"),
    ],
)
def test_inflected_forms_share_a_stem(one: str, other: str, lang: str) -> None:
    assert stem(fold(one), lang) == stem(fold(other), lang)


def test_a_given_language_gives_its_stems_alone() -> None:
    assert len(index_terms("worker", "en")) == 1
    assert len(index_terms("worker")) == 2


def test_surface_words_keep_accents_whatever_their_form() -> None:
    assert surface_words(unicodedata.normalize("NFD", "Avó e AVÔ")) == ["avó", "e", "avô"]


def test_a_query_drops_function_words_unless_it_has_nothing_else() -> None:
    assert [w.surface for w in query_words("onde foi parar o deploy")] == ["parar", "deploy"]
    assert [w.surface for w in query_words("the of")] == ["the", "of"]


@given(st.text())
@settings(max_examples=300)
def test_every_word_a_text_asks_for_is_among_its_own_terms(text: str) -> None:
    terms = set(index_terms(text))
    assert all(not terms.isdisjoint(word.terms) for word in query_words(text))


@given(st.text(), st.text())
@settings(max_examples=200)
def test_terms_hold_no_white_space_and_do_not_depend_on_the_normal_form(
    text: str, other: str
) -> None:
    terms = index_terms(text + " " + other)
    assert " ".join(terms).split() == terms
    composed, decomposed = (unicodedata.normalize(form, text) for form in ("NFC", "NFD"))
    assert index_terms(composed) == index_terms(decomposed)


SHORT = {
    "pt": [
        "bom dia", "pode deixar comigo", "não sei", "deu certo", "rodei de novo e falhou",
        "vamos de sqlite então", "quem aprovou isso?", "beleza, obrigado", "me lembra amanhã",
        "o deploy quebrou", "ficou ótimo", "quero trocar a senha", "cancela a reunião",
        "estou cansada hoje", "por que desistimos?", "tá pronto?", "fechei o contrato ontem",
        "prefiro a segunda opção", "a Marta ligou", "isso não funciona",
    ],
    "en": [
        "good morning", "leave it to me", "I don't know", "it worked", "ran it again and it failed",
        "let's go with sqlite then", "who approved this?", "fine, thanks", "remind me tomorrow",
        "the deploy broke", "looks great", "change the password", "cancel the meeting",
        "I am tired today", "why did we give up?", "is it done?", "I signed the contract yesterday",
        "I prefer the second option", "Martha called", "this does not work",
    ],
}  # fmt: skip


def test_the_language_of_short_texts_is_rarely_missed_and_never_swapped() -> None:
    guessed = [(lang, language(text)) for lang, texts in SHORT.items() for text in texts]
    assert sum(lang == guess for lang, guess in guessed) >= 36
    assert all(guess in (lang, "") for lang, guess in guessed)


def test_what_has_no_language_is_not_guessed() -> None:
    for text in ("", "12345", "ok", "🙂", "POL-358", "部署方案"):
        assert language(text) == "", text
