"""Insights of sites in /v1."""

from rest_compat.shape import named_shape
from schema.types import insights

INSIGHTS = named_shape(
    "SiteInsights",
    insights.Insights,
    "",
    columns=named_shape(
        "SiteInsightsValues", insights.InsightsValues, "column interval? claim? values"
    ),
)
VISITOR_SEGMENT = named_shape(
    "SiteVisitorSegment", insights.VisitorSegment, "title claims events visitors sessions"
)
