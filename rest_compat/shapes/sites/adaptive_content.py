"""Schemas of visitor claims in /v1."""

from rest_compat.shape import named_shape, shape
from schema.types.sites import adaptive_content

ADAPTIVE_SCHEMA = shape(
    adaptive_content.SiteAdaptiveSchema, "jsonSchema updatedAt", {"object": "site-adaptive-schema"}
)
TEMPLATE_CONDITIONS = named_shape(
    "SiteAdaptiveTemplateConditions",
    adaptive_content.TemplateConditions,
    "",
    items=named_shape(
        "SiteAdaptiveTemplateCondition", adaptive_content.TemplateCondition, "description condition"
    ),
)
