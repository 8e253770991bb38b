"""Imports every model, so that the metadata is complete (migrations, tests)."""

from db.base import Base
from db.models import content, content_index, discussions, instance, people, sites, spaces

metadata = Base.metadata
__all__ = [
    "content",
    "content_index",
    "discussions",
    "instance",
    "metadata",
    "people",
    "sites",
    "spaces",
]
