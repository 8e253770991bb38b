"""Users, organizations and members in /v1."""

from rest_compat.shape import nested, shape
from schema.types import people

USER = shape(
    "User",
    people.User,
    "id displayName email? photoURL?",
    {"object": "user"},
    urls=nested(shape("UserUrls", people.UserUrls, "location")),
)

ORGANIZATION = shape(
    "Organization",
    people.Organization,
    "id title createdAt emailDomains hostname? type useCase? communityType? defaultRole sso ai "
    "inviteLinks plan mergeRules",
    {"object": "organization"},
    defaultContent=nested(shape("SitePointer", people.SitePointer, "type site"), optional=True),
    trial=nested(shape("Trial", people.Trial, "status")),
    urls=nested(shape("OrganizationUrls", people.OrganizationUrls, "location app logo?")),
    permissions=nested(
        shape(
            "OrganizationPermissions",
            people.OrganizationPermissions,
            "view admin ownTeam createContent createOpenAPISpec ingestConversations viewBilling "
            "listMembers listTeams listIntegrations listInstallations installIntegration",
        )
    ),
)

MEMBER = shape(
    "OrganizationMember",
    people.Member,
    "id:userId role disabled joinedAt lastSeenAt? sso spaces teams",
    {"object": "member"},
    user=nested(USER),
)
