"""Merges of change requests, and what they could not decide."""

import datetime as dt

import strawberry

from db.content_enums import ConflictKind, ConflictResolution, MergeResult, UpdateResult
from db.models import change_requests, content, merging, organizations
from resolvers.core.json_schemas import NODES_SCHEMA
from resolvers.core.scalars import JsonObject
from resolvers.merging import conflict_lists
from schema.node import Node
from schema.types.change_requests import ChangeRequest
from schema.types.conflict_sides import ConflictSide
from schema.types.content.pages import Revision
from schema.types.organizations import User
from schema.wiring import batch, column, related, source_rows, visible_related


@strawberry.type(description="How a merge ended.")
class ChangeRequestMerge:
    result: MergeResult = column(
        "`MERGE` when it was applied; `CONFLICTS` when conflicts have to be resolved, or were left."
    )
    revision: Revision | None = visible_related(
        content.Revision,
        "revision_id",
        "The space's new content; the change request's where nothing was merged.",
    )
    change_request: ChangeRequest = column("The change request.")


@strawberry.type(description="How pulling the space's content into a change request ended.")
class ChangeRequestUpdate:
    result: UpdateResult = column("`CONFLICTS` when both sides had changed the same thing.")
    revision: Revision | None = visible_related(
        content.Revision,
        "revision_id",
        "The change request's content; the same as before if there was nothing to pull.",
    )
    change_request: ChangeRequest = column("The change request.")


@strawberry.type(description="A cell of a table; all of the row or column where the other is null.")
class ConflictCell:
    record: str | None = column("Id of the row.")
    definition: str | None = column("Id of the column.")


@strawberry.type(
    description="One thing that a change request and its space both changed, and differently."
)
class MergeConflict(Node):
    is_type_of = source_rows(merging.MergeConflict)
    kind: ConflictKind = column("On which level the changes met.")
    page_id: strawberry.ID | None = column("Id of the page it is about.")
    file_id: strawberry.ID | None = column("Id of the file it is about.")
    reusable_content_id: strawberry.ID | None = column(
        "Id of the reusable content it is about.", attribute="content_id"
    )
    block: strawberry.ID | None = column("Key of the block in the change request's content.")
    field: str | None = column("Name of the field or variable.")
    cell: ConflictCell | None = batch(conflict_lists.conflict_cells, "The part of the table.")
    base: JsonObject | None = batch(
        conflict_lists.conflict_bases,
        "What both come from; null where there was nothing. A block is a node of a document; "
        "anything else is in `value`, or in `nodes` if it is a list of nodes. "
        f"{NODES_SCHEMA}",
    )
    ours: JsonObject | None = batch(
        conflict_lists.conflict_ours,
        f"What the change request made of it; null = removed. {NODES_SCHEMA}",
    )
    theirs: JsonObject | None = batch(
        conflict_lists.conflict_theirs,
        f"What the space made of it; null = removed. {NODES_SCHEMA}",
    )
    typed_base: ConflictSide | None = batch(
        conflict_lists.typed_bases, "What both come from, with its type."
    )
    typed_ours: ConflictSide | None = batch(
        conflict_lists.typed_ours, "What the change request made of it, with its type."
    )
    typed_theirs: ConflictSide | None = batch(
        conflict_lists.typed_theirs, "What the space made of it, with its type."
    )
    resolution: ConflictResolution | None = column("How it was settled; null while it is open.")
    resolved_at: dt.datetime | None = column("When.")
    resolved_by: User | None = related(organizations.User, "resolved_by_id", "By whom.")
    created_at: dt.datetime = column("When the merge met it.")
    change_request: ChangeRequest = related(
        change_requests.ChangeRequest, "change_request_id", "The change request."
    )
