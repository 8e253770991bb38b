"""Merges of change requests and conflicts in /v1."""

from rest_compat.shape import named_shape, nested, reference, renamed, shape
from rest_compat.shapes.organizations import USER
from schema.types import merging

MERGE = shape(merging.ChangeRequestMerge, "result", revision=reference())
UPDATE = shape(merging.ChangeRequestUpdate, "result", revision=reference())

CONFLICT = named_shape(
    "ChangeRequestConflict",
    merging.MergeConflict,
    "id kind block? field? base ours theirs resolution resolvedAt? createdAt",
    {"object": "change-request-conflict"},
    page=renamed("pageId", optional=True),
    file=renamed("fileId", optional=True),
    reusableContent=renamed("reusableContentId", optional=True),
    cell=nested(shape(merging.ConflictCell, "record? definition?"), optional=True),
    resolvedBy=nested(USER, optional=True),
)
