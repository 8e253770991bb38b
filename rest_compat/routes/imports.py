"""Importing content from elsewhere."""

from resolvers.content_import import import_content
from rest_compat.shapes.imports import IMPORT_RESULT
from rest_compat.table import post

SPACE = "/spaces/{spaceId}"
REQUEST = SPACE + "/change-requests/{changeRequestId}"
# The new revision.
LOCATION = SPACE + "/revisions/{revision}"
# Arguments of GraphQL that these paths leave out.
LIVE = ("change_request_id", "expected_revision")

ROUTES = (
    post(SPACE + "/content/import", "importContent", "space-content", import_content,
         IMPORT_RESULT, space_id="spaceId", unused=(*LIVE, "page_id"),
         status=201, location=LOCATION),
    post(SPACE + "/content/page/{pageId}/import", "importContentInPageById", "space-content",
         import_content, IMPORT_RESULT, space_id="spaceId", page_id="pageId", unused=LIVE,
         status=201, location=LOCATION),
    post(REQUEST + "/content/import", "importContentInChangeRequest", "change-request-content",
         import_content, IMPORT_RESULT, space_id="spaceId", change_request_id="changeRequestId",
         unused=("page_id", "expected_revision"), status=201, location=LOCATION),
    post(REQUEST + "/content/page/{pageId}/import", "importContentInChangeRequestPageById",
         "change-request-content", import_content, IMPORT_RESULT, space_id="spaceId",
         change_request_id="changeRequestId", page_id="pageId", unused=("expected_revision",),
         status=201, location=LOCATION),
)  # fmt: skip
