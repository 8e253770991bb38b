"""Sends the mail that waits (resolvers/core/mail.py): a task of each server process."""

import asyncio
import logging
from collections.abc import Callable
from contextlib import AbstractAsyncContextManager

from fetching.smtp import MailServer, deliver
from resolvers.access.outbox import (
    PORTION,
    WaitingMail,
    forget_mail,
    is_mail_due,
    postpone_mail,
    take_mail,
)
from resolvers.core.context import Context
from resolvers.core.runners import read, run

log = logging.getLogger("docstead.mail")
# Between two looks at what waits. People wait for links by which they sign in.
SECONDS = 2.0

OpenOperator = Callable[[], AbstractAsyncContextManager[Context]]


async def keep_sending(
    open_operator: OpenOperator, server: MailServer, seconds: float = SECONDS
) -> None:
    """Send what is due, and look again every `seconds`, until cancelled."""
    while True:
        try:
            while await send_due(open_operator, server) == PORTION:
                pass
        except Exception:
            log.exception("mail could not be sent; the next try is in %d s", seconds)
        await asyncio.sleep(seconds)


async def send_due(open_operator: OpenOperator, server: MailServer) -> int:
    """Send the next portion of what is due; how many messages were tried."""
    async with open_operator() as ctx:
        if not await read(ctx, is_mail_due, ctx.now()):
            return 0
        mails = await run(ctx, take_mail, ctx.now())
    by_id = {mail.id: mail for mail in mails}
    # Each is settled by itself: what is sent twice when a process dies is one message.
    async for sent, outcome in deliver(server, mails):
        mail = by_id[sent.id]
        async with open_operator() as ctx:
            if outcome.sent or outcome.for_good:
                await run(ctx, forget_mail, [mail.id])
            else:
                await run(ctx, postpone_mail, mail, ctx.now())
        if outcome.error is not None:
            _warn(mail, outcome.error, outcome.for_good)
    return len(mails)


def _warn(mail: WaitingMail, error: str, for_good: bool) -> None:
    # Neither the address nor the text: logs are read by more people than mail is.
    domain = mail.recipient.rpartition("@")[2]
    then = "it is not tried again" if for_good else f"attempt {mail.attempts}, it is tried again"
    log.warning("a message to an address at %s was not sent (%s); %s", domain, error, then)
