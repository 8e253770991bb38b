"""Every row of /v1."""

from rest_compat.routes import (
    change_requests,
    collections,
    comments,
    content,
    imports,
    people,
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
    *change_requests.ROUTES,
    *comments.ROUTES,
    *sites.ROUTES,
    *site_spaces.ROUTES,
)
