"""Every row of /v1."""

from rest_compat.routes import (
    addresses,
    change_requests,
    collections,
    comments,
    content,
    hostnames,
    imports,
    insights,
    links,
    merging,
    people,
    reviews,
    search,
    site_spaces,
    sites,
    spaces,
    writing,
)
from rest_compat.table import Row

ROUTES: tuple[Row, ...] = (
    *people.ROUTES,
    *collections.ROUTES,
    *spaces.ROUTES,
    *content.ROUTES,
    *imports.ROUTES,
    *writing.ROUTES,
    *search.ROUTES,
    *links.ROUTES,
    *change_requests.ROUTES,
    *merging.ROUTES,
    *reviews.ROUTES,
    *comments.ROUTES,
    *sites.ROUTES,
    *site_spaces.ROUTES,
    *insights.ROUTES,
    *hostnames.ROUTES,
    *addresses.ROUTES,
)
