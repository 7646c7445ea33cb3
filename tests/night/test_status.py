from __future__ import annotations

import datetime as dt
from typing import Any

from hfea.status import Status, look

UTC = dt.UTC


def seen(house: Any) -> Status:
    stamps = {s.name: s.stamp() for s in house.sources}
    with house.ledger() as ledger:
        return look(ledger, house.zone, house.since, house.clock.now(), stamps)


def march(day: int) -> dt.datetime:
    return dt.datetime(2026, 3, day, 15, tzinfo=UTC)


def test_o19_status_says_the_last_success_and_counts_per_date(house: Any) -> None:
    house.source.say("a", march(9), "one")
    house.night()
    found = seen(house)
    assert (found.exit_code, found.episodes, found.messages) == (0, 1, 1)
    assert found.last_success == house.clock.at
    assert found.nights[-1].counts["sessions"] == 1
    assert "sealed  1 sessions, 1 messages, 1 statements" in found.as_text()


def test_o19_three_nights_whose_writer_raises_ring_the_alarm(house: Any) -> None:
    house.source.say("a", march(7), "one")
    house.narrator.fails_on = {dt.date(2026, 3, 7)}
    for _ in range(3):
        house.night()
        house.clock.sleep(24 * 3600)
    found = seen(house)
    assert found.exit_code == 1
    assert "2026-03-07 has 1 messages and no episode after 24 h" in found.alarms[0]
    assert "failed: RuntimeError" in found.alarms[0]


def test_o19_a_day_closed_less_than_a_day_ago_is_pending_not_alarming(house: Any) -> None:
    house.source.say("a", march(9), "one")
    house.narrator.fails_on = {dt.date(2026, 3, 9)}
    house.night()
    found = seen(house)
    assert [day.day for day, _ in found.pending] == [9]
    assert found.exit_code == 0


def test_o02_days_done_over_a_day_late_are_named_as_caught_up(house: Any) -> None:
    house.source.say("a", march(6), "old")
    house.source.say("a", march(9), "new")
    house.night()
    assert [day.day for day in seen(house).caught_up] == [6]


def test_o19_nights_that_do_not_run_ring_the_alarm(house: Any) -> None:
    house.source.say("a", march(9), "one")
    house.night()
    house.clock.sleep(3 * 24 * 3600)
    assert seen(house).exit_code == 1


def test_a_missing_and_a_never_read_source_ring_the_alarm(house: Any) -> None:
    house.source.say("a", march(9), "one")
    assert "never read" in seen(house).alarms[0]
    house.night()
    house.source.missing = True
    assert seen(house).alarms == ("the source list is missing",)
