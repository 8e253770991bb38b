"""Insights of sites."""

from resolvers.core.pagination import PageArguments
from resolvers.insights import (
    aggregates as insights_aggregates,
    events as insights_events,
    segments as visitor_segments,
)
from resolvers.sites import operations as sites
from rest_compat.shapes.insights import INSIGHTS, VISITOR_SEGMENT
from rest_compat.table import done, page, post

TAG = "site-insights"
INSIGHTS_OF_SITE = "/orgs/{organizationId}/sites/{siteId}/insights"

ROUTES = (
    done(f"{INSIGHTS_OF_SITE}/events", "trackEventsInSiteById", TAG,
         insights_events.track_insights_events, status=204, beacon=True),
    post(f"{INSIGHTS_OF_SITE}/events/aggregate", "aggregateSiteEvents", TAG,
         insights_aggregates.get_site_insights, INSIGHTS, reading=True),
    page(f"{INSIGHTS_OF_SITE}/visitor-segments", "listSiteVisitorSegments", TAG, sites.get_site,
         visitor_segments.visitor_segments_of_sites, PageArguments, VISITOR_SEGMENT),
)  # fmt: skip
