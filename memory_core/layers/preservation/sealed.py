"""Encrypting a backup with age (age-encryption.org/v1), and opening it again; needs `crypto`."""

from __future__ import annotations

import io
import tarfile
from dataclasses import dataclass
from pathlib import Path
from typing import IO, Any

from memory_core.layers.preservation.model import CannotDecrypt, PreservationError

BLOB, IDENTITY = "data.tar.age", "identity.age"


class NoAge(PreservationError):
    """The extra that encrypts is not installed."""

    def __init__(self) -> None:
        super().__init__('encryption needs the crypto extra: pip install "hfea[crypto]"')


@dataclass(frozen=True, slots=True)
class Lock:
    """How a backup is encrypted: to age recipients (`age1...`), or under a passphrase."""

    recipients: tuple[str, ...] = ()
    passphrase: str = ""


@dataclass(frozen=True, slots=True)
class Key:
    """How an encrypted backup is opened: an age identity (`AGE-SECRET-KEY-1...`) or passphrase."""

    identity: str = ""
    passphrase: str = ""


def encrypt(data: Path, folder: Path, lock: Lock) -> None:
    """Put everything below *data* into one encrypted file in *folder*.

    Under a passphrase, a fresh identity is made and only that is encrypted with it, so that the
    data itself can be streamed. Raises NoAge, PreservationError, OSError.
    """
    age = _age()
    try:
        recipients = [age.x25519.Recipient.from_str(r) for r in lock.recipients]
        if lock.passphrase:
            identity = age.x25519.Identity.generate()
            sealed = age.passphrase.encrypt(str(identity).encode(), lock.passphrase)
            (folder / IDENTITY).write_bytes(sealed)
            (folder / IDENTITY).chmod(0o600)
            recipients.append(identity.to_public())
        if not recipients:
            msg = "give a recipient or a passphrase to encrypt with"
            raise PreservationError(msg)
        tar = folder / "data.tar"
        with tarfile.open(tar, "w") as out:
            for path in sorted(data.rglob("*")):
                if path.is_file():
                    out.add(path, arcname=path.relative_to(data).as_posix(), recursive=False)
        try:
            with tar.open("rb") as plain, (folder / BLOB).open("wb") as closed:
                age.encrypt_io(plain, closed, recipients)
        finally:
            tar.unlink(missing_ok=True)
    except (age.RecipientError, age.EncryptError) as error:
        msg = f"the backup cannot be encrypted: {error}"
        raise PreservationError(msg) from error
    (folder / BLOB).chmod(0o600)


def decrypt(folder: Path, target: Path, key: Key) -> None:
    """Unpack an encrypted backup below *target*. Raises NoAge, CannotDecrypt, OSError."""
    age = _age()
    try:
        identity = age.x25519.Identity.from_str(_identity(age, folder, key).strip())
        plain = target.with_name(target.name + ".tar")
        try:
            with (folder / BLOB).open("rb") as closed, plain.open("wb") as out:
                _decrypted(age, closed, out, identity)
            with tarfile.open(plain) as packed:
                packed.extractall(target, filter="data")
        finally:
            plain.unlink(missing_ok=True)
    except (age.DecryptError, age.IdentityError, tarfile.TarError, UnicodeDecodeError) as error:
        msg = f"the backup {folder.name} does not open: {error}"
        raise CannotDecrypt(msg) from error


def _decrypted(age: Any, closed: IO[bytes], out: IO[bytes], identity: Any) -> None:
    try:
        age.decrypt_io(closed, out, [identity])
    except OSError as error:
        if error.errno is not None:
            raise
        # A chunk that does not authenticate comes out as an OSError without a number.
        msg = f"the backup is damaged: {error}"
        raise CannotDecrypt(msg) from error


def _identity(age: Any, folder: Path, key: Key) -> str:
    if key.identity:
        lines = io.StringIO(key.identity)
        return next((line for line in lines if line.startswith("AGE-SECRET-KEY-")), "")
    if key.passphrase and (folder / IDENTITY).is_file():
        found: bytes = age.passphrase.decrypt((folder / IDENTITY).read_bytes(), key.passphrase)
        return found.decode()
    msg = "the backup is encrypted: give its identity file or passphrase"
    raise CannotDecrypt(msg)


def _age() -> Any:
    try:
        import pyrage  # noqa: PLC0415 - an extra
    except ImportError:
        raise NoAge from None
    return pyrage
