"""The first day: which agents are here, who the owner is, what reading them will take."""

from __future__ import annotations

import datetime as dt
import getpass
import os
import re
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

import tomlkit

from hfea.config import NoSettings, Settings, from_table, load
from hfea.errors import UsageError
from hfea.settings_edit import add_source
from hfea.settings_edit import write as write_settings
from hfea.sources.base import RawMessage, Source
from hfea.sources.registry import KINDS, build, find, keeps_days
from memory_core.model import Role
from memory_core.text import fold

SECONDS_A_MESSAGE = 0.003  # measured: reading, narrating, sealing; see docs/evaluation.md
_SAMPLE = 20_000
_NAME_LINE = re.compile(
    r"(?im)^[\s>*§-]*(?:\*\*)?(?:user(?:'s)? name|name|nome|owner|don[oa])(?:\*\*)?"
    r"\s*[:=]\s*(.+)$"
)
_NAME_SENTENCE = re.compile(
    r"(?i)\b(?:the user(?:'s name)? is|user is called"
    r"|(?:o|a) (?:usuári[oa]|don[oa]) (?:se chama|é))"
    r"\s+((?-i:[A-ZÀ-Ý])[\w'’-]*(?:\s+(?:d[aeo]s?\s+)?(?-i:[A-ZÀ-Ý])[\w'’-]*){0,3})"
)


@dataclass(frozen=True, slots=True)
class Wish:
    """What the owner said on the command line; empty means: look for yourself."""

    file: Path
    timezone: str = ""
    archive: Path | None = None
    home: Path | None = None
    sources: tuple[str, ...] = ()
    since: dt.date | None = None


@dataclass(frozen=True, slots=True)
class Measure:
    """How much one source holds. `days` are local days with messages."""

    kind: str
    path: Path
    messages: int
    days: int
    size: int
    first: dt.date | None
    last: dt.date | None
    keeps: int | None


@dataclass(frozen=True, slots=True)
class Proposal:
    """The settings as they would be written, and what consolidating them will take."""

    file: Path
    settings: Settings
    text: str
    measures: tuple[Measure, ...]
    news: bool

    def as_text(self) -> str:
        """Say it all before anything is done."""
        lines = [f"settings {self.file}" + ("" if self.news else " (there already; kept)")]
        owner = self.settings.owner
        lines += [
            f"zone {self.settings.timezone}, archive {self.settings.archive.path}",
            f"owner {', '.join(owner.names) or '(no name found)'} {' '.join(owner.ids)}".rstrip(),
        ]
        for m in self.measures:
            span = f", {m.first} to {m.last}" if m.first else ""
            size = f"{m.size / 1e6:.1f} MB"
            lines.append(f"{m.kind} {m.path}: {m.messages} messages, {m.days} days{span}, {size}")
            if m.keeps:
                lines.append(f"    it deletes its sessions after {m.keeps} days; it is read first")
        total = sum(m.messages for m in self.measures)
        lines.append(f"in all {total} messages, about {max(1, round(total * SECONDS_A_MESSAGE))} s")
        return "\n".join(lines)


def propose(wish: Wish) -> Proposal:
    """Look around and return what `init` would write; existing settings are kept as they are."""
    try:
        settings, text, news = load(wish.file), wish.file.read_text(encoding="utf-8"), False
    except NoSettings:
        text, news = _text(wish), True
        settings = from_table(tomlkit.parse(text).unwrap(), wish.file)
    zone = ZoneInfo(settings.timezone)
    measures = tuple(
        _measure(s.kind, s.path, build(s.kind, s.path, name=s.name, zone=s.zone), zone)
        for s in settings.sources
    )
    return Proposal(wish.file, settings, text, measures, news)


def write(proposal: Proposal) -> None:
    """Write the settings file; whatever stands there already stays."""
    if not proposal.file.exists():
        write_settings(proposal.file, proposal.text)


def _text(wish: Wish) -> str:
    home = (wish.home or Path("~/.hermes")).expanduser().absolute()
    places = [_given(word) for word in wish.sources] or _found(wish, home)
    document = tomlkit.document()
    document.add(tomlkit.comment("Settings of HFEA; `hfea doctor` explains each."))
    document["timezone"] = wish.timezone or machine_zone()
    names, ids = owner_of(home, [s for kind, path in places for s in build(kind, path)])
    owner = tomlkit.table()
    owner.update({"names": names, "ids": ids, "languages": ["pt-BR", "en"]})
    document["owner"] = owner
    archive = (wish.archive or Path("~/.hermes/episodic-archive")).expanduser().absolute()
    document["archive"] = {"path": str(archive)}
    document["core"] = {"home": str(home), "history_days": 30}
    schedule = {"at": "03:00"} | ({"since": str(wish.since)} if wish.since else {})
    document["schedule"] = schedule
    for kind, path in places:
        add_source(document, {"kind": kind, "path": str(path)})
    return tomlkit.dumps(document)


def _given(word: str) -> tuple[str, Path]:
    kind, _, place = word.partition(":")
    path = Path(place).expanduser().absolute()
    if kind not in KINDS or not place or not path.exists():
        msg = f"--source takes KIND:PATH with a path that exists, KIND one of {', '.join(KINDS)}"
        raise UsageError(msg)
    return kind, path


def _found(wish: Wish, home: Path) -> list[tuple[str, Path]]:
    env = dict(os.environ) | ({"HERMES_HOME": str(home)} if wish.home else {})
    found = [(f.kind, f.path) for f in find(Path.home(), env)]
    if not found:
        msg = "no agent's history was found here; name one with --source KIND:PATH"
        raise UsageError(msg)
    return found


def machine_zone() -> str:
    """Return this machine's IANA zone. Raises UsageError where it is not plain."""
    named = os.environ.get("TZ", "").removeprefix(":")
    link = os.path.realpath("/etc/localtime").partition("/zoneinfo/")[2]
    for name in (named, link):
        try:
            if name and ZoneInfo(name):
                return name
        except (ZoneInfoNotFoundError, ValueError, OSError):
            continue
    msg = "the machine's time zone is not plain; give yours, such as --timezone America/Sao_Paulo"
    raise UsageError(msg)


def owner_of(home: Path, sources: Sequence[Source]) -> tuple[list[str], list[str]]:
    """Propose the owner's names and ids: from USER.md, from who speaks most, from the machine."""
    names = list(dict.fromkeys(_names_in(home / "memories" / "USER.md")))
    said: Counter[str] = Counter()
    ids: Counter[tuple[str, str]] = Counter()
    for raw in _sample(sources):
        if raw.role is Role.USER and raw.author_kind is None and "overheard" not in raw.marks:
            name = raw.author.strip()
            said.update([name] if name else [])
            ids.update([(name, raw.author_id)] if raw.author_id else [])
    names = names or [name for name, _ in said.most_common(1)] or [getpass.getuser()]
    first = {_first(n) for n in names}
    # One person is "Ana" in one place and "Ana Souza" in the next.
    names += [n for n, _ in said.most_common() if _first(n) in first]
    names += [n.split()[0] for n in names if " " in n]
    names = sorted(dict.fromkeys(names), key=lambda n: -len(n.split()))
    own = [i for (name, i), _ in ids.most_common() if name and _first(name) in first]
    likely = [i for (_, i), _ in ids.most_common(1)]
    return names, list(dict.fromkeys([*likely, *own]))


def _first(name: str) -> str:
    return fold(name).split()[0] if name.split() else ""


def _names_in(path: Path) -> Iterator[str]:
    try:
        text = path.read_text(encoding="utf-8", errors="replace")
    except OSError:
        return
    for pattern in (_NAME_LINE, _NAME_SENTENCE):
        for match in pattern.finditer(text):
            name = match.group(1).strip(" .*_`\"'")
            if 0 < len(name) <= 60:  # noqa: PLR2004 - a name, not a sentence
                yield re.split(r"[.;,(]", name)[0].strip()


def _sample(sources: Sequence[Source]) -> Iterator[RawMessage]:
    left = _SAMPLE
    for source in sources:
        for item in source.scan({}):
            if isinstance(item, RawMessage):
                yield item
                left -= 1
                if left <= 0:
                    return


def _measure(kind: str, path: Path, sources: Sequence[Source], zone: ZoneInfo) -> Measure:
    days: set[dt.date] = set()
    messages = 0
    for source in sources:
        for item in source.scan({}):
            if isinstance(item, RawMessage):
                messages += 1
                if item.at is not None:
                    days.add(item.at.astimezone(zone).date())
    return Measure(
        kind,
        path,
        messages,
        len(days),
        _size(path),
        min(days, default=None),
        max(days, default=None),
        keeps_days(kind, path),
    )


def _size(path: Path) -> int:
    if path.is_file():
        return path.stat().st_size
    total = 0
    for folder, _, names in os.walk(path):
        for name in names:
            try:
                total += (Path(folder) / name).lstat().st_size
            except OSError:
                continue
    return total
