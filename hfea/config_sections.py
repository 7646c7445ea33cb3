"""The sections of the settings file: what may be set, with its defaults and its limits."""

from __future__ import annotations

import datetime as dt
import re
from pathlib import Path
from typing import Annotated, Any, Literal
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

from pydantic import AfterValidator, BaseModel, BeforeValidator, ConfigDict, Field, model_validator

from hfea.consolidation.day import parse_day
from hfea.endpoints import checked_url
from memory_core.model import Owner

_CLOCK = re.compile(r"([01]?[0-9]|2[0-3]):[0-5][0-9]")


def _zone(name: str) -> str:
    try:
        ZoneInfo(name)
    except (ZoneInfoNotFoundError, ValueError, OSError) as error:
        msg = f"{name[:60]!a} is no time zone; use an IANA name such as America/Sao_Paulo"
        raise ValueError(msg) from error
    return name


def _clock(value: Any) -> Any:
    if isinstance(value, str):
        if not _CLOCK.fullmatch(value):
            msg = f"{value[:20]!a} is no time of day; write it as HH:MM"
            raise ValueError(msg)
        hour, minute = value.split(":")
        return dt.time(int(hour), int(minute))
    return value


def _day(value: Any) -> Any:
    return parse_day(value) if isinstance(value, str) else value


def _url(value: str) -> str:
    return checked_url(value) if value else ""


Zone = Annotated[str, AfterValidator(_zone)]
ClockTime = Annotated[dt.time, BeforeValidator(_clock)]
Day = Annotated[dt.date, BeforeValidator(_day)]
Url = Annotated[str, AfterValidator(_url)]
SourceKind = Literal["hermes", "claude-code", "openclaw", "codex", "jsonl"]


class Section(BaseModel):
    """Part of the settings: frozen, and no key is accepted that means nothing."""

    model_config = ConfigDict(frozen=True, extra="forbid")


class OwnerSection(Section):
    """The human whose agent it is."""

    names: tuple[str, ...] = ()
    ids: tuple[str, ...] = ()
    languages: tuple[str, ...] = ("pt-BR", "en")

    def value(self) -> Owner:
        """Return the owner as the rooms know them."""
        return Owner(self.names, self.ids, self.languages)


class ArchiveSection(Section):
    """Where the archive lies, and its key (never inside the archive)."""

    path: Path = Path("~/.hermes/episodic-archive")
    key: Path | None = None


class CoreSection(Section):
    """The memory core's home; days of sessions that count as history (0 none)."""

    home: Path = Path("~/.hermes")
    history_days: int = Field(default=30, ge=0, le=100_000)
    facts: Path | None = None
    wiki: tuple[Path, ...] = ()


class SourceSection(Section):
    """One agent home or folder to read. `zone` is for stamps that carry none."""

    kind: SourceKind
    path: Path
    name: str = ""
    zone: Zone | None = None
    paused: bool = False


class ExcludeSection(Section):
    """What never enters the archive: projects, sessions and chats, by name or id."""

    projects: tuple[str, ...] = ()
    sessions: tuple[str, ...] = ()
    chats: tuple[str, ...] = ()


class ScheduleSection(Section):
    """When the night runs: local time, quiet minutes to wait for, and the latest start."""

    at: ClockTime = dt.time(3, 0)
    since: Day | None = None
    idle_minutes: float = Field(default=10, ge=0, le=24 * 60)
    hard_deadline: ClockTime = dt.time(6, 0)


class ServiceSection(Section):
    """Where the HTTP service listens."""

    bind: str = "127.0.0.1:8765"
    socket: Path | None = None
    hosts: tuple[str, ...] = ()
    behind_tls_proxy: bool = False


class FallbackSection(Section):
    """How often an answer of the core alone is checked against the archive afterwards."""

    shadow: float = Field(default=0.0, ge=0, le=1)


class RedactionSection(Section):
    """What is redacted beyond credentials."""

    personal_ids: bool = False


class ModelSection(Section):
    """A model endpoint; the key itself stays in the environment variable `key_env` names."""

    api: Literal["openai", "ollama"] = "openai"
    endpoint: Url = ""
    model: str = ""
    key_env: str = ""
    seconds: float = Field(default=120.0, gt=0, le=3600)
    max_tokens: int = Field(default=2000, gt=0)
    price_in: float = Field(default=0.0, ge=0)
    price_out: float = Field(default=0.0, ge=0)


class NarratorSection(ModelSection):
    """Who writes the day up; budgets are tokens, prices are money per million tokens."""

    kind: Literal["extractive", "llm"] = "extractive"
    tokens_per_night: int = Field(default=400_000, ge=0)
    tokens_per_day: int = Field(default=100_000, ge=0)

    @model_validator(mode="after")
    def _has_an_address(self) -> NarratorSection:
        if self.kind == "llm" and not (self.endpoint and self.model):
            msg = 'kind = "llm" needs endpoint and model as well'
            raise ValueError(msg)
        return self


class EmbeddingsSection(Section):
    """Optional embeddings; `gate` is the lexical coverage above which they are not asked."""

    kind: Literal["none", "local", "ollama", "openai"] = "none"
    endpoint: Url = ""
    model: str = ""
    key_env: str = ""
    gate: float = Field(default=0.9, ge=0, le=1)
    turn_seconds: float = Field(default=2.8, gt=0)
    batch_seconds: float = Field(default=60.0, gt=0)
    batch_characters: int = Field(default=8000, gt=0)
