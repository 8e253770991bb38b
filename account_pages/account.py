"""My account: the profile, browsers that are signed in, and tokens."""

from http import HTTPStatus
from typing import Any
from urllib.parse import quote, urlencode

from starlette.responses import JSONResponse, Response
from strawberry import ID, Some

from account_pages.html import button, facts, field, form, heading, moment, notice, paragraph
from account_pages.visits import Visit, without_path
from content.html.directions import direction_of
from content.html.markup import EMPTY, Html, element, escape, joined, safe_address
from db.enums import SignInMethod
from db.models.organizations import User
from db.models.sign_in import UserSession
from resolvers.core import inputs
from resolvers.core.errors import Invalid, invalid
from resolvers.core.pagination import PageArguments, Slice
from resolvers.core.runners import read, run
from resolvers.core.scalars import Url, read_url
from resolvers.organizations.users import UpdateUserInput, update_user
from resolvers.sign_in.operations import (
    device_of,
    end_other_sessions,
    end_session,
    list_own_sessions,
)
from resolvers.sign_on.closed import OrganizationToSignOn, organizations_to_sign_on

PAGE = 50
DONE = "done"
CHANGED = {"saved": "Your profile is saved.", "joined": "You have joined the organization."}


def person_of(visit: Visit) -> User:
    """Whoever is signed in."""
    assert visit.person is not None, "the page is for who is signed in"
    return visit.person


def done_notice(visit: Visit, messages: dict[str, str]) -> Html:
    """What the form before has done, of a fixed list: an address says nothing else."""
    text = messages.get(visit.request.query_params.get(DONE, ""))
    return EMPTY if text is None else notice(text, "success")


async def person(visit: Visit) -> Response:
    """Who is signed in, for scripts of our own pages: `displayName` is null for nobody."""
    name = None if visit.person is None else visit.person.display_name
    return JSONResponse({"displayName": name})


# ------------------------------------------------------------------ profile


async def profile(visit: Visit) -> Response:
    """Name and picture."""
    person = person_of(visit)
    return await _profile(
        visit, {"displayName": person.display_name, "photoURL": person.photo_url or ""}
    )


async def update_profile(visit: Visit) -> Response:
    """Change them."""
    values = {name: visit.value(name) for name in ("displayName", "photoURL")}
    try:
        change = UpdateUserInput(
            display_name=Some(values["displayName"]), photo_url=Some(_picture(values["photoURL"]))
        )
        inputs.check({"input": change})
        async with visit.as_person() as ctx:
            await run(ctx, update_user, ID(person_of(visit).id), change)
    except Invalid as error:
        return await _profile(
            visit, values, errors_by_field(error), HTTPStatus.UNPROCESSABLE_ENTITY
        )
    return visit.go_to(f"/account?{DONE}=saved")


def _picture(address: str) -> Url | None:
    if not address:
        return None
    try:
        return Url(read_url(address))
    except ValueError as error:
        raise invalid("photoURL", str(error)) from error


def errors_by_field(error: Invalid) -> dict[str, str]:
    """The message about each field, by its name in the form."""
    return {
        problem.path.removeprefix("input."): without_path(problem.message, problem.path)
        for problem in error.fields
    }


async def _profile(
    visit: Visit,
    values: dict[str, str],
    errors: dict[str, str] | None = None,
    status: int = HTTPStatus.OK,
) -> Response:
    person, errors = person_of(visit), errors or {}
    async with visit.as_person() as ctx:
        (closed,) = await organizations_to_sign_on(ctx, [person], None)
    picture = safe_address(person.photo_url or "")
    portrait = element("img", src=picture, alt="", class_="portrait") if picture else EMPTY
    name = element("h1", escape(person.display_name), dir=direction_of(person.display_name))
    fields = [
        field(
            "displayName",
            "Name",
            value=values["displayName"],
            error=errors.get("displayName", ""),
            hint="Shown to everybody you work with.",
            maximum=64,
            required=True,
            complete="name",
        ),
        field(
            "photoURL",
            "Address of a picture",
            value=values["photoURL"],
            error=errors.get("photoURL", ""),
            hint="Begins with https://; leave it empty for none.",
            kind="url",
            maximum=2048,
            complete="photo",
        ),
        button("Save"),
    ]
    content = [
        element(
            "div",
            joined([portrait, element("div", joined([name, paragraph(person.email)]))]),
            class_="introduction",
        ),
        done_notice(visit, CHANGED),
        _to_sign_on(closed),
        element("section", form(visit.frame, "/account", *fields), class_="card"),
        element(
            "section",
            facts(
                [
                    ("E-mail address", escape(person.email)),
                    ("Account since", moment(person.created_at)),
                    ("Your id", element("code", escape(person.id))),
                ]
            ),
            class_="card",
        ),
    ]
    return visit.page("Profile", joined(content), status=status)


def _to_sign_on(closed: list[OrganizationToSignOn]) -> Html:
    """Where to sign on to organizations that this session does not open."""
    if not closed:
        return EMPTY
    links = [
        element("li", element("a", escape(row.title), href=row.sign_in_url,
                              dir=direction_of(row.title)))
        for row in closed
    ]  # fmt: skip
    text = paragraph("Sign in by your organization's provider to see what is in:")
    return element("section", joined([text, element("ul", joined(links))]), class_="card")


# ------------------------------------------------------------------ sessions


async def sessions(visit: Visit) -> Response:
    """Where the person is signed in."""
    after = visit.request.query_params.get("after")
    async with visit.as_person() as ctx:
        page = await read(ctx, list_own_sessions, PageArguments(first=PAGE, after=after))
    rows = [
        element("li", joined(_session(visit, row, row.id == visit.actor.session_id)))
        for row in page.rows
    ]
    others = EMPTY
    if len(rows) > 1 or after is not None:
        others = form(
            visit.frame,
            "/account/sessions/end-others",
            button("Sign out all other browsers", look="secondary"),
        )
    content = [
        heading("Sessions", "Browsers in which you are signed in."),
        done_notice(
            visit,
            {"ended": "That browser is signed out.", "others": "All others are signed out."},
        ),
        element("ul", joined(rows), class_="rows") if rows else EMPTY,
        pager(visit, page),
        others,
    ]
    return visit.page("Sessions", joined(content))


def _session(visit: Visit, row: UserSession, current: bool) -> list[Html]:
    device = device_of(row.user_agent)
    badge = element("span", escape("This browser"), class_="badge") if current else EMPTY
    used = joined([escape("Last used "), moment(row.last_used_at)])
    begun = joined([escape("Signed in "), moment(row.created_at), escape(f", {_how(row.method)}")])
    what = [
        element("strong", escape(device)),
        badge,
        element("p", used),
        element("p", begun),
    ]
    path = "/sign-out" if current else f"/account/sessions/{quote(row.id)}/end"
    end = form(visit.frame, path, button("Sign out", look="danger", about=device))
    return [element("div", joined(what), class_="what"), end]


def _how(method: SignInMethod) -> str:
    """The way somebody has signed in, as a part of a sentence."""
    return f"{method.description[:1].lower()}{method.description[1:].rstrip('.')}"


async def end(visit: Visit) -> Response:
    """Sign one browser out."""
    async with visit.as_person() as ctx:
        await run(ctx, end_session, ID(visit.request.path_params["session"]))
    return visit.go_to(f"/account/sessions?{DONE}=ended")


async def end_others(visit: Visit) -> Response:
    """Sign all other browsers out."""
    async with visit.as_person() as ctx:
        await run(ctx, end_other_sessions)
    return visit.go_to(f"/account/sessions?{DONE}=others")


def pager(visit: Visit, page: Slice[Any]) -> Html:
    """A link to the next page of a list, and one to its beginning."""
    path = visit.prefix + visit.request.scope["path"]
    links = []
    if page.has_previous:
        links.append(element("a", escape("From the beginning"), href=path))
    if page.has_next and page.end_cursor is not None:
        more = f"{path}?{urlencode({'after': page.end_cursor})}"
        links.append(element("a", escape("More"), href=more, rel="next"))
    return element("nav", joined(links), class_="pager", aria_label="Pages") if links else EMPTY
