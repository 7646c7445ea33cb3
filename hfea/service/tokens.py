"""Bearer tokens: 256 random bits each, only their SHA-256 kept, in one private file."""

from __future__ import annotations

import datetime as dt
import fcntl
import hashlib
import hmac
import json
import os
import re
import secrets
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from dataclasses import asdict, dataclass, replace
from enum import StrEnum
from pathlib import Path

from hfea.errors import UsageError

FILE_NAME = "tokens.json"
PREFIX = "hfea_"
_SHAPE = re.compile(r"hfea_[A-Za-z0-9_-]{43}")
_NAME = re.compile(r"[\w .@-]{1,60}")


class Scope(StrEnum):
    """What a token opens; the maintainer may do everything an agent may."""

    AGENT = "agent"
    MAINTAINER = "maintainer"

    def covers(self, other: Scope) -> bool:
        """Whether this scope may do what *other* asks for."""
        return self is other or self is Scope.MAINTAINER


class UnknownToken(UsageError):
    """There is no live token of that id."""


class TokensUnreadable(UsageError):
    """The token file is damaged, or others may write it."""


@dataclass(frozen=True, slots=True)
class Token:
    """One token as it is stored: never the token itself."""

    id: str
    name: str
    scope: Scope
    digest: str
    created: str
    revoked: str = ""

    @property
    def live(self) -> bool:
        """Whether it still opens anything."""
        return not self.revoked


class Tokens:
    """The tokens of one settings file; several processes may look and one at a time may write."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self._stamp: tuple[int, int, int] | None = None
        self._known: tuple[Token, ...] = ()

    def all(self) -> tuple[Token, ...]:
        """Return every token, revoked ones too; reads the file again only if it changed.

        Raises TokensUnreadable.
        """
        try:
            seen = self._path.stat()
        except FileNotFoundError:
            return ()
        if seen.st_mode & 0o077:
            msg = f"{self._path} is open to others (mode {seen.st_mode & 0o777:o}); chmod 600 it"
            raise TokensUnreadable(msg)
        stamp = seen.st_ino, seen.st_mtime_ns, seen.st_size
        if stamp != self._stamp:
            self._known, self._stamp = self._read(), stamp
        return self._known

    def check(self, given: str) -> Token | None:
        """Return the live token whose secret is *given*; the time taken does not tell which."""
        if not _SHAPE.fullmatch(given):
            return None
        digest, found = _digest(given), None
        for token in self.all():
            if hmac.compare_digest(token.digest, digest) and token.live:
                found = token
        return found

    def create(self, name: str, scope: Scope, at: dt.datetime) -> tuple[Token, str]:
        """Make a token; return it and its secret, which is shown once and kept nowhere.

        Raises UsageError for a name that is not 1 to 60 plain characters.
        """
        if not _NAME.fullmatch(name):
            msg = "a token's name is 1 to 60 letters, digits, spaces or . @ _ -"
            raise UsageError(msg)
        secret = PREFIX + secrets.token_urlsafe(32)
        token = Token(
            secrets.token_hex(4), name, scope, _digest(secret), at.isoformat(timespec="seconds")
        )
        with self._writing():
            self._write((*self._read(), token))
        return token, secret

    def revoke(self, number: str, at: dt.datetime) -> Token:
        """Close a token for good. Raises UnknownToken."""
        with self._writing():
            before = self._read()
            found = next((t for t in before if t.id == number and t.live), None)
            if found is None:
                msg = f"no live token has the id {number[:20]!a}; `hfea token list` shows them"
                raise UnknownToken(msg)
            closed = replace(found, revoked=at.isoformat(timespec="seconds"))
            self._write(closed if t is found else t for t in before)
        return closed

    @contextmanager
    def _writing(self) -> Iterator[None]:
        self._path.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
        lock = os.open(f"{self._path}.lock", os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
        try:
            fcntl.flock(lock, fcntl.LOCK_EX)
            yield
        finally:
            os.close(lock)

    def _read(self) -> tuple[Token, ...]:
        try:
            rows = json.loads(self._path.read_text(encoding="utf-8"))["tokens"]
            return tuple(Token(**{**row, "scope": Scope(row["scope"])}) for row in rows)
        except FileNotFoundError:
            return ()
        except (OSError, ValueError, TypeError, KeyError) as error:
            msg = f"{self._path} cannot be read as tokens ({type(error).__name__}); remove it"
            raise TokensUnreadable(f"{msg} and make new ones") from error

    def _write(self, tokens: Iterable[Token]) -> None:
        body = json.dumps({"tokens": [asdict(t) for t in tokens]}, ensure_ascii=False, indent=1)
        draft = self._path.with_name(f".{self._path.name}.{os.getpid()}.draft")
        draft.unlink(missing_ok=True)
        handle = os.open(draft, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
        with os.fdopen(handle, "w", encoding="utf-8") as file:
            file.write(body)
            file.flush()
            os.fsync(file.fileno())
        draft.replace(self._path)


def _digest(secret: str) -> str:
    # One round is enough: the secret has 256 random bits, there is nothing to guess.
    return hashlib.sha256(secret.encode()).hexdigest()
