"""Links of content: what it refers to, whether that is there, and where it stands."""

from functools import partial

import strawberry

from db.content_enums import LinkRelation, LinkStatus
from resolvers import typed_fields
from resolvers.core.scalars import JsonObject
from resolvers.links import rows
from resolvers.links.rows import Location
from schema.types.above import (
    ChangeRequest,
    Collection,
    File,
    Organization,
    Page,
    ReusableContent,
    Space,
    User,
)
from schema.types.references import ContentReference
from schema.wiring import batch, column, of_kind

_IN = "The organization that it is in."
_SPACE = "The space that it is in."
_CONTEXT = "The change request whose content it is in; null for primary content."


@strawberry.type(description="A place on a page.")
class InternalLocation:
    type: str = column("`anchor` or `node`.")
    anchor: str | None = column("Anchor of a heading.")
    node: str | None = column("Key of a block.")


@strawberry.type(description="The version of content that something is in.")
class VersionContext:
    type: str = column("Always `changeRequest`.")
    change_request: ChangeRequest | None = batch(rows.requests_of_contexts, "The change request.")


@strawberry.interface(description="Something that links lead to, or that holds them.")
class ContentLocation:
    kind: str = column("What it is: `page`, `file`, `url`, `space` and so on.")


_is = partial(of_kind, Location)


@strawberry.type(description="A page, or a place on one.")
class PageLocation(ContentLocation):
    is_type_of = _is("page")
    organization: Organization | None = batch(rows.location_organizations, _IN)
    space: Space | None = batch(rows.location_spaces, _SPACE)
    version_context: VersionContext | None = column(_CONTEXT, attribute="context")
    page: Page | None = batch(rows.location_pages, "The page.")
    internal_location: InternalLocation | None = column(
        "The place on the page; null for the page itself.", attribute="internal"
    )


@strawberry.type(description="A file.")
class FileLocation(ContentLocation):
    is_type_of = _is("file")
    organization: Organization | None = batch(rows.location_organizations, _IN)
    space: Space | None = batch(rows.location_spaces, _SPACE)
    version_context: VersionContext | None = column(_CONTEXT, attribute="context")
    file: File | None = batch(rows.location_files, "The file.")


@strawberry.type(description="A reusable content.")
class ReusableContentLocation(ContentLocation):
    is_type_of = _is("reusable-content")
    organization: Organization | None = batch(rows.location_organizations, _IN)
    space: Space | None = batch(rows.location_spaces, _SPACE)
    version_context: VersionContext | None = column(_CONTEXT, attribute="context")
    reusable_content: ReusableContent | None = batch(
        rows.location_contents, "The reusable content."
    )


@strawberry.type(description="A URL.")
class UrlLocation(ContentLocation):
    is_type_of = _is("url")
    url: str = column("The URL as it was written.")


@strawberry.type(description="A person.")
class UserLocation(ContentLocation):
    is_type_of = _is("user")
    user: User | None = batch(rows.location_users, "The person.")


@strawberry.type(description="A collection of spaces.")
class CollectionLocation(ContentLocation):
    is_type_of = _is("collection")
    organization: Organization | None = batch(rows.location_organizations, _IN)
    collection: Collection | None = batch(rows.location_collections, "The collection.")


@strawberry.type(description="A space.")
class SpaceLocation(ContentLocation):
    is_type_of = _is("space")
    organization: Organization | None = batch(rows.location_organizations, _IN)
    space: Space | None = batch(rows.location_spaces, "The space.")


LOCATIONS = (
    PageLocation,
    FileLocation,
    ReusableContentLocation,
    UrlLocation,
    UserLocation,
    CollectionLocation,
    SpaceLocation,
)


@strawberry.type(description="One thing that content refers to, for one reason.")
class ContentLink:
    status: LinkStatus = column(
        "Whether the target is there, for the caller; `IN_APP` for a URL into this application."
    )
    relation: LinkRelation = column("To lead there, or because the page is made of it.")
    reference: JsonObject = column("The content reference: `kind` and what it names.")
    typed_reference: ContentReference = batch(
        typed_fields.link_references, "The content reference with its type."
    )
    target: ContentLocation | None = batch(
        rows.link_targets, "What it leads to; null while that is not there."
    )
    locations: list[ContentLocation] = batch(
        rows.places_of_links, "Where it stands: the first 20 places."
    )
    location_count: int = batch(rows.place_counts, "In how many places it stands.")


@strawberry.type(description="How many links are broken.")
class BrokenLinkStats:
    total: int = column("All that are.")
    change_request: int | None = column("Those that the change request has broken.")


@strawberry.type(description="How many links there are.")
class LinkStats:
    total: int = column("All links, each target once for each relation.")
    broken: BrokenLinkStats = column("Those whose target is not there.")
