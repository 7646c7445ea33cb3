from __future__ import annotations

import datetime as dt
from collections.abc import Collection, Iterator, Mapping
from typing import Any

import pytest

from hfea.errors import UsageError
from hfea.ledger.nights import NightKind
from hfea.night.do import NoSpace
from hfea.night.run import Order
from hfea.sources.base import Problem

UTC = dt.UTC


def march(day: int, hour: int = 15, minute: int = 0) -> dt.datetime:
    return dt.datetime(2026, 3, day, hour, minute, tzinfo=UTC)


def day(number: int) -> dt.date:
    return dt.date(2026, 3, number)


def test_every_closed_day_gets_an_episode_or_an_empty_row_oldest_first(house: Any) -> None:
    house.source.say("a", march(7), "one")
    house.source.say("a", march(9), "three")
    night = house.night()
    assert [(d.step.day, d.kind) for d in night.done] == [
        (day(7), NightKind.SEALED),
        (day(8), NightKind.EMPTY),
        (day(9), NightKind.SEALED),
    ]
    assert house.keeper.texts(day(9)) == ["three"]
    assert night.exit_code == 0


def test_the_open_day_is_never_sealed_and_comes_the_night_after(house: Any) -> None:
    house.source.say("a", march(10, 12), "today")
    assert house.night().done == ()
    house.clock.sleep(24 * 3600)
    house.night()
    assert house.keeper.texts(day(10)) == ["today"]


def test_t01_a_session_across_midnight_is_told_in_two_episodes(house: Any) -> None:
    for minute, text in ((50, "t1"), (59, "t2")):
        house.source.say("a", march(6, 2, minute), text)
    for minute, text in ((5, "t3"), (20, "t4")):
        house.source.say("a", march(6, 3, minute), text)
    house.night()
    assert house.keeper.texts(day(5)) == ["t1", "t2"]
    assert house.keeper.texts(day(6)) == ["t3", "t4"]


def test_inv_03_a_second_run_with_nothing_new_does_nothing_at_all(house: Any) -> None:
    house.source.say("a", march(7), "one")
    house.night()
    before = (house.root / "ledger.sqlite").read_bytes()
    scans = house.source.scans
    for _ in range(3):
        assert house.night().steps == ()
    assert house.source.scans == scans
    assert (house.root / "ledger.sqlite").read_bytes() == before


def test_t07_a_late_session_of_a_sealed_day_is_appended_and_other_days_stay(house: Any) -> None:
    house.source.say("a", march(5), "on time")
    house.source.say("a", march(7), "other")
    house.night()
    house.source.say("b", march(5, 16), "late")
    night = house.night()
    assert [(d.step.day, d.kind) for d in night.done] == [(day(5), NightKind.LATE)]
    assert house.keeper.texts(day(5)) == ["on time", "late"]
    assert house.night().steps == ()


def test_t07_a_late_session_makes_an_episode_of_a_day_that_was_empty(house: Any) -> None:
    house.source.say("a", march(4), "first")
    house.source.say("a", march(9), "last")
    house.night()
    house.source.say("b", march(6), "late")
    night = house.night()
    assert [(d.step.day, d.kind) for d in night.done] == [(day(6), NightKind.SEALED)]


def test_a_day_before_the_first_one_known_is_made_up_for(house: Any) -> None:
    house.source.say("a", march(8), "first")
    house.night()
    house.source.say("b", march(5), "older")
    house.night()
    assert house.keeper.texts(day(5)) == ["older"]
    assert set(house.ledger().nights.empty_days()) == {day(6), day(7), day(9)}


def test_t09_a_message_without_a_time_goes_with_its_neighbour(house: Any) -> None:
    house.source.say("a", march(7), "before")
    house.source.say("a", None, "no time")
    house.source.say("a", march(9), "after")
    house.source.say("b", None, "leading")
    house.source.say("b", march(8), "then")
    house.night()
    assert house.keeper.texts(day(7)) == ["before", "no time"]
    assert house.keeper.texts(day(8)) == ["leading", "then"]


def test_t09_a_session_without_any_time_is_reported_and_never_today(house: Any) -> None:
    house.source.say("a", None, "when?")
    night = house.night()
    assert night.done == ()
    assert (night.placeless, night.exit_code) == (1, 1)


def test_a_failing_day_is_recorded_and_the_others_go_on(house: Any) -> None:
    for number in (6, 7, 8):
        house.source.say("a", march(number), f"m{number}")
    house.narrator.fails_on = {day(7)}
    night = house.night()
    assert [d.kind for d in night.done] == [
        NightKind.SEALED,
        NightKind.FAILED,
        NightKind.SEALED,
        NightKind.EMPTY,
    ]
    assert night.exit_code == 1
    house.narrator.fails_on = set()
    house.night()
    assert house.keeper.texts(day(7)) == ["m7"]


def test_o19_a_failed_day_stays_in_the_ledger_with_its_cause_and_without_its_words(
    house: Any,
) -> None:
    house.source.say("a", march(7), "m")
    house.narrator.fails_on = {day(7)}
    house.night()
    row = house.ledger().nights.last(day(7))
    assert row is not None
    assert (row.kind, row.error) == (NightKind.FAILED, "RuntimeError in conftest.py")


def test_o19_a_unit_that_announces_messages_and_shows_none_is_no_empty_day(house: Any) -> None:
    house.source.say("a", march(8), "words")
    real = house.source.scan

    def deaf(known: Mapping[str, Any], wanted: Collection[str] = ()) -> Iterator[Any]:
        for item in real(known, wanted):
            if not hasattr(item, "text"):
                yield item

    house.source.scan = deaf
    night = house.night()
    assert [p.code for p in night.problems] == ["nothing_selected"]
    assert night.exit_code == 1


def test_c02_a_full_disk_stops_the_pass_and_names_the_place(house: Any) -> None:
    for number in (6, 7):
        house.source.say("a", march(number), f"m{number}")
    real = house.keeper.append, house.keeper.seal

    def full(*_: object) -> None:
        raise OSError(28, "No space left on device")

    house.keeper.seal = full
    with pytest.raises(NoSpace, match="archive"):
        house.night()
    house.keeper.append, house.keeper.seal = real
    house.night()
    assert house.keeper.texts(day(6)) == ["m6"]


def test_a_stop_between_two_days_leaves_the_rest_for_the_next_run(house: Any) -> None:
    for number in (6, 7, 8):
        house.source.say("a", march(number), f"m{number}")
    answers = iter([False, False, True])
    night = house.night(stop=lambda: next(answers, True))
    assert night.stopped
    assert [d.step.day for d in night.done] == [day(6)]
    house.night()
    assert [house.keeper.texts(day(n)) for n in (6, 7, 8)] == [["m6"], ["m7"], ["m8"]]


def test_inv_05_late_messages_survive_a_death_between_addendum_and_ledger(house: Any) -> None:
    house.source.say("a", march(5), "on time")
    house.night()
    house.source.say("b", march(5, 16), "late")
    house.keeper.dies_after = "append"
    with pytest.raises(KeyboardInterrupt):
        house.night()
    house.night()
    assert house.keeper.texts(day(5)) == ["on time", "late"]


def test_inv_05_a_death_between_seal_and_ledger_seals_nothing_twice(house: Any) -> None:
    for number in (5, 6):
        house.source.say("a", march(number), f"m{number}")
    house.keeper.dies_after = "seal"
    with pytest.raises(KeyboardInterrupt):
        house.night()
    house.night()
    assert [house.keeper.texts(day(n)) for n in (5, 6)] == [["m5"], ["m6"]]
    with house.ledger() as ledger:
        assert ledger.nights.sealed_days() == {day(5), day(6)}
        assert [h.sequence for h in ledger.heads.all()] == [1, 2]


def test_a_vanished_source_is_loud_and_its_day_is_partial_not_empty(house: Any) -> None:
    house.source.say("a", march(8), "words")
    house.night()
    house.source.missing = True
    house.clock.sleep(24 * 3600)
    night = house.night()
    assert night.exit_code == 1
    assert [(d.step.day, d.kind, d.partial) for d in night.done] == [
        (day(10), NightKind.SEALED, True)
    ]
    assert [m.code for m in house.keeper.episodes[day(10)].missing] == ["source_missing"]


def test_a_source_that_comes_back_brings_its_messages_as_an_addendum(house: Any) -> None:
    house.source.say("a", march(8), "words")
    house.night()
    house.source.missing = True
    house.clock.sleep(24 * 3600)
    house.night()
    house.source.missing = False
    house.source.say("a", march(10), "said while away")
    night = house.night()
    assert [(d.step.day, d.kind) for d in night.done] == [(day(10), NightKind.LATE)]


def test_a_typo_in_a_source_path_does_not_make_empty_days_partial(house: Any) -> None:
    house.sources.append(type(house.source)(name="typo", missing=True))
    house.source.say("a", march(7), "one")
    night = house.night()
    assert [d.kind for d in night.done] == [NightKind.SEALED, NightKind.EMPTY, NightKind.EMPTY]
    assert [m.where for m in house.keeper.episodes[day(7)].missing] == ["typo"]


def test_i23_an_unreadable_unit_holds_back_no_other_and_is_read_again(house: Any) -> None:
    house.source.say("good-1", march(8), "one")
    house.source.say("bad", march(8, 16), "two")
    house.source.say("good-2", march(8, 17), "three")
    house.source.broken = {"bad"}
    night = house.night()
    assert house.keeper.texts(day(8)) == ["one", "three"]
    assert night.exit_code == 1
    house.source.broken = set()
    house.night()
    assert house.keeper.texts(day(8)) == ["one", "three", "two"]


def test_an_unreadable_unit_marks_the_newest_day_partial_once(house: Any) -> None:
    house.source.say("good", march(8), "one")
    house.source.say("bad", march(8), "two")
    house.source.broken = {"bad"}
    house.night()
    marked = [n for n, e in house.keeper.episodes.items() if e.missing]
    assert marked == [day(9)]
    house.clock.sleep(24 * 3600)
    assert [d.kind for d in house.night().done] == [NightKind.EMPTY]


def test_an_unreadable_line_makes_the_day_it_stands_in_partial(house: Any) -> None:
    house.source.say("a", march(7), "one")
    house.source.units["a"].append(Problem("list", "malformed_line", "a#12", "no JSON"))
    house.source.say("a", march(8), "two")
    house.night()
    missing = {n: [m.code for m in e.missing] for n, e in house.keeper.episodes.items()}
    assert missing == {day(7): ["malformed_line"], day(8): []}


def test_a_dry_run_says_the_plan_and_writes_nothing(house: Any) -> None:
    house.source.say("a", march(7), "one")
    house.night()
    house.source.say("b", march(6), "two")
    before = (house.root / "ledger.sqlite").read_bytes()
    night = house.night(Order(dry_run=True))
    assert [(s.day, s.act.value, s.messages) for s in night.steps] == [(day(6), "seal", 1)]
    assert night.done == ()
    assert (house.root / "ledger.sqlite").read_bytes() == before
    house.night()
    assert house.keeper.texts(day(6)) == ["two"]


def test_one_day_can_be_asked_for_and_the_others_stay_due(house: Any) -> None:
    for number in (6, 7, 8):
        house.source.say("a", march(number), f"m{number}")
    assert [d.step.day for d in house.night(Order(only=day(7))).done] == [day(7)]
    assert [d.step.day for d in house.night().done if d.statements] == [day(6), day(8)]


def test_a_day_that_is_not_over_cannot_be_asked_for(house: Any) -> None:
    with pytest.raises(UsageError, match="not over"):
        house.night(Order(only=day(10)))


def test_the_owners_start_date_leaves_older_days_alone_until_it_moves(house: Any) -> None:
    for number in (5, 8):
        house.source.say("a", march(number), f"m{number}")
    house.since = day(7)
    house.night()
    assert sorted(house.keeper.episodes) == [day(8)]
    house.since = day(4)
    house.night()
    assert sorted(house.keeper.episodes) == [day(5), day(8)]


def test_t06_after_a_move_no_day_is_lost_doubled_or_cut_again(house: Any) -> None:
    for number in range(1, 10):
        house.source.say("a", march(number, 12), f"noon {number}")
        house.source.say("a", march(number + 1, 2, 30), f"night {number}")
    house.night()
    before = dict(house.keeper.episodes)
    house.zone = "Europe/Lisbon"
    house.source.say("a", march(10, 2, 59), "before the move's midnight")
    house.source.say("a", march(10, 3, 0), "after it")
    house.source.say("a", march(11, 0, 0), "next Lisbon day")
    house.clock.at = march(12, 3)
    house.night()
    house.night()
    assert {d: house.keeper.episodes[d] for d in before} == before
    told = [s for d in sorted(house.keeper.episodes) for s in house.keeper.texts(d)]
    assert len(told) == len(set(told)) == 21
    assert house.keeper.texts(day(10)) == ["after it"]
    assert house.keeper.texts(day(11)) == ["next Lisbon day"]
    assert "before the move's midnight" in house.keeper.texts(day(9))


def test_the_same_message_shown_by_two_units_is_told_once(house: Any) -> None:
    house.source.say("a", march(7), "one")
    house.source.units["copy of a"] = list(house.source.units["a"])
    house.night()
    assert house.keeper.texts(day(7)) == ["one"]


def test_an_excluded_message_is_withheld_and_counted(house: Any) -> None:
    house.source.say("a", march(7), "one", project="secret")
    house.skip = lambda raw: "excluded" if raw.project == "secret" else ""
    night = house.night()
    assert night.done == ()
    assert night.withheld == {"excluded": 1}
