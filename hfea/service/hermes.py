"""`hfea hermes install` and `uninstall`: MCP entry, hook plugin, the provider on request."""

from __future__ import annotations

import hashlib
import json
import shutil
import sys
from collections.abc import Iterator
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

from ruamel.yaml.comments import CommentedMap

from hfea.clock import Clock
from hfea.config import Settings
from hfea.errors import UsageError
from hfea.gate import state_folder
from hfea.service import bind, hermes_config
from hfea.service.tokens import FILE_NAME, Scope, Tokens, UnknownToken

PLUGIN = "hfea"
PROVIDER = "hfea-memory"
SERVER = "hfea"
RECORD = "installed.json"  # in the plugin's folder: what was done, to be undone
BACKUP = "config.yaml.before-hfea"
_HERE = Path(__file__).resolve().parent
_COPIES = {
    PLUGIN: {
        "plugin.yaml": _HERE / "hermes_plugin/plugin.yaml",
        "__init__.py": _HERE / "hermes_plugin/__init__.py",
        "link.py": _HERE / "hermes_plugin/link.py",
    },
    PROVIDER: {
        "plugin.yaml": _HERE / "hermes_provider/plugin.yaml",
        "__init__.py": _HERE / "hermes_provider/__init__.py",
        "link.py": _HERE / "hermes_plugin/link.py",
    },
}


@dataclass(frozen=True, slots=True)
class Wanted:
    """What is asked of an installation beyond MCP and hooks."""

    provider: bool = False
    guard: bool = False
    write_approval: bool = False


@dataclass(frozen=True, slots=True)
class Record:
    """What an installation did: enough to take it back and to notice what an update erased."""

    settings: str
    token: str
    wanted: dict[str, bool]
    provider_before: str = ""
    approval_before: dict[str, Any] = field(default_factory=dict)
    hermes_version: str = ""
    config_written: str = ""  # SHA-256 of config.yaml as the installation left it


def folder(home: Path, name: str = PLUGIN) -> Path:
    """Return where a plugin of ours lies in a Hermes home."""
    return home / "plugins" / name


def copies(name: str) -> Iterator[tuple[str, bytes]]:
    """Yield the files of a plugin of ours as this release ships them."""
    for file, source in _COPIES[name].items():
        yield file, source.read_bytes()


def record(home: Path) -> Record | None:
    """Return what the last installation did; None where there is none."""
    try:
        return Record(**json.loads((folder(home) / RECORD).read_text(encoding="utf-8")))
    except (OSError, ValueError, TypeError):
        return None


def install(settings: Settings, home: Path, wanted: Wanted, clock: Clock) -> list[str]:
    """Install or renew; return a line for each thing done. Raises UsageError, Unavailable."""
    if not home.is_dir():
        msg = f"there is no Hermes home at {home}; name it with --home"
        raise UsageError(msg)
    hermes_config.read(home)  # a file that cannot be kept whole is said before anything is done
    old = record(home)
    tokens = Tokens(state_folder(settings) / FILE_NAME)
    number = _put_plugins(settings, home, wanted, (tokens, old, clock))
    before: dict[str, Any] = {}
    first, after = hermes_config.edit(
        home, lambda t: before.update(_configure(t, settings, wanted))
    )
    if old is None and first and first != after:
        hermes_config.put(home / BACKUP, first)
    done = Record(
        settings=str(settings.file),
        token=number,
        wanted=asdict(wanted),
        provider_before=old.provider_before if old else before["provider"],
        approval_before=old.approval_before if old else before["approval"],
        hermes_version=fired(home).get("version", ""),
        config_written=hashlib.sha256(after).hexdigest(),
    )
    _write(folder(home) / RECORD, json.dumps(asdict(done), indent=1))
    lines = _told(home, wanted, before["provider"])
    if not bind.wanted(settings.service):
        lines.append("the plugin asks the daemon: set [service] bind and run `hfea run`")
    return lines


def uninstall(settings: Settings, home: Path, clock: Clock) -> list[str]:
    """Take everything back; return a line for each thing undone. Raises UsageError."""
    old = record(home)
    path = home / hermes_config.FILE
    backup = home / BACKUP
    untouched = (
        old is not None
        and backup.is_file()
        and hashlib.sha256(path.read_bytes()).hexdigest() == old.config_written
    )
    if untouched:
        hermes_config.put(path, backup.read_bytes())
    elif path.exists():
        hermes_config.edit(home, lambda t: _unconfigure(t, old))
    backup.unlink(missing_ok=True)
    lines = ["config.yaml: our entries are gone, everything else is as it was"]
    for name in _COPIES:
        place = folder(home, name)
        if place.is_symlink() or not (place / "plugin.yaml").is_file():
            continue
        shutil.rmtree(place)
        lines.append(f"removed {place}")
    if old is not None:
        try:
            Tokens(state_folder(settings) / FILE_NAME).revoke(old.token, clock.now())
            lines.append(f"revoked token {old.token}")
        except UnknownToken:
            lines.append(f"token {old.token} was revoked already")
    return lines


def fired(home: Path) -> dict[str, Any]:
    """Return the marks the plugin left in the running Hermes: its version, and hooks by time."""
    try:
        found = json.loads((folder(home) / "fired.json").read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return {}
    return found if isinstance(found, dict) else {}


def entry(settings: Settings) -> dict[str, Any]:
    """Return the MCP entry as config.yaml has it."""
    return {
        "command": sys.executable,
        "args": ["-m", "hfea", "--config", str(settings.file), "mcp"],
    }


def _put_plugins(
    settings: Settings, home: Path, wanted: Wanted, keys: tuple[Tokens, Record | None, Clock]
) -> str:
    """Copy the plugins with their link to the daemon; return the id of the token they use."""
    tokens, old, clock = keys
    place = folder(home)
    number, secret = _token(tokens, old, place, clock)
    told = {**_address(settings), "budget_seconds": 1.0, "guard": wanted.guard}
    for name in (PLUGIN, PROVIDER) if wanted.provider else (PLUGIN,):
        target = folder(home, name)
        if target.is_symlink():
            msg = f"{target} is a link; remove it first"
            raise UsageError(msg)
        target.parent.mkdir(exist_ok=True, mode=0o700)
        target.mkdir(exist_ok=True, mode=0o700)
        for file, body in copies(name):
            hermes_config.put(target / file, body)
        _write(target / "link.json", json.dumps(told, indent=1))
        _write(target / "token", secret + "\n")
    return number


def _token(tokens: Tokens, old: Record | None, place: Path, clock: Clock) -> tuple[str, str]:
    """Keep the token of before while it lives, else make one of agent scope."""
    try:
        secret = (place / "token").read_text(encoding="ascii").strip()
    except OSError:
        secret = ""
    known = tokens.check(secret)
    if old is not None and known is not None and known.id == old.token:
        return known.id, secret
    made, secret = tokens.create("hermes", Scope.AGENT, clock.now())
    return made.id, secret


def _address(settings: Settings) -> dict[str, Any]:
    if settings.service.socket is not None:
        return {"socket": str(settings.service.socket)}
    place = bind.place(settings.service, tokens=1)
    host = place.host if bind.is_loopback(place.host) else "127.0.0.1"
    return {"host": host, "port": place.port}


def _configure(table: CommentedMap, settings: Settings, wanted: Wanted) -> dict[str, Any]:
    """Put our entries in; return what stood where they now stand."""
    servers = hermes_config.section(table, "mcp_servers")
    ours = servers.setdefault(SERVER, CommentedMap())
    for key, value in (*entry(settings).items(), ("enabled", True)):
        if ours.get(key) != value:
            ours[key] = value
    ours.setdefault("timeout", 60)
    plugins = hermes_config.section(table, "plugins")
    enabled = hermes_config.names(plugins, "enabled")
    if PLUGIN not in enabled:
        enabled.append(PLUGIN)
    if PLUGIN in (plugins.get("disabled") or []):
        plugins["disabled"].remove(PLUGIN)
    approval = {
        name: (table.get(name) or {}).get("write_approval") for name in ("memory", "skills")
    }
    provider = str((table.get("memory") or {}).get("provider") or "")
    if wanted.provider:
        hermes_config.section(table, "memory")["provider"] = PROVIDER
    if wanted.write_approval:
        for name in approval:
            hermes_config.section(table, name)["write_approval"] = True
    return {"provider": "" if provider == PROVIDER else provider, "approval": approval}


def _unconfigure(table: CommentedMap, old: Record | None) -> None:
    """Take our entries out; what others put beside them stays."""
    servers = table.get("mcp_servers")
    if isinstance(servers, CommentedMap):
        servers.pop(SERVER, None)
        if not servers:
            del table["mcp_servers"]
    plugins = table.get("plugins")
    if isinstance(plugins, CommentedMap) and PLUGIN in (plugins.get("enabled") or []):
        plugins["enabled"].remove(PLUGIN)
    memory = table.get("memory")
    if isinstance(memory, CommentedMap) and memory.get("provider") == PROVIDER:
        memory["provider"] = old.provider_before if old else ""
    if old is None or not old.wanted.get("write_approval"):
        return
    for name, value in old.approval_before.items():
        part = table.get(name)
        if isinstance(part, CommentedMap) and part.get("write_approval") is True:
            if value is None:
                del part["write_approval"]
            else:
                part["write_approval"] = value


def _told(home: Path, wanted: Wanted, before: str) -> list[str]:
    lines = [
        f"config.yaml: mcp_servers.{SERVER} and plugins.enabled",
        f"plugin in {folder(home)} (recall before each answer)",
    ]
    if wanted.provider:
        lines.append(f"memory.provider is {PROVIDER}" + (f", was {before}" if before else ""))
    if wanted.guard:
        lines.append("the agent's memory writes go to the owner's queue")
    if wanted.write_approval:
        lines.append("memory.write_approval and skills.write_approval are on")
    return [*lines, "restart Hermes, say something, then run `hfea hermes verify`"]


def _write(path: Path, text: str) -> None:
    hermes_config.put(path, text.encode())
    path.chmod(0o600)
