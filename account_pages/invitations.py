"""The page of an invitation: what it gives, and joining by it."""

import logging
from collections.abc import Callable
from contextlib import AbstractContextManager
from http import HTTPStatus
from typing import Any
from urllib.parse import quote

from starlette.responses import Response
from strawberry import ID

from account_pages.cookies import set_session
from account_pages.html import button, facts, field, form, notice, paragraph
from account_pages.visits import Visit, without_path
from content.html.markup import EMPTY, Html, element, escape, joined
from db.enums import InvitationState
from resolvers.core.context import Context
from resolvers.core.email_addresses import is_address
from resolvers.core.errors import ApiError, BadRequest, Invalid
from resolvers.core.runners import read, run
from resolvers.organizations.arrivals import (
    Arrival,
    arrive_by_account_link,
    arrive_by_invitation,
)
from resolvers.organizations.joining import (
    NAME_LENGTH,
    ReadInvitation,
    accept_invitation,
    read_invitation,
)
from resolvers.organizations.newcomers import read_account_link, send_account_link

log = logging.getLogger("docstead.accounts")
CLOSED = {
    InvitationState.USED: "This invitation was accepted already.",
    InvitationState.EXPIRED: "This invitation has expired. Ask for another one.",
    InvitationState.REVOKED: "This invitation does not hold any more. Ask for another one.",
}


def _secret(visit: Visit) -> str:
    secret: str = visit.request.path_params["secret"]
    return secret


def _path(visit: Visit) -> str:
    return f"/invitations/{quote(_secret(visit), safe='')}"


async def show(visit: Visit) -> Response:
    """What an invitation gives, and how to accept it."""
    return await _page(visit)


async def accept(visit: Visit) -> Response:
    """Join: who is signed in as that person, anybody else with a new account."""
    if visit.person is not None:
        async with visit.as_person() as ctx:
            with _counting_wrong_links(visit, ctx):
                await run(ctx, accept_invitation, ID(_secret(visit)))
        return visit.go_to("/account?done=joined")
    return await _arrive(visit, arrive_by_invitation, _page)


async def send_link(visit: Visit) -> Response:
    """Send a link to the address of somebody who has no account, and an invitation by link; the
    answer is the same whether the address has an account or not."""
    email = visit.value("email")
    if not is_address(email):
        return await _page(visit, "This is not an e-mail address.")
    async with visit.as_nobody() as ctx:
        with _counting_wrong_links(visit, ctx):
            await read(ctx, read_invitation, _secret(visit))
        ctx.limits.sign_in_links.must(visit.address, 1, "links to sign in")
        sends_mail = ctx.settings.sends_mail
    if not sends_mail:
        return await _page(visit)
    # How long it takes would tell whether there is such an account.
    visit.server.in_background(_send(visit, email))
    return visit.card(
        "Look into your mailbox",
        paragraph(
            "A link is on its way to this address: to make your account or, if you have one, to "
            "sign in. It works once, and leads back to the invitation."
        ),
        element("p", escape(email), class_="address"),
        element("p", element("a", escape("Back to the invitation"), href=_here(visit))),
    )


async def _send(visit: Visit, email: str) -> None:
    try:
        async with visit.as_nobody() as ctx:
            await run(ctx, send_account_link, _secret(visit), email, _here(visit))
    except ApiError as error:
        log.info("no link to make an account was sent: %s", error.message)
    except Exception:
        log.exception("a link to make an account could not be sent")


async def show_account(visit: Visit) -> Response:
    """The form by which somebody makes an account whose address a link has shown to be theirs."""
    return await _account_page(visit)


async def make_account(visit: Visit) -> Response:
    """Make that account, and join with it."""
    return await _arrive(visit, arrive_by_account_link, _account_page)


async def _arrive(visit: Visit, operation: Any, page: Callable[..., Any]) -> Response:
    """Make an account by a secret and sign in; the page again for a name that is none."""
    try:
        async with visit.as_nobody() as ctx:
            with _counting_wrong_links(visit, ctx):
                arrival: Arrival = await run(
                    ctx,
                    operation,
                    _secret(visit),
                    visit.value("displayName"),
                    user_agent=visit.request.headers.get("user-agent", ""),
                    replaces=visit.secret,
                )
    except (BadRequest, Invalid) as error:
        response: Response = await page(visit, without_path(error.message, "displayName"))
        return response
    if arrival.secret is None:
        return visit.go_to("/sign-in")
    response = visit.go_to("/account?done=joined")
    set_session(response, arrival.secret, visit.public_url)
    return response


def _counting_wrong_links(visit: Visit, ctx: Context) -> AbstractContextManager[None]:
    return ctx.limits.wrong_secrets.counting_failures(visit.address, "wrong links")


# ------------------------------------------------------------------ HTML


async def _page(visit: Visit, error: str = "") -> Response:
    async with visit.as_nobody() as ctx:
        sends_mail = ctx.settings.sends_mail
        with _counting_wrong_links(visit, ctx):
            invitation = await read(ctx, read_invitation, _secret(visit))
    ways = _ways(visit, invitation, error, sends_mail=sends_mail)
    return _card(visit, invitation, ways, error)


async def _account_page(visit: Visit, error: str = "") -> Response:
    async with visit.as_nobody() as ctx:
        with _counting_wrong_links(visit, ctx):
            invitation = await read(ctx, read_account_link, _secret(visit))
    if invitation.has_account:
        link = element("a", escape("To signing in"), href=f"{visit.prefix}/sign-in")
        refusal = notice("This address has an account already: sign in with it.", "warning")
        return visit.card("Join " + invitation.organization, refusal, element("p", link))
    return _card(visit, invitation, _new_account(visit, f"{_path(visit)}/account", error), error)


def _card(visit: Visit, invitation: ReadInvitation, ways: Html, error: str) -> Response:
    title = f"Join {invitation.organization}"
    closed = CLOSED.get(invitation.state)
    if closed is not None:
        link = element("a", escape("To your account"), href=f"{visit.prefix}/account")
        return visit.card(title, notice(closed, "warning"), element("p", link))
    status = HTTPStatus.UNPROCESSABLE_ENTITY if error else HTTPStatus.OK
    return visit.card(title, _about(invitation), ways, status=status)


def _about(invitation: ReadInvitation) -> Html:
    pairs = []
    if invitation.inviter is not None:
        pairs.append(("Invited by", escape(invitation.inviter)))
    if invitation.target is not None:
        pairs.append(("To work on", escape(invitation.target)))
    if invitation.role is not None:
        pairs.append(("You may", escape(invitation.role.description)))
    if invitation.email is not None:
        pairs.append(("Sent to", escape(invitation.email)))
    return facts(pairs) if pairs else EMPTY


def _ways(visit: Visit, invitation: ReadInvitation, error: str, *, sends_mail: bool) -> Html:
    """What to press: join as who is signed in, sign in first, or make an account."""
    if visit.person is not None:
        name = visit.person.display_name
        return form(visit.frame, _path(visit), button(f"Join as {name}"), class_="join")
    if invitation.email is not None and not invitation.has_account:
        return _new_account(visit, _path(visit), error)
    sign_in = element(
        "a",
        escape("Sign in to accept"),
        href=f"{visit.prefix}/sign-in?next={_here(visit)}",
        class_="button primary wide",
    )
    ways = [element("p", sign_in, class_="join")]
    if invitation.email is None:
        ways.append(_by_mail(visit, error) if sends_mail else _WITHOUT_MAIL)
    return joined(ways)


def _here(visit: Visit) -> str:
    """The path of the invitation, to come back to."""
    return quote(visit.prefix + _path(visit), safe="/")


def _new_account(visit: Visit, action: str, error: str) -> Html:
    fields = [
        field(
            "displayName",
            "Your name",
            value=visit.value("displayName"),
            error=error,
            hint="Shown to everybody you work with.",
            maximum=NAME_LENGTH,
            required=True,
            complete="name",
        ),
        button("Make an account and join"),
    ]
    return joined(
        [paragraph("You get an account with this address.", "join"),
         form(visit.frame, action, *fields)]
    )  # fmt: skip


def _by_mail(visit: Visit, error: str) -> Html:
    return joined(
        [
            paragraph("No account yet? A link to make one is sent to your address.", "join"),
            form(
                visit.frame,
                f"{_path(visit)}/mail",
                field(
                    "email",
                    "E-mail address",
                    value=visit.value("email"),
                    kind="email",
                    error=error,
                    maximum=320,
                    required=True,
                    complete="email",
                ),
                button("Send me a link", look="secondary"),
            ),
        ]
    )


_WITHOUT_MAIL = joined(
    [
        paragraph(
            "No account yet? This server sends no e-mail, so whoever runs it makes your account, "
            "and a link that signs you in:",
            "join",
        ),
        element(
            "p",
            element("code", escape('docstead user create --email you@example.com --name "You"')),
        ),
        element("p", element("code", escape("docstead user sign-in-link you@example.com"))),
        paragraph("Open that link in this browser, and then this invitation again."),
    ]
)
