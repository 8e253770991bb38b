"""Teams of organizations, and the people in them."""

from resolvers.organizations import members, operations as organizations, team_members, teams
from resolvers.organizations.team_members import MemberTeamArguments, TeamMemberArguments
from resolvers.organizations.teams import TeamArguments
from rest_compat.shapes.organizations import MEMBER_TEAM, TEAM, TEAM_MEMBER
from rest_compat.table import delete, done, get, page, patch, put

TEAMS = "/orgs/{organizationId}/teams"
ONE = f"{TEAMS}/{{teamId}}"
MEMBERS = f"{ONE}/members"

ROUTES = (
    page(TEAMS, "listTeamsInOrganizationById", "teams", organizations.get_organization,
         teams.teams_of_organizations, TeamArguments, TEAM),
    put(TEAMS, "createOrganizationTeam", "teams", teams.create_team, TEAM, status=201,
        location=f"{TEAMS}/{{id}}"),
    get(ONE, "getTeamInOrganizationById", "teams", teams.get_team, TEAM),
    patch(ONE, "updateTeamInOrganizationById", "teams", teams.update_team, TEAM),
    delete(ONE, "removeTeamFromOrganizationById", "teams", teams.delete_team),
    page(MEMBERS, "listTeamMembersInOrganizationById", "team-members", teams.get_team,
         team_members.members_of_teams, TeamMemberArguments, TEAM_MEMBER),
    done(MEMBERS, "updateMembersInOrganizationTeam", "team-members",
         team_members.update_team_members, method="PUT", status=204),
    done(f"{MEMBERS}/{{userId}}", "addMemberToOrganizationTeamById", "team-members",
         team_members.set_team_member, method="PUT", status=204, body_optional=True),
    delete(f"{MEMBERS}/{{userId}}", "deleteMemberFromOrganizationTeamById", "team-members",
           team_members.remove_team_member),
    page("/orgs/{organizationId}/members/{userId}/teams", "listTeamsForOrganizationMember",
         "organization-members", members.get_member, team_members.teams_of_members,
         MemberTeamArguments, MEMBER_TEAM),
)  # fmt: skip
