"""Commands for the members of an organization."""

from collections.abc import Callable
from typing import Annotated, Any

import typer
from strawberry import ID, Some

from db.enums import MemberRoleFilter, Role
from db.models.organizations import Member, User
from docstead.commands.accounts import Email
from docstead.commands.shared import DatabaseUrl, DataDir, all_rows, as_operator, settings_of
from docstead.commands.terminal import AsJson, printable, show
from resolvers.access import accounts
from resolvers.core.context import Context
from resolvers.core.declarations import operation
from resolvers.core.deletions import Deletion
from resolvers.core.runners import read, run
from resolvers.core.scalars import write_time
from resolvers.lists.batches import by_key
from resolvers.organizations.member_writes import UpdateMemberInput, remove_member, update_member
from resolvers.organizations.members import MemberArguments, members_of_organizations
from resolvers.organizations.operations import get_organization

member_app = typer.Typer(help="Members of organizations.", no_args_is_help=True)

OrganizationOption = Annotated[str, typer.Option("--organization", help="Id of the organization.")]
RoleOption = Annotated[
    MemberRoleFilter, typer.Option("--role", help="Their role; guests have none.")
]
Person = tuple[Member, User]
_user_of = by_key(User, "user_id")


def member_json(person: Person) -> dict[str, Any]:
    member, user = person
    seen = member.last_seen_at
    return {
        "id": user.id,
        "email": user.email,
        "displayName": user.display_name,
        "role": None if member.role is None else member.role.value,
        "disabled": member.disabled,
        "sso": member.sso,
        "joinedAt": write_time(member.joined_at),
        "lastSeenAt": None if seen is None else write_time(seen),
    }


def _line(person: Person) -> str:
    member, user = person
    role = "guest" if member.role is None else member.role.value
    state = "disabled" if member.disabled else "active"
    return f"{user.id}  {role:7}  {state:8}  {printable(user.email)}"


def role_of(option: MemberRoleFilter) -> Role | None:
    """The role that an option names; None for guests."""
    return None if option is MemberRoleFilter.GUEST else Role(option.value)


async def _members(ctx: Context, organization_id: str) -> list[Person]:
    organization = await get_organization(ctx, ID(organization_id))
    members = await all_rows(ctx, members_of_organizations, organization, MemberArguments)
    return list(zip(members, await _user_of(ctx, members, None), strict=True))


@operation(action="add_member")
async def _add(ctx: Context, organization_id: str, email: str, role: Role | None) -> Person:
    user = await accounts.find_account(ctx, email)
    organization = await get_organization(ctx, ID(organization_id))
    return await accounts.add_member(ctx, organization, user, role), user


@operation(action="update_member")
async def _update(
    ctx: Context, organization_id: str, email: str, input: UpdateMemberInput
) -> Person:
    user = await accounts.find_account(ctx, email)
    return await update_member(ctx, ID(organization_id), ID(user.id), input), user


@operation(action="remove_member")
async def _remove(ctx: Context, organization_id: str, email: str) -> tuple[Deletion, User]:
    user = await accounts.find_account(ctx, email)
    return await remove_member(ctx, ID(organization_id), ID(user.id)), user


@member_app.command(
    "list", epilog="Example: docstead member list --organization 0WZ3Yq8sT1aBcD2eF3gH --json"
)
def list_members(
    organization: OrganizationOption,
    json: AsJson = False,
    data_dir: DataDir = None,
    database_url: DatabaseUrl = None,
) -> None:
    """List the members of an organization."""
    people = as_operator(settings_of(data_dir, database_url), read, _members, organization)
    show([member_json(person) for person in people], json, "\n".join(map(_line, people)))


@member_app.command(
    "add",
    epilog="Example: docstead member add --organization 0WZ3Yq8sT1aBcD2eF3gH "
    "--email bo@example.com --role edit",
)
def add_member(
    organization: OrganizationOption,
    email: Email,
    role: RoleOption,
    json: AsJson = False,
    data_dir: DataDir = None,
    database_url: DatabaseUrl = None,
) -> None:
    """Make a person with an account a member of an organization."""
    settings = settings_of(data_dir, database_url)
    person = as_operator(settings, run, _add, organization, email, role_of(role))
    show(member_json(person), json, _line(person))


@member_app.command(
    "set-role",
    epilog="Example: docstead member set-role --organization 0WZ3Yq8sT1aBcD2eF3gH "
    "--email bo@example.com --role edit",
)
def set_role(
    organization: OrganizationOption,
    email: Email,
    role: RoleOption,
    json: AsJson = False,
    data_dir: DataDir = None,
    database_url: DatabaseUrl = None,
) -> None:
    """Give a member another role; the last active administrator keeps theirs."""
    input = UpdateMemberInput(role=Some(role_of(role)))
    settings = settings_of(data_dir, database_url)
    person = as_operator(settings, run, _update, organization, email, input)
    show(member_json(person), json, _line(person))


def _changing_state(disabled: bool, about: str) -> Callable[..., None]:
    def command(
        organization: OrganizationOption,
        email: Email,
        json: AsJson = False,
        data_dir: DataDir = None,
        database_url: DatabaseUrl = None,
    ) -> None:
        input = UpdateMemberInput(disabled=Some(disabled))
        settings = settings_of(data_dir, database_url)
        person = as_operator(settings, run, _update, organization, email, input)
        show(member_json(person), json, _line(person))

    command.__doc__ = about
    return command


member_app.command(
    "disable",
    epilog="Example: docstead member disable --organization 0WZ3Yq8sT1aBcD2eF3gH "
    "--email bo@example.com",
)(_changing_state(True, "Take all access from a member, who stays in lists and teams."))
member_app.command(
    "enable",
    epilog="Example: docstead member enable --organization 0WZ3Yq8sT1aBcD2eF3gH "
    "--email bo@example.com",
)(_changing_state(False, "Let a member in again who was disabled."))


@member_app.command(
    "remove",
    epilog="Example: docstead member remove --organization 0WZ3Yq8sT1aBcD2eF3gH "
    "--email bo@example.com",
)
def remove(
    organization: OrganizationOption,
    email: Email,
    json: AsJson = False,
    data_dir: DataDir = None,
    database_url: DatabaseUrl = None,
) -> None:
    """Take a person out of an organization; what they made stays."""
    settings = settings_of(data_dir, database_url)
    _, user = as_operator(settings, run, _remove, organization, email)
    show({"id": user.id, "email": user.email}, json, f"{user.id}  removed  {user.email}")
