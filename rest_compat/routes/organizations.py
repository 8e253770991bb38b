"""Users, organizations and members."""

from resolvers.core.pagination import PageArguments
from resolvers.organizations import (
    member_spaces,
    member_writes,
    members,
    operations as organizations,
    users,
)
from resolvers.organizations.member_spaces import MemberSpaceArguments
from resolvers.organizations.members import MemberArguments
from rest_compat.shapes.organizations import LAST_SEEN, MEMBER, MEMBER_SPACE, ORGANIZATION, USER
from rest_compat.table import delete, get, page, patch, post

MEMBERS = "/orgs/{organizationId}/members"
ONE_MEMBER = f"{MEMBERS}/{{userId}}"

ROUTES = (
    get("/user", "getAuthenticatedUser", "users", users.get_viewer, USER),
    get("/users/{userId}", "getUserById", "users", users.get_user, USER),
    patch("/users/{userId}", "updateUserById", "users", users.update_user, USER),
    page("/orgs", "listOrganizationsForAuthenticatedUser", "organizations", users.get_viewer,
         organizations.organizations_of_users, PageArguments, ORGANIZATION),
    get("/orgs/{organizationId}", "getOrganizationById", "organizations",
        organizations.get_organization, ORGANIZATION),
    patch("/orgs/{organizationId}", "updateOrganizationById", "organizations",
          organizations.update_organization, ORGANIZATION),
    page(MEMBERS, "listMembersInOrganizationById", "organization-members",
         organizations.get_organization, members.members_of_organizations, MemberArguments, MEMBER),
    get(ONE_MEMBER, "getMemberInOrganizationById", "organization-members", members.get_member,
        MEMBER),
    patch(ONE_MEMBER, "updateMemberInOrganizationById", "organization-members",
          member_writes.update_member, MEMBER),
    delete(ONE_MEMBER, "removeMemberFromOrganizationById", "organization-members",
           member_writes.remove_member),
    post(f"{ONE_MEMBER}/sso", "setUserAsSSOMemberForOrganization", "organization-members",
         member_writes.set_sso_member, MEMBER),
    page(f"{ONE_MEMBER}/spaces", "listSpacesForOrganizationMember", "organization-members",
         members.get_member, member_spaces.spaces_of_members, MemberSpaceArguments, MEMBER_SPACE),
    post("/orgs/{organizationId}/ping", "updateOrganizationMemberLastSeenAt",
         "organization-members", member_writes.record_last_seen, LAST_SEEN),
)  # fmt: skip
