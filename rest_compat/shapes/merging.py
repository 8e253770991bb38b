"""Merges of change requests and conflicts in /v1."""

from rest_compat.shape import Reference, Renamed, nested, shape
from rest_compat.shapes.organizations import USER
from schema.types import merging

MERGE = shape("ChangeRequestMerge", merging.ChangeRequestMerge, "result", revision=Reference())
UPDATE = shape("ChangeRequestUpdate", merging.ChangeRequestUpdate, "result", revision=Reference())

CONFLICT = shape(
    "ChangeRequestConflict",
    merging.MergeConflict,
    "id kind block? field? base ours theirs resolution resolvedAt? createdAt",
    {"object": "change-request-conflict"},
    page=Renamed("pageId", optional=True),
    file=Renamed("fileId", optional=True),
    reusableContent=Renamed("reusableContentId", optional=True),
    cell=nested(shape("ConflictCell", merging.ConflictCell, "record? definition?"), optional=True),
    resolvedBy=nested(USER, optional=True),
)
