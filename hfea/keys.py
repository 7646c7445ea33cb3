"""The archive key: outside the archive, 0600, made once and durably."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path

from hfea.errors import HfeaError, UsageError

KEY_BYTES = 32


class KeyMissing(HfeaError):
    """The key of an existing archive is not where the settings say it is."""

    def __init__(self, path: Path) -> None:
        super().__init__(
            f"the archive key {path} is missing; put it back from a backup: without it nothing"
            " new can be sealed and old seals cannot be checked"
        )


class KeyUnusable(UsageError):
    """The key file cannot be read or is not a key."""

    def __init__(self, path: Path, why: str) -> None:
        super().__init__(f"the archive key {path} {why}")


def load(path: Path) -> bytes:
    """Return the key. Raises KeyMissing, KeyUnusable (which names a too open mode)."""
    try:
        mode = path.stat().st_mode & 0o777
        text = path.read_text(encoding="ascii")
    except FileNotFoundError:
        raise KeyMissing(path) from None
    except (OSError, UnicodeDecodeError) as error:
        raise KeyUnusable(path, f"cannot be read: {error}") from error
    if mode & 0o077:
        raise KeyUnusable(path, f"is readable by others (mode {mode:o}); run chmod 600 on it")
    try:
        key = bytes.fromhex(text.strip())
    except ValueError:
        raise KeyUnusable(path, "is not 64 hexadecimal digits") from None
    if len(key) != KEY_BYTES:
        raise KeyUnusable(path, "is not 64 hexadecimal digits")
    return key


def load_or_create(
    path: Path, *, archive_exists: bool, entropy: Callable[[int], bytes] = os.urandom
) -> bytes:
    """Return the key, making one where there is none yet.

    A new key for an archive that has sealed days would make every seal look forged, so that is
    KeyMissing instead.
    """
    if path.exists():
        return load(path)
    if archive_exists:
        raise KeyMissing(path)
    path.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
    draft = path.with_name(f".{path.name}.{os.getpid()}.draft")
    fd = os.open(draft, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    try:
        with os.fdopen(fd, "w", encoding="ascii") as f:
            f.write(entropy(KEY_BYTES).hex() + "\n")
            f.flush()
            os.fsync(f.fileno())
        try:
            os.link(draft, path)  # fails where another process was first: its key counts
        except FileExistsError:
            return load(path)
        _sync(path.parent)
    finally:
        draft.unlink(missing_ok=True)
    return load(path)


def _sync(folder: Path) -> None:
    fd = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(fd)
    finally:
        os.close(fd)
