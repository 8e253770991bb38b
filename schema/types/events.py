"""Events: what has happened."""

import datetime as dt

import strawberry

from db.audit_enums import AuditActorKind, AuditObjectType
from db.event_enums import EventType
from db.models import (
    change_requests,
    comments,
    events as models,
    notifications,
    organizations,
    sites,
    spaces,
)
from resolvers.events import fields as events
from schema.node import Node
from schema.types.above import (
    ChangeRequest,
    Collection,
    Comment,
    Notification,
    Organization,
    Site,
    Space,
    Team,
    User,
)
from schema.wiring import batch, column, itself, source_rows, visible_related


@strawberry.type(description="Who has caused an event.")
class EventActor:
    kind: AuditActorKind = column("Who it was.", attribute="actor_kind")
    user_id: strawberry.ID | None = column("Id of the account.", attribute="actor_id")
    user: User | None = visible_related(
        organizations.User, "actor_id", "The account, if you may see it."
    )


@strawberry.type(description="What an event is about. It may be gone by now.")
class EventObject:
    type: AuditObjectType = column("Kind of the object.", attribute="object_type")
    object_id: str | None = column("Its id.")


@strawberry.type(description="A page of a site, and how often it was viewed.")
class ViewedPage:
    page_id: strawberry.ID = column("Id of the page.")
    views: int = column("How often it was viewed.")


@strawberry.type(description="What some types of events say besides; null for the others.")
class EventFacts:
    visibility: str | None = column("Who sees the space now.")
    previous_visibility: str | None = column("Who saw it before.")
    status: str | None = column("What a review says.")
    rating: str | None = column("How a visitor has rated the page.")
    conflicts: int | None = column("How many conflicts there are.")
    parent_id: strawberry.ID | None = column("Id of the comment that was answered.")
    review_id: strawberry.ID | None = column("Id of the review.")
    site_space_id: strawberry.ID | None = column("Id of the space on the site.")
    new_organization_id: strawberry.ID | None = column("Id of the organization it belongs to now.")
    member_of: strawberry.ID | None = column("Id of the organization that was joined or left.")
    state: str | None = column("How a Git operation has ended: `success` or `failure`.")
    commit_id: str | None = column(
        "Id of the commit of a Git operation; empty where there is none yet."
    )
    views: int | None = column("How often pages of a site were viewed.")
    pages: list[ViewedPage] | None = column("The pages that were viewed most, at most 20.")


@strawberry.type(description="Something that has happened. It says what was changed, not to what.")
class Event(Node):
    is_type_of = source_rows(models.Event)
    type: EventType = column("What has happened.")
    position: int = column(
        "Its number among the events of the organization or the account: they are numbered without "
        "gaps, in order. Numbers that you do not see are of events that you may not read."
    )
    occurred_at: dt.datetime = column("When it has happened.", attribute="at")
    action: str = column("What has caused it: the name of the mutation.")
    actor: EventActor = itself("Who has caused it.")
    object: EventObject = itself("What it is about.")
    changed: list[str] = column("Names of the fields that were changed.")
    facts: EventFacts = batch(events.event_facts, "What events of its type say besides.")
    organization_id: strawberry.ID | None = column("Id of the organization.")
    space_id: strawberry.ID | None = column("Id of the space.")
    change_request_id: strawberry.ID | None = column("Id of the change request.")
    revision_id: strawberry.ID | None = column("Id of the revision that is new.")
    page_id: strawberry.ID | None = column("Id of the page.")
    comment_id: strawberry.ID | None = column("Id of the comment or the reply.")
    collection_id: strawberry.ID | None = column("Id of the collection.")
    site_id: strawberry.ID | None = column("Id of the site.")
    team_id: strawberry.ID | None = column("Id of the team.")
    user_id: strawberry.ID | None = column("Id of the person whom it is about.")
    organization: Organization | None = visible_related(
        organizations.Organization, "organization_id", "The organization as it is now."
    )
    space: Space | None = visible_related(spaces.Space, "space_id", "The space as it is now.")
    change_request: ChangeRequest | None = visible_related(
        change_requests.ChangeRequest, "change_request_id", "The change request as it is now."
    )
    comment: Comment | None = visible_related(
        comments.Comment,
        "comment_id",
        "The comment as it is now; null for a reply.",
        comments.Comment.parent_id.is_(None),
    )
    collection: Collection | None = visible_related(
        spaces.Collection, "collection_id", "The collection as it is now."
    )
    site: Site | None = visible_related(sites.Site, "site_id", "The site as it is now.")
    team: Team | None = visible_related(organizations.Team, "team_id", "The team as it is now.")
    user: User | None = visible_related(
        organizations.User, "user_id", "The person whom it is about."
    )
    notification: Notification | None = visible_related(
        notifications.Notification,
        "object_id",
        "The notification as it is now, of events that are about one.",
    )
