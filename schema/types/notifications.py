"""Notifications, what somebody wants to be notified of, and tokens of feeds."""

import datetime as dt

import strawberry

from db.models import (
    change_requests,
    comments,
    notifications as models,
    organizations as people,
    spaces as space_models,
)
from db.notification_enums import DigestFrequency, NotificationKind, NotificationLevel
from resolvers.core.scalars import Url
from resolvers.notifications import fields as notifications
from schema.node import Node
from schema.types.above import ChangeRequest, Comment, Space, User
from schema.wiring import batch, column, instances_of, source_rows, visible_related


@strawberry.type(description="A notification in words.")
class NotificationText:
    title: str = column("What has happened, in one sentence.")
    url: Url = column("Where it has happened, for people.")


@strawberry.type(description="Something that you should know of.")
class Notification(Node):
    is_type_of = source_rows(models.Notification)
    kind: NotificationKind = column("Why you are notified.")
    count: int = column("How often it has happened since the last time when it was read.")
    unread: bool = batch(notifications.are_unread, "Whether it is unread.")
    created_at: dt.datetime = column("When it happened first.")
    updated_at: dt.datetime = column("When it happened last.")
    read_at: dt.datetime | None = column("When it was marked as read; null = it is unread.")
    text: NotificationText = batch(notifications.descriptions, "The notification in words.")
    space_id: strawberry.ID = column("Id of the space.")
    change_request_id: strawberry.ID | None = column("Id of the change request.")
    comment_id: strawberry.ID | None = column("Id of the comment, or of the one that was answered.")
    reply_id: strawberry.ID | None = column("Id of the last reply.")
    actor_id: strawberry.ID | None = column("Id of whoever has caused it the last time.")
    space: Space | None = visible_related(space_models.Space, "space_id", "The space.")
    change_request: ChangeRequest | None = visible_related(
        change_requests.ChangeRequest, "change_request_id", "The change request."
    )
    comment: Comment | None = visible_related(
        comments.Comment, "comment_id", "The comment, or the one that was answered."
    )
    actor: User | None = visible_related(
        people.User, "actor_id", "Who has caused it the last time, if you may see them."
    )


@strawberry.type(description="What you want to be notified of in one space.")
class SpaceNotificationLevel:
    is_type_of = source_rows(models.SpaceNotificationLevel)
    space_id: strawberry.ID = column("Id of the space.")
    level: NotificationLevel = column("What you want to be notified of.")
    space: Space | None = visible_related(space_models.Space, "space_id", "The space.")


@strawberry.type(description="What you want to be notified of, and how by mail.")
class NotificationSettings:
    is_type_of = instances_of(notifications.PersonalSettings)
    level: NotificationLevel = column("In spaces without a setting of their own.")
    digest: DigestFrequency = column(
        "How soon unread notifications are sent by mail, where the server sends mail."
    )


@strawberry.type(
    description="A token in the address of the feed of a space, which reads nothing else."
)
class FeedToken(Node):
    is_type_of = source_rows(models.FeedToken)
    label: str = column("What it is for, 1 to 50 characters.")
    space_id: strawberry.ID = column("Id of the space.")
    created_at: dt.datetime = column("When it was made.")
    expires_at: dt.datetime | None = column("When it stops to work; null = when it is revoked.")
    revoked_at: dt.datetime | None = column("When it was revoked.")
    space: Space | None = visible_related(
        space_models.Space, "space_id", "The space; null when you may not read it any more."
    )


@strawberry.type(description="A token of a feed was made.")
class CreateFeedTokenPayload:
    feed_token: FeedToken = column("The token.")
    text: str = column("Its text; it is not shown again.")
    url: Url = column("The address of the feed with the token; it is not shown again.")
