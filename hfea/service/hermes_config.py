"""Hermes's config.yaml, changed in place: comments, keys and quotes that are not ours stay."""

from __future__ import annotations

import io
import os
import re
from collections.abc import Callable, MutableMapping
from pathlib import Path
from typing import Any

from ruamel.yaml import YAML
from ruamel.yaml.comments import CommentedMap, CommentedSeq
from ruamel.yaml.error import YAMLError

from hfea.errors import Unavailable, UsageError

FILE = "config.yaml"
_TRIES = 5
# A key, and below it (comments aside) a list that is two columns further in.
_INDENTED = re.compile(
    rb"(?m)^( *)[^\s#-][^\n]*:[ \t]*(?:#[^\n]*)?\n(?:[ \t]*(?:#[^\n]*)?\n)*\1  - "
)
Edit = Callable[[CommentedMap], None]


def read(home: Path) -> CommentedMap:
    """Return the configuration; empty where there is none. Raises UsageError, naming the file."""
    return _parse(_bytes(home / FILE), home / FILE)


def edit(home: Path, change: Edit) -> tuple[bytes, bytes]:
    """Apply *change*; return the bytes before and after. Somebody else's writing is not lost.

    Raises UsageError for a file that is no mapping or no YAML; it is left as it was.
    """
    path = home / FILE
    for _ in range(_TRIES):
        before = _bytes(path)
        table = _parse(before, path)
        change(table)
        after = _dump(table, before)
        if after == before:
            return before, before
        if _bytes(path) == before:
            put(path, after)
            return before, after
    msg = f"{path} is being written by another program; try again"
    raise Unavailable(msg)


def put(path: Path, body: bytes) -> None:
    """Replace a file in one step, keeping its mode (0600 for a new one)."""
    draft = path.with_name(f".{path.name}.{os.getpid()}.hfea")
    draft.unlink(missing_ok=True)
    mode = path.stat().st_mode & 0o777 if path.exists() else 0o600
    handle = os.open(draft, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    with os.fdopen(handle, "wb") as file:
        file.write(body)
        file.flush()
        os.fsync(file.fileno())
    draft.chmod(mode)
    draft.replace(path)


def section(table: MutableMapping[str, Any], name: str) -> CommentedMap:
    """Return a mapping below *table*, made where there is none. Raises UsageError."""
    found = table.get(name)
    if found is None:
        found = table[name] = CommentedMap()
    if not isinstance(found, CommentedMap):
        msg = f"{name} in Hermes's config.yaml is no mapping; correct it first"
        raise UsageError(msg)
    return found


def names(table: MutableMapping[str, Any], name: str) -> CommentedSeq:
    """Return a list below *table*, made where there is none. Raises UsageError."""
    found = table.get(name)
    if found is None:
        found = table[name] = CommentedSeq()
    if not isinstance(found, CommentedSeq):
        msg = f"{name} in Hermes's config.yaml is no list; correct it first"
        raise UsageError(msg)
    return found


def _bytes(path: Path) -> bytes:
    try:
        return path.read_bytes()
    except FileNotFoundError:
        return b""


def _yaml(before: bytes) -> YAML:
    yaml = YAML(typ="rt")
    yaml.preserve_quotes = True
    yaml.width = 100_000  # lines are not wrapped anew
    yaml.allow_unicode = True
    if not before.strip() or _INDENTED.search(before):
        yaml.indent(mapping=2, sequence=4, offset=2)
    return yaml


def _parse(body: bytes, path: Path) -> CommentedMap:
    try:
        table = _yaml(body).load(body.decode("utf-8"))
    except (YAMLError, UnicodeDecodeError) as error:
        where = " ".join(str(error).split())[:200]
        msg = f"{path} is no YAML that can be kept whole: {where}"
        raise UsageError(msg) from error
    if table is None:
        return CommentedMap()
    if not isinstance(table, CommentedMap):
        msg = f"{path} holds no mapping; correct it first"
        raise UsageError(msg)
    return table


def _dump(table: CommentedMap, before: bytes) -> bytes:
    out = io.BytesIO()
    _yaml(before).dump(table, out)
    if not table:
        return before
    only_comments = _yaml(before).load(before.decode("utf-8")) is None
    head = before.rstrip() + b"\n" if before.strip() and only_comments else b""
    return head + out.getvalue()
