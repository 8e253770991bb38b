"""Commands for signing people in and out, who use a browser."""

import datetime as dt
from typing import Annotated

import typer

from docstead.commands.accounts import Address, user_app, user_json
from docstead.commands.shared import DatabaseUrl, DataDir, as_operator, settings_of
from docstead.commands.terminal import AsJson, show
from resolvers.core.runners import run
from resolvers.core.scalars import write_time
from resolvers.sign_in import links, operations


@user_app.command("sign-in-link", epilog="Example: docstead user sign-in-link ada@example.com")
def sign_in_link(
    email: Address,
    minutes: Annotated[
        int,
        typer.Option("--minutes", min=1, max=links.MOST_MINUTES, help="How long the link works."),
    ] = int(links.LIFETIME.total_seconds() // 60),
    json: AsJson = False,
    data_dir: DataDir = None,
    database_url: DatabaseUrl = None,
) -> None:
    """Make a link that signs a person in, once; whoever opens it is that person."""
    link = as_operator(
        settings_of(data_dir, database_url),
        run,
        links.make_sign_in_link,
        email,
        lifetime=dt.timedelta(minutes=minutes),
    )
    value = {
        "user": user_json(link.user),
        "url": link.url,
        "expiresAt": write_time(link.expires_at),
    }
    show(value, json, link.url)


@user_app.command("sign-out", epilog="Example: docstead user sign-out ada@example.com")
def sign_out(
    email: Address,
    json: AsJson = False,
    data_dir: DataDir = None,
    database_url: DatabaseUrl = None,
) -> None:
    """Sign a person out of all browsers, at once; their tokens stay."""
    settings = settings_of(data_dir, database_url)
    count = as_operator(settings, run, operations.end_sessions_of, email)
    show({"endedSessions": count}, json, f"{count} sessions ended")
