"""Changing one file of a skill or of the wiki: inside its folder, atomically, as it was seen."""

from __future__ import annotations

import os
import tempfile
from pathlib import Path

_NEW_MODE = 0o600


class FileChanged(Exception):
    """The file does not hold what the change was made for; it was left alone."""


class OutsideFolder(Exception):
    """The path leads out of the folder, or through a link; nothing was touched."""


def place(root: Path, relative: str) -> Path:
    """Return the file that *relative* names below *root*. Raises OutsideFolder."""
    path = root / relative
    for part in (path, *path.parents):
        if part == root:
            break
        if part.is_symlink():
            raise OutsideFolder(f"{part} is a link; name the file itself")
    if not path.resolve().is_relative_to(root.resolve()) or path.resolve() == root.resolve():
        raise OutsideFolder(f"{relative} lies outside {root}")
    return path


def read(root: Path, relative: str) -> bytes | None:
    """Return a file's bytes; None where it is not there. Raises OutsideFolder, OSError."""
    path = place(root, relative)
    return path.read_bytes() if path.is_file() else None


def change(root: Path, relative: str, *, seen: bytes | None, data: bytes | None) -> None:
    """Give a file new bytes (None: take it away), if it still holds what was *seen*.

    Raises FileChanged, OutsideFolder, OSError.
    """
    path = place(root, relative)
    if read(root, relative) != seen:
        raise FileChanged(f"{path} was written since this change was shown; propose it again")
    if data is None:
        path.unlink()
        return
    path.parent.mkdir(parents=True, exist_ok=True)
    mode = path.stat().st_mode & 0o7777 if path.exists() else _NEW_MODE
    fd, name = tempfile.mkstemp(dir=path.parent, prefix=".hfea_", suffix=".tmp")
    draft = Path(name)
    try:
        with os.fdopen(fd, "wb") as f:
            os.fchmod(f.fileno(), mode)
            f.write(data)
            f.flush()
            os.fsync(f.fileno())
        draft.replace(path)
    except BaseException:
        draft.unlink(missing_ok=True)
        raise
    folder = os.open(path.parent, os.O_RDONLY | os.O_DIRECTORY)
    try:
        os.fsync(folder)
    finally:
        os.close(folder)
