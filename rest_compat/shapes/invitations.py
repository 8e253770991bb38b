"""Invitations in /v1."""

from typing import Any

from rest_compat.shape import Variants, named_shape
from rest_compat.shapes.organizations import ORGANIZATION
from rest_compat.shapes.spaces import COLLECTION, SPACE
from schema.types import invitations
from schema.types.organizations import Member

_LINK: dict[str, Any] = {"object": "invite"}
LINK_TO_ORGANIZATION = named_shape(
    "InviteLinkToOrganization", invitations.Invitation, "id role redundant url?", _LINK
)


def _target(row: Any) -> str:
    if row.space_id is not None:
        return "space"
    return "organization" if row.collection_id is None else "collection"


LINK = Variants(
    "OrganizationInviteLink",
    _target,
    {
        "organization": LINK_TO_ORGANIZATION,
        "space": named_shape(
            "InviteLinkToSpace", invitations.Invitation, "id level:role redundant url?", _LINK,
            space=SPACE,
        ),
        "collection": named_shape(
            "InviteLinkToCollection", invitations.Invitation, "id level:role redundant url?", _LINK,
            collection=COLLECTION,
        ),
    },
)  # fmt: skip
INVITED_USERS = named_shape(
    "InvitedUsers", invitations.InviteUsersPayload, "users invited failedSSOEmails?"
)
JOINED = named_shape("JoinedOrganization", Member, "")
ORGANIZATIONS_OF_DOMAIN = named_shape(
    "OrganizationsOfDomain", invitations.OrganizationsOfDomain, "", organizations=ORGANIZATION
)
