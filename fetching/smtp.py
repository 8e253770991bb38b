"""Sending mail through the operator's mail server, by SMTP.

Its address is a setting, not a caller's, so it may be anywhere. A password is sent only where
nobody can read it: over TLS, or to this machine.
"""

from __future__ import annotations

import asyncio
import datetime as dt
import re
import ssl
from collections.abc import AsyncIterator, Sequence
from dataclasses import dataclass, field
from email.errors import HeaderParseError, MessageError
from email.headerregistry import Address, HeaderRegistry, UnstructuredHeader
from email.message import EmailMessage
from email.policy import SMTP as SMTP_POLICY, Policy
from email.utils import format_datetime
from enum import Enum
from importlib import import_module
from typing import TYPE_CHECKING, Protocol
from urllib.parse import parse_qsl, unquote, urlsplit

if TYPE_CHECKING:
    import aiosmtplib

SECONDS = 20.0
REFUSED_FOR_GOOD = 500
_ADDRESS = r"[^\s<>@,;:\"]+@[^\s<>@,;:\"]+"
_SENDER = re.compile(rf'\s*(?:"?([^"<>@,;:]*?)"?\s*<({_ADDRESS})>|({_ADDRESS}))\s*')
_LOOPBACK = ("localhost", "127.0.0.1", "::1")


class _WholeLine(UnstructuredHeader):
    """A header of one address: longer than a line it would be encoded, which no program reads."""

    def fold(self, *, policy: Policy) -> str:
        return f"{self.name}: {self}{policy.linesep}"  # type: ignore[attr-defined]


_HEADERS = HeaderRegistry()
_HEADERS.map_to_type("list-unsubscribe", _WholeLine)  # type: ignore[arg-type]
_POLICY = SMTP_POLICY.clone(header_factory=_HEADERS)


class Encryption(Enum):
    """How the connection is protected."""

    # From its first byte.
    TLS = "tls"
    # Asked for by the first command; a server that cannot do so gets no mail.
    STARTTLS = "starttls"
    NONE = "none"


class SmtpAddressError(ValueError):
    """What is wrong with the address of a mail server or of a sender."""


@dataclass(frozen=True, slots=True)
class MailServer:
    """The operator's mail server, and who the messages are from."""

    host: str
    port: int
    encryption: Encryption
    user: str | None
    password: str | None = field(repr=False)
    sender: Address

    @classmethod
    def read(cls, url: str, sender: str) -> MailServer:
        """The server of `smtp://USER:PASSWORD@HOST:PORT` or `smtps://…`; SmtpAddressError."""
        try:
            parts = urlsplit(url)
            port, host = parts.port, parts.hostname
        except ValueError:
            raise SmtpAddressError("it is not an address") from None
        if parts.scheme not in {"smtp", "smtps"} or not host or parts.path not in {"", "/"}:
            raise SmtpAddressError("it must be like smtp://USER:PASSWORD@mail.example.com:587")
        encryption = Encryption.TLS if parts.scheme == "smtps" else Encryption.STARTTLS
        for name, value in parse_qsl(parts.query, keep_blank_values=True):
            if (name, value) != ("tls", "none") or encryption is Encryption.TLS:
                raise SmtpAddressError("of parameters only `?tls=none` is known, for smtp://")
            encryption = Encryption.NONE
        user = None if parts.username is None else unquote(parts.username)
        password = None if parts.password is None else unquote(parts.password)
        if user is not None and encryption is Encryption.NONE and host not in _LOOPBACK:
            raise SmtpAddressError("a password is not sent without TLS; leave `?tls=none` away")
        return cls(
            host,
            port or (465 if encryption is Encryption.TLS else 587),
            encryption,
            user,
            password,
            read_sender(sender),
        )


def read_sender(text: str) -> Address:
    """A sender such as `Docs <docs@example.com>`; SmtpAddressError for anything else."""
    match = _SENDER.fullmatch(text)
    try:
        if match is None or not text.isprintable():
            raise ValueError(text)
        return Address(match[1] or "", addr_spec=match[2] or match[3])
    except (ValueError, IndexError, MessageError):
        raise SmtpAddressError("it must be like Docs <docs@example.com>") from None


class Mail(Protocol):
    """A message as it waits."""

    @property
    def id(self) -> str: ...
    @property
    def recipient(self) -> str: ...
    @property
    def subject(self) -> str: ...
    @property
    def text(self) -> str: ...
    @property
    def html(self) -> str | None: ...
    @property
    def unsubscribe_url(self) -> str | None: ...
    @property
    def created_at(self) -> dt.datetime: ...


@dataclass(frozen=True, slots=True)
class Outcome:
    """What became of a message: sent, or an error, which may be for good."""

    error: str | None = None
    for_good: bool = False

    @property
    def sent(self) -> bool:
        return self.error is None


async def deliver(
    server: MailServer, mails: Sequence[Mail], seconds: float = SECONDS
) -> AsyncIterator[tuple[Mail, Outcome]]:
    """Send messages over one connection; what became of each, as soon as that is known.

    When the server cannot be reached or does not let us in, that is the outcome of all that are
    left: each may be sent later.
    """
    # It takes longer than an event loop may wait.
    await asyncio.to_thread(import_module, "aiosmtplib")
    import aiosmtplib

    client = _client(server, seconds)
    left = list(mails)
    try:
        await client.connect()
        while left:
            outcome = await _send(client, server, left[0])
            yield left.pop(0), outcome
    except (aiosmtplib.SMTPException, OSError) as error:
        for mail in left:
            yield mail, Outcome(_said(error))
    finally:
        client.close()


def _client(server: MailServer, seconds: float) -> aiosmtplib.SMTP:
    import aiosmtplib

    encrypted = server.encryption is not Encryption.NONE
    return aiosmtplib.SMTP(
        hostname=server.host,
        port=server.port,
        username=server.user,
        password=server.password,
        timeout=seconds,
        use_tls=server.encryption is Encryption.TLS,
        start_tls=server.encryption is Encryption.STARTTLS,
        tls_context=ssl.create_default_context() if encrypted else None,
    )


async def _send(client: aiosmtplib.SMTP, server: MailServer, mail: Mail) -> Outcome:
    import aiosmtplib

    try:
        message = compose(server, mail)
    except (ValueError, MessageError, HeaderParseError) as error:
        return Outcome(f"it is no message: {error}", for_good=True)
    try:
        await client.send_message(
            message, sender=server.sender.addr_spec, recipients=[str(message["To"])]
        )
    except aiosmtplib.SMTPRecipientsRefused as error:
        codes = [refusal.code for refusal in error.recipients]
        return Outcome(_said(error.recipients[0]), all(code >= REFUSED_FOR_GOOD for code in codes))
    except aiosmtplib.SMTPDataError as error:
        return Outcome(_said(error), error.code >= REFUSED_FOR_GOOD)
    except aiosmtplib.SMTPNotSupported as error:
        return Outcome(_said(error), for_good=True)
    except aiosmtplib.SMTPResponseException as error:
        # Of the sender, or of the session: the operator may mend it.
        return Outcome(_said(error))
    return Outcome()


def compose(server: MailServer, mail: Mail) -> EmailMessage:
    """The message as it is sent; ValueError for what would be more than one header."""
    local, _, domain = mail.recipient.rpartition("@")
    host = domain if domain.isascii() else domain.encode("idna").decode()
    message = EmailMessage(policy=_POLICY)
    message["From"] = server.sender
    message["To"] = Address(addr_spec=f"{local}@{host}")
    message["Subject"] = mail.subject
    message["Date"] = format_datetime(mail.created_at)
    # The same for each attempt, so that whoever gets it twice can tell.
    message["Message-ID"] = f"<{mail.id}@{server.sender.domain}>"
    message["Auto-Submitted"] = "auto-generated"
    if mail.unsubscribe_url is not None and mail.unsubscribe_url.isascii():
        message["List-Unsubscribe"] = f"<{mail.unsubscribe_url}>"
        message["List-Unsubscribe-Post"] = "List-Unsubscribe=One-Click"
    message.set_content(mail.text, cte="quoted-printable")
    if mail.html is not None:
        message.add_alternative(mail.html, subtype="html", cte="quoted-printable")
    return message


def _said(error: Exception) -> str:
    """What a server has answered, for the log: on one line, and not all of a long text."""
    text = f"{getattr(error, 'code', '')} {getattr(error, 'message', '') or error}".strip()
    text = "".join(character if character.isprintable() else " " for character in text)
    return f"{type(error).__name__}: {text}"[:300]
