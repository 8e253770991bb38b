"""Content references with types: one type for each kind, and the object that it names."""

from functools import partial
from typing import Annotated, Union

import strawberry

from resolvers.revisions import typed_references
from resolvers.revisions.typed_references import OTHER, TAG, TypedReference
from schema.types.above import Collection, File, Page, ReusableContent, Space, User
from schema.wiring import batch, column, of_kind

_SPACE_ID = "Id of the space: the one that it names, else the one that the reference stands in."
# Members of a union can be selected together only where fields of one name have one type.
_NULLABLE = "Never null here, but nullable as in the other types of references."
_SPACE = "The space; null where it is not there, or not for the caller."
_PAGE = (
    "The page: in the content that the reference stands in, and of other spaces in primary "
    "content. Null where it is not there, or not for the caller."
)

_is = partial(of_kind, TypedReference)


@strawberry.type(description="A reference to a URL.")
class UrlReference:
    is_type_of = _is("url")
    url: str = column("The URL as it was written, which need not be absolute.", attribute="named")


@strawberry.type(description="A reference to a page.")
class PageReference:
    is_type_of = _is("page")
    page_id: strawberry.ID | None = column(f"Id of the page within its space. {_NULLABLE}")
    space_id: strawberry.ID | None = column(_SPACE_ID)
    page: Page | None = batch(typed_references.reference_pages, _PAGE)
    space: Space | None = batch(typed_references.reference_spaces, _SPACE)


@strawberry.type(description="A reference to a heading of a page.")
class AnchorReference:
    is_type_of = _is("anchor")
    anchor: str = column("Anchor of the heading, without `#`.", attribute="named")
    page_id: strawberry.ID | None = column(
        "Id of the page within its space: the one that it names, else the one that the reference "
        "stands on."
    )
    space_id: strawberry.ID | None = column(_SPACE_ID)
    page: Page | None = batch(typed_references.reference_pages, _PAGE)
    space: Space | None = batch(typed_references.reference_spaces, _SPACE)


@strawberry.type(description="A reference to a file.")
class FileReference:
    is_type_of = _is("file")
    file_id: strawberry.ID = column("Id of the file within its space.", attribute="named")
    space_id: strawberry.ID | None = column(_SPACE_ID)
    file: File | None = batch(
        typed_references.reference_files,
        "The file: in the content that the reference stands in, and of other spaces in primary "
        "content. Null where it is not there, or not for the caller.",
    )
    space: Space | None = batch(typed_references.reference_spaces, _SPACE)


@strawberry.type(description="A reference to a reusable content.")
class ReusableContentReference:
    is_type_of = _is("reusable-content")
    reusable_content_id: strawberry.ID = column(
        "Id of the reusable content within its space.", attribute="named"
    )
    space_id: strawberry.ID | None = column(_SPACE_ID)
    reusable_content: ReusableContent | None = batch(
        typed_references.reference_contents,
        "The reusable content: in the content that the reference stands in, and of other spaces "
        "in primary content. Null where it is not there, or not for the caller.",
    )
    space: Space | None = batch(typed_references.reference_spaces, _SPACE)


@strawberry.type(description="A reference to a space.")
class SpaceReference:
    is_type_of = _is("space")
    space_id: strawberry.ID | None = column(f"Id of the space. {_NULLABLE}")
    space: Space | None = batch(typed_references.reference_spaces, _SPACE)


@strawberry.type(description="A reference to a collection of spaces.")
class CollectionReference:
    is_type_of = _is("collection")
    collection_id: strawberry.ID = column("Id of the collection.", attribute="named")
    collection: Collection | None = batch(
        typed_references.reference_collections,
        "The collection; null where it is not there, or not for the caller.",
    )


@strawberry.type(description="A reference to a person.")
class UserReference:
    is_type_of = _is("user")
    user_id: strawberry.ID = column("Id of the person.", attribute="named")
    user: User | None = batch(
        typed_references.reference_users,
        "The person; null where it is not there, or not for the caller.",
    )


@strawberry.type(
    name="OpenAPIReference",
    description="A reference to an OpenAPI specification, of which this server has none.",
)
class OpenApiReference:
    is_type_of = _is("openapi")
    specification: str = column("Name of the specification: `spec` of the JSON.", attribute="named")


@strawberry.type(description="A reference to a tag of pages, of which this server has none.")
class TagReference:
    is_type_of = _is(TAG)
    tag: str = column("Name of the tag.", attribute="named")


@strawberry.type(
    description="What is stored in the place of a reference and is none that this server knows: "
    "its JSON is in the field beside."
)
class OtherReference:
    is_type_of = _is(OTHER)
    kind: str | None = column("Its `kind`; null without one.", attribute="stored_kind")


ContentReference = Annotated[
    Union[  # noqa: UP007 (Strawberry names the union)
        UrlReference,
        PageReference,
        AnchorReference,
        FileReference,
        ReusableContentReference,
        SpaceReference,
        CollectionReference,
        UserReference,
        OpenApiReference,
        TagReference,
        OtherReference,
    ],
    strawberry.union(
        "ContentReference",
        description="What content, a link or a setting refers to, whether that is there or not.",
    ),
]
