"""Commands for invitations to organizations, and to spaces and collections."""

from typing import Annotated, Any

import typer
from strawberry import ID, Some

from db.enums import InvitationState
from db.models.invitations import Invitation
from docstead.commands.accounts import Email
from docstead.commands.members import OrganizationOption, RoleOption, role_of
from docstead.commands.shared import (
    DatabaseUrl,
    DataDir,
    all_rows,
    as_operator,
    settings_of,
)
from docstead.commands.terminal import AsJson, CommandError, printable, show
from resolvers.core.context import Context
from resolvers.core.runners import read, run
from resolvers.core.scalars import write_time
from resolvers.organizations.invitation_states import invitation_states
from resolvers.organizations.invitation_writes import (
    InvitedInput,
    InviteUsersInput,
    delete_invitation,
    invite_users_to_organization,
    resend_invitation,
)
from resolvers.organizations.invitations import (
    InvitationArguments,
    SentInvitation,
    invitation_urls,
    invitations_of_organizations,
)
from resolvers.organizations.operations import get_organization
from resolvers.permissions.operations import (
    InviteInput,
    invite_to_collection,
    invite_to_space,
)

invite_app = typer.Typer(
    help="Invitations to organizations and to what is in them.", no_args_is_help=True
)
InvitationOption = Annotated[str, typer.Option("--id", help="Id of the invitation.")]
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
    email: Email,
    role: RoleOption,
    organization: Annotated[
        str | None, typer.Option("--organization", help="Id of the organization to invite to.")
    ] = None,
    space: Annotated[
        str | None, typer.Option("--space", help="Id of the space to invite a guest to.")
    ] = None,
    collection: Annotated[
        str | None, typer.Option("--collection", help="Id of the collection to invite a guest to.")
    ] = None,
    json: AsJson = False,
    data_dir: DataDir = None,
    database_url: DatabaseUrl = None,
) -> None:
    """Invite a person; the link is printed where no mail is sent. Who has an account joins an
    organization at once; members get their role on a space or a collection at once."""
    settings = settings_of(data_dir, database_url)
    targets = [target for target in (organization, space, collection) if target is not None]
    if len(targets) != 1:
        raise CommandError("give one of --organization, --space and --collection")
    value: dict[str, Any] = {"users": []}
    if organization is not None:
        entries = InviteUsersInput(emails=[InvitedInput(email=email)], role=Some(role_of(role)))
        invite = invite_users_to_organization
        invited = as_operator(settings, run, invite, ID(organization), entries)
        value["users"], sent = invited.users, invited.sent
        lines = [f"{user}  is a member" for user in invited.users]
    else:
        named = InviteInput(role=Some(role_of(role)), users=Some([email]))
        operation = invite_to_space if space is not None else invite_to_collection
        sent = as_operator(settings, run, operation, ID(targets[0]), named).sent
        lines = [] if sent else [f"{email}  is a member, and has the role"]
    value["invitations"] = [
        invitation_json(new.invitation, InvitationState.OPEN, new.url) for new in sent
    ]
    show(value, json, "\n".join([*lines, *map(_sent, sent)]))


def _sent(sent: SentInvitation) -> str:
    return f"{sent.invitation.id}  {sent.url or 'sent by mail'}"


@invite_app.command("resend", epilog="Example: docstead invite resend --id 0WZ3Yq8sT1aBcD2eF3gH")
def resend(
    id: InvitationOption,
    json: AsJson = False,
    data_dir: DataDir = None,
    database_url: DatabaseUrl = None,
) -> None:
    """Send an invitation by mail again, with a new link; the one before opens nothing any more."""
    sent = as_operator(settings_of(data_dir, database_url), run, resend_invitation, ID(id))
    show(invitation_json(sent.invitation, InvitationState.OPEN, sent.url), json, _sent(sent))


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
    id: InvitationOption,
    json: AsJson = False,
    data_dir: DataDir = None,
    database_url: DatabaseUrl = None,
) -> None:
    """Withdraw an invitation or a link; who has joined by it stays."""
    settings = settings_of(data_dir, database_url)
    deleted = as_operator(settings, run, delete_invitation, ID(id))
    show({"id": deleted.deleted_id}, json, f"{deleted.deleted_id}  revoked")
