"""docs/example-episode.md is what `make run` makes, but for salts and the key."""

from __future__ import annotations

import datetime as dt
import re
from pathlib import Path

from hfea import demo
from hfea.config import load
from hfea.night.run import Order, Watch
from hfea.wiring import consolidate, house

DAY = dt.date(2026, 8, 7)
PAGE = Path(__file__).resolve().parents[2] / "docs" / "example-episode.md"
SALTED = re.compile(r"\b[0-9a-f]{64}\b")


def test_the_example_in_the_docs_is_what_make_run_makes(tmp_path: Path) -> None:
    demo._fixtures().build(tmp_path)
    settings = tmp_path / "hfea.toml"
    settings.write_text(demo.SETTINGS.format(zone=demo.ZONE, folder=tmp_path), encoding="utf-8")
    given = load(settings)
    consolidate(given, Order(), Watch())
    with house(given) as opened:
        made = opened.archive.path(DAY).read_text(encoding="utf-8")
    shown = PAGE.read_text(encoding="utf-8").split("\n\n", 1)[1]
    assert SALTED.sub("#", shown) == SALTED.sub("#", made), "make run, and copy the episode again"
