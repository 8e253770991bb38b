"""Signing in by a link, and signing out."""

import logging
from http import HTTPStatus
from urllib.parse import quote

from starlette.responses import Response

from account_pages.cookies import clear_session, set_session
from account_pages.html import button, field, form, hidden, notice, paragraph
from account_pages.sign_on import sign_on_buttons
from account_pages.visits import Visit
from content.html.markup import EMPTY, Html, element, escape, joined
from resolvers.core.email_addresses import can_be_sent_to
from resolvers.core.runners import read, run
from resolvers.sign_in import links, sessions
from resolvers.sign_on.providers import get_server_sign_on_options

log = logging.getLogger("docstead.accounts")
TITLE = "Sign in"


class SignIn:
    """The pages of signing in and out."""

    async def form(self, visit: Visit) -> Response:
        """The page that asks for an address."""
        # Who is signed in may have to sign on to an organization nevertheless.
        if visit.person is not None and "organization" not in visit.request.query_params:
            return _onward(visit)
        return await _ask(visit)

    async def send(self, visit: Visit) -> Response:
        """Send a link to an address; the answer is the same whether it has an account or not."""
        email = visit.value("email")
        if not can_be_sent_to(email):
            wrong = "This is not an e-mail address."
            return await _ask(visit, email, wrong, HTTPStatus.UNPROCESSABLE_ENTITY)
        async with visit.as_nobody() as ctx:
            ctx.limits.sign_in_links.must(visit.address, 1, "links to sign in")
        # How long it takes would tell whether there is such an account.
        visit.server.in_background(_send(visit, email))
        return visit.card(
            "Look into your mailbox",
            paragraph(
                "If this address has an account here, a link to sign in is on its way to it. It "
                "works once, within 15 minutes."
            ),
            element("p", escape(email), class_="address"),
            element(
                "p", element("a", escape("Use another address"), href=f"{visit.prefix}/sign-in")
            ),
        )

    async def confirm(self, visit: Visit) -> Response:
        """Ask whoever has opened a link whether to sign in; nothing has happened yet.

        Scanners of mail open links, too, but press no buttons.
        """
        secret = visit.request.path_params["secret"]
        async with visit.as_nobody() as ctx:
            user = await read(ctx, links.read_sign_in_link, secret)
        other = EMPTY
        if visit.person is not None and visit.person.id != user.id:
            other = notice(
                f"You are signed in as {visit.person.display_name}; this browser will be signed "
                "in as somebody else.",
                "warning",
            )
        return visit.card(
            f"Sign in as {user.display_name}",
            paragraph(user.email, "address"),
            other,
            form(
                visit.frame,
                f"/sign-in/link/{quote(secret, safe='')}",
                hidden("next", visit.next_path or ""),
                button("Sign in"),
            ),
        )

    async def enter(self, visit: Visit) -> Response:
        """Sign in by a link."""
        async with visit.as_nobody() as ctx:
            signed_in = await run(
                ctx,
                links.use_sign_in_link,
                visit.request.path_params["secret"],
                user_agent=visit.request.headers.get("user-agent", ""),
                replaces=visit.secret,
            )
        response = _onward(visit)
        set_session(response, signed_in.secret, visit.public_url)
        return response

    async def leave(self, visit: Visit) -> Response:
        """Sign out: the session ends in this browser and on the server."""
        if visit.person is not None and visit.secret is not None:
            async with visit.as_person() as ctx:
                await run(ctx, sessions.sign_out)
        response = visit.go_to("/sign-in")
        clear_session(response, visit.public_url)
        return response


async def _send(visit: Visit, email: str) -> None:
    try:
        async with visit.as_nobody() as ctx:
            await run(ctx, links.send_sign_in_link, email, visit.next_path or "")
    except Exception:
        log.exception("a link to sign in could not be made")


def _onward(visit: Visit) -> Response:
    path = visit.next_path
    return visit.go_to("/account" if path is None else path.removeprefix(visit.prefix))


async def _ask(
    visit: Visit, email: str = "", error: str = "", status: int = HTTPStatus.OK
) -> Response:
    organization = visit.request.query_params.get("organization")
    async with visit.as_nobody() as ctx:
        sends_mail = ctx.settings.sends_mail
        options = await read(ctx, get_server_sign_on_options, organization)
    by_link = _by_mail(visit, email, error) if sends_mail else _WITHOUT_MAIL
    return visit.card(TITLE, sign_on_buttons(visit, options), by_link, status=status)


def _by_mail(visit: Visit, email: str, error: str) -> Html:
    return joined(
        [
            paragraph("You get a link by e-mail; a password is not needed.", "description"),
            form(
                visit.frame,
                "/sign-in",
                hidden("next", visit.next_path or ""),
                field(
                    "email",
                    "E-mail address",
                    value=email,
                    kind="email",
                    error=error,
                    maximum=320,
                    required=True,
                    complete="username email",
                    focus=True,
                ),
                button("Send me a link"),
            ),
        ]
    )


_WITHOUT_MAIL = joined(
    [
        paragraph("This server sends no e-mail, so whoever runs it makes your link:"),
        element("p", element("code", escape("docstead user sign-in-link you@example.com"))),
        paragraph("Open the link that it prints in this browser."),
    ]
)
