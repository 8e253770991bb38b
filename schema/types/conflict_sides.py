"""The versions in conflicts of merges with types."""

from typing import Annotated, Union

import strawberry

from resolvers.core.json_schemas import NODES_SCHEMA
from resolvers.core.scalars import JsonObject
from resolvers.merging import conflict_lists as sides
from schema.types.references import ContentReference
from schema.types.values import (
    BooleanValue,
    ComputedSource,
    NumberValue,
    OtherValue,
    PageCover,
    PageLayout,
    TextValue,
    is_value,
)
from schema.wiring import column, instances_of


@strawberry.type(description="A node of a document.")
class ConflictNode:
    is_type_of = is_value(sides.NODE)
    node: JsonObject = column(f"The node. {NODES_SCHEMA}", attribute="value")


@strawberry.type(description="Nodes of a document, such as the text of a cell.")
class ConflictNodes:
    is_type_of = is_value(sides.NODES)
    nodes: list[JsonObject] = column(f"The nodes. {NODES_SCHEMA}", attribute="value")


@strawberry.type(description="A place in the tree of pages.")
class ConflictPlace:
    is_type_of = is_value(sides.PLACE)
    parent_page_id: strawberry.ID | None = column(
        "Id of the page above it within the space; null at the top level.", attribute="value"
    )


@strawberry.type(description="A whole page, of a conflict about its being there.")
class ConflictPage:
    is_type_of = instances_of(sides.PageSide)
    title: str | None = column("Its title.")
    slug: str | None = column("Its part of the path.")
    description: str | None = column("Its description.")
    document_id: strawberry.ID | None = column("Id of its body.")


@strawberry.type(description="A whole file.")
class ConflictFile:
    is_type_of = instances_of(sides.FileSide)
    name: str | None = column("Its name.")
    content_type: str | None = column("Its media type.")
    size: int | None = column("Its size in bytes.")


@strawberry.type(description="A whole reusable content.")
class ConflictReusableContent:
    is_type_of = instances_of(sides.ContentSide)
    title: str | None = column("Its name.")
    document_id: strawberry.ID | None = column("Id of its body.")


@strawberry.type(description="Where a link page leads.")
class ConflictReference:
    is_type_of = is_value(sides.TARGET)
    reference: ContentReference = column(
        "The reference: of `theirs` it means things of the space, else of the change request.",
        attribute="value",
    )


@strawberry.type(description="The cover of a page.")
class ConflictCover:
    is_type_of = is_value(sides.COVER)
    cover: PageCover = column("The cover.", attribute="value")


@strawberry.type(description="Which parts of a page are shown.")
class ConflictLayout:
    is_type_of = is_value(sides.LAYOUT)
    layout: PageLayout = column("The layout, with all of its options.", attribute="value")


@strawberry.type(description="The source of a computed page.")
class ConflictSource:
    is_type_of = is_value(sides.COMPUTED)
    computed: ComputedSource = column("The source.", attribute="value")


ConflictSide = Annotated[
    Union[  # noqa: UP007 (Strawberry names the union)
        ConflictNode,
        ConflictNodes,
        ConflictPlace,
        ConflictPage,
        ConflictFile,
        ConflictReusableContent,
        ConflictReference,
        ConflictCover,
        ConflictLayout,
        ConflictSource,
        TextValue,
        NumberValue,
        BooleanValue,
        OtherValue,
    ],
    strawberry.union("ConflictSide", description="One of the three versions in a conflict."),
]
