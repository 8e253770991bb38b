"""One request for an account page: who is signed in, what the form holds, and the answer."""

import asyncio
import logging
from collections.abc import Awaitable, Callable, Mapping
from contextlib import AbstractAsyncContextManager
from dataclasses import dataclass, field
from http import HTTPStatus
from urllib.parse import quote, urlsplit

from starlette.requests import Request
from starlette.responses import RedirectResponse, Response

from account_pages.cookies import form_token, is_form_token, is_secure, session_secret
from account_pages.html import FORM_TOKEN, Frame, heading, notice, paragraph, render
from account_pages.requests import must_be_own, read_form
from account_pages.server import AskOrigin, OriginOf, Server
from account_pages.workbench import Workbench
from content.html.markup import Html, element, escape, joined
from db.models.organizations import User
from resolvers.core.actors import NOBODY, Actor
from resolvers.core.context import Context
from resolvers.core.database_errors import expected
from resolvers.core.errors import ApiError, Forbidden
from resolvers.core.runners import read
from resolvers.core.urls import own_path
from resolvers.organizations.users import get_viewer

log = logging.getLogger("docstead.accounts")

# No scripts, and nobody frames these pages. Portraits come from wherever their owners took them.
POLICY = (
    "default-src 'none'; style-src 'self'; img-src 'self' https: data:; form-action 'self'; "
    "base-uri 'none'; frame-ancestors 'none'"
)
HEADERS = {
    "Content-Security-Policy": POLICY,
    # Its forms hold a secret of the session beside what others may have written into an address:
    # their length together must not tell of it.
    "Cache-Control": "no-store, no-transform",
    # Addresses with secrets stay here; without it the browser would not say where forms come from.
    "Referrer-Policy": "same-origin",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
}
# Of a form that an identity provider sends.
FOREIGN_BYTES = 1_000_000
# No page needs as long as that.
SECONDS = 20.0


@dataclass(slots=True)
class Visit:
    """One request for a page."""

    request: Request
    server: Server
    origin: AskOrigin
    # The text of the session's cookie, and who is signed in with it.
    secret: str | None = None
    actor: Actor = NOBODY
    person: User | None = None
    # The application that runs around the page, for who is signed in.
    workbench: Workbench | None = None
    # The fields of the form that was sent, with all their values.
    form: Mapping[str, list[str]] = field(default_factory=dict)

    @property
    def address(self) -> str:
        """The address of the client, by which it is limited."""
        return self.origin().address or ""

    @property
    def public_url(self) -> str:
        """The address of the service."""
        return self.server.settings.public_url

    @property
    def prefix(self) -> str:
        """The path below which the service is reached."""
        return urlsplit(self.public_url).path

    @property
    def frame(self) -> Frame:
        """What is around the content of its page."""
        path = self.request.scope["path"]
        if self.person is None or self.secret is None:
            return Frame(self.prefix, current=path)
        return Frame(self.prefix, self.person.display_name, form_token(self.secret), path)

    @property
    def next_path(self) -> str | None:
        """Where the person wants to go, if that is on this host."""
        values = self.form.get("next") or self.request.query_params.getlist("next")
        return own_path(values[0]) if len(values) == 1 else None

    def value(self, name: str) -> str:
        """The value of a field of the form without blanks around it; empty without one."""
        return self.form.get(name, [""])[0].strip()

    def as_nobody(self) -> AbstractAsyncContextManager[Context]:
        """The context for what is open to all."""
        return self.server.context_of(NOBODY, self.address, self.origin)

    def as_person(self) -> AbstractAsyncContextManager[Context]:
        """The context of whoever is signed in."""
        return self.server.context_of(self.actor, origin=self.origin)

    def page(
        self, title: str, content: Html, *, narrow: bool = False, status: int = HTTPStatus.OK
    ) -> Response:
        """A page as the answer."""
        if self.workbench is not None and self.person is not None:
            return Response(
                self.workbench.render(self.frame, title, content, narrow=narrow),
                status,
                {"Content-Security-Policy": self.workbench.policy},
                "text/html; charset=utf-8",
            )
        text = render(self.frame, title, content, narrow=narrow)
        return Response(text, status, media_type="text/html; charset=utf-8")

    def card(self, title: str, *content: Html, status: int = HTTPStatus.OK) -> Response:
        """A page with one card in the middle."""
        inner = joined([heading(title), *content])
        card = element("div", inner, class_="card")
        return self.page(title, card, narrow=True, status=status)

    def go_to(self, path: str) -> Response:
        """To another page of the service, which is requested anew."""
        return RedirectResponse(self.prefix + path, HTTPStatus.SEE_OTHER)

    def failure(self, error: ApiError) -> Response:
        """A page that says what is wrong."""
        title = HTTPStatus(error.status).phrase
        home = "/account" if self.person is not None else "/sign-in"
        label = "To your account" if self.person is not None else "To signing in"
        link = element("a", escape(label), href=self.prefix + home)
        return self.card(
            title,
            notice(_sentence(error.message), "danger"),
            element("p", link),
            status=error.status,
        )


def _sentence(message: str) -> str:
    return f"{message[:1].upper()}{message[1:]}{'' if message.endswith('.') else '.'}"


def without_path(message: str, path: str) -> str:
    """The message of an error about one field, for beside that field."""
    return _sentence(message.removeprefix(f"{path}: "))


Show = Callable[[Visit], Awaitable[Response]]


class Pages:
    """Makes endpoints of functions that answer visits."""

    def __init__(self, server: Server, origin_of: OriginOf, workbench: Workbench) -> None:
        self.server = server
        self._origin_of = origin_of
        self._workbench = workbench

    def open(self, show: Show) -> Callable[[Request], Awaitable[Response]]:
        """The endpoint of a page that everybody may ask for."""
        return self._endpoint(show, signed_in=False)

    def of_provider(self, show: Show) -> Callable[[Request], Awaitable[Response]]:
        """The endpoint of a form that the page of an identity provider sends: nobody is recognised,
        and what is in it has to prove itself."""
        return self._endpoint(show, signed_in=False, foreign=True)

    def of_mail(self, show: Show) -> Callable[[Request], Awaitable[Response]]:
        """The endpoint of an address in mail, which programs that read mail send to: nobody is
        recognised, the address proves itself, and whatever they send with it is not read."""
        return self._endpoint(show, signed_in=False, foreign=True, has_form=False)

    def of_person(self, show: Show) -> Callable[[Request], Awaitable[Response]]:
        """The endpoint of a page for who is signed in; others are sent to sign in."""
        return self._endpoint(show, signed_in=True)

    def working(self, show: Show) -> Callable[[Request], Awaitable[Response]]:
        """The endpoint of an address of the Workbench; others are sent to sign in."""
        return self._endpoint(show, signed_in=True, workbench=self._workbench)

    def home(self, show: Show) -> Callable[[Request], Awaitable[Response]]:
        """The endpoint of the root: the Workbench for who is signed in, else a page for all."""
        return self._endpoint(show, signed_in=False, workbench=self._workbench)

    def _endpoint(
        self,
        show: Show,
        *,
        signed_in: bool,
        foreign: bool = False,
        has_form: bool = True,
        workbench: Workbench | None = None,
    ) -> Callable[[Request], Awaitable[Response]]:
        async def endpoint(request: Request) -> Response:
            origin = self._origin_of(request.scope)
            visit = Visit(request, self.server, origin, workbench=workbench)
            try:
                async with asyncio.timeout(SECONDS):
                    if foreign:
                        if has_form:
                            visit.form = await read_form(request, FOREIGN_BYTES)
                        response = await show(visit)
                    else:
                        response = await self._answer(visit, show, signed_in)
            except TimeoutError:
                response = visit.card("The server is busy", paragraph("Please try again."),
                                      status=HTTPStatus.GATEWAY_TIMEOUT)  # fmt: skip
            except Exception as error:
                refusal = expected(error) or error
                if not isinstance(refusal, ApiError):
                    raise
                response = visit.failure(refusal)
                if refusal.retry_after is not None:
                    response.headers["Retry-After"] = str(refusal.retry_after)
            for name, value in HEADERS.items():
                response.headers.setdefault(name, value)
            if is_secure(visit.public_url):
                response.headers["Strict-Transport-Security"] = "max-age=31536000"
            return response

        return endpoint

    async def _answer(self, visit: Visit, show: Show, signed_in: bool) -> Response:
        await self._recognise(visit)
        if visit.request.method == "POST":
            must_be_own(visit.request, visit.public_url)
            visit.form = await read_form(visit.request)
        if signed_in and visit.person is None:
            return visit.go_to(f"/sign-in?next={quote(_here(visit), safe='/')}")
        if visit.request.method == "POST" and visit.secret is not None and visit.person is not None:
            token = visit.value(FORM_TOKEN)
            if not is_form_token(token, visit.secret):
                raise Forbidden("the form is of an earlier session; open the page again")
        return await show(visit)

    async def _recognise(self, visit: Visit) -> None:
        """Find who is signed in."""
        visit.secret = session_secret(visit.request.scope, visit.public_url)
        if visit.secret is None:
            return
        actor = await self.server.find_session(visit.secret)
        if actor is None:
            return
        async with self.server.context_of(actor) as ctx:
            visit.person = await read(ctx, get_viewer)
        visit.actor = actor


def _here(visit: Visit) -> str:
    """The page that was asked for; of a form the page that it stands on."""
    path: str = visit.request.scope["path"]
    if visit.request.method == "POST":
        path = "/" + "/".join(path.split("/")[1:3])
    return visit.prefix + path
