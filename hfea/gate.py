"""The one gate for what steers the agent, made from settings: a queue a profile."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from hfea.clock import Clock, SystemClock
from hfea.config import Settings
from hfea.errors import UsageError
from hfea.folders import make_folder
from hfea.ledger.store import FILE_NAME as LEDGER_FILE
from hfea.ledger.store import Ledger
from memory_core.proposals import Places, Proposals

STATE_FOLDER = "hfea-state"
DEFAULT_PROFILE = "default"


def state_folder(settings: Settings) -> Path:
    """Return the folder of what HFEA keeps beside the settings file, outside the archive."""
    return settings.file.parent / STATE_FOLDER


def state_file(settings: Settings, profile: str = DEFAULT_PROFILE) -> Path:
    """Return the file of a profile's proposals."""
    name = "proposals" if profile == DEFAULT_PROFILE else f"proposals.{profile}"
    return state_folder(settings) / f"{name}.sqlite"


def places(settings: Settings, profile: str = DEFAULT_PROFILE) -> Places:
    """Return where a profile's files lie. Raises UsageError for a profile that is not there."""
    home = settings.core.home
    if profile != DEFAULT_PROFILE:
        home = home / "profiles" / profile
        if "/" in profile or profile in ("", ".", "..") or not home.is_dir():
            msg = f"there is no profile {profile[:40]!a} below {settings.core.home}/profiles"
            raise UsageError(msg)
    wiki = settings.core.wiki[0] if settings.core.wiki else home / "wiki"
    return Places(home, wiki)


@contextmanager
def gate(
    settings: Settings, profile: str = DEFAULT_PROFILE, clock: Clock | None = None
) -> Iterator[Proposals]:
    """Open a profile's proposals with the ledger as their record; close both after use.

    Raises UsageError, LedgerTooNew, Unavailable, sqlite3.Error.
    """
    clock = clock or SystemClock()
    found = places(settings, profile)
    make_folder(settings.archive.path)
    with (
        Ledger.open(settings.archive.path / LEDGER_FILE, clock) as ledger,
        Proposals(
            state_file(settings, profile),
            found,
            now=clock.now,
            profile=profile,
            record=ledger.promotions.record,
        ) as opened,
    ):
        yield opened
