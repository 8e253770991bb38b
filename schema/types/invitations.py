"""Invitations to organizations, and to spaces and collections of theirs."""

import datetime as dt

import strawberry

from db.enums import InvitationState, Role
from db.models import invitations as models, organizations as people, spaces as space_models
from resolvers.core.scalars import Url
from resolvers.organizations import invitation_states, invitations
from schema.node import Node
from schema.types.above import Collection, Organization, Space
from schema.types.organizations import Member, User
from schema.wiring import batch, column, related, source_rows, visible_related


@strawberry.type(description="An invitation of one person by mail, or a link for many.")
class Invitation(Node):
    is_type_of = source_rows(models.Invitation)
    organization: Organization = related(
        people.Organization, "organization_id", "The organization."
    )
    email: str | None = column("Address of who is invited; null for links.")
    role: Role | None = column(
        "Role that it gives in the organization, null for guests, or on the space or collection."
    )
    space: Space | None = visible_related(space_models.Space, "space_id", "The space it is about.")
    collection: Collection | None = visible_related(
        space_models.Collection, "collection_id", "The collection it is about."
    )
    sso: bool = column("Whether who accepts it signs on through the organization's provider.")
    state: InvitationState = batch(
        invitation_states.invitation_states,
        "Whether it can be accepted: whoever made it must still be able to give what it gives.",
    )
    redundant: bool = batch(
        invitations.redundant_invitations, "Whether you have already what it gives."
    )
    url: Url | None = batch(
        invitations.invitation_urls,
        "Address of the link; null for an invitation by mail, whose address is in the mail.",
    )
    inviter: User | None = related(
        people.User, "inviter_id", "Who made it or changed it last; null for the operator."
    )
    created_at: dt.datetime = column("When it was made.")
    expires_at: dt.datetime | None = column("Until when it can be accepted; null = always.")
    accepted_at: dt.datetime | None = column("When the invitation by mail was accepted.")
    accepted_by: User | None = related(people.User, "accepted_by_id", "Who has accepted it.")


@strawberry.type(description="An invitation by mail that was just made.")
class SentInvitation:
    invitation: Invitation = column("The invitation.")
    url: Url | None = column(
        "Where it is accepted, shown this once; null when the server has sent it by mail."
    )


@strawberry.type(description="What became of the addresses that were invited.")
class InviteUsersPayload:
    organization: Organization = column("The organization.")
    members: list[Member] = column("The people with an account, who are members now.")
    invitations: list[SentInvitation] = column("Invitations of the others.", attribute="sent")
    invited: int = column("How many of the addresses were no members before.")
    users: list[strawberry.ID] = column("Ids of the people with an account.")
    failed_sso_emails: list[str] | None = strawberry.field(
        name="failedSSOEmails",
        description="Addresses of members, whose way to sign in stays as it is.",
    )


_SENT = "Invitations of those who are no members: they become guests."


@strawberry.type(description="A space on which people and teams were given a role.")
class InviteToSpacePayload:
    space: Space = column("The space.", attribute="content")
    invitations: list[SentInvitation] = column(_SENT, attribute="sent")


@strawberry.type(description="A collection on which people and teams were given a role.")
class InviteToCollectionPayload:
    collection: Collection = column("The collection.", attribute="content")
    invitations: list[SentInvitation] = column(_SENT, attribute="sent")


@strawberry.type(description="The organizations that people with an address of a domain may join.")
class OrganizationsOfDomain:
    organizations: list[Organization] = column("Oldest first, at most 100.")
