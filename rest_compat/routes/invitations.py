"""Invitations, and joining by the domain of an address."""

from resolvers.core.pagination import PageArguments
from resolvers.organizations import (
    invitation_writes,
    invitations,
    joining,
    operations as organizations,
)
from rest_compat.shapes.invitations import (
    INVITED_USERS,
    JOINED,
    LINK,
    LINK_TO_ORGANIZATION,
    ORGANIZATIONS_OF_DOMAIN,
)
from rest_compat.table import delete, done, get, page, patch, post

ORGANIZATION = "/orgs/{organizationId}"
LINKS = f"{ORGANIZATION}/link-invites"
ONE = f"{LINKS}/{{inviteId}}"
TAG = "organization-invites"

ROUTES = (
    post(f"{ORGANIZATION}/invites", "inviteUsersToOrganization", TAG,
         invitation_writes.invite_users_to_organization, INVITED_USERS),
    post(f"{ORGANIZATION}/invites/{{inviteId}}", "joinOrganizationWithInvite", TAG,
         joining.accept_invitation, JOINED, secret="inviteId"),  # noqa: S106 (a name)
    page(LINKS, "listOrganizationInviteLinks", TAG, organizations.get_organization,
         invitations.links_to_organizations, PageArguments, LINK_TO_ORGANIZATION),
    post(LINKS, "createOrganizationInvite", TAG, invitation_writes.create_organization_invite, LINK,
         status=201, location=f"{LINKS}/{{id}}"),
    get(ONE, "getOrganizationInviteLink", TAG, invitations.get_invitation, LINK),
    patch(ONE, "updateOrganizationInviteById", TAG, invitation_writes.update_invitation, LINK),
    delete(ONE, "deleteOrganizationInviteById", "organizations",
           invitation_writes.delete_invitation),
    done(f"{ORGANIZATION}/join", "joinOrganization", "organizations", joining.join_organization,
         status=204),
    get("/email-domains/{emailDomain}/orgs", "getOrganizationsForEmailDomain", "organizations",
        joining.get_organizations_for_email_domain, ORGANIZATIONS_OF_DOMAIN),
)  # fmt: skip
