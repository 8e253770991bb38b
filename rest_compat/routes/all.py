"""Every row of /v1."""

from rest_compat.routes import (
    change_requests,
    collections,
    comments,
    content,
    customization as site_customization,
    imports,
    insights,
    links,
    merging,
    organizations,
    reviews,
    search,
    spaces,
    teams,
    writing,
)
from rest_compat.routes.published import addresses as published, url_content
from rest_compat.routes.sites import (
    adaptive_content,
    hostnames,
    redirects as site_redirects,
    sections as site_sections,
    settings as site_settings,
    share_links,
    sites,
    spaces as site_spaces,
)
from rest_compat.table import Row

ROUTES: tuple[Row, ...] = (
    *organizations.ROUTES,
    *teams.ROUTES,
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
    *site_customization.ROUTES,
    *site_settings.ROUTES,
    *insights.ROUTES,
    *share_links.ROUTES,
    *adaptive_content.ROUTES,
    *site_redirects.ROUTES,
    *published.ROUTES,
    *hostnames.ROUTES,
    *url_content.ROUTES,
)
