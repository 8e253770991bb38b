"""A mail server on loopback: aiosmtpd, which takes, refuses and puts off what a test asks for."""

import asyncio
import ssl
import warnings
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from email.message import EmailMessage
from email.parser import BytesParser
from email.policy import default
from pathlib import Path
from typing import Any

with warnings.catch_warnings():
    # The package asks asyncio for what newer versions of it do not want to be asked for.
    warnings.simplefilter("ignore")
    from aiosmtpd.smtp import SMTP, AuthResult, Envelope

# A certificate for localhost that nobody signed, and its key.
CERTIFICATE = Path(__file__).parent / "localhost.pem"
USER, PASSWORD = "docs", "p:ss w@rd"


@dataclass
class Mailbox:
    """What a mail server has taken, and what it answers."""

    port: int = 0
    messages: list[EmailMessage] = field(default_factory=list)
    recipients: list[str] = field(default_factory=list)
    # Answers to the next messages, in place of taking them: to the recipient, or to the text.
    to_recipients: list[str] = field(default_factory=list)
    to_data: list[str] = field(default_factory=list)
    arrived: asyncio.Event = field(default_factory=asyncio.Event)
    # Attempts, taken or not.
    attempts: int = 0
    logins: list[bool] = field(default_factory=list)

    async def handle_RCPT(
        self, server: Any, session: Any, envelope: Envelope, address: str, options: list[str]
    ) -> str:
        self.attempts += 1
        if self.to_recipients:
            return self.to_recipients.pop(0)
        envelope.rcpt_tos.append(address)
        return "250 OK"

    async def handle_DATA(self, server: Any, session: Any, envelope: Envelope) -> str:
        if self.to_data:
            return self.to_data.pop(0)
        assert isinstance(envelope.content, bytes)
        message = BytesParser(policy=default).parsebytes(envelope.content)
        assert isinstance(message, EmailMessage)
        self.messages.append(message)
        self.recipients += envelope.rcpt_tos
        self.arrived.set()
        return "250 OK"

    def check(self, server: Any, session: Any, envelope: Any, mechanism: str, data: Any) -> Any:
        right = (data.login, data.password) == (USER.encode(), PASSWORD.encode())
        self.logins.append(right)
        return AuthResult(success=right, handled=right)

    @property
    def url(self) -> str:
        return f"smtp://127.0.0.1:{self.port}?tls=none"

    def text(self, index: int = -1) -> str:
        """The text of a message, as its reader sees it."""
        return str(self.messages[index].get_content())


@asynccontextmanager
async def mail_server(
    *, tls: bool = False, start_tls: bool = False, login: bool = False
) -> AsyncIterator[Mailbox]:
    """A server on a free port; with `login` it takes mail only of who has signed in."""
    box = Mailbox()
    secure = ssl.create_default_context(ssl.Purpose.CLIENT_AUTH)
    secure.load_cert_chain(CERTIFICATE)
    options: dict[str, Any] = {"hostname": "localhost", "enable_SMTPUTF8": True}
    if start_tls:
        options |= {"tls_context": secure, "require_starttls": True}
    if login:
        options |= {"authenticator": box.check, "auth_required": True}
        # It does not know of TLS that was there from the first byte.
        options["auth_require_tls"] = start_tls
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        server = await asyncio.get_running_loop().create_server(
            lambda: SMTP(box, **options), "127.0.0.1", 0, ssl=secure if tls else None
        )
    box.port = server.sockets[0].getsockname()[1]
    try:
        yield box
    finally:
        server.close()
