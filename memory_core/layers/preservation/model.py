"""What a backup holds, as values: stores, files with hashes, tables with row counts, a manifest."""

from __future__ import annotations

import datetime as dt
import hashlib
import hmac
import json
from collections.abc import Mapping
from dataclasses import asdict, dataclass, field, replace
from pathlib import Path
from typing import Any

FORMAT = 1
MANIFEST = "manifest.json"
DATA = "data"


class PreservationError(Exception):
    """A backup could not be made, read or restored; the sentence says what to do."""


class Damaged(PreservationError):
    """A backup is not what its manifest says."""


class InTheWay(PreservationError):
    """Something already stands where a restore would write; nothing was restored."""


class CannotDecrypt(PreservationError):
    """The identity or passphrase does not open this backup."""


@dataclass(frozen=True, slots=True)
class Store:
    """One thing to be preserved. `kind` is `sqlite`, `file` or `tree`.

    `root` names the folder it belongs to when it is restored (`home`, `archive`, `state`, ...),
    `place` is its path below that folder, POSIX.
    """

    name: str
    path: Path
    kind: str
    root: str
    place: str


@dataclass(frozen=True, slots=True)
class FileRecord:
    """One preserved file: where it is restored to, its bytes and its hash (SHA-256, hex)."""

    root: str
    place: str
    size: int
    sha256: str
    mode: int


@dataclass(frozen=True, slots=True)
class StoreRecord:
    """One preserved store; `rows` and `faults` are of a database, as they were when copied.

    `missing` says that the store was not there: that is how it is restored too.
    """

    name: str
    kind: str
    files: tuple[FileRecord, ...]
    rows: Mapping[str, int] = field(default_factory=dict)
    schema: int = 0
    faults: tuple[str, ...] = ()
    missing: bool = False


@dataclass(frozen=True, slots=True)
class Answer:
    """What the core answered to one fixed question when the backup was made.

    `digest` is SHA-256 of everything that was found, `asked_at` the time it was asked for.
    """

    question: str
    digest: str
    asked_at: dt.datetime


@dataclass(frozen=True, slots=True)
class Manifest:
    """The list of a backup.

    `head` is (sequence, hex) of the archive's newest seal; `roots` says where each root was, so
    that a restore elsewhere can tell which settings meant it.
    """

    created: dt.datetime
    version: str
    stores: tuple[StoreRecord, ...]
    head: tuple[int, str] = (0, "")
    answers: tuple[Answer, ...] = ()
    roots: Mapping[str, str] = field(default_factory=dict)
    encrypted: bool = False
    blob: FileRecord | None = None
    mac: str = ""

    @property
    def rows(self) -> int:
        """Return how many rows all databases hold together."""
        return sum(n for s in self.stores for n in s.rows.values())

    @property
    def files(self) -> tuple[FileRecord, ...]:
        """Return every preserved file."""
        return tuple(f for s in self.stores for f in s.files)

    def public(self, blob: FileRecord) -> Manifest:
        """Return what may stand unencrypted beside an encrypted backup: no names, no questions."""
        count = StoreRecord("all", "encrypted", (), {"rows": self.rows})
        return replace(
            self, stores=(count,), answers=(), roots={}, encrypted=True, blob=blob, mac=""
        )

    def signed(self, key: bytes) -> Manifest:
        """Return it with HMAC-SHA-256 over all else, so that a forged manifest shows."""
        return replace(self, mac=self._mac(key))

    def is_signed_by(self, key: bytes) -> bool:
        """Whether the manifest is as it was signed."""
        return hmac.compare_digest(self.mac.encode(), self._mac(key).encode())

    def _mac(self, key: bytes) -> str:
        return hmac.new(
            key, b"backup\0" + replace(self, mac="").encode(), hashlib.sha256
        ).hexdigest()

    def encode(self) -> bytes:
        """Return it as JSON, the same bytes for the same manifest."""
        table = asdict(self)
        return json.dumps(
            {"format": FORMAT, **table}, ensure_ascii=False, indent=1, sort_keys=True,
            default=_plain,
        ).encode()  # fmt: skip


def decode(data: bytes) -> Manifest:
    """Read a manifest. Raises Damaged, also for one of a newer HFEA."""
    try:
        table = json.loads(data)
        if table["format"] != FORMAT:
            msg = f"the backup has format {table['format']}, this HFEA knows {FORMAT}"
            raise Damaged(msg)
        return Manifest(
            created=dt.datetime.fromisoformat(table["created"]),
            version=table["version"],
            stores=tuple(_store(s) for s in table["stores"]),
            head=(int(table["head"][0]), str(table["head"][1])),
            answers=tuple(
                Answer(a["question"], a["digest"], dt.datetime.fromisoformat(a["asked_at"]))
                for a in table["answers"]
            ),
            roots=dict(table["roots"]),
            encrypted=bool(table["encrypted"]),
            blob=FileRecord(**table["blob"]) if table["blob"] else None,
            mac=table["mac"],
        )
    except (ValueError, KeyError, TypeError, IndexError, UnicodeDecodeError) as error:
        msg = f"the manifest cannot be read: {error}"
        raise Damaged(msg) from error


def _store(table: dict[str, Any]) -> StoreRecord:
    files = tuple(FileRecord(**f) for f in table["files"])
    return StoreRecord(**{**table, "files": files, "faults": tuple(table["faults"])})


def _plain(value: object) -> str:
    return value.isoformat() if isinstance(value, dt.datetime) else str(value)
