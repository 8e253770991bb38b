"""Which claims of visitors a site knows, and the conditions that follow (docs/sites.md)."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import strawberry

from content.visitors.claims import TemplateCondition, template_conditions
from content.visitors.claims_schema import ClaimsSchemaError, check_claims_schema
from db.enums import Role
from db.models.site_settings import AdaptiveSchema
from db.models.sites import Site
from resolvers.core import inputs
from resolvers.core.arguments import InOrganization, SiteId
from resolvers.core.batch_functions import ALL, Projection, only
from resolvers.core.context import Context
from resolvers.core.declarations import operation
from resolvers.core.errors import BadRequest, FieldError
from resolvers.core.scalars import JsonObject
from resolvers.lists.batches import reads, visible_in
from resolvers.sites.locks import find_part
from resolvers.sites.operations import get_site, must_site


@strawberry.input(description="The schema of a site's visitor claims, as a whole.")
class UpdateAdaptiveSchemaInput:
    json_schema: JsonObject = inputs.field(
        "A JSON Schema (draft 7) of an object whose properties are the claims: booleans, strings "
        "(perhaps with `enum`), numbers, arrays of those and objects of claims. Each has a "
        "description, objects have `additionalProperties: false`, and `unsigned` holds the claims "
        "that nobody signed. At most 500 claims, 8 levels and 100,000 bytes.",
        required=True,
    )


@operation(one_statement=True)
async def get_adaptive_schema(
    ctx: Context,
    site_id: SiteId,
    organization_id: InOrganization = None,
    *,
    projection: Projection = ALL,
) -> AdaptiveSchema:
    """The schema of a site's visitor claims, for members of the organization; a site has none
    until one is set.
    """
    return await find_part(
        ctx, AdaptiveSchema, None, site_id, organization_id, projection=projection
    )


async def update_adaptive_schema(
    ctx: Context,
    site_id: SiteId,
    input: UpdateAdaptiveSchemaInput,
    organization_id: InOrganization = None,
) -> AdaptiveSchema:
    """Replace the schema of a site's visitor claims; needs the organization role `create`.

    BadRequest names the first thing in it that a schema of claims must not have. Conditions that
    read a claim that is gone stay as they are; they find it undefined.
    """
    # The lock makes two first schemas wait for each other.
    site = await must_site(ctx, site_id, organization_id, Role.CREATE, lock=True)
    try:
        check_claims_schema(input.json_schema)
    except ClaimsSchemaError as error:
        raise BadRequest(str(error), (FieldError(error.path, error.problem),)) from error
    row: AdaptiveSchema | None = await ctx.session.get(AdaptiveSchema, site.id)
    if row is None:
        row = AdaptiveSchema(site_id=site.id)
        ctx.session.add(row)
    elif row.json_schema == input.json_schema:
        return row
    row.json_schema = dict(input.json_schema)
    row.updated_at = ctx.now()
    await ctx.session.flush()
    return row


_visible = visible_in(AdaptiveSchema.site_id, "sites")


@reads("id")
async def adaptive_schemas_of_sites(
    ctx: Context, rows: Sequence[Site], arguments: Any
) -> list[AdaptiveSchema | None]:
    """The schema of each site; None where there is none, or the caller is no member."""
    stored = await _visible.rows(ctx, sites={row.id for row in rows})
    schemas = {schema.site_id: schema for schema in stored}
    return [schemas.get(row.id) for row in rows]


@dataclass(frozen=True, slots=True)
class TemplateConditions:
    """Conditions that can be offered for a site."""

    items: list[TemplateCondition]


async def get_template_conditions(
    ctx: Context, site_id: SiteId, organization_id: InOrganization = None
) -> TemplateConditions:
    """Conditions that follow from the schema of a site's visitor claims: one for each claim that
    is true or false, and for each text that a claim may be. None without a schema.
    """
    site = await get_site(ctx, site_id, organization_id, projection=only("id"))
    (schema,) = await adaptive_schemas_of_sites(ctx, [site], None)
    return TemplateConditions(template_conditions(None if schema is None else schema.json_schema))
