"""Collections and spaces."""

import datetime as dt
from typing import TYPE_CHECKING, Annotated

import strawberry

from db.models import people, spaces
from resolvers import site_fields
from resolvers.batches import by_key
from resolvers.pagination import PageArguments
from resolvers.revisions import revision_by
from schema.node import Node
from schema.types.content import Revision
from schema.types.people import Organization
from schema.wiring import Connection, batch, column, source_rows

if TYPE_CHECKING:
    from schema.types.sites import Site


@strawberry.type(description="A container of pages and files.")
class Space(Node):
    is_type_of = source_rows(spaces.Space)
    title: str = column("Name, at most 50 characters.")
    created_at: dt.datetime = column("When it was made.")
    updated_at: dt.datetime = column("When it was last changed.")
    organization: Organization = batch(
        by_key(people.Organization, "organization_id"),
        "The organization that owns it.",
        key="organization_id",
    )
    revision: Revision = batch(
        revision_by("revision_id"), "The active revision of its content.", key="revision_id"
    )
    sites: Connection[Annotated["Site", strawberry.lazy("schema.types.sites")]] = batch(
        site_fields.sites_of_spaces,
        "Sites that it is placed on, oldest first.",
        arguments=PageArguments,
    )
