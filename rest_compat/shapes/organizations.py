"""Users, organizations and members in /v1."""

from rest_compat.shape import named_shape, nested, shape
from rest_compat.shapes.spaces import SPACE
from schema.types import organizations

USER = shape(
    organizations.User,
    "id displayName email? photoURL?",
    {"object": "user"},
    urls=shape(organizations.UserUrls, "location"),
)

ORGANIZATION = shape(
    organizations.Organization,
    "id title createdAt emailDomains hostname? type useCase? communityType? defaultRole sso ai "
    "inviteLinks plan mergeRules",
    {"object": "organization"},
    defaultContent=nested(shape(organizations.SitePointer, "type site"), optional=True),
    trial=shape(organizations.Trial, "status"),
    urls=shape(organizations.OrganizationUrls, "location app logo?"),
    permissions=shape(
        organizations.OrganizationPermissions,
        "view admin ownTeam createContent createOpenAPISpec ingestConversations viewBilling "
        "listMembers listTeams listIntegrations listInstallations installIntegration",
    ),
)

TEAM = named_shape(
    "OrganizationTeam",
    organizations.Team,
    "id title members:memberCount spaces:spaceCount createdAt",
    {"object": "team"},
    permissions=shape(organizations.TeamPermissions, "admin view"),
)

MEMBER = named_shape(
    "OrganizationMember",
    organizations.Member,
    "id:userId role disabled joinedAt lastSeenAt? sso spaces teams",
    {"object": "member"},
    user=USER,
)

# What a visitor of the renderer would get beside it is not made here.
LAST_SEEN = named_shape("LastSeen", organizations.Member, "")

TEAM_MEMBERSHIP = named_shape("TeamMember", organizations.TeamMembership, "role")

TEAM_MEMBER = named_shape(
    "OrganizationTeamMember",
    organizations.TeamMember,
    "",
    organization=nested(MEMBER, of="member"),
    team=nested(TEAM_MEMBERSHIP, of="membership"),
    permissions=shape(organizations.TeamMemberPermissions, "view"),
)

MEMBER_TEAM = named_shape(
    "MemberTeam",
    organizations.TeamMember,
    "",
    team=TEAM,
    member=nested(TEAM_MEMBERSHIP, of="membership"),
)

MEMBER_SPACE = named_shape(
    "MemberContentPermission", organizations.MemberSpace, "permission", space=SPACE
)
