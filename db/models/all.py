"""Imports every model, so that the metadata is complete (migrations, tests)."""

from db.base import Base
from db.models import (
    audit,
    change_requests,
    comments,
    content,
    content_index,
    events,
    idempotency,
    insights,
    instance,
    invitations,
    mail,
    merging,
    organizations,
    reviews,
    sign_in,
    sign_on,
    site_settings,
    sites,
    spaces,
)

metadata = Base.metadata
__all__ = [
    "audit",
    "change_requests",
    "comments",
    "content",
    "content_index",
    "events",
    "idempotency",
    "insights",
    "instance",
    "invitations",
    "mail",
    "merging",
    "metadata",
    "organizations",
    "reviews",
    "sign_in",
    "sign_on",
    "site_settings",
    "sites",
    "spaces",
]
