"""Secrets of others that the server has to read again: sealed with a key outside the database.

Whoever has the database alone, or a backup of it, cannot open them.
"""

from __future__ import annotations

import base64
import hashlib
import os
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from content.late_modules import LateModule

if TYPE_CHECKING:
    from cryptography import fernet
else:
    fernet = LateModule("cryptography.fernet")


FILE_NAME = "secret.key"
# Before what is sealed, where callers choose what may have been stored as it is: nothing that they
# may choose has a blank.
MARK = "sealed "


class UnsealedError(Exception):
    """What was sealed cannot be opened: the key has changed, or its time is over."""


class Sealer:
    """Seals texts, and opens what it has sealed. The key is read when it is first needed.

    `former` are keys that nothing is sealed with any more; what was, still opens.
    """

    def __init__(self, read_key: Callable[[], bytes], former: Sequence[bytes] = ()) -> None:
        self._read_key = read_key
        self._former = former
        self._newest: fernet.Fernet | None = None
        self._fernet: fernet.MultiFernet | None = None

    def _key(self) -> fernet.MultiFernet:
        if self._fernet is None:
            self._newest = _fernet_of(self._read_key())
            self._fernet = fernet.MultiFernet([self._newest, *map(_fernet_of, self._former)])
        return self._fernet

    def seal(self, text: str) -> str:
        """A text that only this key opens."""
        return self._key().encrypt(text.encode()).decode()

    def open(self, sealed: str, *, seconds: int | None = None) -> str:
        """What was sealed, at most so many seconds ago; UnsealedError otherwise."""
        try:
            return self._key().decrypt(sealed.encode(), ttl=seconds).decode()
        except fernet.InvalidToken as error:
            raise UnsealedError("it cannot be opened with this server's key") from error

    def renew(self, sealed: str) -> str:
        """What was sealed with a former key, sealed with the key of today; its time stays.

        The same text where that key has sealed it; UnsealedError when none of the keys opens it.
        """
        keys = self._key()
        assert self._newest is not None
        try:
            self._newest.decrypt(sealed.encode())
        except fernet.InvalidToken:
            pass
        else:
            return sealed
        try:
            return keys.rotate(sealed.encode()).decode()
        except fernet.InvalidToken as error:
            raise UnsealedError("it cannot be opened with this server's key") from error


def marked(sealer: Sealer, text: str) -> str:
    """A text that callers choose, sealed."""
    return MARK + sealer.seal(text)


def opened_mark(sealer: Sealer, stored: str) -> str:
    """What was chosen; a version before this one has stored it as it is. UnsealedError for what
    another key has sealed."""
    return sealer.open(stored.removeprefix(MARK)) if stored.startswith(MARK) else stored


def renewed_mark(sealer: Sealer, stored: str) -> str:
    """The same sealed with the key of today; UnsealedError when none of the keys opens it."""
    if not stored.startswith(MARK):
        return marked(sealer, stored)
    return MARK + sealer.renew(stored.removeprefix(MARK))


def _fernet_of(key: bytes) -> fernet.Fernet:
    digest = hashlib.sha256(b"docstead seals\0" + key).digest()
    return fernet.Fernet(base64.urlsafe_b64encode(digest))


def key_of(setting: str, folder: Path) -> Callable[[], bytes]:
    """Where the key comes from: the setting, else a file in the folder, made when it is missing."""
    return lambda: setting.encode() if setting else _key_in(folder / FILE_NAME)


def _key_in(file: Path) -> bytes:
    try:
        return file.read_bytes()
    except FileNotFoundError:
        pass
    file.parent.mkdir(parents=True, exist_ok=True)
    new = file.with_name(f"{FILE_NAME}.{os.getpid()}.{os.urandom(4).hex()}")
    descriptor = os.open(new, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    try:
        with os.fdopen(descriptor, "wb") as out:
            out.write(base64.urlsafe_b64encode(os.urandom(32)))
            out.flush()
            os.fsync(out.fileno())
        # Of several processes the first one counts.
        os.link(new, file)
    except FileExistsError:
        pass
    finally:
        os.unlink(new)
    return file.read_bytes()
