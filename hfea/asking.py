"""The parts of a question: the core over the configured layers, and a resolver for the archive."""

from __future__ import annotations

import datetime as dt
import hashlib
import secrets
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from zoneinfo import ZoneInfo

from hfea.archive.index import FILE_NAME as INDEX_FILE
from hfea.clock import Clock, SystemClock
from hfea.config import Settings
from hfea.fallback.resolver import Answered, Archive, Resolver, Setting
from hfea.folders import make_folder
from hfea.keys import load_or_create
from hfea.ledger.store import FILE_NAME as LEDGER_FILE
from hfea.ledger.store import Ledger
from hfea.sources.base import RawMessage
from hfea.wiring import intake, sources
from memory_core.core import CoreSettings, HistoryFeed, MemoryCore
from memory_core.model import Message
from memory_core.secrets import Redactor


@contextmanager
def resolver(settings: Settings, clock: Clock | None = None) -> Iterator[Resolver]:
    """Open core and ledger; the archive stays closed until a ticket opens its index."""
    clock = clock or SystemClock()
    root = settings.archive.path
    make_folder(root)
    archive_id = hashlib.sha256(str(root).encode()).hexdigest()[:16]
    core = MemoryCore(core_settings(settings))
    try:
        with Ledger.open(root / LEDGER_FILE, clock) as ledger:
            place = Archive(archive_id, root / INDEX_FILE)
            setting = Setting(clock, ZoneInfo(settings.timezone), _cleaner(settings))
            yield Resolver(core, ledger, place, setting)
    finally:
        core.close()


def ask(
    settings: Settings,
    question: str,
    *,
    asked_at: dt.datetime | None = None,
    as_of: dt.date | None = None,
) -> Answered:
    """Answer one question."""
    with resolver(settings) as opened:
        return opened.ask(question, asked_at=asked_at, as_of=as_of)


def sampled(settings: Settings, answered: Answered, text: str, asked_at: dt.datetime) -> bool:
    """Check an answer that has left against the archive, for the share the settings name."""
    if secrets.randbelow(1_000_000) >= settings.fallback.shadow * 1_000_000:
        return False
    with resolver(settings) as opened:
        return opened.shadow(answered, text, asked_at=asked_at) is not None


def _cleaner(settings: Settings) -> Callable[[str], str]:
    """Return the redaction that every question, answer and piece of evidence passes."""
    key = load_or_create(settings.key_file, archive_exists=settings.key_file.exists())
    redactor = Redactor(key, personal_ids=settings.redaction.personal_ids)
    return lambda text: redactor.redact(text).text


def core_settings(settings: Settings) -> CoreSettings:
    """Return where the core finds its layers."""
    core = settings.core
    facts = (core.facts,) if core.facts else ()
    return CoreSettings(
        home=core.home,
        wiki=core.wiki,
        facts=facts,
        history_days=core.history_days,
        history=_history(settings),
        owner=next(iter(settings.owner.names), ""),
    )


def _history(settings: Settings) -> HistoryFeed:
    """Give the history layer the same messages as the night, through the same intake."""

    def stamp() -> str:
        return "|".join(s.stamp() for s in sources(settings))

    def messages() -> Iterator[Message]:
        exists = settings.key_file.exists()
        key = load_or_create(settings.key_file, archive_exists=exists)
        door = intake(settings, key)
        for source in sources(settings):
            for item in source.scan({}):
                if isinstance(item, RawMessage):
                    taken = door.take(item, source=source.name, profile=source.profile)
                    if isinstance(taken, Message):
                        yield taken

    return HistoryFeed(stamp, messages)
