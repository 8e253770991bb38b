"""Inputs of batches of changes in the form of /v1, and which type of change takes which fields."""

import dataclasses

import strawberry
from strawberry import Maybe

from db.content_enums import ContentBatchChange, NewPageType
from resolvers.core import inputs
from resolvers.core.errors import invalid
from resolvers.core.json_schemas import DOCUMENT_SCHEMA
from resolvers.core.naming import camel
from resolvers.core.scalars import JsonObject, Url
from resolvers.drafts.page_inputs import (
    BlockEditInput,
    PageFieldsInput,
    anchor_field,
    file_address,
    old_path_field,
    ref_field,
)
from resolvers.revisions import limits as content_limits

CHANGES = 50
FILES = 20
INLINE_BYTES = 1024 * 1024

PAGE_FIELDS = tuple(field.name for field in dataclasses.fields(PageFieldsInput))
_PLACE = ("into", "at", "before", "after")
_BYTES = ("base64", "content_type", "url", "upload")
# What each type of change takes beside `type`; the first of each line has to be there.
TAKEN: dict[ContentBatchChange, tuple[str, ...]] = {
    ContentBatchChange.INSERT_PAGE: (
        "document", "ref", "kind", "title", *PAGE_FIELDS, *_PLACE, "edits",
    ),
    ContentBatchChange.UPDATE_PAGE: (
        "page", "title", *PAGE_FIELDS, *_PLACE, "document", "edits",
    ),
    ContentBatchChange.RENAME_PAGE: ("page", "title", "slug"),
    ContentBatchChange.MOVE_PAGE: ("page", *_PLACE),
    ContentBatchChange.DELETE_PAGE: ("page",),
    ContentBatchChange.REVERT_PAGE: ("page", "revision", "block"),
    ContentBatchChange.INSERT_FILES: ("files",),
    ContentBatchChange.REPLACE_FILE: ("file", "name", *_BYTES),
    ContentBatchChange.DELETE_FILE: ("file",),
    ContentBatchChange.INSERT_REUSABLE_CONTENT: ("title", "ref", "document", "edits"),
    ContentBatchChange.UPDATE_REUSABLE_CONTENT: (
        "reusable_content", "title", "document", "edits",
    ),
    ContentBatchChange.DELETE_REUSABLE_CONTENT: ("reusable_content",),
    ContentBatchChange.SET_VARIABLES: ("set", "remove"),
    ContentBatchChange.SET_REDIRECT: ("path", "page", "anchor"),
    ContentBatchChange.DELETE_REDIRECT: ("path",),
}  # fmt: skip
_NEEDS_NOTHING = (ContentBatchChange.SET_VARIABLES,)
# How many of its fields have to be there, where it is more than the first.
_NEEDED = {ContentBatchChange.SET_REDIRECT: 2}


def _lines() -> str:
    return "; ".join(
        f"`{kind.value}`: {', '.join(f'`{camel(name)}`' for name in names)}"
        for kind, names in TAKEN.items()
    )


@strawberry.input(description="The bytes of a file: as `base64`, at a `url`, or an `upload`.")
class FileBytesInput:
    base64: str | None = inputs.text(
        "The bytes in base64, at most 1 MiB of them.", max=INLINE_BYTES * 4 // 3 + 4
    )
    content_type: str | None = inputs.text(
        "Media type; required with `base64`; with `url` for what has no other.",
        max=255,
        pattern=r"[\w.+-]+/[\w.+-]+(;.*)?",
        allowed="a media type such as image/png",
    )
    url: Url | None = file_address()
    upload: strawberry.ID | None = inputs.text("Id of an upload whose bytes have arrived.")


@strawberry.input(description="A file to add: the bytes as `base64`, at a `url`, or an `upload`.")
class ContentFileInput(FileBytesInput):
    name: str = inputs.text(
        "Name with its extension.", required=True, min=1, max=content_limits.NAME
    )
    ref: str | None = ref_field()


@strawberry.input(
    description="One change; `type` tells which of the fields it takes, the first of them must "
    f"be there (none of `set_variables`, two of `set_redirect`): {_lines()}."
)
class ContentChangeInput(PageFieldsInput, FileBytesInput):
    type: ContentBatchChange | None = inputs.field("What is done; this or `operation`.")
    operation: ContentBatchChange | None = inputs.field(
        "The same as `type`, as the newest published contract has it."
    )
    page: strawberry.ID | None = inputs.text("Id of the page, or `ref:NAME` of this batch.")
    ref: str | None = ref_field()
    kind: NewPageType | None = inputs.field("Kind of a new page; `document` when absent.")
    title: Maybe[str] = inputs.text(
        "Title; the slug of a page follows it unless it was set by hand.",
        min=1,
        max=content_limits.TITLE,
    )
    into: Maybe[strawberry.ID | None] = inputs.text("Id of the page above it; null = the top.")
    at: int | None = inputs.field("Number of siblings before it; the end when absent.")
    before: strawberry.ID | None = inputs.text("The page goes directly before this one.")
    after: strawberry.ID | None = inputs.text(
        "The page goes directly after this one; with `before`, both must be adjacent."
    )
    document: JsonObject | None = inputs.field(
        'The body: `{"markdown": "..."}`, a JSON document with its `nodes`, or one in `document`; '
        f"`{{}}` is empty. Links and groups have none. {DOCUMENT_SCHEMA}"
    )
    edits: list[BlockEditInput] | None = inputs.items(
        "Edits of single blocks of the body, one after the other, instead of `document`.",
        min=1,
        max=content_limits.OPERATIONS,
    )
    revision: strawberry.ID | None = inputs.text("Revision to take the page back to.")
    block: list[str] | None = inputs.items(
        "Keys of the blocks to take back; else the whole page.", max=content_limits.REVERTED_BLOCKS
    )
    files: list[ContentFileInput] | None = inputs.items("Files to add.", min=1, max=FILES)
    file: strawberry.ID | None = inputs.text("Id of the file, or `ref:NAME` of this batch.")
    name: str | None = inputs.text(
        "New name of the file with its extension.", min=1, max=content_limits.NAME
    )
    reusable_content: strawberry.ID | None = inputs.text(
        "Id of the reusable content, or `ref:NAME` of this batch."
    )
    set: JsonObject | None = inputs.field(
        "Variables of the space, names to values: text of at most 256 characters, numbers, "
        "booleans. The others stay."
    )
    remove: list[str] | None = inputs.items("Names of variables of the space to remove.")
    path: str | None = old_path_field()
    anchor: str | None = anchor_field()


@strawberry.input(description="Changes of content: all of them, or none.")
class WriteContentInput:
    changes: list[ContentChangeInput] = inputs.items(
        "At most 50 changes, made one after the other.", required=True, min=1, max=CHANGES
    )


_NAMES = frozenset(name for names in TAKEN.values() for name in names)


def type_of(change: ContentChangeInput, where: str) -> ContentBatchChange:
    """The type of a change; Invalid unless exactly one field names it."""
    if change.type is None and change.operation is None:
        raise invalid(f"{where}.type", "is required, or `operation`")
    if change.type is not None and change.operation is not None:
        raise invalid(f"{where}.operation", "cannot be given together with `type`")
    type_ = change.type or change.operation
    assert type_ is not None
    return type_


def check_change(change: ContentChangeInput, where: str) -> None:
    """Invalid when a field is missing, or given that this type of change does not take."""
    type = type_of(change, where)
    allowed = TAKEN[type]
    for name in sorted(_NAMES - set(allowed)):
        if getattr(change, name) is not None:
            raise invalid(f"{where}.{camel(name)}", f"is not taken by {type.value}")
    if change.document is not None and change.edits is not None:
        raise invalid(f"{where}.edits", "cannot be given together with `document`")
    _check_markdown(change.document, f"{where}.document")
    needed = type not in _NEEDS_NOTHING
    if type is ContentBatchChange.INSERT_PAGE:
        # Only documents have a body.
        kind = change.kind
        needed = change.edits is None and (kind is None or kind is NewPageType.DOCUMENT)
    names = allowed[: _NEEDED.get(type, 1)]
    for name in names if needed else ():
        if getattr(change, name) is None:
            raise invalid(f"{where}.{camel(name)}", f"is required by {type.value}")


def _check_markdown(document: JsonObject | None, where: str) -> None:
    """Invalid for Markdown that is no text, or that has something beside it."""
    if document is None or "markdown" not in document or "object" in document:
        return
    if not isinstance(document["markdown"], str):
        raise invalid(f"{where}.markdown", "must be text")
    for name in sorted(document.keys() - {"markdown"}):
        raise invalid(f"{where}.{name}", "is unknown beside `markdown`")
