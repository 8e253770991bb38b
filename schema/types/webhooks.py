"""Webhooks and their deliveries."""

import datetime as dt

import strawberry

from db.event_enums import EventType
from db.models import (
    organizations as people,
    sites as site_models,
    spaces as space_models,
    webhooks as models,
)
from db.webhook_enums import DeliveryState, WebhookStop
from resolvers.core.scalars import JsonObject
from resolvers.webhooks import attempts, operations as webhooks
from resolvers.webhooks.operations import DeliveryArguments
from schema.node import Node
from schema.types.above import Organization, Site, Space, User, WebhookDelivery as Delivery
from schema.wiring import Connection, batch, column, related, source_rows, visible_related


@strawberry.type(description="An endpoint that events are sent to.")
class Webhook(Node):
    is_type_of = source_rows(models.Webhook)
    url: str = column("Where events are sent to.")
    description: str = column("What it is for.")
    types: list[EventType] | None = batch(
        attempts.webhook_types, "Types of the events that are sent; null for all."
    )
    enabled: bool = column("Whether events are sent.")
    stop: WebhookStop | None = column("Why the server has disabled it; null when it has not.")
    failing_since: dt.datetime | None = column(
        "When the first attempt has failed since it has last taken something."
    )
    next_attempt_at: dt.datetime | None = column(
        "When the delivery that has failed is tried again; later events wait behind it."
    )
    position: int = column("The number of the last event that it has come to.")
    old_secret_until: dt.datetime | None = column(
        "Until when the secret before is valid beside the new one."
    )
    created_at: dt.datetime = column("When it was made.")
    updated_at: dt.datetime = column("When it was last changed.")
    organization: Organization = related(
        people.Organization, "organization_id", "The organization whose events are sent."
    )
    space: Space | None = visible_related(
        space_models.Space, "space_id", "The space whose events alone are sent."
    )
    site: Site | None = visible_related(
        site_models.Site, "site_id", "The site whose events alone are sent."
    )
    owner: User | None = visible_related(
        people.User, "owner_id", "Whose rights decide what is sent: who has last changed it."
    )
    deliveries: Connection[Delivery] = batch(
        webhooks.deliveries_of_webhooks,
        "Its deliveries of the last 30 days, newest first.",
        arguments=DeliveryArguments,
    )


@strawberry.type(description="An attempt to deliver.")
class WebhookAttempt:
    at: dt.datetime = column("When it was sent.")
    milliseconds: int = column("How long it took.")
    request_headers: JsonObject = column("The headers that were sent, without signatures.")
    status: int | None = column("The status of the answer; null without an answer.")
    answer: str | None = column("The first 4 kB of the answer.")
    error: str | None = column("What went wrong; null when it was taken.")


@strawberry.type(description="An event, or a ping, that is sent to an endpoint.")
class WebhookDelivery(Node):
    is_type_of = source_rows(models.WebhookDelivery)
    message_id: strawberry.ID = column(
        "What the header `webhook-id` says: the id of the event; the same whenever it is sent."
    )
    type: str = column("The type of the event; `ping` for a test.")
    body: str = column("What is sent.")
    state: DeliveryState = column("How it stands.")
    attempt_count: int = column("How often it was sent.")
    attempts: list[WebhookAttempt] = batch(
        attempts.logged_attempts, "The last 20 attempts, in order."
    )
    created_at: dt.datetime = column("When it was first sent or asked for.")
    finished_at: dt.datetime | None = column("When it was taken or given up.")
    webhook: Webhook = related(models.Webhook, "webhook_id", "The endpoint.")


@strawberry.type(description="The new secret of an endpoint.")
class WebhookSecretPayload:
    webhook: Webhook = column("The endpoint.")
    secret: str = column("What deliveries are signed with; keep it, it is not shown again.")
