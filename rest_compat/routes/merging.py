"""Merging change requests, pulling into them, and their conflicts."""

from resolvers.change_requests import operations as change_requests
from resolvers.merging import conflict_lists, conflict_resolution, operations as merging
from resolvers.merging.conflict_lists import ConflictArguments
from rest_compat.shapes.merging import CONFLICT, MERGE, UPDATE
from rest_compat.table import page, post, put

TAG = "change-requests"
REQUEST = "/spaces/{spaceId}/change-requests/{changeRequestId}"
CONFLICTS = f"{REQUEST}/conflicts"
EXPECTED = "expected_revision"

ROUTES = (
    post(f"{REQUEST}/merge", "mergeChangeRequest", TAG, merging.merge_change_request, MERGE,
         if_match=EXPECTED),
    post(f"{REQUEST}/update", "updateChangeRequest", TAG, merging.pull_change_request, UPDATE,
         if_match=EXPECTED),
    page(CONFLICTS, "listConflictsInChangeRequest", TAG, change_requests.get_change_request,
         conflict_lists.conflicts_of_change_requests, ConflictArguments, CONFLICT),
    put(f"{CONFLICTS}/{{conflictId}}", "resolveConflictInChangeRequest", TAG,
        conflict_resolution.resolve_conflict, CONFLICT, if_match=EXPECTED),
)  # fmt: skip
