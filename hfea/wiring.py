"""The composition root: the only place that makes real parts out of settings."""

from __future__ import annotations

import datetime as dt
import os
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from hfea import keys
from hfea.archive.index import FILE_NAME as INDEX_FILE
from hfea.archive.index import Index
from hfea.archive.layout import days as archive_days
from hfea.archive.seal import Head
from hfea.archive.store import Archive, Sealed
from hfea.clock import Clock, SystemClock
from hfea.config import Settings
from hfea.consolidation.llm import Writer
from hfea.folders import make_folder
from hfea.ledger.lock import night_lock
from hfea.ledger.store import FILE_NAME as LEDGER_FILE
from hfea.ledger.store import Ledger
from hfea.model_client import EndpointSettings, HttpModel
from hfea.narrator_model import KeptModel, Limits
from hfea.night.do import Narrator, Tools
from hfea.night.due import calendar_of
from hfea.night.keeper import ArchiveKeeper
from hfea.night.narrate import DayNarrator, Pen
from hfea.night.run import Night, NightPass, Order, Watch
from hfea.night.spool import Spool
from hfea.sources.base import Source
from hfea.sources.intake import Exclusions, Intake, safe_text
from hfea.sources.registry import build
from hfea.status import Status, look
from memory_core.secrets import Redactor


@dataclass(frozen=True, slots=True)
class House:
    """One archive, open: what most commands need."""

    settings: Settings
    archive: Archive
    index: Index
    ledger: Ledger
    clock: Clock
    key: bytes


@contextmanager
def house(settings: Settings, clock: Clock | None = None) -> Iterator[House]:
    """Open the archive (making folder and key where there is none) and close it after use.

    Raises KeyMissing, KeyUnusable, LedgerTooNew, IndexTooNew, and Unavailable.
    """
    root, clock = settings.archive.path, clock or SystemClock()
    make_folder(root)
    key = keys.load_or_create(settings.key_file, archive_exists=any(archive_days(root)))
    with (
        Ledger.open(root / LEDGER_FILE, clock) as ledger,
        Index(root / INDEX_FILE) as index,
    ):
        yield House(settings, Archive(root, key), index, ledger, clock, key)


def sources(settings: Settings, *, full: bool = False) -> list[Source]:
    """Return the sources that are read (paused ones are not), expiring ones first."""
    found: list[Source] = []
    for table in settings.sources:
        if not table.paused:
            found += build(table.kind, table.path, name=table.name, zone=table.zone, full=full)
    return sorted(found, key=lambda s: s.kind != "claude-code")


def intake(settings: Settings, key: bytes) -> Intake:
    """Return the one door into the archive, under the owner's rules."""
    rules = settings.exclude
    return Intake(
        key,
        settings.owner.value(),
        personal_ids=settings.redaction.personal_ids,
        exclusions=Exclusions(rules.projects, rules.sessions, rules.chats),
    )


def night_pass(open_house: House, spool: Spool, watch: Watch, pen: Pen | None = None) -> NightPass:
    """Return one pass over the configured sources."""
    settings = open_house.settings
    keeper = ArchiveKeeper(open_house.archive, open_house.index)
    narrator = _narrator(open_house, keeper, pen)
    prices = settings.narrator.price_in, settings.narrator.price_out
    tools = Tools(
        open_house.ledger,
        spool,
        narrator,
        keeper,
        open_house.clock,
        price=lambda a, b: (a * prices[0] + b * prices[1]) / 1e6,
    )
    whole = _whole_pass_is_due(open_house)
    return NightPass(
        tools,
        sources(settings, full=whole),
        intake(settings, open_house.key),
        settings.timezone,
        settings.schedule.since,
        watch=watch,
        whole=whole,
    )


def _whole_pass_is_due(opened: House) -> bool:
    """Whether this is the first pass of the owner's day over a source that was read before."""
    calendar = calendar_of(opened.ledger, opened.settings.timezone)
    today = calendar.day_of(opened.clock.now())
    seen = [opened.ledger.sources.status(s.name).seen_at for s in sources(opened.settings)]
    return any(at is not None and calendar.day_of(at) < today for at in seen)


def _narrator(opened: House, keeper: ArchiveKeeper, pen: Pen | None) -> Narrator:
    settings, clock = opened.settings, opened.clock
    if pen is None:
        from hfea.pen import pen_of  # noqa: PLC0415 - the extraction tables take a while to load

        pen = pen_of(settings, _writer(opened))

    def today() -> dt.date:
        return calendar_of(opened.ledger, settings.timezone).day_of(clock.now())

    return DayNarrator(keeper, pen, today)


def _writer(opened: House) -> Writer | None:
    """Return the narrator's model where the settings name one."""
    told = opened.settings.narrator
    if told.kind != "llm":
        return None
    key = os.environ.get(told.key_env, "") if told.key_env else ""
    endpoint = EndpointSettings(
        told.api, told.endpoint, told.model, key, told.seconds, told.max_tokens
    )
    redactor = Redactor(opened.key, personal_ids=opened.settings.redaction.personal_ids)
    return KeptModel(
        HttpModel(endpoint),
        opened.archive.root / "cache",
        opened.ledger.budget,
        Limits(told.tokens_per_night, told.tokens_per_day, told.price_in, told.price_out),
        opened.clock,
        lambda text: redactor.redact(text).text,
    )


def consolidate(
    settings: Settings,
    order: Order,
    watch: Watch,
    *,
    clock: Clock | None = None,
    pen: Pen | None = None,
) -> Night:
    """Run one pass of the night; see NightPass.run. *pen* replaces the configured narrator."""
    spool = Spool()
    try:
        with house(settings, clock) as open_house:
            return night_pass(open_house, spool, watch, pen).run(order)
    finally:
        spool.close()


def known_heads(opened: House) -> list[Head]:
    """Return the seal heads that ledger and newest backup know, to tell a rolled-back archive."""
    from hfea.preserving import known_heads as of_backups  # noqa: PLC0415 - it imports this

    known = [Head(h.sequence, h.hex) for h in opened.ledger.heads.all()]
    return [*known, *of_backups(opened.settings)]


def correct(
    settings: Settings, day: dt.date, statement: str, text: str, clock: Clock | None = None
) -> Sealed:
    """Append the owner's correction, redacted like everything else; index and record it."""
    with house(settings, clock) as opened, night_lock(opened.archive.root):
        keeper = ArchiveKeeper(opened.archive, opened.index)
        keeper.recover()
        redactor = Redactor(opened.key, personal_ids=settings.redaction.personal_ids)
        words = redactor.redact(safe_text(text)).text
        today = calendar_of(opened.ledger, settings.timezone).day_of(opened.clock.now())
        by = next(iter(settings.owner.names), "")
        sealed = opened.archive.correct(day, statement, words, on=today, by=by)
        opened.index.add_day(opened.archive.read(day))
        if sealed.changed:
            opened.ledger.heads.record(sealed.sequence, day, sealed.head)
        return sealed


def status(settings: Settings, clock: Clock | None = None) -> Status:
    """Say how the nights are, without changing anything."""
    clock = clock or SystemClock()
    begun = (settings.archive.path / LEDGER_FILE).exists()
    stamps = {s.name: s.stamp() for s in sources(settings)} if begun else {}
    with _looking(settings, clock) as ledger:
        return look(ledger, settings.timezone, settings.schedule.since, clock.now(), stamps)


@contextmanager
def _looking(settings: Settings, clock: Clock) -> Iterator[Ledger]:
    """Open the ledger to read; an archive that is not there yet has an empty one."""
    path = settings.archive.path / LEDGER_FILE
    if path.exists():
        with Ledger.open(path, clock, readonly=True) as ledger:
            yield ledger
        return
    with TemporaryDirectory() as folder, Ledger.open(Path(folder) / LEDGER_FILE, clock) as ledger:
        yield ledger


def source_report(settings: Settings, clock: Clock | None = None) -> list[dict[str, Any]]:
    """Return one row a source: where it is, how far it was read, what is wrong with it."""
    rows: list[dict[str, Any]] = []
    with _looking(settings, clock or SystemClock()) as ledger:
        for table in settings.sources:
            for source in build(table.kind, table.path, name=table.name, zone=table.zone):
                states = ledger.sources.states(source.name).values()
                found = "paused" if table.paused else "present" if source.stamp() else "missing"
                problems = ledger.sources.problems(source.name)
                rows.append(
                    {
                        "name": source.name,
                        "kind": source.kind,
                        "path": str(table.path),
                        "state": found,
                        "units": len(states),
                        "messages": sum(s.messages for s in states),
                        "problems": len(problems),
                        "newest_problem": str(problems[0].problem.detail) if problems else "",
                        "ignored": list(source.ignored()),
                    }
                )
    return rows


def read_everything_again(settings: Settings) -> None:
    """Forget how far the sources were read: the next pass looks at every unit again."""
    with house(settings) as open_house:
        for source in sources(settings):
            states = open_house.ledger.sources.states(source.name)
            open_house.ledger.sources.drop(source.name, states)
            open_house.ledger.sources.present(source.name, "")
