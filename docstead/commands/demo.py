"""The command that shows the product: a filled database, a token, a running server."""

import asyncio
import datetime as dt
import os
import secrets
from contextlib import ExitStack
from pathlib import Path
from typing import Annotated, Any

import typer

from db.base import utc_now
from db.models.organizations import Organization
from docstead.commands.serve import check_ready, run_server
from docstead.commands.shared import DatabaseUrl, DataDir, open_server, settings_of
from docstead.commands.terminal import AsJson, CommandError, show
from docstead.demo.filling import (
    ExamplesMissingError,
    email_of,
    fill,
    find_demo,
    find_shown_site,
    read_examples,
)
from docstead.demo.story import ADMIN, PEOPLE
from docstead.server import Server
from docstead.settings import Settings
from resolvers.access import accounts, tokens
from resolvers.addresses.sites import site_urls
from resolvers.core.actors import OPERATOR
from resolvers.core.context import Context
from resolvers.core.errors import Unauthenticated
from resolvers.core.runners import read, run
from resolvers.sign_in.links import make_sign_in_link

TOKEN_FILE = "demo-token"  # noqa: S105 - a file's name
LABEL = "demo"
LINK_LIFETIME = dt.timedelta(days=1)


def demo(
    host: Annotated[str | None, typer.Option("--host", help="Address to listen on.")] = None,
    port: Annotated[int | None, typer.Option("--port", help="Port to listen on.")] = None,
    serve: Annotated[bool, typer.Option(help="Serve what was filled.")] = True,
    json: AsJson = False,
    data_dir: DataDir = None,
    database_url: DatabaseUrl = None,
) -> None:
    """Fill a database with a demo organization, print a token and serve.

    What is there already stays; the second run only starts the server.
    """
    settings = settings_of(data_dir, database_url, host=host, port=port)
    if serve:
        check_ready(settings)
    organization, site, token, people = asyncio.run(_prepare(settings))
    value = {
        "workbench": f"{settings.public_url}/",
        "site": site,
        "graphiql": f"{settings.public_url}/graphql",
        "v1": f"{settings.public_url}/v1",
        "organization": {"id": organization.id, "title": organization.title},
        "email": email_of(ADMIN),
        "token": token,
        "people": people,
    }
    first = "" if site is None else f"site      {site}\n"
    links = "".join(
        f"\n{person['role'] or 'guest':9} {person['signInLink']}?next=/"
        f"\n          {person['email']}"
        for person in people
    )
    text = (
        f"Workbench {value['workbench']}\n{first}"
        f"GraphiQL  {value['graphiql']}\n/v1       {value['v1']}\n"
        f"token     {token}\n          of {email_of(ADMIN)}, admin of {organization.title} "
        f"({organization.id})\n\nSign in with a browser; each link works once, within a day:{links}"
    )
    show(value, json, text)
    if serve:
        run_server(settings)


async def _prepare(
    settings: Settings,
) -> tuple[Organization, str | None, str, list[dict[str, Any]]]:
    """The demo organization, made when it is missing, the address of its site while it is
    published, a token of its admin that works, and its people with links that sign them in.
    """
    async with open_server(settings, create=True) as server, server.context_of(OPERATOR) as ctx:
        organization = await read(ctx, find_demo) or await _fill(ctx)
        site = await read(ctx, _site_address, organization)
        token = await _token(server, ctx, settings.data_dir)
        return organization, site, token, [await _person(ctx, name) for name in PEOPLE]


async def _person(ctx: Context, name: str) -> dict[str, Any]:
    link = await run(ctx, make_sign_in_link, email_of(name), lifetime=LINK_LIFETIME)
    role = PEOPLE[name].role
    return {
        "email": link.user.email,
        "displayName": link.user.display_name,
        "role": None if role is None else role.value,
        "signInLink": link.url,
    }


async def _site_address(ctx: Context, organization: Organization) -> str | None:
    site = await find_shown_site(ctx, organization)
    if site is None:
        return None
    (urls,) = await site_urls(ctx, [site], None)
    return urls.published


async def _fill(ctx: Context) -> Organization:
    with ExitStack() as sources:
        try:
            examples = await asyncio.to_thread(read_examples, sources)
        except ExamplesMissingError as error:
            raise CommandError(str(error)) from error
        return await run(ctx, fill, examples)


async def _token(server: Server, ctx: Context, folder: Path) -> str:
    """The token in the data folder, or a new one when that is missing or no longer valid."""
    place = folder / TOKEN_FILE
    user = await read(ctx, accounts.find_account, email_of(ADMIN))
    text = _read(place)
    if text is not None:
        try:
            points = server.database.points
            actor = await tokens.authenticate(points, text, utc_now())
            if actor.user_id == user.id:
                return text
        except Unauthenticated:
            pass  # revoked, or of another database
    token = await run(ctx, accounts.create_account_token, user.email, LABEL)
    _write(place, token.text)
    return token.text


def _read(place: Path) -> str | None:
    try:
        return place.read_text("ascii").strip() or None
    except (FileNotFoundError, UnicodeDecodeError):
        return None


def _write(place: Path, token: str) -> None:
    """Replace the file at once, readable for its owner only from the first moment."""
    new = place.with_name(f"{place.name}.{secrets.token_hex(4)}")
    handle = os.open(new, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    with open(handle, "w", encoding="ascii") as file:
        file.write(f"{token}\n")
    new.replace(place)
