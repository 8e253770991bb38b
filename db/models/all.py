"""Imports every model, so that the metadata is complete (migrations, tests)."""

from db.base import Base
from db.models import (
    conflicts,
    content,
    content_index,
    discussions,
    idempotency,
    instance,
    people,
    reviews,
    site_settings,
    site_traffic,
    sites,
    spaces,
)

metadata = Base.metadata
__all__ = [
    "conflicts",
    "content",
    "content_index",
    "discussions",
    "idempotency",
    "instance",
    "metadata",
    "people",
    "reviews",
    "site_settings",
    "site_traffic",
    "sites",
    "spaces",
]
