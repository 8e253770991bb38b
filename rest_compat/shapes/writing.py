"""Answers of writes of content in /v1."""

from db.models.change_requests import ChangeRequest
from rest_compat.shape import Renamed, Variants, nested, shape
from rest_compat.shapes.change_requests import CHANGE_REQUEST
from rest_compat.shapes.content.changes import CHANGE, REDIRECTS
from rest_compat.shapes.content.pages import file_shape
from schema.types import writing
from schema.types.content import pages

REVISION = shape("WrittenRevision", pages.Revision, "id type parents createdAt")
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
PAGE_REFERENCE = shape(
    "WrittenPageReference",
    writing.WrittenPage,
    "id:pageId",
    {"object": "page"},
    urls=nested(shape("WrittenPageUrls", writing.WrittenPageUrls, "location")),
)
AFFECTED_PAGE = Variants(
    "AffectedPage",
    lambda row: str(row.outcome.value),
    {
        "created": shape(
            "CreatedPage",
            writing.AffectedPage,
            "ref?",
            {"object": "created_page"},
            page=nested(PAGE_REFERENCE),
        ),
        "updated": shape(
            "UpdatedPage",
            writing.AffectedPage,
            "",
            {"object": "updated_page"},
            page=nested(PAGE_REFERENCE),
        ),
        "deleted": shape(
            "DeletedPage",
            writing.AffectedPage,
            "",
            {"object": "deleted_page"},
            page=Renamed("pageId"),
        ),
    },
)
# As the newest published contract answers a batch of operations.
UPDATE = shape(
    "ChangeRequestContentUpdate",
    writing.ContentWrite,
    "",
    changeRequest=nested(CHANGE_REQUEST),
    changes=nested(lambda: AFFECTED_PAGE, of="affectedPages"),
    insertedFiles=nested(file_shape(), of="files"),
)


def _answer(row: object) -> str:
    if isinstance(row, ChangeRequest):
        return "changeRequest"
    return "update" if getattr(row, "by_operation", False) else "write"


# The whole answer, or for older clients the change request alone.
CHANGE_REQUEST_OR_WRITE = Variants(
    "ChangeRequestOrContentWrite",
    _answer,
    {"changeRequest": CHANGE_REQUEST, "write": WRITE, "update": UPDATE},
)
UPLOAD = shape("FileUpload", writing.FileUpload, "id name url expiresAt", {"object": "file-upload"})
