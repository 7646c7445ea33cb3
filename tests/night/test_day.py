from __future__ import annotations

import datetime as dt
import os
import time
from pathlib import Path
from zoneinfo import ZoneInfo

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hfea.consolidation.day import Calendar, DayWindow, NoSuchDay, midnight, parse_day

ZONES = [
    "UTC",
    "America/Sao_Paulo",
    "Europe/Lisbon",
    "America/New_York",
    "America/St_Johns",
    "America/Havana",
    "Atlantic/Azores",
    "Asia/Beirut",
    "Asia/Shanghai",
    "Australia/Lord_Howe",
    "Pacific/Apia",
    "Pacific/Kiritimati",
    "Africa/Cairo",
    "America/Asuncion",
]
days = st.dates(dt.date(1995, 1, 1), dt.date(2035, 12, 31))


def utc(*parts: int) -> dt.datetime:
    return dt.datetime(*parts, tzinfo=dt.UTC)


@pytest.mark.parametrize(
    ("zone", "day", "hours"),
    [
        ("Europe/Lisbon", dt.date(2026, 10, 25), 25),
        ("Europe/Lisbon", dt.date(2026, 3, 29), 23),
        ("America/New_York", dt.date(2026, 3, 8), 23),
        ("America/New_York", dt.date(2026, 11, 1), 25),
        ("America/Sao_Paulo", dt.date(2018, 11, 4), 23),  # clocks jumped over midnight
        ("Asia/Beirut", dt.date(2026, 3, 29), 23),
        ("Pacific/Apia", dt.date(2011, 12, 30), 0),  # a day Samoa never had
        ("Asia/Shanghai", dt.date(2026, 3, 6), 24),
    ],
)
def test_t04_a_day_runs_from_local_midnight_to_the_next(
    zone: str, day: dt.date, hours: int
) -> None:
    window = Calendar(zone).window(day)
    assert window.end - window.start == dt.timedelta(hours=hours)


def test_a_midnight_that_comes_twice_starts_the_day_at_the_first() -> None:
    # Havana goes from 01:00 back to 00:00.
    assert midnight(dt.date(2026, 11, 1), ZoneInfo("America/Havana")) == utc(2026, 11, 1, 4)


def test_a_day_that_falls_back_to_yesterday_starts_when_it_comes_for_good() -> None:
    # St. John's used to go from 00:01 back to 23:01 of the day before.
    zone = ZoneInfo("America/St_Johns")
    start = midnight(dt.date(2010, 11, 7), zone)
    assert start.astimezone(zone).replace(tzinfo=None) == dt.datetime(2010, 11, 7)  # noqa: DTZ001
    assert start.astimezone(zone).fold == 1


@given(st.sampled_from(ZONES), days)
def test_days_follow_one_another_without_gap_or_overlap(zone: str, day: dt.date) -> None:
    calendar = Calendar(zone)
    assert calendar.window(day).end == calendar.window(day + dt.timedelta(days=1)).start


@given(
    st.sampled_from(ZONES),
    st.datetimes(dt.datetime(1995, 1, 1), dt.datetime(2035, 12, 31)),  # noqa: DTZ001
)
def test_every_moment_belongs_to_the_one_day_whose_window_holds_it(
    zone: str, naive: dt.datetime
) -> None:
    at = naive.replace(tzinfo=dt.UTC)
    calendar = Calendar(zone)
    day = calendar.day_of(at)
    assert at in calendar.window(day)
    assert abs(day - at.astimezone(ZoneInfo(zone)).date()) <= dt.timedelta(days=1)


@given(
    st.sampled_from(ZONES),
    st.sampled_from(ZONES),
    days,
    st.integers(1, 6),
    st.integers(-4 * 24 * 60, 9 * 24 * 60),
)
def test_t06_under_a_new_zone_there_is_neither_gap_nor_overlap(
    old: str, new: str, first: dt.date, length: int, minutes: int
) -> None:
    before = Calendar(old)
    recorded = {
        day: before.window(day) for day in (first + dt.timedelta(days=n) for n in range(length))
    }
    after = Calendar(new, recorded)
    at = before.window(first).start + dt.timedelta(minutes=minutes)
    day = after.day_of(at)
    assert at in after.window(day)
    last = max(recorded)
    assert after.window(last + dt.timedelta(days=1)).start == recorded[last].end
    assert all(after.window(day) == window for day, window in recorded.items())


def test_t06_the_day_of_the_change_starts_where_the_last_one_ended() -> None:
    sao_paulo = Calendar("America/Sao_Paulo")
    day = dt.date(2026, 3, 10)
    moved = Calendar("Europe/Lisbon", {day: sao_paulo.window(day)})
    change = moved.window(dt.date(2026, 3, 11))
    assert (change.start, change.end) == (utc(2026, 3, 11, 3), utc(2026, 3, 12))
    assert moved.window(dt.date(2026, 3, 12)).start == utc(2026, 3, 12)


def test_t02_the_zone_of_the_process_has_no_say(monkeypatch: pytest.MonkeyPatch) -> None:
    at = utc(2026, 3, 5, 22, 30)
    for process_zone in ("UTC", "America/Los_Angeles", "Pacific/Kiritimati"):
        monkeypatch.setenv("TZ", process_zone)
        time.tzset()
        try:
            assert Calendar("Asia/Shanghai").day_of(at) == dt.date(2026, 3, 6)
        finally:
            os.environ.pop("TZ", None)
            time.tzset()


def test_t01_a_session_across_midnight_belongs_to_two_days() -> None:
    calendar = Calendar("America/Sao_Paulo")
    stamps = [utc(2026, 3, 6, 2, 50), utc(2026, 3, 6, 2, 59, 59), utc(2026, 3, 6, 3, 0)]
    assert [calendar.day_of(at).day for at in stamps] == [5, 5, 6]


def test_only_closed_days_are_yielded_and_days_that_never_were_are_left_out() -> None:
    calendar = Calendar("Pacific/Apia")
    found = [w.day.day for w in calendar.closed(dt.date(2011, 12, 28), utc(2011, 12, 31, 11))]
    assert found == [28, 29, 31]
    window = Calendar("UTC").window(dt.date(2026, 3, 5))
    just_before = window.end - dt.timedelta(microseconds=1)
    assert list(Calendar("UTC").closed(dt.date(2026, 3, 5), just_before)) == []
    assert list(Calendar("UTC").closed(dt.date(2026, 3, 5), window.end)) == [window]


def test_a_window_is_half_open() -> None:
    window = DayWindow(dt.date(2026, 3, 5), "UTC", utc(2026, 3, 5), utc(2026, 3, 6))
    assert window.start in window
    assert window.end not in window


def test_x07_only_a_plain_date_is_a_date(shared: Path) -> None:
    lines = (shared / "cases/files/X07/dates.txt").read_text(encoding="utf-8").split("\n")
    assert parse_day(lines[0]) == dt.date(2026, 3, 5)
    refused = [line for line in lines[1:] if line not in ("2026-03-05", "2026-03-06")]
    for line in [*refused, lines[0] + "\n", "2026-03-05\n2026-03-06"]:
        with pytest.raises(NoSuchDay):
            parse_day(line)
