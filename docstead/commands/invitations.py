"""Commands for invitations to an organization."""

from typing import Annotated, Any

import typer
from strawberry import ID, Some

from db.enums import InvitationState
from db.models.invitations import Invitation
from docstead.commands.accounts import Email
from docstead.commands.members import OrganizationOption, RoleOption, role_of
from docstead.commands.shared import DatabaseUrl, DataDir, all_rows, as_operator, settings_of
from docstead.commands.terminal import AsJson, printable, show
from resolvers.core.context import Context
from resolvers.core.runners import read, run
from resolvers.core.scalars import write_time
from resolvers.organizations.invitation_writes import (
    InvitedInput,
    InviteUsersInput,
    delete_invitation,
    invite_users_to_organization,
)
from resolvers.organizations.invitations import (
    InvitationArguments,
    invitation_states,
    invitation_urls,
    invitations_of_organizations,
)
from resolvers.organizations.operations import get_organization

invite_app = typer.Typer(help="Invitations to organizations.", no_args_is_help=True)
Listed = tuple[Invitation, InvitationState, str | None]


def invitation_json(row: Invitation, state: InvitationState, url: str | None) -> dict[str, Any]:
    return {
        "id": row.id,
        "email": row.email,
        "role": None if row.role is None else row.role.value,
        "space": row.space_id,
        "collection": row.collection_id,
        "state": state.value,
        "createdAt": write_time(row.created_at),
        "expiresAt": None if row.expires_at is None else write_time(row.expires_at),
        "url": url,
    }


def _line(row: Invitation, state: InvitationState, url: str | None) -> str:
    role = "guest" if row.role is None else row.role.value
    return f"{row.id}  {role:7}  {state.value:7}  {printable(row.email or url or '')}"


async def _invitations(ctx: Context, organization_id: str) -> list[Listed]:
    organization = await get_organization(ctx, ID(organization_id))
    rows = await all_rows(ctx, invitations_of_organizations, organization, InvitationArguments)
    states = await invitation_states(ctx, rows, None)
    return list(zip(rows, states, await invitation_urls(ctx, rows, None), strict=True))


@invite_app.command(
    "create",
    epilog="Example: docstead invite create --organization 0WZ3Yq8sT1aBcD2eF3gH "
    "--email bo@example.com --role edit",
)
def create(
    organization: OrganizationOption,
    email: Email,
    role: RoleOption,
    json: AsJson = False,
    data_dir: DataDir = None,
    database_url: DatabaseUrl = None,
) -> None:
    """Invite a person; the link is printed where no mail is sent. Who has an account is a member
    at once."""
    input = InviteUsersInput(emails=[InvitedInput(email=email)], role=Some(role_of(role)))
    invited = as_operator(
        settings_of(data_dir, database_url),
        run,
        invite_users_to_organization,
        ID(organization),
        input,
    )
    value: dict[str, Any] = {"users": invited.users, "invitations": []}
    lines = [f"{user}  is a member" for user in invited.users]
    for sent in invited.sent:
        row = sent.invitation
        value["invitations"].append(invitation_json(row, InvitationState.OPEN, sent.url))
        lines.append(f"{row.id}  {sent.url or 'sent by mail'}")
    show(value, json, "\n".join(lines))


@invite_app.command(
    "list", epilog="Example: docstead invite list --organization 0WZ3Yq8sT1aBcD2eF3gH --json"
)
def list_invitations(
    organization: OrganizationOption,
    json: AsJson = False,
    data_dir: DataDir = None,
    database_url: DatabaseUrl = None,
) -> None:
    """List the invitations and links of an organization."""
    rows = as_operator(settings_of(data_dir, database_url), read, _invitations, organization)
    text = "\n".join(_line(*row) for row in rows) or "no invitations"
    show([invitation_json(*row) for row in rows], json, text)


@invite_app.command("revoke", epilog="Example: docstead invite revoke --id 0WZ3Yq8sT1aBcD2eF3gH")
def revoke(
    id: Annotated[str, typer.Option("--id", help="Id of the invitation.")],
    json: AsJson = False,
    data_dir: DataDir = None,
    database_url: DatabaseUrl = None,
) -> None:
    """Withdraw an invitation or a link; who has joined by it stays."""
    settings = settings_of(data_dir, database_url)
    deleted = as_operator(settings, run, delete_invitation, ID(id))
    show({"id": deleted.deleted_id}, json, f"{deleted.deleted_id}  revoked")
