"""Revisions, pages and files in /v1.

Pages differ by type, by the `format` of their body and by whether Git metadata is wanted, so
their shapes are made on demand, once for each combination.
"""

from collections.abc import Mapping
from functools import cache
from typing import Any

from db.content_enums import ContentFormat, Evaluated
from resolvers.content.documents import BodyArguments, PageMarkdownArguments
from resolvers.lists.memory_pages import WholeList
from rest_compat.shape import Member, Shape, Variants, named_shape, nested, renamed, shape
from rest_compat.shapes.change_requests import CHANGE_REQUEST
from rest_compat.shapes.organizations import USER
from schema.types import values
from schema.types.content import pages

BLOB = named_shape("GitSyncBlob", pages.GitBlob, "oid path")
URLS = named_shape("ContentURLs", pages.ContentUrls, "app")
LAYOUT = named_shape(
    "RevisionPageLayoutOptions",
    values.PageLayout,
    "width cover coverSize title description tableOfContents outline pagination metadata "
    "coverMask tags actions anchors",
)
DIMENSIONS = named_shape("RevisionFileImageDimensions", pages.Dimensions, "width height")
# What the page tree of a revision follows from.
TREE = ("space_id", "pages_root")
PAGE_BASE = "id:pageId title emoji? icon? createdAt? updatedAt? type"


def _git(metadata: bool, of: Any = BLOB) -> dict[str, Member]:
    return {"git": nested(of, optional=True)} if metadata else {}


@cache
def page_shape(
    format: ContentFormat | None = None,
    metadata: bool = True,
    evaluated: Evaluated = Evaluated.FALSE,
    front_matter: bool = False,
) -> Variants:
    """A page with everything below it; the body is shown for the page itself only."""

    def below() -> Variants:
        return page_shape(None, metadata)

    body = {}
    if format is ContentFormat.MARKDOWN:
        body["markdown"] = renamed(
            "markdown", arguments=PageMarkdownArguments(evaluated, front_matter)
        )
    elif format is not None:
        body[format.value] = renamed(format.value, arguments=BodyArguments(evaluated))
    suffix = "" if format is None else format.value.capitalize()
    plain = "" if metadata else "Plain"
    if format is not None and evaluated is not Evaluated.FALSE:
        suffix += evaluated.name.title().replace("_", "")
    shapes = {
        "document": named_shape(
            f"RevisionPageDocument{suffix}{plain}",
            pages.DocumentPage,
            f"{PAGE_BASE} slug path description? documentId? cover? variables hidden noIndex "
            "noRobotsIndex",
            # Pages have no tags here; readers of the newest contract expect the list.
            {"kind": "sheet", "tags": []},
            layout=LAYOUT,
            urls=URLS,
            pages=nested(below, arguments=WholeList()),
            **body,
            **_git(metadata),
        ),
        "group": named_shape(
            f"RevisionPageGroup{suffix}{plain}",
            pages.GroupPage,
            f"{PAGE_BASE} slug path hidden noIndex noRobotsIndex",
            {"kind": "group"},
            pages=nested(below, arguments=WholeList()),
        ),
        "link": named_shape(
            f"RevisionPageLink{suffix}{plain}",
            pages.LinkPage,
            f"{PAGE_BASE} target href? hidden",
            {"kind": "link"},
        ),
        "computed": named_shape(
            f"RevisionPageComputed{suffix}{plain}", pages.ComputedPage, f"{PAGE_BASE} computed"
        ),
    }
    return Variants(f"RevisionPage{suffix}{plain}", lambda row: str(row.type.value), shapes)


@cache
def file_shape(metadata: bool = True) -> Shape:
    """A file."""
    return named_shape(
        "RevisionFile" if metadata else "RevisionFilePlain",
        pages.File,
        "id:fileId name contentType downloadURL size",
        dimensions=nested(DIMENSIONS, optional=True),
        **_git(metadata),
    )


EXPORT = named_shape("ContentExport", pages.ContentExport, "url revision:revisionId")
COMMIT = named_shape(
    "GitSyncCommit",
    pages.GitCommit,
    "oid message createdByService url? ref?",
    # The name that published clients know.
    createdByGitBook=renamed("createdByService"),
)


# A document by itself is the answer.
DOCUMENT = named_shape("JSONDocument", pages.Document, "data nodes", {"object": "document"})


@cache
def reusable_content_shape(metadata: bool = True) -> Shape:
    """A reusable content, with the id of its document."""
    plain = "" if metadata else "Plain"
    return named_shape(
        f"RevisionReusableContent{plain}",
        pages.ReusableContent,
        "id:reusableContentId title",
        document=renamed("documentId", optional=True),
        **_git(metadata),
    )


@cache
def revision_shape(metadata: bool = True) -> Shape:
    """A revision with its page tree, files and reusable contents."""
    plain = "" if metadata else "Plain"
    return named_shape(
        f"Revision{plain}",
        pages.Revision,
        "id type parents createdAt variables",
        {"object": "revision", "tags": []},
        pages=nested(lambda: page_shape(None, metadata), arguments=WholeList(), cached_by=TREE),
        files=nested(file_shape(metadata), arguments=WholeList()),
        reusableContents=nested(reusable_content_shape(metadata), arguments=WholeList()),
        urls=URLS,
        mergedFrom=nested(CHANGE_REQUEST, optional=True),
        **_git(metadata, COMMIT),
    )


# In the history, without what is in it.
LISTED_REVISION = named_shape(
    "ListedRevision",
    pages.Revision,
    "id type parents createdAt",
    {"object": "revision"},
    author=nested(USER, optional=True),
    urls=URLS,
    mergedFrom=nested(CHANGE_REQUEST, optional=True),
    git=nested(COMMIT, optional=True),
)
COMPUTED_REVISION = shape(
    pages.ComputedRevision,
    "",
    pages=lambda: page_shape(),
    files=lambda: file_shape(),
    reusableContents=lambda: reusable_content_shape(),
)


@cache
def page_list_shape(metadata: bool = True) -> Shape:
    """The page tree of a revision."""
    plain = "" if metadata else "Plain"
    return named_shape(
        f"RevisionPages{plain}",
        pages.Revision,
        "",
        pages=nested(lambda: page_shape(None, metadata), arguments=WholeList(), cached_by=TREE),
    )


def revision_answer(choices: Mapping[str, Any]) -> Shape:
    return revision_shape(choices.get("metadata") is not False)


def page_list_answer(choices: Mapping[str, Any]) -> Shape:
    return page_list_shape(choices.get("metadata") is not False)


def file_answer(choices: Mapping[str, Any]) -> Shape:
    return file_shape(choices.get("metadata") is not False)


def page_answer(choices: Mapping[str, Any]) -> Variants:
    return page_shape(
        choices.get("format"),
        choices.get("metadata") is not False,
        choices.get("evaluated") or Evaluated.FALSE,
        choices.get("frontMatter") is True,
    )


def reusable_content_answer(choices: Mapping[str, Any]) -> Shape:
    return reusable_content_shape(choices.get("metadata") is not False)
