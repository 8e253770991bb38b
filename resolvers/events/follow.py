"""What a subscription follows: each field is an operation that finds it, and refuses who may not.

They are run when a subscription begins, and again whenever the caller's rights may have changed.
What is delivered is read as the caller, event by event (docs/events.md).
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Annotated

import strawberry
from sqlalchemy import bindparam

from db.event_enums import EventTopic as Topic, EventType
from db.models.change_requests import ChangeRequest
from db.models.events import Event
from db.models.organizations import Organization
from db.models.sites import Site
from db.models.spaces import Space
from db.prepared import KEY
from resolvers.access.policy import must, must_be_person, spaces_with_bin
from resolvers.core import inputs
from resolvers.core.arguments import OrganizationId, SiteId, SpaceId
from resolvers.core.context import Context
from resolvers.core.errors import Forbidden
from resolvers.core.nodes import SEPARATOR
from resolvers.events.fields import position_of, types_of

# Facts of an event that it can be followed by.
FACTS = (
    "space_id", "change_request_id", "site_id", "collection_id", "team_id", "user_id", "page_id",
    "comment_id", "object_id",
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class Followed:
    """The events of a subscription: those of a stream, of some types, about something."""

    stream_id: str
    types: frozenset[EventType]
    where: tuple[tuple[str, str], ...] = ()
    # The number of the event behind which it begins; None: with what happens from now on.
    position: int | None = None

    @property
    def place(self) -> tuple[str, frozenset[EventType]]:
        """What must not change while it is followed."""
        return self.stream_id, self.types

    def holds(self, event: Event) -> bool:
        """Whether an event is one of them."""
        return event.type in self.types and all(
            getattr(event, name) == value for name, value in self.where
        )


After = Annotated[
    strawberry.ID | None,
    inputs.argument(
        "Id of the last event that you know: those after it come first. Without it the stream "
        "begins with what happens from now on."
    ),
]
InRequest = Annotated[
    strawberry.ID | None,
    inputs.argument("Id of the change request; the primary content of the space when absent."),
]
Types = Annotated[list[EventType] | None, inputs.argument("What has happened, one of these.")]
Topics = Annotated[list[Topic] | None, inputs.argument("Of one of these topics.")]
PageId = Annotated[strawberry.ID, inputs.argument("Id of the page.")]


async def _followed(
    ctx: Context,
    stream_id: str,
    after: str | None,
    topics: Sequence[Topic] | None,
    types: Sequence[EventType] | None = None,
    **where: str | None,
) -> Followed:
    if ctx.actor.visitor is not None:
        # Silence would be taken for an answer: none of these events may be read by them.
        raise Forbidden(
            "visitors of sites follow no events; the server of a front-end does, with its own token"
        )
    chosen = types_of(ctx.actor, types, topics)
    position = None
    if after is not None:
        position = await position_of(ctx, [stream_id], after, "after")
    facts = tuple((name, str(value)) for name, value in where.items() if value is not None)
    return Followed(stream_id, chosen, facts, position)


async def follow_events(
    ctx: Context,
    organization_id: OrganizationId,
    types: Types = None,
    topics: Topics = None,
    space: Annotated[strawberry.ID | None, inputs.argument("Id of the space.")] = None,
    change_request: Annotated[
        strawberry.ID | None, inputs.argument("Id of the change request.")
    ] = None,
    site: Annotated[strawberry.ID | None, inputs.argument("Id of the site.")] = None,
    collection: Annotated[strawberry.ID | None, inputs.argument("Id of the collection.")] = None,
    team: Annotated[strawberry.ID | None, inputs.argument("Id of the team.")] = None,
    user: Annotated[
        strawberry.ID | None, inputs.argument("Id of the person whom they are about.")
    ] = None,
    comment: Annotated[strawberry.ID | None, inputs.argument("Id of the comment.")] = None,
    object_id: Annotated[str | None, inputs.argument("Id of the object.")] = None,
    after: After = None,
) -> Followed:
    """What happens in an organization, of what you may read; all that is given has to hold."""
    await must(ctx, Organization, organization_id)
    return await _followed(
        ctx, organization_id, after, topics, types, space_id=space,
        change_request_id=change_request, site_id=site, collection_id=collection, team_id=team,
        user_id=user, comment_id=comment, object_id=object_id,
    )  # fmt: skip


async def _space_of(ctx: Context, id: str) -> Space:
    # Whoever could restore a space hears that it was deleted.
    return await must(ctx, Space, id, rule=spaces_with_bin)


async def follow_space(ctx: Context, id: SpaceId, after: After = None) -> Followed:
    """What happens to a space and its settings, and where it is."""
    space = await _space_of(ctx, id)
    return await _followed(ctx, space.organization_id, after, [Topic.SPACE], space_id=id)


_IN_SPACE = ChangeRequest.space_id == bindparam("in_space", type_=KEY)


async def _request_of(ctx: Context, space_id: str, id: str) -> ChangeRequest:
    return await must(ctx, ChangeRequest, id, where=_IN_SPACE, in_space=space_id)


async def _content_of(ctx: Context, space_id: str, change_request_id: str | None) -> Space:
    """The space whose content is followed; a change request has to be one of it."""
    space = await _space_of(ctx, space_id)
    if change_request_id is not None:
        await _request_of(ctx, space_id, change_request_id)
    return space


async def follow_content(
    ctx: Context, space_id: SpaceId, change_request_id: InRequest = None, after: After = None
) -> Followed:
    """What happens to the content of a space, or of a change request: its revisions and pages."""
    space = await _content_of(ctx, space_id, change_request_id)
    followed = await _followed(
        ctx, space.organization_id, after, [Topic.SPACE_CONTENT], space_id=space_id,
        change_request_id=change_request_id,
    )  # fmt: skip
    return followed


async def follow_page(
    ctx: Context,
    space_id: SpaceId,
    page_id: PageId,
    change_request_id: InRequest = None,
    after: After = None,
) -> Followed:
    """What happens to a page of a space, or of a change request."""
    space = await _content_of(ctx, space_id, change_request_id)
    return await _followed(
        ctx, space.organization_id, after, [Topic.SPACE_CONTENT], space_id=space_id,
        change_request_id=change_request_id, page_id=page_id.split(SEPARATOR)[-1],
    )  # fmt: skip


ChangeRequestId = Annotated[strawberry.ID, inputs.argument("Id of the change request.")]
_OF_REQUEST = (
    Topic.SPACE_CHANGE_REQUEST,
    Topic.CHANGE_REQUEST_REVIEWS,
    Topic.SPACE_COMMENTS,
    Topic.SPACE_CONTENT,
)


async def follow_change_request(
    ctx: Context, space_id: SpaceId, change_request_id: ChangeRequestId, after: After = None
) -> Followed:
    """What happens to a change request: its state, content, reviews and comments."""
    space = await _space_of(ctx, space_id)
    request = await _request_of(ctx, space_id, change_request_id)
    return await _followed(
        ctx, space.organization_id, after, _OF_REQUEST, change_request_id=request.id
    )


async def follow_change_requests(ctx: Context, space_id: SpaceId, after: After = None) -> Followed:
    """What happens to the change requests of a space."""
    space = await _space_of(ctx, space_id)
    topics = [Topic.SPACE_CHANGE_REQUESTS]
    return await _followed(ctx, space.organization_id, after, topics, space_id=space_id)


async def follow_comments(
    ctx: Context, space_id: SpaceId, change_request_id: InRequest = None, after: After = None
) -> Followed:
    """Comments, replies and reactions in a space, or in one of its change requests."""
    space = await _content_of(ctx, space_id, change_request_id)
    return await _followed(
        ctx, space.organization_id, after, [Topic.SPACE_COMMENTS], space_id=space_id,
        change_request_id=change_request_id,
    )  # fmt: skip


async def follow_reviews(
    ctx: Context, space_id: SpaceId, change_request_id: ChangeRequestId, after: After = None
) -> Followed:
    """Reviews of a change request, and who is asked for one."""
    space = await _space_of(ctx, space_id)
    request = await _request_of(ctx, space_id, change_request_id)
    return await _followed(
        ctx, space.organization_id, after, [Topic.CHANGE_REQUEST_REVIEWS],
        change_request_id=request.id,
    )  # fmt: skip


_OF_SITE = (
    Topic.SITE, Topic.SITE_CUSTOMIZATION, Topic.SITE_SPACE_CUSTOMIZATION, Topic.SITE_REDIRECTS,
    Topic.SITE_SHARE_LINKS, Topic.SITE_PUBLISHING_AUTH, Topic.SITE_ADAPTIVE_SCHEMA,
    Topic.SITE_MCP_SERVERS, Topic.SITE_FEEDBACK, Topic.CUSTOM_HOSTNAME,
)  # fmt: skip


async def follow_site(ctx: Context, id: SiteId, after: After = None) -> Followed:
    """What happens to a site and its settings; its structure has a field of its own."""
    site = await must(ctx, Site, id)
    return await _followed(ctx, site.organization_id, after, _OF_SITE, site_id=id)


async def follow_site_structure(ctx: Context, id: SiteId, after: After = None) -> Followed:
    """What happens to the sections, groups and spaces of a site."""
    site = await must(ctx, Site, id)
    return await _followed(ctx, site.organization_id, after, [Topic.SITE_STRUCTURE], site_id=id)


_OF_MEMBERS = (
    Topic.ORGANIZATION_MEMBERS,
    Topic.ORGANIZATION_TEAMS,
    Topic.ORGANIZATION_TEAM_MEMBERS,
    Topic.ORGANIZATION_INVITATIONS,
)


async def follow_members(
    ctx: Context, organization_id: OrganizationId, after: After = None
) -> Followed:
    """Who comes, goes and changes in an organization and its teams."""
    await must(ctx, Organization, organization_id)
    return await _followed(ctx, organization_id, after, _OF_MEMBERS)


async def follow_notifications(ctx: Context, after: After = None) -> Followed:
    """What you are notified of, and what of it you have marked as read elsewhere."""
    must_be_person(ctx)
    return await _followed(ctx, ctx.user_id, after, [Topic.USER_NOTIFICATIONS])


async def follow_account(ctx: Context, after: After = None) -> Followed:
    """What happens to your account: its profile, its tokens and its organizations."""
    must_be_person(ctx)
    return await _followed(ctx, ctx.user_id, after, None)
