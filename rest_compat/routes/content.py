"""Content of spaces: revisions, pages and files."""

from db.enums import ContentFormat, Evaluated
from resolvers import files, pages, pdfs, revisions
from resolvers.pagination import PageArguments
from rest_compat.shapes.content import (
    PDF,
    file_answer,
    page_answer,
    page_list_answer,
    revision_answer,
)
from rest_compat.table import get, page

TAG = "space-content"
BASE = "/spaces/{spaceId}/content"
# `computed` and `evaluated` change nothing while content holds no sources or expressions that
# this version works out; they are accepted because clients send them.
FLAGS = {"metadata": bool, "computed": bool}
PAGE_FLAGS = {"format": ContentFormat, "evaluated": Evaluated, **FLAGS}

ROUTES = (
    get(BASE, "getCurrentRevision", TAG, revisions.get_current_revision, revision_answer,
        choices=FLAGS, space_id="spaceId"),
    get(f"{BASE}/pages", "listPages", TAG, revisions.get_current_revision, page_list_answer,
        choices=FLAGS, space_id="spaceId"),
    page(f"{BASE}/files", "listFiles", TAG, revisions.get_current_revision,
         files.files_of_revisions, PageArguments, file_answer, choices=FLAGS, space_id="spaceId"),
    get(f"{BASE}/files/{{fileId}}", "getFileById", TAG, files.get_file, file_answer,
        choices=FLAGS, space_id="spaceId", id="fileId"),
    get(f"{BASE}/page/{{pageId}}", "getPageById", TAG, pages.get_page, page_answer,
        choices=PAGE_FLAGS, space_id="spaceId", id="pageId"),
    get(f"{BASE}/path/{{pagePath:path}}", "getPageByPath", TAG, pages.get_page_by_path,
        page_answer, choices=PAGE_FLAGS, space_id="spaceId", path="pagePath"),
    get("/spaces/{spaceId}/pdf", "getSpacePDF", TAG, pdfs.get_space_pdf, PDF, space_id="spaceId"),
)  # fmt: skip
