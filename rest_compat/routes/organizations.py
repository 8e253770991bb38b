"""Users, organizations and members."""

from resolvers.core.pagination import PageArguments
from resolvers.organizations import members, operations as organizations, users
from resolvers.organizations.members import MemberArguments
from rest_compat.shapes.organizations import MEMBER, ORGANIZATION, USER
from rest_compat.table import get, page, patch

ROUTES = (
    get("/user", "getAuthenticatedUser", "users", users.get_viewer, USER),
    get("/users/{userId}", "getUserById", "users", users.get_user, USER, id="userId"),
    patch("/users/{userId}", "updateUserById", "users", users.update_user, USER, id="userId"),
    page("/orgs", "listOrganizationsForAuthenticatedUser", "organizations", users.get_viewer,
         organizations.organizations_of_users, PageArguments, ORGANIZATION),
    get("/orgs/{organizationId}", "getOrganizationById", "organizations",
        organizations.get_organization, ORGANIZATION, id="organizationId"),
    patch("/orgs/{organizationId}", "updateOrganizationById", "organizations",
          organizations.update_organization, ORGANIZATION, id="organizationId"),
    page("/orgs/{organizationId}/members", "listMembersInOrganizationById", "organization-members",
         organizations.get_organization, members.members_of_organizations, MemberArguments, MEMBER,
         id="organizationId"),
    get("/orgs/{organizationId}/members/{userId}", "getMemberInOrganizationById",
        "organization-members", members.get_member, MEMBER,
        organization_id="organizationId", user_id="userId"),
)  # fmt: skip
