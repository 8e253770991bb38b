"""Schemas of visitor claims."""

from resolvers.sites import adaptive_schemas
from rest_compat.shapes.sites.adaptive_content import ADAPTIVE_SCHEMA, TEMPLATE_CONDITIONS
from rest_compat.table import get, put

SCHEMA = "/orgs/{organizationId}/sites/{siteId}/adaptive-schema"
IN_SITE = {"site_id": "siteId", "organization_id": "organizationId"}

ROUTES = (
    get(SCHEMA, "getSiteAdaptiveSchema", "sites", adaptive_schemas.get_adaptive_schema,
        ADAPTIVE_SCHEMA, **IN_SITE),
    put(SCHEMA, "updateSiteAdaptiveSchema", "sites", adaptive_schemas.update_adaptive_schema,
        ADAPTIVE_SCHEMA, bad_request=True, **IN_SITE),
    get(f"{SCHEMA}/template-conditions", "listSiteAdaptiveTemplateConditions", "sites",
        adaptive_schemas.get_template_conditions, TEMPLATE_CONDITIONS, **IN_SITE),
)  # fmt: skip
