"""Content of spaces, change requests and revisions: one set of reads for each of the three.

`computed` decides whether pages of sources are shown, or the computed pages that stand for them;
files and reusable contents are the same in either case.
"""

from db.content_enums import ContentFormat, DocumentSchema, Evaluated
from resolvers.content import (
    changes as content_changes,
    computed as computed_content,
    documents,
    files,
    pages,
)
from resolvers.core.pagination import PageArguments
from resolvers.git import exports
from resolvers.pdf import operations as pdfs
from resolvers.revisions import history, read_targets
from resolvers.spaces import operations as spaces
from rest_compat.shapes.content.changes import CHANGES
from rest_compat.shapes.content.pages import (
    COMPUTED_REVISION,
    DOCUMENT,
    EXPORT,
    LISTED_REVISION,
    file_answer,
    page_answer,
    page_list_answer,
    reusable_content_answer,
    revision_answer,
)
from rest_compat.shapes.jobs import PDF
from rest_compat.table import Row, get, page, post

TAG = "space-content"
REQUEST_TAG = "change-request-content"
SPACE = "/spaces/{spaceId}"
CONTENT = SPACE + "/content"
REQUEST = SPACE + "/change-requests/{changeRequestId}"
REVISION = SPACE + "/revisions/{revisionId}"
FLAGS = {"metadata": bool}
PAGE_FLAGS = {"format": ContentFormat, "evaluated": Evaluated, "frontMatter": bool, **FLAGS}
# Of objects that no source makes.
OTHER_FLAGS = {**FLAGS, "computed": bool}


def _reads(
    base: str,
    tag: str,
    operations: tuple[str, str, str, str, str, str, str],
    unused: tuple[str, ...],
    unused_by_parts: tuple[str, ...],
) -> tuple[Row, ...]:
    """The reads below `base`: the revision, its pages, files, one file, one page by id and by
    path, one reusable content.
    """
    whole, tree, listed, file, by_id, by_path, reusable = operations
    find = read_targets.get_revision
    return (
        get(base, whole, tag, find, revision_answer,
            choices=FLAGS, revision="id", signed=True, unused=unused),
        get(f"{base}/pages", tree, tag, find, page_list_answer,
            choices=FLAGS, revision="id", unused=unused),
        page(f"{base}/files", listed, tag, find, files.files_of_revisions, PageArguments,
             file_answer, choices=FLAGS, revision="id", signed=True, unused=unused),
        get(f"{base}/files/{{fileId}}", file, tag, files.get_file, file_answer, choices=OTHER_FLAGS,
            revision="revision_id", signed=True, unused=unused_by_parts),
        get(f"{base}/page/{{pageId}}", by_id, tag, pages.get_page, page_answer, choices=PAGE_FLAGS,
            revision="revision_id", unused=unused_by_parts),
        get(f"{base}/path/{{pagePath:path}}", by_path, tag, pages.get_page_by_path, page_answer,
            choices=PAGE_FLAGS, revision="revision_id", path="pagePath", unused=unused_by_parts),
        get(f"{base}/reusable-contents/{{reusableContentId}}", reusable, tag,
            files.get_reusable_content, reusable_content_answer, choices=OTHER_FLAGS,
            revision="revision_id", unused=unused_by_parts),
    )  # fmt: skip


OF_REVISION = ("change_request_id",)

ROUTES = (
    *_reads(
        CONTENT, TAG,
        ("getCurrentRevision", "listPages", "listFiles", "getFileById", "getPageById",
         "getPageByPath", "getReusableContentById"),
        ("id", "change_request_id"), ("change_request_id", "revision_id"),
    ),
    *_reads(
        REQUEST + "/content", REQUEST_TAG,
        ("getRevisionOfChangeRequestById", "listPagesInChangeRequest",
         "listFilesInChangeRequestById", "getFileInChangeRequestById",
         "getPageInChangeRequestById", "getPageInChangeRequestByPath",
         "getReusableContentInChangeRequestById"),
        ("id",), ("revision_id",),
    ),
    *_reads(
        REVISION, TAG,
        ("getRevisionById", "listPagesInRevisionById", "listFilesInRevisionById",
         "getFileInRevisionById", "getPageInRevisionById", "getPageInRevisionByPath",
         "getReusableContentInRevisionById"),
        OF_REVISION, OF_REVISION,
    ),
    page(SPACE + "/revisions", "listRevisions", TAG, spaces.get_space, history.revisions_of_spaces,
         PageArguments, LISTED_REVISION),
    get(f"{REVISION}/page/{{pageId}}/document", "getPageDocumentInRevisionById", TAG,
        documents.get_page_document, DOCUMENT, revision="revision_id", unused=OF_REVISION),
    get(f"{REVISION}/reusable-contents/{{reusableContentId}}/document",
        "getReusableContentDocumentInRevisionById", TAG, documents.get_reusable_content_document,
        DOCUMENT, revision="revision_id", unused=OF_REVISION),
    get(f"{SPACE}/documents/{{documentId}}", "getDocumentById", TAG, documents.get_document,
        DOCUMENT, choices={"schema": DocumentSchema}, revision="id"),
    post(f"{CONTENT}/computed/document", "getComputedDocument", TAG,
         computed_content.get_computed_document, DOCUMENT, choices={"schema": DocumentSchema},
         reading=True),
    post(f"{CONTENT}/computed/revision", "getComputedRevision", TAG,
         computed_content.get_computed_revision, COMPUTED_REVISION, reading=True),
    get(f"{REVISION}/changes", "getRevisionSemanticChanges", TAG,
        content_changes.get_revision_changes, CHANGES, choices=OTHER_FLAGS, revision="revision_id",
        signed=True, unused=("since",)),
    get(f"{REQUEST}/changes", "getChangeRequestChanges", REQUEST_TAG,
        content_changes.get_change_request_changes, CHANGES, revision="revision_id", signed=True),
    get(f"{CONTENT}/export", "getContentExport", TAG, exports.get_content_export, EXPORT),
    get(SPACE + "/pdf", "getSpacePDF", TAG, pdfs.get_space_pdf, PDF),
)  # fmt: skip
