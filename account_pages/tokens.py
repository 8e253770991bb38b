"""Tokens of a person: made here, shown once, and revoked."""

import datetime as dt
from collections.abc import Mapping
from http import HTTPStatus
from urllib.parse import quote

from starlette.responses import Response
from strawberry import ID, Some

from account_pages.account import done_notice, errors_by_field
from account_pages.html import (
    Choice,
    button,
    choices,
    field,
    form,
    heading,
    moment,
    notice,
    selection,
)
from account_pages.visits import Visit
from content.html.markup import EMPTY, Html, element, escape, joined
from db.base import utc_now
from db.enums import FULL_ACCESS, TokenScope
from db.models.organizations import Token
from resolvers.core import inputs
from resolvers.core.errors import Conflict, Invalid, invalid
from resolvers.core.runners import read, run
from resolvers.tokens.operations import (
    CreateTokenInput,
    NewToken,
    create_token,
    list_own_tokens,
    revoke_token,
)

FOR_EVER = "-"
LIVES = {"30": "30 days", "90": "90 days", "365": "One year", FOR_EVER: "Until you revoke it"}
# What a token may do: all that its person may, look at it, or what its scopes say.
EVERYTHING, READING, SCOPED = "everything", "reading", "scoped"
ACCESS = {
    EVERYTHING: ("Everything", "Whatever you may do yourself."),
    READING: ("Reading", "It sees what you see, and changes nothing."),
    SCOPED: ("Chosen scopes", "Only what you choose below."),
}
SCOPES = [scope for scope in TokenScope if scope not in FULL_ACCESS]
MADE = {"revoked": "The token is revoked: it does not work any more."}


async def tokens(visit: Visit) -> Response:
    """The tokens, and a form for a new one."""
    return await _page(visit)


async def make(visit: Visit) -> Response:
    """Make a token; its text is on this one page."""
    try:
        new_token = CreateTokenInput(
            label=visit.value("label"),
            scopes=_scopes(visit),
            expires_at=_expiry(visit.value("expiry")),
        )
        inputs.check({"input": new_token})
        async with visit.as_person() as ctx:
            created = await run(ctx, create_token, new_token)
    except Invalid as error:
        return await _page(visit, errors_by_field(error))
    except Conflict as error:
        return await _page(visit, {"label": error.message})
    return await _page(visit, created=created)


def _scopes(visit: Visit) -> Some[list[TokenScope]] | None:
    access = visit.value("access")
    if access == EVERYTHING:
        return None
    if access == READING:
        return Some([TokenScope.READ])
    if access != SCOPED:
        raise invalid("access", "is none of those that are offered")
    by_value = {scope.value: scope for scope in SCOPES}
    names = dict.fromkeys(visit.form.get("scopes", []))
    if not names or not names.keys() <= by_value.keys():
        raise invalid("scopes", "choose at least one of these")
    return Some([by_value[name] for name in names])


def _expiry(days: str) -> Some[dt.datetime | None] | None:
    if days not in LIVES:
        raise invalid("expiry", "is none of those that are offered")
    return None if days == FOR_EVER else Some(utc_now() + dt.timedelta(days=int(days)))


async def revoke(visit: Visit) -> Response:
    """Revoke a token."""
    async with visit.as_person() as ctx:
        await run(ctx, revoke_token, ID(visit.request.path_params["token"]))
    return visit.go_to("/account/tokens?done=revoked")


# ------------------------------------------------------------------ HTML


async def _page(
    visit: Visit, errors: Mapping[str, str] | None = None, created: NewToken | None = None
) -> Response:
    async with visit.as_person() as ctx:
        rows = await read(ctx, list_own_tokens)
    status = HTTPStatus.UNPROCESSABLE_ENTITY if errors else HTTPStatus.OK
    # What was sent is shown again only where it was wrong.
    sent = visit.form if errors else {}
    content = [
        heading("Tokens", "Programs use them to act for you, through GraphQL and /v1."),
        done_notice(visit, MADE),
        EMPTY if created is None else _shown_once(created),
        element("ul", joined(_row(visit, row) for row in rows), class_="rows") if rows else EMPTY,
        _form(visit, sent, errors or {}),
    ]
    return visit.page("Tokens", joined(content), status=status)


def _shown_once(created: NewToken) -> Html:
    box = element(
        "input",
        type="text",
        value=created.text,
        readonly=True,
        autofocus=True,
        spellcheck="false",
        autocomplete="off",
        aria_label=f"Text of the token {created.token.label}",
        class_="secret",
    )
    return notice("Copy the token now: nobody can show it again.", "success", more=box)


def _row(visit: Visit, row: Token) -> Html:
    now = utc_now()
    expired = row.expires_at is not None and row.expires_at <= now
    badge = element("span", escape("Expired"), class_="badge past") if expired else EMPTY
    used: Html = escape("Never used")
    if row.last_used_at is not None:
        used = joined([escape("Last used "), moment(row.last_used_at)])
    ends: Html = escape("until you revoke it")
    if row.expires_at is not None:
        ends = joined([escape("until "), moment(row.expires_at)])
    what = [
        element("strong", escape(row.label), dir="auto"),
        badge,
        element("p", joined([escape(_allowed(row) + ", "), ends])),
        element("p", joined([used, escape("; made "), moment(row.created_at)])),
    ]
    path = f"/account/tokens/{quote(row.id)}/revoke"
    end = form(visit.frame, path, button("Revoke", look="danger", about=row.label))
    return element("li", joined([element("div", joined(what), class_="what"), end]))


def _allowed(row: Token) -> str:
    """What a token may be used for, in words."""
    if TokenScope.WRITE.value in row.scopes:
        return "Everything"
    if TokenScope.READ.value in row.scopes:
        return "Reading"
    return ", ".join(sorted(row.scopes)) or "Nothing"


def _form(visit: Visit, sent: Mapping[str, list[str]], errors: Mapping[str, str]) -> Html:
    access, life = sent.get("access", [EVERYTHING])[0], sent.get("expiry", ["90"])[0]
    picked = set(sent.get("scopes", []))
    scopes = choices(
        "scopes",
        "Scopes",
        [Choice(scope.value, scope.value, scope.description, scope.value in picked)
         for scope in SCOPES],
        kind="checkbox",
        error=errors.get("scopes", ""),
    )  # fmt: skip
    fold = element(
        "details",
        joined([element("summary", escape("Show scopes")), scopes]),
        class_="more",
        open=access == SCOPED,
    )
    fields = [
        field(
            "label",
            "What it is for",
            value=visit.value("label") if errors else "",
            error=errors.get("label", ""),
            hint="Such as the name of the program or the machine.",
            maximum=50,
            required=True,
            complete="off",
        ),
        choices(
            "access",
            "What it may do",
            [Choice(value, label, hint, value == access)
             for value, (label, hint) in ACCESS.items()],
            error=errors.get("access", ""),
            more=fold,
        ),
        selection(
            "expiry",
            "How long it works",
            [Choice(value, label, chosen=value == life) for value, label in LIVES.items()],
            error=errors.get("expiry", ""),
        ),
        button("Make a token"),
    ]  # fmt: skip
    title = element("h2", escape("New token"))
    inner = form(visit.frame, "/account/tokens", *fields)
    return element("section", joined([title, inner]), class_="card")
