"""Webhooks: making, changing, testing and deleting endpoints; lists of them and of deliveries."""

import datetime as dt
from dataclasses import dataclass
from typing import Annotated

import strawberry
from sqlalchemy import bindparam, func, select
from strawberry import Maybe

from db.base import Base
from db.enums import Role
from db.event_enums import EventType
from db.ids import new_id
from db.models.events import EventCounter
from db.models.organizations import Organization
from db.models.sites import Site
from db.models.spaces import Space
from db.models.webhooks import DESCRIPTION_LENGTH, Webhook, WebhookDelivery
from db.prepared import KEY
from db.webhook_enums import DeliveryState
from fetching.errors import FetchError
from fetching.locations import read_location
from resolvers.access.policy import must, must_in
from resolvers.core import inputs
from resolvers.core.arguments import OfOrganization, OrganizationId
from resolvers.core.batch_functions import ALL, Projection
from resolvers.core.context import Context
from resolvers.core.declarations import operation
from resolvers.core.deletions import Deletion, finding_what_to_delete
from resolvers.core.errors import PreconditionFailed, invalid, invalid_at
from resolvers.core.event_types import EVENT_KINDS
from resolvers.core.filters import equal_to
from resolvers.core.pagination import PageArguments, by_id
from resolvers.core.scalars import Url
from resolvers.core.scopes import must_hold
from resolvers.jobs.queue import enqueue_of_server
from resolvers.lists.listings import Listing
from resolvers.webhooks.bodies import PING, ping_body
from resolvers.webhooks.deliveries import job_of
from resolvers.webhooks.signing import new_secret, sealed

# Endpoints of an organization; deliveries of one that were asked for and wait.
MOST_WEBHOOKS, MOST_ASKED = 100, 100
# How long the secret before is valid beside a new one.
OLD_SECRET = dt.timedelta(hours=24)

WebhookId = Annotated[strawberry.ID, inputs.argument("Id of the webhook.")]
DeliveryId = Annotated[strawberry.ID, inputs.argument("Id of the delivery.")]
InWebhook = Annotated[
    strawberry.ID | None, inputs.argument("When given, it must be of this webhook.")
]
_URL = "Where events are sent to: an http or https URL without credentials"
_TYPES = "Types of the events that are sent; a token that may not read all types has to name some"


@strawberry.input(description="An endpoint that events are sent to.")
class CreateWebhookInput:
    url: Url = inputs.field(f"{_URL}.", required=True)
    description: Maybe[str] = inputs.text("What it is for.", max=DESCRIPTION_LENGTH)
    types: Maybe[list[EventType] | None] = inputs.items(f"{_TYPES}; null for all.", min=1)
    space: Maybe[strawberry.ID] = inputs.field("Id of the space whose events alone are sent.")
    site: Maybe[strawberry.ID] = inputs.field("Id of the site whose events alone are sent.")
    enabled: Maybe[bool] = inputs.field("Whether events are sent; true when absent.")


@strawberry.input(description="Changes to an endpoint; absent fields stay as they are.")
class UpdateWebhookInput:
    url: Maybe[Url] = inputs.field(f"{_URL}.")
    description: Maybe[str] = inputs.text("What it is for.", max=DESCRIPTION_LENGTH)
    types: Maybe[list[EventType] | None] = inputs.items(f"{_TYPES}; null for all.", min=1)
    enabled: Maybe[bool] = inputs.field(
        "Whether events are sent. Those that came while they were not follow when they are again, "
        "up to 30 days."
    )


@dataclass(frozen=True, slots=True)
class WebhookSecret:
    """An endpoint with its new secret, which is never shown again."""

    webhook: Webhook
    secret: str

    @property
    def audited(self) -> Base:
        """What the audit log names."""
        return self.webhook


@operation(one_statement=True)
async def get_webhook(
    ctx: Context,
    id: WebhookId,
    organization_id: OfOrganization = None,
    *,
    projection: Projection = ALL,
) -> Webhook:
    """An endpoint, for administrators of its organization or of its space."""
    return await must_in(ctx, Webhook, id, organization_id, projection=projection)


_OF_WEBHOOK = WebhookDelivery.webhook_id == bindparam("webhook_id", type_=KEY)
_WITHIN = Webhook.organization_id == bindparam("organization_id", type_=KEY)
_OF_BOTH = _OF_WEBHOOK & _WITHIN


async def _delivery(
    ctx: Context,
    id: str,
    webhook_id: str | None,
    organization_id: str | None,
    *,
    lock: bool = False,
    projection: Projection = ALL,
) -> WebhookDelivery:
    within = {(False, False): None, (True, False): _OF_WEBHOOK, (False, True): _WITHIN}
    where = within.get((webhook_id is not None, organization_id is not None), _OF_BOTH)
    return await must(
        ctx, WebhookDelivery, id, where=where, lock=lock, projection=projection,
        webhook_id=webhook_id, organization_id=organization_id,
    )  # fmt: skip


@operation(one_statement=True)
async def get_webhook_delivery(
    ctx: Context,
    id: DeliveryId,
    webhook_id: InWebhook = None,
    organization_id: OfOrganization = None,
    *,
    projection: Projection = ALL,
) -> WebhookDelivery:
    """A delivery and its attempts, for administrators of the organization or of the space."""
    return await _delivery(ctx, id, webhook_id, organization_id, projection=projection)


async def create_webhook(
    ctx: Context, organization_id: OrganizationId, input: CreateWebhookInput
) -> WebhookSecret:
    """Have events sent to an address, from now on; for administrators of the organization, or of
    the space. The answer has the secret that they are signed with, which is shown nowhere else.

    What is sent is what the caller may read at the time.
    """
    space_id = None if input.space is None else input.space.value
    site_id = None if input.site is None else input.site.value
    if space_id is not None and site_id is not None:
        raise invalid("site", "cannot be given with a space")
    if space_id is not None:
        space = await must(ctx, Space, space_id, Role.ADMIN)
        if space.organization_id != organization_id:
            raise invalid("space", f"{space_id!r} is not in this organization")
    else:
        await must(ctx, Organization, organization_id, Role.ADMIN)
    if site_id is not None:
        site = await must(ctx, Site, site_id)
        if site.organization_id != organization_id:
            raise invalid("site", f"{site_id!r} is not in this organization")
    count = select(func.count()).where(Webhook.organization_id == organization_id)
    if (await ctx.session.execute(count)).scalar_one() >= MOST_WEBHOOKS:
        raise PreconditionFailed(f"an organization has {MOST_WEBHOOKS} webhooks at most")
    counter = select(EventCounter.last).where(EventCounter.stream_id == organization_id)
    secret = new_secret()
    webhook = Webhook(
        organization_id=organization_id,
        space_id=space_id,
        site_id=site_id,
        owner_id=_owner(ctx),
        url=_checked(ctx, input.url),
        description=inputs.given(input.description, ""),
        types=_types(ctx, None if input.types is None else input.types.value),
        enabled=inputs.given(input.enabled, True),
        secret=sealed(ctx.sealer, secret),
        position=(await ctx.session.execute(counter)).scalar() or 0,
        created_at=ctx.now(),
        updated_at=ctx.now(),
    )
    ctx.session.add(webhook)
    await ctx.session.flush()
    return WebhookSecret(webhook, secret)


async def update_webhook(
    ctx: Context, id: WebhookId, input: UpdateWebhookInput, organization_id: OfOrganization = None
) -> Webhook:
    """Change an endpoint, which sends what the caller may read from then on; for administrators of
    the organization, or of the space."""
    webhook = await must_in(ctx, Webhook, id, organization_id, lock=True)
    if input.url is not None:
        webhook.url = _checked(ctx, input.url.value)
    inputs.assign(webhook, input, "description")
    types = webhook.types if input.types is None else [t.value for t in input.types.value or ()]
    webhook.types = _types(ctx, None if not types else [EventType(name) for name in types])
    # Else whoever changes it could have sent to them what the one before them may read.
    webhook.owner_id = _owner(ctx)
    if input.enabled is not None:
        enabled = input.enabled.value
        if enabled and not webhook.enabled:
            webhook.failing_since = webhook.next_attempt_at = None
            await enqueue_of_server(ctx, [job_of(webhook.id, webhook.organization_id)])
        webhook.enabled, webhook.stop = enabled, None if enabled else webhook.stop
    if ctx.session.is_modified(webhook):
        webhook.updated_at = ctx.now()
    return webhook


async def rotate_webhook_secret(
    ctx: Context, id: WebhookId, organization_id: OfOrganization = None
) -> WebhookSecret:
    """Give an endpoint a new secret, which is in the answer and nowhere else. The one before is
    valid for another 24 hours, in which deliveries are signed with both."""
    webhook = await must_in(ctx, Webhook, id, organization_id, lock=True)
    secret = new_secret()
    webhook.old_secret = sealed(ctx.sealer, webhook.secret)
    webhook.old_secret_until = ctx.now() + OLD_SECRET
    webhook.secret = sealed(ctx.sealer, secret)
    webhook.updated_at = ctx.now()
    return WebhookSecret(webhook, secret)


async def delete_webhook(
    ctx: Context, id: WebhookId, organization_id: OfOrganization = None
) -> Deletion:
    """Delete an endpoint with the log of its deliveries."""
    with finding_what_to_delete():
        webhook = await must_in(ctx, Webhook, id, organization_id, lock=True)
    await ctx.session.delete(webhook)
    return Deletion(deleted_id=webhook.id, organization_id=webhook.organization_id)


async def send_webhook_test(
    ctx: Context, id: WebhookId, organization_id: OfOrganization = None
) -> WebhookDelivery:
    """Send a `ping` to an endpoint, also to one that is disabled; its delivery says how it ended.
    It is not tried again."""
    webhook = await must_in(ctx, Webhook, id, organization_id, lock=True)
    await _check_room(ctx, webhook)
    id = strawberry.ID(new_id())
    delivery = WebhookDelivery(
        id=id, webhook_id=webhook.id, organization_id=webhook.organization_id, message_id=id,
        type=PING, position=None,
        body=ping_body(webhook, id, ctx.now()), state=DeliveryState.QUEUED, attempt_count=0, step=0,
        attempts=[], created_at=ctx.now(),
    )  # fmt: skip
    ctx.session.add(delivery)
    await ctx.session.flush()
    await enqueue_of_server(ctx, [job_of(webhook.id, webhook.organization_id)])
    return delivery


async def redeliver_webhook_delivery(
    ctx: Context,
    id: DeliveryId,
    webhook_id: InWebhook = None,
    organization_id: OfOrganization = None,
) -> WebhookDelivery:
    """Send a delivery again that has ended, once and before whatever waits, with the same
    `webhook-id`; PRECONDITION_FAILED (412) for one that has not ended."""
    unlocked = await _delivery(ctx, id, webhook_id, organization_id)
    webhook = await must_in(ctx, Webhook, unlocked.webhook_id, None, lock=True)
    delivery = await _delivery(ctx, id, webhook_id, organization_id, lock=True)
    if delivery.state not in (DeliveryState.DELIVERED, DeliveryState.DEAD):
        raise PreconditionFailed(f"the delivery is {delivery.state.value}: it is sent anyway")
    await _check_room(ctx, webhook)
    delivery.state, delivery.finished_at = DeliveryState.QUEUED, None
    await ctx.session.flush()
    await enqueue_of_server(ctx, [job_of(webhook.id, webhook.organization_id)])
    return delivery


async def _check_room(ctx: Context, webhook: Webhook) -> None:
    queued = select(func.count()).where(
        WebhookDelivery.webhook_id == webhook.id, WebhookDelivery.state == DeliveryState.QUEUED
    )
    if (await ctx.session.execute(queued)).scalar_one() >= MOST_ASKED:
        raise PreconditionFailed(f"{MOST_ASKED} deliveries of this webhook wait already")


def _owner(ctx: Context) -> str | None:
    return None if ctx.actor.operator else ctx.user_id


def _checked(ctx: Context, url: str) -> str:
    """A URL that may be sent to, as far as that is seen without a look-up."""
    with invalid_at("url", FetchError):
        read_location(url)
    if ctx.import_access.fetcher.refuses(url):
        raise invalid(
            "url",
            "is not on the public internet; the operator of the server may allow it with "
            "DOCSTEAD_FETCH_ALLOW",
        )
    return url


def _types(ctx: Context, types: list[EventType] | None) -> list[str] | None:
    """Types as they are stored; Forbidden names the scope that the token lacks for one."""
    for type in types or EVENT_KINDS:
        must_hold(ctx.actor, EVENT_KINDS[type].scope)
    return None if types is None else sorted({type.value for type in types})


# ------------------------------------------------------------------ lists


@dataclass(frozen=True)
class DeliveryArguments(PageArguments):
    """Filters of a list of deliveries; all have to hold."""

    state: Annotated[DeliveryState | None, inputs.argument("Only in this state.")] = None


webhooks_of_organizations = Listing(
    "webhooks_of_organizations",
    Webhook,
    Webhook.organization_id,
    by_id(Webhook),
    about="Endpoints of organizations that you administer, oldest first.",
)
webhooks_of_spaces = Listing(
    "webhooks_of_spaces",
    Webhook,
    Webhook.space_id,
    by_id(Webhook),
    about="Endpoints of spaces that you administer, oldest first.",
)
webhooks_of_sites = Listing(
    "webhooks_of_sites",
    Webhook,
    Webhook.site_id,
    by_id(Webhook),
    about="Endpoints of sites that you administer, oldest first.",
)
deliveries_of_webhooks = Listing(
    "deliveries_of_webhooks",
    WebhookDelivery,
    WebhookDelivery.webhook_id,
    by_id(WebhookDelivery).reversed,
    about="Deliveries of endpoints in the last 30 days, newest first.",
    filters=(equal_to("state", WebhookDelivery.state),),
)
