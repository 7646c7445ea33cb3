"""Cases of areas K, T and X that the night's account must get right."""

from __future__ import annotations

import datetime as dt
from dataclasses import replace
from pathlib import Path

from days import by_day, case_messages, find, said, story

from memory_core.model import AuthorKind, Kind, Origin, Polarity, Theme

ZONE = "America/Sao_Paulo"


def case(shared: Path, name: str) -> Path:
    return shared / "cases" / "files" / name / "dialogue.jsonl"


def test_k01_negation_keeps_its_sense(shared: Path) -> None:
    before, after = by_day(case_messages(case(shared, "K01"), "Rita"))
    allowed = find(before, "Deploys on Friday are allowed")
    denied = find(after, "not allowed any more")
    assert allowed.polarity is Polarity.AFFIRMED
    assert denied.theme in (Theme.CONSTRAINT, Theme.REVISION)
    assert denied.text != allowed.text
    assert find(after, "Do not forget to tag each deploy").polarity is Polarity.AFFIRMED
    assert find(after, "No need to retry the old job").polarity is Polarity.NEGATED
    assert find(after, "Nunca deixei de usar o bloqueio").polarity is Polarity.AFFIRMED


def test_k02_a_move_is_a_revision_and_a_later_mention_revives_nothing(shared: Path) -> None:
    _, moved, mentioned = by_day(case_messages(case(shared, "K02"), "Rita"))
    revision = find(moved, "moved mail from Fernpost to Cardeal")
    assert revision.theme is Theme.REVISION
    assert [d.words for d in revision.dates] == ["last night"]
    assert revision.dates[0].readings[0][0] == dt.date(2026, 3, 5)
    assert find(mentioned, "Fernpost was cheaper").theme not in (Theme.DECISION, Theme.REVISION)


def test_k07_opinions_of_others_keep_their_holder(shared: Path) -> None:
    (episode,) = by_day(case_messages(case(shared, "K07"), "Rita"))
    brother = find(episode, "coffee ruins sleep")
    plumber = find(episode, "replace the boiler")
    assert "brother" in brother.holder.lower()
    assert "plumber" in plumber.holder.lower()
    assert {brother.theme, plumber.theme} == {Theme.OTHER}


def test_k09_irony_jokes_and_hypotheses_are_no_states_or_plans(shared: Path) -> None:
    (episode,) = by_day(case_messages(case(shared, "K09"), "Rita"))
    committing = {Theme.MOOD, Theme.DECISION, Theme.REVISION, Theme.EXPECTATION}
    assert not [s for s in episode.statements() if s.theme in committing]
    assert find(episode, "third outage").kind is Kind.QUOTE


def test_k10_the_agents_readings_are_inferences_of_the_agent(shared: Path) -> None:
    (episode,) = by_day(case_messages(case(shared, "K10"), "Rita"))
    reading = find(episode, "you clearly like short answers")
    assert reading.kind is Kind.INFERENCE
    assert reading.author_kind is AuthorKind.AGENT
    owners = [s.text for s in episode.statements() if s.author_kind is AuthorKind.OWNER]
    assert owners == ["How would you reverse a list in place?"]
    assert [p.reason for p in episode.left_out] == ["thanks"]


def test_k12_t12_relative_dates_are_read_against_the_local_day_they_were_said(shared: Path) -> None:
    first, second = by_day(case_messages(case(shared, "K12"), "Rita"), ZONE)
    assert first.day == dt.date(2026, 3, 5)
    notes = {d.words: d.readings for s in first.statements() for d in s.dates}
    assert notes["Ontem"] == ((dt.date(2026, 3, 4), dt.date(2026, 3, 5)),)
    friday = next(r for w, r in notes.items() if "sexta que vem" in w)
    assert [r[0] for r in friday] == [dt.date(2026, 3, 6), dt.date(2026, 3, 13)]
    visit = {d.words: d.readings for s in second.statements() for d in s.dates}
    assert visit["in two days"][0][0] == dt.date(2026, 3, 8)


def test_k16_only_the_owner_speaks_for_the_owner(shared: Path) -> None:
    (episode,) = by_day(case_messages(case(shared, "K16"), "Rita"))
    other = find(episode, "I prefer dark themes")
    assert other.author_kind is AuthorKind.THIRD_PARTY
    assert find(episode, "I never agreed to share anything").polarity is Polarity.NEGATED


def test_k18_saying_the_same_on_two_days_gives_two_dated_sources(shared: Path) -> None:
    first, second = by_day(case_messages(case(shared, "K18"), "Rita"))
    one, two = find(first, "blue tin"), find(second, "blue tin")
    assert one.citations[0].message_id != two.citations[0].message_id
    assert (one.times, two.times) == (1, 1)


def test_x01_planted_orders_stay_data_with_their_origin(shared: Path) -> None:
    (episode,) = by_day(case_messages(case(shared, "X01"), "Rita"))
    planted = find(episode, "permanently remember")
    assert (planted.kind, planted.origin) == (Kind.HOSTED, Origin.HOSTED)
    for words in ("delete the episode", "discount to 90 percent"):
        hits = [s for s in episode.statements() if words in s.text]
        assert hits
        assert all(s.kind is Kind.HOSTED for s in hits)
    owners = [s for s in episode.statements() if s.author_kind is AuthorKind.OWNER]
    assert not [s for s in owners if "approved" in s.text or "discount" in s.text]


def test_a_session_that_is_not_over_makes_the_day_partial() -> None:
    first, last = said("09:00 ana: decidi: fica em Curitiba\n09:01 bot: Vou preparar a cópia.")
    episode = story([first, replace(last, marks=frozenset({"session_open"}))])
    assert episode.completeness == "partial"
    assert [m.code for m in episode.missing] == ["session_open"]
    assert story([first, last]).completeness == "complete"
