"""What all commands share: the settings of this call, printing, dates, questions."""

from __future__ import annotations

import datetime as dt
import json
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

if TYPE_CHECKING:
    from hfea.config import Settings

JsonOption = Annotated[bool, typer.Option("--json", help="Print one JSON object for programs.")]
DryRunOption = Annotated[
    bool, typer.Option("--dry-run", help="Say what would be done, do nothing.")
]


def settings_of(context: typer.Context) -> Settings:
    """Load the settings that this call names; raises SettingsError."""
    from hfea.config import load  # noqa: PLC0415 - heavy

    return load(config_of(context))


def config_of(context: typer.Context) -> Path | None:
    """Return what `--config` said."""
    found = context.find_root().obj
    return found if isinstance(found, Path) else None


def day_of(text: str) -> dt.date:
    """Read a date a person typed; raises NoSuchDay before any file is touched (case X07)."""
    from hfea.consolidation.day import parse_day  # noqa: PLC0415 - heavy

    return parse_day(text)


def say(text: str = "") -> None:
    """Print a line for people; control characters are shown, never obeyed."""
    from hfea.logs import visible  # noqa: PLC0415 - heavy

    print("\n".join(visible(line) for line in text.split("\n")))


def say_json(value: Mapping[str, Any] | Sequence[Any]) -> None:
    """Print one JSON value; dates as ISO text, other values as their own text."""
    print(json.dumps(value, ensure_ascii=False, indent=2, default=_plain))


def _plain(value: object) -> object:
    if isinstance(value, dt.date | dt.datetime):
        return value.isoformat()
    if isinstance(value, set | frozenset):
        return sorted(map(str, value))
    return str(value)


def watched() -> bool:
    """Whether a person is looking: progress bars and questions make sense."""
    return sys.stderr.isatty() and sys.stdin.isatty()
