"""Answers of writes of content in /v1."""

from db.models.change_requests import ChangeRequest
from rest_compat.shape import Variants, named_shape, nested, renamed, shape
from rest_compat.shapes.change_requests import CHANGE_REQUEST
from rest_compat.shapes.content.changes import CHANGE, REDIRECTS
from rest_compat.shapes.content.pages import file_shape
from schema.types import writing
from schema.types.content import pages

REVISION = named_shape("WrittenRevision", pages.Revision, "id type parents createdAt")
CREATED = shape(writing.CreatedContent, "id:contentId kind ref?")
WRITE = shape(
    writing.ContentWrite,
    "changed dryRun moreChanges?",
    {"object": "content-write"},
    revision=REVISION,
    changeRequest=nested(CHANGE_REQUEST, optional=True),
    changes=lambda: CHANGE,
    redirects=nested(REDIRECTS, optional=True),
    created=CREATED,
    insertedFiles=nested(file_shape(), of="files"),
)
PAGE_REFERENCE = named_shape(
    "WrittenPageReference",
    writing.WrittenPage,
    "id:pageId",
    {"object": "page"},
    urls=shape(writing.WrittenPageUrls, "location"),
)
AFFECTED_PAGE = Variants(
    "AffectedPage",
    lambda row: str(row.outcome.value),
    {
        "created": named_shape(
            "CreatedPage",
            writing.AffectedPage,
            "ref?",
            {"object": "created_page"},
            page=PAGE_REFERENCE,
        ),
        "updated": named_shape(
            "UpdatedPage", writing.AffectedPage, "", {"object": "updated_page"}, page=PAGE_REFERENCE
        ),
        "deleted": named_shape(
            "DeletedPage",
            writing.AffectedPage,
            "",
            {"object": "deleted_page"},
            page=renamed("pageId"),
        ),
    },
)
# As the newest published contract answers a batch of operations.
UPDATE = named_shape(
    "ChangeRequestContentUpdate",
    writing.ContentWrite,
    "",
    changeRequest=CHANGE_REQUEST,
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
UPLOAD = shape(writing.FileUpload, "id name url expiresAt", {"object": "file-upload"})
