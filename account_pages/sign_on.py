"""Signing on through a provider: the way there, and the way back."""

from urllib.parse import quote

from starlette.responses import RedirectResponse, Response

from account_pages.cookies import is_secure, set_session
from account_pages.html import paragraph
from account_pages.visits import Visit
from content.html.markup import EMPTY, Html, element, escape, joined
from resolvers.core.errors import BadRequest
from resolvers.core.runners import read, run
from resolvers.sign_on import openid, saml
from resolvers.sign_on.providers import SignOnOptions

METADATA_TYPE = "application/samlmetadata+xml"


def sign_on_buttons(visit: Visit, options: SignOnOptions) -> Html:
    """Links that begin to sign on; nothing where there is no provider."""
    if not options.items:
        return EMPTY
    query = f"?next={quote(visit.next_path, safe='/')}" if visit.next_path else ""
    links = [
        element(
            "li",
            element(
                "a",
                escape(f"Sign in with {option.label}"),
                href=option.start_url + query,
                class_="button secondary",
            ),
        )
        for option in options.items
    ]
    return joined([element("ul", joined(links), class_="sign-on"), paragraph("or", "separator")])


async def begin(visit: Visit) -> Response:
    """Send the browser to the provider."""
    async with visit.as_nobody() as ctx:
        departure = await read(
            ctx, saml.begin_saml_sign_on, _provider(visit), visit.next_path or ""
        )
    return _depart(visit, departure)


def _depart(visit: Visit, departure: saml.Departure) -> Response:
    response = RedirectResponse(departure.address, 303)
    response.set_cookie(
        departure.cookie,
        departure.sealed,
        max_age=saml.COOKIE_SECONDS,
        path=_cookie_path(visit),
        httponly=True,
        secure=is_secure(visit.public_url),
        # The provider's page sends people back by a plain link or a redirect.
        samesite="lax",
    )
    return response


async def metadata(visit: Visit) -> Response:
    """What the provider reads to know this server."""
    async with visit.as_nobody() as ctx:
        text = await read(ctx, saml.get_saml_metadata, _provider(visit))
    return Response(text, media_type=METADATA_TYPE)


async def take_answer(visit: Visit) -> Response:
    """Take the answer that the provider's page has sent, and let the browser come for it: only in
    a request of its own it sends the cookie that says that it has asked."""
    text = visit.value("SAMLResponse")
    if not text:
        raise BadRequest("SAMLResponse: is required")
    async with visit.as_nobody() as ctx:
        ctx.limits.sign_on_answers.must(visit.address, 1, "answers of providers")
        code = await saml.take_saml_answer(ctx, _provider(visit), text)
    return visit.go_to(f"/saml/{quote(_provider(visit), safe='')}/finish?code={code}")


async def finish(visit: Visit) -> Response:
    """Sign the person in."""
    async with visit.as_nobody() as ctx:
        arrival = await run(
            ctx,
            saml.finish_saml_sign_on,
            _provider(visit),
            visit.request.query_params.get("code", ""),
            visit.request.cookies,
            user_agent=visit.request.headers.get("user-agent", ""),
            replaces=visit.secret,
        )
    return _arrive(visit, arrival)


async def begin_openid(visit: Visit) -> Response:
    """Send the browser to an OpenID Connect provider."""
    async with visit.as_nobody() as ctx:
        departure = await openid.begin_openid_sign_on(
            ctx, visit.server.openid, _provider(visit), visit.next_path or ""
        )
    return _depart(visit, departure)


async def finish_openid(visit: Visit) -> Response:
    """Sign the person in whom the provider has sent back."""
    async with visit.as_nobody() as ctx:
        ctx.limits.sign_on_answers.must(visit.address, 1, "answers of providers")
        arrival = await openid.finish_openid_sign_on(
            ctx,
            visit.server.openid,
            _provider(visit),
            visit.request.query_params,
            visit.request.cookies,
            user_agent=visit.request.headers.get("user-agent", ""),
            replaces=visit.secret,
        )
    return _arrive(visit, arrival)


def _arrive(visit: Visit, arrival: saml.Arrival) -> Response:
    path = visit.prefix + "/account" if arrival.next == "/" else arrival.next
    response = RedirectResponse(path, 303)
    set_session(response, arrival.secret, visit.public_url)
    response.delete_cookie(arrival.cookie, path=_cookie_path(visit))
    return response


def _provider(visit: Visit) -> str:
    name: str = visit.request.path_params["provider"]
    return name


def _cookie_path(visit: Visit) -> str:
    """The provider's own addresses."""
    parts = visit.request.scope["path"].split("/")
    return visit.prefix + "/".join(parts[:3])
