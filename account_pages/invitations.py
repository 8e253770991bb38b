"""The page of an invitation: what it gives, and joining by it."""

from http import HTTPStatus
from urllib.parse import quote

from starlette.responses import Response
from strawberry import ID

from account_pages.cookies import set_session
from account_pages.html import button, facts, field, form, notice, paragraph
from account_pages.visits import Visit, without_path
from content.html.markup import EMPTY, Html, element, escape, joined
from db.enums import InvitationState
from resolvers.core.errors import BadRequest, Invalid
from resolvers.core.runners import read, run
from resolvers.organizations.arrivals import arrive_by_invitation
from resolvers.organizations.joining import (
    NAME_LENGTH,
    ReadInvitation,
    accept_invitation,
    read_invitation,
)

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
            with ctx.limits.wrong_secrets.counting_failures(visit.address, "wrong links"):
                await run(ctx, accept_invitation, ID(_secret(visit)))
        return visit.go_to("/account?done=joined")
    try:
        async with visit.as_nobody() as ctx:
            with ctx.limits.wrong_secrets.counting_failures(visit.address, "wrong links"):
                arrival = await run(
                    ctx,
                    arrive_by_invitation,
                    _secret(visit),
                    visit.value("displayName"),
                    user_agent=visit.request.headers.get("user-agent", ""),
                    replaces=visit.secret,
                )
    except (BadRequest, Invalid) as error:
        return await _page(visit, without_path(error.message, "displayName"))
    if arrival.secret is None:
        return visit.go_to("/sign-in")
    response = visit.go_to("/account?done=joined")
    set_session(response, arrival.secret, visit.public_url)
    return response


# ------------------------------------------------------------------ HTML


async def _page(visit: Visit, error: str = "") -> Response:
    async with visit.as_nobody() as ctx:
        with ctx.limits.wrong_secrets.counting_failures(visit.address, "wrong links"):
            invitation = await read(ctx, read_invitation, _secret(visit))
    title = f"Join {invitation.organization}"
    closed = CLOSED.get(invitation.state)
    if closed is not None:
        link = element("a", escape("To your account"), href=f"{visit.prefix}/account")
        return visit.card(title, notice(closed, "warning"), element("p", link))
    status = HTTPStatus.UNPROCESSABLE_ENTITY if error else HTTPStatus.OK
    return visit.card(title, _about(invitation), _ways(visit, invitation, error), status=status)


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


def _ways(visit: Visit, invitation: ReadInvitation, error: str) -> Html:
    """What to press: join as who is signed in, sign in first, or make an account."""
    if visit.person is not None:
        name = visit.person.display_name
        return form(visit.frame, _path(visit), button(f"Join as {name}"), class_="join")
    here = quote(visit.prefix + _path(visit), safe="/")
    sign_in = element(
        "a",
        escape("Sign in to accept"),
        href=f"{visit.prefix}/sign-in?next={here}",
        class_="button primary wide",
    )
    if invitation.email is None or invitation.has_account:
        return element("p", sign_in, class_="join")
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
         form(visit.frame, _path(visit), *fields)]
    )  # fmt: skip
