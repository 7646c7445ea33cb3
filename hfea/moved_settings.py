"""Settings of a restored home: the same owner and choices, other places."""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import tomlkit

from hfea.gate import STATE_FOLDER
from hfea.settings_edit import write

SETTINGS_FILE, KEY_FILE = "hfea.toml", "hfea.key"


@dataclass(frozen=True, slots=True)
class Layout:
    """Where a restore puts each root below one folder, or where the caller wants it."""

    settings: Path
    home: Path
    archive: Path

    @classmethod
    def below(cls, into: Path, *, home: Path | None = None, archive: Path | None = None) -> Layout:
        """Return the layout of a restore into *into*."""
        return cls(into, home or into / "home", archive or into / "archive")

    def roots(self, names: Mapping[str, str]) -> dict[str, Path]:
        """Return the folder of every root a manifest may name."""
        found = {
            "settings": self.settings,
            "state": self.settings / STATE_FOLDER,
            "home": self.home,
            "archive": self.archive,
            "facts": self.settings / "facts",
        }
        found |= {f"wiki-{n}": self.settings / f"wiki-{n}" for n in range(len(names) + 64)}
        return found


def rewrite(layout: Layout, was: Mapping[str, str]) -> Path:
    """Point the restored settings file at the restored places; return it.

    *was* says where each root used to be, as the manifest recorded it; a source below the old
    home is now below the new one, other sources stay where they are. Raises OSError.
    """
    path = layout.settings / SETTINGS_FILE
    document = tomlkit.parse(path.read_text(encoding="utf-8"))
    core = _section(document, "core")
    written_home = str(core.get("home", ""))
    core["home"] = str(layout.home)
    if core.get("wiki"):
        core["wiki"] = [str(layout.settings / f"wiki-{n}") for n in range(len(core["wiki"]))]
    if core.get("facts"):
        core["facts"] = str(layout.settings / "facts" / Path(str(core["facts"])).name)
    archive = _section(document, "archive")
    archive["path"] = str(layout.archive)
    if "key" in archive:
        archive["key"] = str(layout.settings / KEY_FILE)
    for source in document.get("sources", ()):
        moved = _moved(str(source["path"]), written_home, was.get("home", ""), layout.home)
        if moved is not None:
            source["path"] = str(moved)
    write(path, tomlkit.dumps(document))
    return path


def _section(document: tomlkit.TOMLDocument, name: str) -> Any:
    if name not in document:
        document[name] = tomlkit.table()
    return document[name]


def _moved(path: str, written: str, was: str, now: Path) -> Path | None:
    """Return where a source below the old home is now; None for one that is elsewhere."""
    for old in filter(None, (written, was, "~/.hermes" if not written else "")):
        if path == old or path.startswith(old.rstrip("/") + "/"):
            return Path(os.path.normpath(now / path[len(old.rstrip("/")) :].lstrip("/")))
    return None
