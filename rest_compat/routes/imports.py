"""Importing content from elsewhere."""

from resolvers.imports.operations import import_content
from rest_compat.shapes.imports import IMPORT_RESULT
from rest_compat.table import post

SPACE = "/spaces/{spaceId}"
REQUEST = SPACE + "/change-requests/{changeRequestId}"
# The new revision.
LOCATION = SPACE + "/revisions/{revision}"
# The header says what the body may say, too.
EXPECTED = {"if_match": "expected_revision"}

ROUTES = (
    post(SPACE + "/content/import", "importContent", "space-content", import_content, IMPORT_RESULT,
         unused=("change_request_id", "page_id"), status=201, location=LOCATION, **EXPECTED),
    post(SPACE + "/content/page/{pageId}/import", "importContentInPageById", "space-content",
         import_content, IMPORT_RESULT, unused=("change_request_id",), status=201,
         location=LOCATION, **EXPECTED),
    post(REQUEST + "/content/import", "importContentInChangeRequest", "change-request-content",
         import_content, IMPORT_RESULT, unused=("page_id",), status=201, location=LOCATION,
         **EXPECTED),
    post(REQUEST + "/content/page/{pageId}/import", "importContentInChangeRequestPageById",
         "change-request-content", import_content, IMPORT_RESULT, status=201, location=LOCATION,
         **EXPECTED),
)  # fmt: skip
