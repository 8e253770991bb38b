"""Insights of sites in /v1."""

from rest_compat.shape import nested, shape
from schema.types import insights

INSIGHTS = shape(
    "SiteInsights",
    insights.Insights,
    "",
    columns=nested(
        shape("SiteInsightsValues", insights.InsightsValues, "column interval? claim? values")
    ),
)
VISITOR_SEGMENT = shape(
    "SiteVisitorSegment", insights.VisitorSegment, "title claims events visitors sessions"
)
