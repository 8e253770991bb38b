"""Schemas of visitor claims."""

from resolvers.sites import adaptive_schemas
from rest_compat.shapes.sites.adaptive_content import ADAPTIVE_SCHEMA, TEMPLATE_CONDITIONS
from rest_compat.table import get, put

SCHEMA = "/orgs/{organizationId}/sites/{siteId}/adaptive-schema"

ROUTES = (
    get(SCHEMA, "getSiteAdaptiveSchema", "sites", adaptive_schemas.get_adaptive_schema,
        ADAPTIVE_SCHEMA),
    put(SCHEMA, "updateSiteAdaptiveSchema", "sites", adaptive_schemas.update_adaptive_schema,
        ADAPTIVE_SCHEMA, bad_request=True),
    get(f"{SCHEMA}/template-conditions", "listSiteAdaptiveTemplateConditions", "sites",
        adaptive_schemas.get_template_conditions, TEMPLATE_CONDITIONS),
)  # fmt: skip
