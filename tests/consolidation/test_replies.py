"""A reply that says nothing alone is told with its question; a fuller one stands for itself."""

from __future__ import annotations

import pytest
from days import find, said, story

from memory_core.model import Origin, Polarity, Theme


@pytest.mark.parametrize(
    ("question", "reply", "pole"),
    [
        ("Crio um lembrete às 22h?", "Cria.", Polarity.AFFIRMED),
        ("A perda é pequena; calculo quanto?", "Calcula", Polarity.AFFIRMED),
        ("Should I set a reminder?", "yes pls", Polarity.AFFIRMED),
        ("Shall I ask for the late slot?", "Worth a shot", Polarity.AFFIRMED),
        ("Want a timeline?", "Nah", Polarity.NEGATED),
        ("Fico com o azul ou com o verde?", "Verde.", Polarity.AFFIRMED),
    ],
)
def test_a_short_reply_decides_with_its_question(question: str, reply: str, pole: Polarity) -> None:
    episode = story(said(f"09:00 bot: {question}\n09:01 ana: {reply}"))
    told = find(episode, reply)
    assert told.theme is Theme.DECISION
    assert told.polarity is pole
    assert told.text == f"{question} — {reply}"
    assert told.origin is Origin.DERIVED
    assert len(list(episode.statements())) == 1


def test_a_fragment_is_told_with_what_it_answers() -> None:
    told = find(story(said("09:00 bot: When does it start?\n09:01 ana: Monday the 10th.")), "10th")
    assert told.theme is Theme.OTHER
    assert told.text.startswith("When does it start? — ")


def test_a_whole_answer_stands_for_itself() -> None:
    episode = story(
        said(
            "09:00 bot: Should I call the shop?\n09:01 ana: I called the shop myself this morning."
        )
    )
    assert find(episode, "myself").text == "I called the shop myself this morning."


def test_thanks_answer_nothing() -> None:
    episode = story(said("09:00 bot: Mais alguma coisa?\n09:01 ana: obrigada"))
    assert all(s.theme is not Theme.DECISION for s in episode.statements())
