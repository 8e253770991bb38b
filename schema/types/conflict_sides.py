"""The versions in conflicts of merges with types."""

from typing import Annotated, Any, Union

import strawberry

from resolvers.core.json_schemas import NODES_SCHEMA
from resolvers.core.scalars import JsonObject
from resolvers.merging import conflict_sides as sides
from schema.types.references import ContentReference
from schema.types.values import (
    BooleanValue,
    ComputedSource,
    NumberValue,
    OtherValue,
    PageCover,
    PageLayout,
    TextValue,
)
from schema.wiring import column


def _is(kind: type[Any]) -> Any:
    def is_type_of(value: Any, info: Any) -> bool:
        return isinstance(value, kind)

    return is_type_of


@strawberry.type(description="A node of a document.")
class ConflictNode:
    is_type_of = _is(sides.NodeSide)
    node: JsonObject = column(f"The node. {NODES_SCHEMA}")


@strawberry.type(description="Nodes of a document, such as the text of a cell.")
class ConflictNodes:
    is_type_of = _is(sides.NodesSide)
    nodes: list[JsonObject] = column(f"The nodes. {NODES_SCHEMA}")


@strawberry.type(description="A place in the tree of pages.")
class ConflictPlace:
    is_type_of = _is(sides.PlaceSide)
    parent_page_id: strawberry.ID | None = column(
        "Id of the page above it within the space; null at the top level."
    )


@strawberry.type(description="A whole page, of a conflict about its being there.")
class ConflictPage:
    is_type_of = _is(sides.PageSide)
    title: str | None = column("Its title.")
    slug: str | None = column("Its part of the path.")
    description: str | None = column("Its description.")
    document_id: strawberry.ID | None = column("Id of its body.")


@strawberry.type(description="A whole file.")
class ConflictFile:
    is_type_of = _is(sides.FileSide)
    name: str | None = column("Its name.")
    content_type: str | None = column("Its media type.")
    size: int | None = column("Its size in bytes.")


@strawberry.type(description="A whole reusable content.")
class ConflictReusableContent:
    is_type_of = _is(sides.ContentSide)
    title: str | None = column("Its name.")
    document_id: strawberry.ID | None = column("Id of its body.")


@strawberry.type(description="Where a link page leads.")
class ConflictReference:
    is_type_of = _is(sides.ReferenceSide)
    reference: ContentReference = column(
        "The reference: of `theirs` it means things of the space, else of the change request."
    )


@strawberry.type(description="The cover of a page.")
class ConflictCover:
    is_type_of = _is(sides.CoverSide)
    cover: PageCover = column("The cover.")


@strawberry.type(description="Which parts of a page are shown.")
class ConflictLayout:
    is_type_of = _is(sides.LayoutSide)
    layout: PageLayout = column("The layout, with all of its options.")


@strawberry.type(description="The source of a computed page.")
class ConflictSource:
    is_type_of = _is(sides.SourceSide)
    computed: ComputedSource = column("The source.")


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
