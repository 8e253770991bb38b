"""Commands for people, organizations and tokens."""

import datetime as dt
from typing import Annotated, Any

import typer

from db.base import utc_now
from db.enums import FULL_ACCESS, TokenScope
from db.models.organizations import Token, User
from docstead.commands.shared import DatabaseUrl, DataDir, as_operator, settings_of
from docstead.commands.terminal import AsJson, CommandError, show
from resolvers.access import accounts
from resolvers.core.runners import read, run
from resolvers.core.scalars import write_time

user_app = typer.Typer(help="Accounts of people.", no_args_is_help=True)
token_app = typer.Typer(help="API tokens of people.", no_args_is_help=True)

Email = Annotated[str, typer.Option("--email", help="Address of the person.")]
Address = Annotated[str, typer.Argument(metavar="EMAIL", help="Address of the person.")]


def user_json(user: User) -> dict[str, Any]:
    return {"id": user.id, "email": user.email, "displayName": user.display_name}


def token_json(token: Token) -> dict[str, Any]:
    def time(value: dt.datetime | None) -> str | None:
        return None if value is None else write_time(value)

    return {
        "id": token.id,
        "label": token.label,
        "scopes": list(token.scopes),
        "createdAt": time(token.created_at),
        "expiresAt": time(token.expires_at),
        "lastUsedAt": time(token.last_used_at),
        "revokedAt": time(token.revoked_at),
    }


def init(
    email: Email,
    name: Annotated[str, typer.Option("--name", help="Name of the person.")],
    organization: Annotated[
        str, typer.Option("--organization", help="Title of the new organization.")
    ],
    json: AsJson = False,
    data_dir: DataDir = None,
    database_url: DatabaseUrl = None,
) -> None:
    """Make a person (if new), an organization they administrate, and a token."""
    installation = as_operator(
        settings_of(data_dir, database_url), run, accounts.initialise, email, name, organization
    )
    organization_row = installation.organization
    value = {
        "user": user_json(installation.user),
        "organization": {"id": organization_row.id, "title": organization_row.title},
        "token": installation.token.text,
    }
    text = (
        f"person        {installation.user.id}  {installation.user.email}\n"
        f"organization  {organization_row.id}  {organization_row.title}\n"
        f"token         {installation.token.text}   (it is not shown again)"
    )
    show(value, json, text)


@user_app.command(
    "create", epilog="Example: docstead user create --email ada@example.com --name Ada"
)
def create_user(
    email: Email,
    name: Annotated[str, typer.Option("--name", help="Name of the person.")],
    json: AsJson = False,
    data_dir: DataDir = None,
    database_url: DatabaseUrl = None,
) -> None:
    """Make an account."""
    settings = settings_of(data_dir, database_url)
    user = as_operator(settings, run, accounts.create_user, email, name)
    show(user_json(user), json, f"{user.id}  {user.email}")


@user_app.command("verify", epilog="Example: docstead user verify ada@example.com")
def verify(
    email: Address,
    json: AsJson = False,
    data_dir: DataDir = None,
    database_url: DatabaseUrl = None,
) -> None:
    """Note that the address of an account is that person's: you know it from elsewhere."""
    settings = settings_of(data_dir, database_url)
    user = as_operator(settings, run, accounts.verify_address, email)
    assert user.email_verified_at is not None
    value = {**user_json(user), "emailVerifiedAt": write_time(user.email_verified_at)}
    show(value, json, f"{user.id}  {user.email}  verified")


@token_app.command(
    "create", epilog="Example: docstead token create --email ada@example.com --label laptop"
)
def create_token(
    email: Email,
    label: Annotated[str, typer.Option("--label", help="What the token is for.")],
    read_only: Annotated[
        bool, typer.Option("--read-only", help="The token may read and not write.")
    ] = False,
    scopes: Annotated[
        list[TokenScope] | None,
        typer.Option("--scope", help="What it may be used for; once for each. Absent: everything."),
    ] = None,
    days: Annotated[
        int | None, typer.Option("--days", min=1, max=3650, help="Days until it expires.")
    ] = None,
    json: AsJson = False,
    data_dir: DataDir = None,
    database_url: DatabaseUrl = None,
) -> None:
    """Make a token; its text is shown this once."""
    if read_only and scopes:
        raise CommandError("give --read-only or --scope, not both")
    granted = frozenset({TokenScope.READ}) if read_only else frozenset(scopes or FULL_ACCESS)
    token = as_operator(
        settings_of(data_dir, database_url),
        run,
        accounts.create_account_token,
        email,
        label,
        scopes=granted,
        expires_at=None if days is None else utc_now() + dt.timedelta(days=days),
    )
    show({**token_json(token.row), "token": token.text}, json, token.text)


@token_app.command("list", epilog="Example: docstead token list --email ada@example.com --json")
def list_tokens(
    email: Email,
    json: AsJson = False,
    data_dir: DataDir = None,
    database_url: DatabaseUrl = None,
) -> None:
    """List a person's tokens."""
    settings = settings_of(data_dir, database_url)
    rows = as_operator(settings, read, accounts.list_account_tokens, email)
    lines = [
        f"{row.id}  {'revoked' if row.revoked_at else 'active ':7}  {row.label}  "
        f"({', '.join(row.scopes)})"
        for row in rows
    ]
    show([token_json(row) for row in rows], json, "\n".join(lines) or "no tokens")


@token_app.command(
    "revoke", epilog="Example: docstead token revoke --email ada@example.com --label laptop"
)
def revoke_tokens(
    email: Email,
    label: Annotated[str | None, typer.Option("--label", help="Label of the tokens.")] = None,
    id: Annotated[str | None, typer.Option("--id", help="Id of one token.")] = None,
    json: AsJson = False,
    data_dir: DataDir = None,
    database_url: DatabaseUrl = None,
) -> None:
    """Revoke a person's tokens by label or id; they stop working at once."""
    settings = settings_of(data_dir, database_url)
    rows = as_operator(settings, run, accounts.revoke_account_tokens, email, id=id, label=label)
    lines = [f"{row.id}  revoked  {row.label}" for row in rows]
    show([token_json(row) for row in rows], json, "\n".join(lines))
