"""Runs whole nights in processes of their own and kills them at random instants.

Usage: night_killer.py FOLDER ROUNDS SEED. Prints one line a round: its folder and how many times
it was killed. Salts depend on the place in the chain alone, so that whole nights are comparable.
"""

from __future__ import annotations

import datetime as dt
import hashlib
import json
import os
import random
import signal
import sys
import time
from pathlib import Path

from killer import ended, in_child

from hfea import wiring
from hfea.archive.store import Archive
from hfea.config import Settings, from_table
from hfea.night.run import Order, Watch

SAID = (
    "Decidi mudar os backups para Curitiba porque o disco daqui falhou {n} vezes.",
    "We keep the queue on the old server for now.",
    "Não quero mais cartões na parede.",
    "Falta testar a restauração número {n}.",
)
KEY = bytes(range(32))


class Clock:
    """A clock that stands still, so that no row depends on when it was written."""

    def now(self) -> dt.datetime:
        """Return a day after all that was said."""
        return dt.datetime(2026, 3, 9, 12, tzinfo=dt.UTC)

    def monotonic(self) -> float:
        """Return no time at all."""
        return 0.0


def prepare(root: Path) -> Settings:
    """Write a history of three days and the key; return the settings."""
    root.mkdir(parents=True)
    rows = [
        {
            "id": f"{day}-{n}",
            "session_id": f"s{day}",
            "ts": f"2026-03-0{day}T10:{n:02}:00Z",
            "role": "assistant" if n % 3 == 2 else "user",
            "author": "Rita",
            "content": SAID[n % len(SAID)].format(n=n),
        }
        for day in (5, 6, 7)
        for n in range(8)
    ]
    text = "".join(json.dumps(row) + "\n" for row in rows)
    (root / "talk.jsonl").write_text(text, encoding="utf-8")
    (root / "a").mkdir()
    settings = settings_of(root)
    settings.key_file.write_text(KEY.hex() + "\n", encoding="ascii")
    settings.key_file.chmod(0o600)
    return settings


def settings_of(root: Path) -> Settings:
    """Return the settings of a prepared folder."""
    table = {
        "timezone": "UTC",
        "owner": {"names": ["Rita"]},
        "archive": {"path": str(root / "a")},
        "core": {"home": str(root)},
        "sources": [{"kind": "jsonl", "path": str(root / "talk.jsonl")}],
    }
    return from_table(table, root / "hfea.toml")


def steady(root: Path, key: bytes) -> Archive:
    """Open an archive whose salts depend on the place in the chain alone."""

    def entropy(count: int) -> bytes:
        return hashlib.shake_256(f"salt {Archive(root, key).head()}".encode()).digest(count)

    return Archive(root, key, entropy=entropy)


def night(settings: Settings) -> None:
    """Run one pass."""
    wiring.Archive = steady  # type: ignore[assignment,misc]
    wiring.consolidate(settings, Order(), Watch(), clock=Clock())


def at_random(folder: Path, rounds: int, seed: int) -> None:
    """Kill one to three nights at instants spread over a whole one, then let one finish."""
    draw = random.Random(seed)
    warm = prepare(folder / "warm")
    night(prepare(folder / "imports"))
    started = time.perf_counter()
    ended(in_child(lambda: night(warm)))
    usual = time.perf_counter() - started
    for number in range(rounds):
        root = folder / str(number)
        settings = prepare(root)
        kills = 0
        for _ in range(draw.randint(1, 3)):
            pid = in_child(lambda s=settings: night(s))  # type: ignore[misc]
            time.sleep(draw.uniform(0, usual))
            os.kill(pid, signal.SIGKILL)
            kills += ended(pid)
        ended(in_child(lambda s=settings: night(s)))  # type: ignore[misc]
        sys.stdout.write(f"{root} {kills}\n")


if __name__ == "__main__":
    at_random(Path(sys.argv[1]), int(sys.argv[2]), int(sys.argv[3]))
