"""Single objects of integrations: how one stands in an organization, one of its events."""

from typing import Annotated

import strawberry
from sqlalchemy import and_, bindparam, select

from db.models.integrations import NAME_LENGTH, Installation, Integration, IntegrationEvent
from db.models.organizations import Organization
from db.prepared import KEY
from resolvers.access.policy import must, must_be_operator
from resolvers.core import inputs
from resolvers.core.arguments import OrganizationId
from resolvers.core.batch_functions import ALL, Projection
from resolvers.core.context import Context
from resolvers.core.errors import NotFound
from resolvers.core.statements import Viewer, Written, statement
from resolvers.integrations.lists import status_in
from resolvers.integrations.manifests import IntegrationName
from resolvers.integrations.operations import get_integration, must_be_integration

IntegrationEventId = Annotated[strawberry.ID, inputs.argument("Id of the event.")]
_OF_INTEGRATION = and_(
    IntegrationEvent.integration_id == bindparam("integration_id", type_=KEY),
    IntegrationEvent.status.is_not(None),
)


async def get_own_integration(ctx: Context, name: IntegrationName) -> Integration:
    """An integration, for itself: with its own token."""
    row = await get_integration(ctx, name)
    must_be_integration(ctx, row)
    return row


async def get_integration_event(
    ctx: Context,
    id: IntegrationEventId,
    integration_name: IntegrationName,
    *,
    projection: Projection = ALL,
) -> IntegrationEvent:
    """An event that an integration got, with its trace; for administrators of the organization that
    publishes it, and for the integration itself."""
    integration = await get_integration(ctx, integration_name)
    return await must(
        ctx, IntegrationEvent, id, where=_OF_INTEGRATION, projection=projection,
        integration_id=integration.id,
    )  # fmt: skip


async def get_integration_status(
    ctx: Context, organization_id: OrganizationId, name: IntegrationName
) -> Installation:
    """How an integration stands in an organization, for its members; NOT_FOUND where it is not
    installed."""
    await must(ctx, Organization, organization_id)
    rows = await status_in.rows(ctx, organization_id=organization_id, name=name[: NAME_LENGTH + 1])
    if not rows:
        raise NotFound(f"{name[:100]!r} is not installed in this organization")
    row: Installation = rows[0]
    return row


@statement
def _pictures(viewer: Viewer) -> Written:
    of_version = Integration.files_id == bindparam("files_id", type_=KEY)
    return select(Integration.icon, Integration.previews).where(of_version)


async def get_picture(ctx: Context, files_id: str, sha256: str) -> str:
    """The media type of a picture of a version; NotFound for what is none, such as its script."""
    must_be_operator(ctx)
    for row in await _pictures.rows(ctx, files_id=files_id):
        for picture in (row.icon, *row.previews):
            if picture is not None and picture["sha256"] == sha256:
                type: str = picture["type"]
                return type
    raise NotFound("there is no such picture")
