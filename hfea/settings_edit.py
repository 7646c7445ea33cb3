"""Changing the settings file for its owner: comments, order and spacing stay as they are."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path
from typing import Any

import tomlkit
from tomlkit.exceptions import TOMLKitError

from hfea.config import NoSettings, SettingsError, from_table


def edit(path: Path, change: Callable[[tomlkit.TOMLDocument], None]) -> None:
    """Apply *change* to the file; the result must be valid settings or nothing is written.

    Raises SettingsError (also where the file was edited meanwhile).
    """
    try:
        before = path.read_bytes()
        document = tomlkit.parse(before.decode())
    except FileNotFoundError:
        raise NoSettings(path) from None
    except (TOMLKitError, UnicodeDecodeError, OSError) as error:
        msg = f"{path} cannot be edited: {error}"
        raise SettingsError(msg) from error
    change(document)
    text = tomlkit.dumps(document)
    from_table(document.unwrap(), path)
    if path.read_bytes() != before:
        msg = f"{path} was changed by someone else just now; try again"
        raise SettingsError(msg)
    write(path, text)


def write(path: Path, text: str) -> None:
    """Write the settings file whole or not at all, 0600 where it is new."""
    mode = path.stat().st_mode & 0o777 if path.exists() else 0o600
    path.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
    # A link to a dotfiles repository is followed: the owner's own file is the one to change.
    target = path.resolve()
    draft = target.with_name(f".{target.name}.{os.getpid()}.draft")
    handle = os.open(draft, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC, mode)
    try:
        with os.fdopen(handle, "w", encoding="utf-8") as file:
            file.write(text)
            file.flush()
            os.fsync(file.fileno())
        draft.replace(target)
    finally:
        draft.unlink(missing_ok=True)


def sources(document: tomlkit.TOMLDocument) -> Any:
    """Return the array of `[[sources]]` tables, made where there is none."""
    if "sources" not in document:
        document.add(tomlkit.nl())
        document["sources"] = tomlkit.aot()
    return document["sources"]


def add_source(document: tomlkit.TOMLDocument, values: dict[str, Any]) -> None:
    """Append one `[[sources]]` table."""
    table = tomlkit.table()
    for name, value in values.items():
        table[name] = value
    sources(document).append(table)


def add_to_list(document: tomlkit.TOMLDocument, section: str, name: str, value: str) -> None:
    """Add *value* to the list `[section] name`, once."""
    table = document.setdefault(section, tomlkit.table())
    values = table.setdefault(name, tomlkit.array())
    if value not in values:
        values.append(value)


def take_from_list(document: tomlkit.TOMLDocument, section: str, name: str, value: str) -> bool:
    """Remove *value* from the list `[section] name`; False where it was not there."""
    values = document.get(section, {}).get(name, [])
    if value not in values:
        return False
    values.remove(value)
    return True
