"""Schemas of visitor claims in /v1."""

from rest_compat.shape import nested, shape
from schema.types.sites import adaptive_content

ADAPTIVE_SCHEMA = shape(
    "SiteAdaptiveSchema",
    adaptive_content.SiteAdaptiveSchema,
    "jsonSchema updatedAt",
    {"object": "site-adaptive-schema"},
)
TEMPLATE_CONDITIONS = shape(
    "SiteAdaptiveTemplateConditions",
    adaptive_content.TemplateConditions,
    "",
    items=nested(
        shape(
            "SiteAdaptiveTemplateCondition",
            adaptive_content.TemplateCondition,
            "description condition",
        )
    ),
)
