"""Names that editors and sync tools leave for a moment, or for ever (case O13)."""

from __future__ import annotations

import re

_TEMPORARY = re.compile(
    r"\.~lock\..*|\..*\.sw[a-z]|4913|.*~|#.*#|\..*\.(draft|tmp)|.*\.(tmp|part|partial|crdownload|swp)"
    r"|\.goutputstream-.*|\.syncthing\..*|~syncthing~.*|sed[A-Za-z0-9]{6}|\.fuse_hidden.*|\.nfs.*"
    r"|.*-(wal|shm|journal)"
)
_CONFLICT = re.compile(r"(?i).*(\.sync-conflict-|conflicted copy|cópia em conflito).*")


def temporary(name: str) -> bool:
    """Return whether a file name is an editor's or a sync tool's passing state."""
    return bool(_TEMPORARY.fullmatch(name))


def conflict_copy(name: str) -> bool:
    """Return whether a file name is a sync tool's conflict copy."""
    return bool(_CONFLICT.fullmatch(name))
