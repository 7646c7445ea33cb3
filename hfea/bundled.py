"""Where templates and fixtures are: inside an installed package, or at the repository's root."""

from __future__ import annotations

from pathlib import Path

_PACKAGE = Path(__file__).resolve().parent
_PLACES = {"templates": "_templates", "archive_fixtures": "_fixtures"}


def bundled(name: str) -> Path:
    """Return the folder `templates` or `archive_fixtures`, wherever this copy of HFEA keeps it."""
    inside = _PACKAGE / _PLACES[name]
    return inside if inside.is_dir() else _PACKAGE.parent / name
