"""Every row of /v1."""

from rest_compat.routes import (
    change_requests,
    collections,
    comments,
    content,
    imports,
    links,
    merging,
    people,
    published,
    reviews,
    search,
    site_customization,
    site_sections,
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
    *site_sections.ROUTES,
    *published.ROUTES,
    *site_customization.ROUTES,
)
