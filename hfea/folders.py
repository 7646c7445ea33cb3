"""Folders of ours: made 0700, or said why not."""

from __future__ import annotations

from pathlib import Path

from hfea.errors import Unavailable


def make_folder(root: Path) -> None:
    """Make the archive's folder, 0700; raises Unavailable with what to do."""
    try:
        root.mkdir(parents=True, exist_ok=True, mode=0o700)
        if root.stat().st_mode & 0o077:
            root.chmod(0o700)
    except OSError as error:
        msg = f"the archive folder {root} cannot be used ({error.strerror}); `hfea doctor` says why"
        raise Unavailable(msg) from error
