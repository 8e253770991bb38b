"""Content of spaces, change requests and revisions: one set of reads for each of the three.

`computed` changes nothing while no source of computed content exists on this server: pages whose
source cannot be worked out stay as they are.
"""

from typing import Any

from db.content_enums import ContentFormat, DocumentSchema, Evaluated
from resolvers.content import (
    changes as content_changes,
    computed as computed_content,
    documents,
    files,
    pages,
    reusable_contents,
)
from resolvers.core.pagination import PageArguments
from resolvers.pdf import operations as pdfs
from resolvers.revisions import read_targets
from rest_compat.shapes.content.changes import CHANGES
from rest_compat.shapes.content.pages import (
    COMPUTED_REVISION,
    DOCUMENT,
    PDF,
    file_answer,
    page_answer,
    page_list_answer,
    reusable_content_answer,
    revision_answer,
)
from rest_compat.table import Row, get, page, post

TAG = "space-content"
REQUEST_TAG = "change-request-content"
SPACE = "/spaces/{spaceId}"
CONTENT = SPACE + "/content"
REQUEST = SPACE + "/change-requests/{changeRequestId}"
REVISION = SPACE + "/revisions/{revisionId}"
FLAGS = {"metadata": bool, "computed": bool}
PAGE_FLAGS = {"format": ContentFormat, "evaluated": Evaluated, "frontMatter": bool, **FLAGS}


def _reads(
    base: str,
    tag: str,
    operations: tuple[str, str, str, str, str, str, str],
    revision: dict[str, Any],
    parts: dict[str, Any],
) -> tuple[Row, ...]:
    """The reads below `base`: the revision, its pages, files, one file, one page by id and by
    path, one reusable content. `revision` says where its parameters come from, `parts` the same
    for what is in it.
    """
    whole, tree, listed, file, by_id, by_path, reusable = operations
    find = read_targets.get_revision
    return (
        get(base, whole, tag, find, revision_answer,
            choices=FLAGS, revision="id", signed=True, **revision),
        get(f"{base}/pages", tree, tag, find, page_list_answer,
            choices=FLAGS, revision="id", **revision),
        page(f"{base}/files", listed, tag, find, files.files_of_revisions, PageArguments,
             file_answer, choices=FLAGS, revision="id", signed=True, **revision),
        get(f"{base}/files/{{fileId}}", file, tag, files.get_file, file_answer,
            choices=FLAGS, revision="revision_id", signed=True, id="fileId", **parts),
        get(f"{base}/page/{{pageId}}", by_id, tag, pages.get_page, page_answer,
            choices=PAGE_FLAGS, revision="revision_id", id="pageId", **parts),
        get(f"{base}/path/{{pagePath:path}}", by_path, tag, pages.get_page_by_path, page_answer,
            choices=PAGE_FLAGS, revision="revision_id", path="pagePath", **parts),
        get(f"{base}/reusable-contents/{{reusableContentId}}", reusable, tag,
            reusable_contents.get_reusable_content, reusable_content_answer,
            choices=FLAGS, revision="revision_id", id="reusableContentId", **parts),
    )  # fmt: skip


OF_SPACE = {"space_id": "spaceId", "unused": ("change_request_id", "revision_id")}
OF_REQUEST = {
    "space_id": "spaceId", "change_request_id": "changeRequestId", "unused": ("revision_id",),
}  # fmt: skip
OF_REVISION = {
    "space_id": "spaceId", "revision_id": "revisionId", "unused": ("change_request_id",),
}  # fmt: skip

ROUTES = (
    *_reads(
        CONTENT, TAG,
        ("getCurrentRevision", "listPages", "listFiles", "getFileById", "getPageById",
         "getPageByPath", "getReusableContentById"),
        {"space_id": "spaceId", "unused": ("id", "change_request_id")}, OF_SPACE,
    ),
    *_reads(
        REQUEST + "/content", REQUEST_TAG,
        ("getRevisionOfChangeRequestById", "listPagesInChangeRequest",
         "listFilesInChangeRequestById", "getFileInChangeRequestById",
         "getPageInChangeRequestById", "getPageInChangeRequestByPath",
         "getReusableContentInChangeRequestById"),
        {"space_id": "spaceId", "change_request_id": "changeRequestId", "unused": ("id",)},
        OF_REQUEST,
    ),
    *_reads(
        REVISION, TAG,
        ("getRevisionById", "listPagesInRevisionById", "listFilesInRevisionById",
         "getFileInRevisionById", "getPageInRevisionById", "getPageInRevisionByPath",
         "getReusableContentInRevisionById"),
        {"space_id": "spaceId", "id": "revisionId", "unused": ("change_request_id",)},
        OF_REVISION,
    ),
    get(f"{REVISION}/page/{{pageId}}/document", "getPageDocumentInRevisionById", TAG,
        documents.get_page_document, DOCUMENT, revision="revision_id", page_id="pageId",
        **OF_REVISION),
    get(f"{REVISION}/reusable-contents/{{reusableContentId}}/document",
        "getReusableContentDocumentInRevisionById", TAG,
        documents.get_reusable_content_document, DOCUMENT, revision="revision_id",
        reusable_content_id="reusableContentId", **OF_REVISION),
    get(f"{SPACE}/documents/{{documentId}}", "getDocumentById", TAG, documents.get_document,
        DOCUMENT, choices={"schema": DocumentSchema}, revision="id", space_id="spaceId",
        id="documentId"),
    post(f"{CONTENT}/computed/document", "getComputedDocument", TAG,
         computed_content.get_computed_document, DOCUMENT, choices={"schema": DocumentSchema},
         reading=True, space_id="spaceId"),
    post(f"{CONTENT}/computed/revision", "getComputedRevision", TAG,
         computed_content.get_computed_revision, COMPUTED_REVISION, reading=True,
         space_id="spaceId"),
    get(f"{REVISION}/changes", "getRevisionSemanticChanges", TAG,
        content_changes.get_revision_changes, CHANGES, choices=FLAGS, revision="revision_id",
        signed=True, space_id="spaceId", id="revisionId", unused=("since",)),
    get(f"{REQUEST}/changes", "getChangeRequestChanges", REQUEST_TAG,
        content_changes.get_change_request_changes, CHANGES, revision="revision_id", signed=True,
        space_id="spaceId", change_request_id="changeRequestId"),
    get(SPACE + "/pdf", "getSpacePDF", TAG, pdfs.get_space_pdf, PDF, space_id="spaceId"),
)  # fmt: skip
