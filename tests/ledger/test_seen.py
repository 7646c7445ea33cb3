from __future__ import annotations

import datetime as dt
import hashlib
from pathlib import Path
from tempfile import TemporaryDirectory

from hypothesis import given, settings
from hypothesis import strategies as st

from hfea.clock import SystemClock
from hfea.ledger.seen import CHUNK_ROWS, Sighting
from hfea.ledger.store import FILE_NAME, Ledger

MONDAY = dt.date(2026, 3, 2)
NOON = dt.datetime(2026, 3, 2, 12, tzinfo=dt.UTC)


def said(*texts: str, ids: str = "a", start: int = 0, later: int = 0) -> list[Sighting]:
    return [
        Sighting(
            f"{ids}{position}",
            hashlib.sha256(text.encode()).hexdigest(),
            NOON + dt.timedelta(minutes=position + later),
            MONDAY,
            position,
        )
        for position, text in enumerate(texts, start=start)
    ]


def take(ledger: Ledger, items: list[Sighting], whole: bool | None = None) -> list[Sighting]:
    fresh = ledger.seen.fresh("toy", "s", items, whole=whole)
    ledger.seen.record("toy", "unit", "s", fresh)
    return fresh


def test_two_genuine_ok_both_count_and_reading_again_adds_nothing(ledger: Ledger) -> None:
    items = said("plan", "ok", "do it", "ok")
    assert take(ledger, items) == items
    assert take(ledger, items) == []
    assert ledger.seen.counts_by_day() == {MONDAY: 4}


def test_a_wholesale_rewrite_under_new_ids_and_times_adds_nothing(ledger: Ledger) -> None:
    take(ledger, said("plan", "ok", "do it", "ok"))
    assert take(ledger, said("plan", "ok", "do it", "ok", ids="z", start=900, later=60)) == []


def test_a_rewrite_that_goes_on_adds_only_what_is_new(ledger: Ledger) -> None:
    take(ledger, said("plan", "ok"))
    rewritten = said("plan", "ok", "ok", "thanks", ids="z", start=50)
    assert take(ledger, rewritten) == rewritten[2:]


def test_a_continuation_keeps_its_own_ok(ledger: Ledger) -> None:
    take(ledger, said("plan", "ok"))
    tail = said("ok", "thanks", start=2)
    assert take(ledger, tail) == tail
    assert take(ledger, tail) == []


def test_a_continuation_that_numbers_anew_is_known_by_its_times(ledger: Ledger) -> None:
    take(ledger, said("plan", "ok"))
    tail = said("ok", "thanks", ids="z", later=30)
    assert take(ledger, tail) == tail


def test_a_rewrite_that_lost_its_beginning_is_known_by_three_in_a_row(ledger: Ledger) -> None:
    take(ledger, said("plan", "ok", "do it", "done", "ok"))
    cut = said("do it", "done", "ok", "more", ids="z", start=90, later=60)
    assert take(ledger, cut) == cut[3:]


def test_a_caller_that_knows_says_whether_it_read_everything(ledger: Ledger) -> None:
    take(ledger, said("ok"))
    one = said("ok", ids="z", start=1, later=5)
    assert ledger.seen.fresh("toy", "s", one, whole=True) == []
    assert ledger.seen.fresh("toy", "s", one, whole=False) == one


def test_sessions_are_told_apart_and_found_by_day(ledger: Ledger) -> None:
    items = said("ok")
    ledger.seen.record("toy", "a.jsonl", "s1", items)
    assert ledger.seen.fresh("toy", "s2", items) == items
    ledger.seen.record("toy", "b.jsonl", "s2", items)
    ledger.seen.record("other", "c.jsonl", "s1", said("ok"))
    assert ledger.seen.sessions_on(MONDAY) == {
        ("toy", "a.jsonl", "s1"),
        ("toy", "b.jsonl", "s2"),
        ("other", "c.jsonl", "s1"),
    }
    assert ledger.seen.days_of("toy") == {MONDAY}
    assert ledger.seen.days_of("nobody") == set()


def test_late_messages_of_a_day_are_those_first_seen_since(ledger: Ledger, clock: object) -> None:
    take(ledger, said("plan"))
    sealed = clock.at + dt.timedelta(seconds=1)  # type: ignore[attr-defined]
    assert ledger.seen.first_seen_since(MONDAY, sealed) == 0
    clock.pass_by(hours=2)  # type: ignore[attr-defined]
    take(ledger, said("plan", "a late one"))
    assert ledger.seen.first_seen_since(MONDAY, sealed) == 1


def test_more_than_one_chunk_is_recorded_whole(ledger: Ledger) -> None:
    items = said(*(f"m{n % 7}" for n in range(CHUNK_ROWS + 5)))
    assert ledger.seen.record("toy", "u", "s", items) == len(items)
    assert ledger.seen.fresh("toy", "s", items) == []


@given(
    rounds=st.lists(
        st.tuples(
            st.lists(st.sampled_from(["ok", "yes", "plan", "do"]), max_size=6), st.booleans()
        ),
        max_size=5,
    )
)
@settings(max_examples=60, deadline=None)
def test_however_a_growing_session_is_rewritten_each_message_counts_once(
    rounds: list[tuple[list[str], bool]],
) -> None:
    with (
        TemporaryDirectory() as folder,
        Ledger.open(Path(folder) / FILE_NAME, SystemClock()) as ledger,
    ):
        whole: list[str] = []
        for number, (more, renamed) in enumerate(rounds):
            whole += more
            ids, start = (f"r{number}-", 1_000 * number) if renamed else ("a", 0)
            take(ledger, said(*whole, ids=ids, start=start), whole=True)
            assert sum(ledger.seen.counts_by_day().values()) == len(whole)
