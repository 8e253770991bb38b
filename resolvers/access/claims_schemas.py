"""The schemas that visitors' claims are filtered by, where they are in use (docs/sites.md)."""

from collections.abc import Collection
from typing import Any

from sqlalchemy import select

from db.models.site_settings import AdaptiveSchema
from db.models.sites import Site
from db.prepared import among
from resolvers.core.context import Context
from resolvers.core.statements import Viewer, Written, statement


@statement
def _in_use(viewer: Viewer) -> Written:
    return (
        select(AdaptiveSchema.site_id, AdaptiveSchema.json_schema)
        .join(Site, Site.id == AdaptiveSchema.site_id)
        .where(among(AdaptiveSchema.site_id, "sites"), Site.adaptive_content.is_(True))
    )


async def claims_schemas(
    ctx: Context, site_ids: Collection[str], *, lasting: bool = False
) -> dict[str, dict[str, Any]]:
    """By site: the schema that visitors' claims are filtered by; `lasting` as in statements.

    Sites without one, or whose adaptive content is off, are left out: they take no claims.
    """
    if not site_ids:
        return {}
    rows = await _in_use.rows(ctx, lasting=lasting, sites=set(site_ids))
    return {row.site_id: row.json_schema for row in rows}
