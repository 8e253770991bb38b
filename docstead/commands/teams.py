"""Commands for the teams of an organization."""

from typing import Annotated, Any

import typer
from strawberry import ID, Some

from db.enums import TeamMemberRole
from db.models.organizations import Team
from docstead.commands.members import OrganizationOption
from docstead.commands.shared import DatabaseUrl, DataDir, all_rows, as_operator, settings_of
from docstead.commands.terminal import AsJson, printable, show
from resolvers.core import inputs
from resolvers.core.context import Context
from resolvers.core.declarations import operation
from resolvers.core.runners import read, run
from resolvers.core.scalars import write_time
from resolvers.organizations.operations import get_organization
from resolvers.organizations.team_members import (
    TeamMembershipInput,
    UpdateTeamMembersInput,
    update_team_members,
)
from resolvers.organizations.teams import (
    CreateTeamInput,
    TeamArguments,
    UpdateTeamInput,
    create_team,
    delete_team,
    member_counts,
    teams_of_organizations,
    update_team,
)

team_app = typer.Typer(help="Teams of organizations.", no_args_is_help=True)

TeamOption = Annotated[str, typer.Option("--team", help="Id of the team.")]
TitleOption = Annotated[str, typer.Option("--title", help="Name of the team.")]
Emails = Annotated[list[str], typer.Option("--email", help="Address of a member; repeatable.")]
Counted = tuple[Team, int]


def team_json(counted: Counted) -> dict[str, Any]:
    team, members = counted
    return {
        "id": team.id,
        "title": team.title,
        "members": members,
        "createdAt": write_time(team.created_at),
    }


def _line(counted: Counted) -> str:
    team, members = counted
    return f"{team.id}  {members:5} people  {printable(team.title)}"


async def _teams(ctx: Context, organization_id: str) -> list[Counted]:
    organization = await get_organization(ctx, ID(organization_id))
    teams = await all_rows(ctx, teams_of_organizations, organization, TeamArguments)
    return list(zip(teams, await member_counts(ctx, teams, None), strict=True))


@operation(action="create_team")
async def _create(ctx: Context, organization_id: str, input: CreateTeamInput) -> Counted:
    inputs.check({"input": input})
    return await _counted(ctx, await create_team(ctx, ID(organization_id), input))


@operation(action="update_team")
async def _rename(ctx: Context, id: str, input: UpdateTeamInput) -> Counted:
    inputs.check({"input": input})
    return await _counted(ctx, await update_team(ctx, ID(id), input))


@operation(action="update_team_members")
async def _change(ctx: Context, id: str, input: UpdateTeamMembersInput) -> Counted:
    inputs.check({"input": input})
    return await _counted(ctx, await update_team_members(ctx, ID(id), input))


@operation(action="delete_team")
async def _delete(ctx: Context, id: str) -> str:
    return (await delete_team(ctx, ID(id))).deleted_id


async def _counted(ctx: Context, team: Team) -> Counted:
    await ctx.session.flush()
    (members,) = await member_counts(ctx, [team], None)
    return team, members


@team_app.command(
    "list", epilog="Example: docstead team list --organization 0WZ3Yq8sT1aBcD2eF3gH --json"
)
def list_teams(
    organization: OrganizationOption,
    json: AsJson = False,
    data_dir: DataDir = None,
    database_url: DatabaseUrl = None,
) -> None:
    """List the teams of an organization."""
    teams = as_operator(settings_of(data_dir, database_url), read, _teams, organization)
    show([team_json(team) for team in teams], json, "\n".join(map(_line, teams)) or "no teams")


@team_app.command(
    "create",
    epilog="Example: docstead team create --organization 0WZ3Yq8sT1aBcD2eF3gH --title Writers "
    "--email bo@example.com",
)
def create(
    organization: OrganizationOption,
    title: TitleOption,
    email: Emails = [],  # noqa: B006 (Typer's form of an option that is absent)
    json: AsJson = False,
    data_dir: DataDir = None,
    database_url: DatabaseUrl = None,
) -> None:
    """Make a team of members of an organization."""
    input = CreateTeamInput(title=title, members=Some(email))
    settings = settings_of(data_dir, database_url)
    team = as_operator(settings, run, _create, organization, input)
    show(team_json(team), json, _line(team))


@team_app.command(
    "rename", epilog="Example: docstead team rename --team 0WZ3Yq8sT1aBcD2eF3gH --title Authors"
)
def rename(
    team: TeamOption,
    title: TitleOption,
    json: AsJson = False,
    data_dir: DataDir = None,
    database_url: DatabaseUrl = None,
) -> None:
    """Give a team another name."""
    settings = settings_of(data_dir, database_url)
    renamed = as_operator(settings, run, _rename, team, UpdateTeamInput(title=title))
    show(team_json(renamed), json, _line(renamed))


@team_app.command("delete", epilog="Example: docstead team delete --team 0WZ3Yq8sT1aBcD2eF3gH")
def delete(
    team: TeamOption,
    json: AsJson = False,
    data_dir: DataDir = None,
    database_url: DatabaseUrl = None,
) -> None:
    """Delete a team with all that it was granted; its people stay."""
    id = as_operator(settings_of(data_dir, database_url), run, _delete, team)
    show({"id": id}, json, f"{id}  deleted")


@team_app.command(
    "add",
    epilog="Example: docstead team add --team 0WZ3Yq8sT1aBcD2eF3gH --email bo@example.com --owner",
)
def add(
    team: TeamOption,
    email: Emails,
    owner: Annotated[
        bool, typer.Option("--owner", help="They manage the members of the team.")
    ] = False,
    json: AsJson = False,
    data_dir: DataDir = None,
    database_url: DatabaseUrl = None,
) -> None:
    """Bring members of the organization into a team, or make those who are there owners."""
    owners = [TeamMembershipInput(user=name, role=TeamMemberRole.OWNER) for name in email]
    input = (
        UpdateTeamMembersInput(memberships=Some(owners))
        if owner
        else UpdateTeamMembersInput(add=Some(email))
    )
    changed = as_operator(settings_of(data_dir, database_url), run, _change, team, input)
    show(team_json(changed), json, _line(changed))


@team_app.command(
    "remove",
    epilog="Example: docstead team remove --team 0WZ3Yq8sT1aBcD2eF3gH --email bo@example.com",
)
def remove(
    team: TeamOption,
    email: Emails,
    json: AsJson = False,
    data_dir: DataDir = None,
    database_url: DatabaseUrl = None,
) -> None:
    """Take people out of a team."""
    input = UpdateTeamMembersInput(remove=Some(email))
    changed = as_operator(settings_of(data_dir, database_url), run, _change, team, input)
    show(team_json(changed), json, _line(changed))
