"""Once a day a pass compares every byte: an edit that changed neither length nor stat is found."""

from __future__ import annotations

import datetime as dt
import json
import os
from dataclasses import dataclass
from pathlib import Path

from hfea import wiring
from hfea.config import Settings, from_table
from hfea.night.plan import Act
from hfea.night.run import Order, Watch

FIRST = dt.datetime(2026, 3, 10, 9, tzinfo=dt.UTC)


@dataclass
class HandClock:
    """A clock that is moved by hand."""

    at: dt.datetime = FIRST

    def now(self) -> dt.datetime:
        return self.at

    def monotonic(self) -> float:
        return self.at.timestamp()


def _rows(word: str) -> str:
    """A history of more than 128 KiB whose middle message holds *word*."""
    padding = "o estoque da loja foi conferido outra vez " * 12
    lines = []
    for n in range(600):
        said = (
            f"mensagem {n}: {padding}" if n != 300 else f"mensagem {n}: a senha fica com a {word}"
        )
        at = dt.datetime(2026, 3, 9, 12, tzinfo=dt.UTC) + dt.timedelta(seconds=20 * n)
        row = {"id": f"m{n}", "session_id": "s1", "ts": at.isoformat(), "role": "user"}
        lines.append(json.dumps(row | {"author": "Ana", "content": said}))
    return "\n".join(lines) + "\n"


def _settings(folder: Path) -> Settings:
    table = {
        "timezone": "UTC",
        "owner": {"names": ["Ana"]},
        "archive": {"path": str(folder / "a")},
        "core": {"home": str(folder)},
        "sources": [{"kind": "jsonl", "path": str(folder / "in")}],
    }
    return from_table(table, folder / "hfea.toml")


def test_an_edit_without_a_trace_is_found_by_the_first_pass_of_the_next_day(tmp_path: Path) -> None:
    (tmp_path / "in").mkdir()
    path = tmp_path / "in" / "talk.jsonl"
    path.write_text(_rows("Marta"), encoding="utf-8")
    stat, settings, clock = path.stat(), _settings(tmp_path), HandClock()
    assert wiring.consolidate(settings, Order(), Watch(), clock=clock).read == 600

    with path.open("r+", encoding="utf-8") as file:  # in place: the inode stays as well
        file.write(_rows("Clara"))
    os.utime(path, ns=(stat.st_atime_ns, stat.st_mtime_ns))
    assert path.stat().st_size == stat.st_size

    clock.at += dt.timedelta(hours=5)
    same_day = wiring.consolidate(settings, Order(), Watch(), clock=clock)
    assert same_day.read == 0

    clock.at += dt.timedelta(days=1)
    next_day = wiring.consolidate(settings, Order(), Watch(), clock=clock)
    found = {step.act: step.messages for step in next_day.steps if step.messages}
    assert found == {Act.ADD: 1}  # the one message that says something else now

    clock.at += dt.timedelta(minutes=5)
    assert wiring.consolidate(settings, Order(), Watch(), clock=clock).read == 0
