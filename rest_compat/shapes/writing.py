"""Answers of writes of content in /v1."""

from db.models.discussions import ChangeRequest
from rest_compat.shape import Variants, nested, shape
from rest_compat.shapes.content import file_shape
from rest_compat.shapes.content_changes import CHANGE, REDIRECTS
from rest_compat.shapes.discussions import CHANGE_REQUEST
from schema.types import content, writing

REVISION = shape("WrittenRevision", content.Revision, "id type parents createdAt")
CREATED = shape("CreatedContent", writing.CreatedContent, "id:contentId kind ref?")
WRITE = shape(
    "ContentWrite",
    writing.ContentWrite,
    "changed dryRun moreChanges?",
    {"object": "content-write"},
    revision=nested(REVISION),
    changeRequest=nested(CHANGE_REQUEST, optional=True),
    changes=nested(lambda: CHANGE),
    redirects=nested(REDIRECTS, optional=True),
    created=nested(CREATED),
    insertedFiles=nested(file_shape(), of="files"),
)
# The whole answer, or for older clients the change request alone.
CHANGE_REQUEST_OR_WRITE = Variants(
    "ChangeRequestOrContentWrite",
    lambda row: "changeRequest" if isinstance(row, ChangeRequest) else "write",
    {"changeRequest": CHANGE_REQUEST, "write": WRITE},
)
UPLOAD = shape("FileUpload", writing.FileUpload, "id name url expiresAt", {"object": "file-upload"})
