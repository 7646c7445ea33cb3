"""The settings: one TOML file, HFEA_ environment overrides, frozen, every error a sentence."""

from __future__ import annotations

import difflib
import os
import tomllib
from collections.abc import Mapping
from pathlib import Path
from typing import Any, get_args

from pydantic import BaseModel, PrivateAttr, ValidationError
from pydantic_settings import BaseSettings, PydanticBaseSettingsSource, SettingsConfigDict
from pydantic_settings.exceptions import SettingsError as UnreadableOverride

from hfea.config_sections import (
    ArchiveSection,
    CoreSection,
    EmbeddingsSection,
    ExcludeSection,
    FallbackSection,
    ModelSection,
    NarratorSection,
    OwnerSection,
    RedactionSection,
    ScheduleSection,
    ServiceSection,
    SourceSection,
    Zone,
)
from hfea.errors import UsageError

DEFAULT_FILE = "~/.hermes/hfea.toml"
_SHOWN_ERRORS = 3


class SettingsError(UsageError):
    """The settings file (or an override) needs a correction."""


class NoSettings(SettingsError):
    """There is no settings file yet."""

    def __init__(self, path: Path) -> None:
        super().__init__(f"{path} does not exist; run `hfea init` to write it")


class Settings(BaseSettings):
    """Everything a person can set. Paths are absolute once `load` returns it."""

    model_config = SettingsConfigDict(
        env_prefix="HFEA_", env_nested_delimiter="__", extra="forbid", frozen=True
    )

    timezone: Zone
    owner: OwnerSection = OwnerSection()
    archive: ArchiveSection = ArchiveSection()
    core: CoreSection = CoreSection()
    sources: tuple[SourceSection, ...] = ()
    exclude: ExcludeSection = ExcludeSection()
    schedule: ScheduleSection = ScheduleSection()
    service: ServiceSection = ServiceSection()
    redaction: RedactionSection = RedactionSection()
    fallback: FallbackSection = FallbackSection()
    narrator: NarratorSection = NarratorSection()
    embeddings: EmbeddingsSection = EmbeddingsSection()
    judge: ModelSection = ModelSection()
    _file: Path = PrivateAttr(default=Path())

    @property
    def file(self) -> Path:
        """The settings file these came from."""
        return self._file

    @property
    def key_file(self) -> Path:
        """Where the archive key is: `[archive] key`, or `hfea.key` beside the settings file."""
        return self.archive.key or self._file.parent / "hfea.key"

    @classmethod
    def settings_customise_sources(
        cls,
        settings_cls: type[BaseSettings],  # noqa: ARG003 - the library names them
        init_settings: PydanticBaseSettingsSource,
        env_settings: PydanticBaseSettingsSource,
        dotenv_settings: PydanticBaseSettingsSource,  # noqa: ARG003
        file_secret_settings: PydanticBaseSettingsSource,  # noqa: ARG003
    ) -> tuple[PydanticBaseSettingsSource, ...]:
        """Let the environment win over the file; read nothing else."""
        return env_settings, init_settings


def settings_file(given: Path | None = None) -> Path:
    """Return the absolute settings file: *given*, else HFEA_CONFIG, else the default."""
    return _absolute(given or Path(os.environ.get("HFEA_CONFIG") or DEFAULT_FILE), Path.cwd())


def load(given: Path | None = None) -> Settings:
    """Read the settings; raise a SettingsError (or another UsageError) that says what to do."""
    path = settings_file(given)
    return from_table(_table(path), path)


def from_table(table: Mapping[str, Any], path: Path) -> Settings:
    """Make settings of a parsed TOML *table* as if it stood in *path*; raises SettingsError."""
    try:
        settings = Settings(**table)
    except ValidationError as error:
        raise SettingsError(_explain(error, path)) from error
    except UnreadableOverride as error:
        msg = f"an HFEA_ environment override is not readable: {error}"
        raise SettingsError(msg) from error
    settings = _anchored(settings, path.parent)
    settings._file = path  # noqa: SLF001 - our own private attribute
    _check_places(settings)
    return settings


def _table(path: Path) -> dict[str, Any]:
    try:
        return tomllib.loads(path.read_text(encoding="utf-8"))
    except FileNotFoundError:
        raise NoSettings(path) from None
    except tomllib.TOMLDecodeError as error:
        msg = f"{path} is not valid TOML: {error}"
        raise SettingsError(msg) from error
    except UnicodeDecodeError as error:
        msg = f"{path} is not UTF-8 text (byte {error.start}); save it as UTF-8"
        raise SettingsError(msg) from error
    except OSError as error:
        msg = f"{path} cannot be read: {error.strerror}; check its owner and mode"
        raise SettingsError(msg) from error


def _absolute(path: Path, folder: Path) -> Path:
    try:
        expanded = path.expanduser()
    except RuntimeError as error:
        msg = f"{path} names a home folder that does not exist; write the path out"
        raise SettingsError(msg) from error
    if "\0" in str(expanded):
        msg = f"{str(path)!a} holds a NUL character and is no path"
        raise SettingsError(msg)
    return Path(os.path.normpath(folder / expanded))


def _anchored(settings: Settings, folder: Path) -> Settings:
    """Expand `~` and make relative paths relative to the settings file's folder."""

    def at(path: Path) -> Path:
        return _absolute(path, folder)

    def maybe(path: Path | None) -> Path | None:
        return None if path is None else at(path)

    archive, core, service = settings.archive, settings.core, settings.service
    return settings.model_copy(
        update={
            "archive": archive.model_copy(
                update={"path": at(archive.path), "key": maybe(archive.key)}
            ),
            "core": core.model_copy(
                update={
                    "home": at(core.home),
                    "facts": maybe(core.facts),
                    "wiki": tuple(at(p) for p in core.wiki),
                }
            ),
            "service": service.model_copy(update={"socket": maybe(service.socket)}),
            "sources": tuple(s.model_copy(update={"path": at(s.path)}) for s in settings.sources),
        }
    )


def _check_places(settings: Settings) -> None:
    archive = settings.archive.path
    if archive.exists() and not archive.is_dir():
        msg = f"[archive] path {archive} is a file; name a folder"
        raise SettingsError(msg)
    if settings.key_file.is_relative_to(archive):
        msg = f"the key {settings.key_file} lies inside the archive; set [archive] key elsewhere"
        raise SettingsError(msg)
    for source in settings.sources:
        if source.path == archive or source.path.is_relative_to(archive):
            msg = f"the source {source.path} lies inside the archive {archive}; name another folder"
            raise SettingsError(msg)
    names = [s.name for s in settings.sources if s.name]
    for name in names:
        if names.count(name) > 1:
            msg = f"two [[sources]] are named {name!r}; give each a name of its own"
            raise SettingsError(msg)


def _explain(error: ValidationError, path: Path) -> str:
    sentences = [_sentence(e["loc"], e["type"], e["msg"]) for e in error.errors()]
    more = len(sentences) - _SHOWN_ERRORS
    tail = f" (and {more} more)" if more > 0 else ""
    return f"{path}: {'; '.join(sentences[:_SHOWN_ERRORS])}{tail}"


def _sentence(loc: tuple[int | str, ...], code: str, message: str) -> str:
    place = _place(loc)
    if code == "missing":
        return f"{place} is missing; add it"
    if code == "extra_forbidden":
        valid = sorted(_keys(loc[:-1]))
        near = difflib.get_close_matches(str(loc[-1]), valid, n=1, cutoff=0.0)
        return f"{place} is no setting; the nearest is {near[0]!r} of {', '.join(valid)}"
    return f"{place}: {message.removeprefix('Value error, ')}"


def _place(loc: tuple[int | str, ...]) -> str:
    """Write a place as TOML users know it: `[archive] path`, `[[sources]] 2 kind`."""
    match loc:
        case ():
            return "the settings"
        case (str(section), int(n), *rest):
            return " ".join([f"[[{section}]]", str(n + 1), *map(str, rest)])
        case (str(section), *rest) if section in Settings.model_fields and rest:
            return f"[{section}] {'.'.join(map(str, rest))}"
        case _:
            return ".".join(map(str, loc))


def _keys(loc: tuple[int | str, ...]) -> list[str]:
    """Return the keys that are valid at *loc*."""
    model: type[BaseModel] = Settings
    for part in loc:
        if isinstance(part, int):
            continue
        kind: Any = model.model_fields[part].annotation
        model = next((k for k in get_args(kind) if isinstance(k, type)), kind)
    return list(model.model_fields)
