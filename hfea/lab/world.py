"""A world through the real night, core and fallback, in a scratch home that is gone afterwards."""

from __future__ import annotations

import shutil
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from hfea import config, wiring
from hfea.answer_table import as_table
from hfea.asking import resolver
from hfea.errors import HfeaError
from hfea.lab.world_files import FACTS, SESSIONS, World
from hfea.night.run import Order, Watch

HISTORY = {"none": 0, "all": 100_000}  # days of sessions that the core may see
Tell = Callable[[str, int, int], None]


class NightFailed(HfeaError):
    """The world's sessions could not be consolidated; nothing asked of it would mean anything."""


@contextmanager
def scratch(world: World, history: str) -> Iterator[config.Settings]:
    """Give settings of a fresh home that holds the world's sessions and facts."""
    with TemporaryDirectory(prefix="hfea-world-") as name:
        root = Path(name)
        (root / "sessions").mkdir()
        (root / "home").mkdir()
        shutil.copyfile(world.folder / SESSIONS, root / "sessions" / SESSIONS)
        shutil.copyfile(world.folder / FACTS, root / FACTS)
        table = {
            "timezone": world.timezone,
            "owner": {"names": [world.owner] if world.owner else []},
            "archive": {"path": str(root / "archive")},
            "core": {
                "home": str(root / "home"),
                "history_days": HISTORY[history],
                "facts": str(root / FACTS),
            },
            "sources": [{"kind": "jsonl", "path": str(root / "sessions")}],
        }
        yield config.from_table(table, root / "hfea.toml")


def run(world: World, history: str, tell: Tell = lambda *_: None) -> list[dict[str, Any]]:
    """Consolidate every day, ask every question at its own time; one row a question.

    A row is `qid` and the fields of `ask --json`. Raises NightFailed.
    """
    with scratch(world, history) as settings:
        night = wiring.consolidate(settings, Order(), Watch(tell=tell))
        if night.failed:
            msg = f"the night of {night.failed[0].step.day} failed: {night.failed[0].error}"
            raise NightFailed(msg)
        rows = []
        with resolver(settings) as opened:
            for number, asked in enumerate(world.questions):
                tell("asking", number, len(world.questions))
                found = opened.ask(asked.text, asked_at=asked.asked_at)
                rows.append({"qid": asked.qid, **as_table(found)})
        return rows
