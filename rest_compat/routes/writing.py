"""Writes of content: templates, and additions to the documented operations."""

from resolvers.writing import (
    batches as content_batches,
    rollbacks,
    templates as content_templates,
    uploads,
)
from rest_compat.shapes.writing import CHANGE_REQUEST_OR_WRITE, UPLOAD, WRITE
from rest_compat.table import done, post

ROUTES = (
    done("/spaces/{spaceId}/content/template", "applyTemplateToSpace", "space-content",
         content_templates.apply_template, status=201, unused=("change_request_id",),
         if_match="expected_revision"),
    post("/spaces/{spaceId}/content", "writeSpaceContent", "space-content",
         content_batches.write_space_content, WRITE, if_match="expected_revision"),
    post("/spaces/{spaceId}/change-requests/{changeRequestId}/content", "writeChangeRequestContent",
         "change-request-content", content_batches.write_change_request_content,
         CHANGE_REQUEST_OR_WRITE, if_match="expected_revision"),
    post("/spaces/{spaceId}/revisions/{revisionId}/rollback", "rollBackSpaceToRevision",
         "space-content", rollbacks.roll_back_space, WRITE, if_match="expected_revision"),
    post("/spaces/{spaceId}/uploads", "createFileUpload", "space-content",
         uploads.create_file_upload, UPLOAD, status=201),
)  # fmt: skip
