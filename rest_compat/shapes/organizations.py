"""Users, organizations and members in /v1."""

from rest_compat.shape import nested, shape
from schema.types import organizations

USER = shape(
    "User",
    organizations.User,
    "id displayName email? photoURL?",
    {"object": "user"},
    urls=nested(shape("UserUrls", organizations.UserUrls, "location")),
)

ORGANIZATION = shape(
    "Organization",
    organizations.Organization,
    "id title createdAt emailDomains hostname? type useCase? communityType? defaultRole sso ai "
    "inviteLinks plan mergeRules",
    {"object": "organization"},
    defaultContent=nested(
        shape("SitePointer", organizations.SitePointer, "type site"), optional=True
    ),
    trial=nested(shape("Trial", organizations.Trial, "status")),
    urls=nested(shape("OrganizationUrls", organizations.OrganizationUrls, "location app logo?")),
    permissions=nested(
        shape(
            "OrganizationPermissions",
            organizations.OrganizationPermissions,
            "view admin ownTeam createContent createOpenAPISpec ingestConversations viewBilling "
            "listMembers listTeams listIntegrations listInstallations installIntegration",
        )
    ),
)

MEMBER = shape(
    "OrganizationMember",
    organizations.Member,
    "id:userId role disabled joinedAt lastSeenAt? sso spaces teams",
    {"object": "member"},
    user=nested(USER),
)
