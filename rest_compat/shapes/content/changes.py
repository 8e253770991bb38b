"""Semantic changes in /v1."""

from functools import cache

from rest_compat.shape import Renamed, Shape, Variants, nested, shape
from rest_compat.shapes.change_requests import CHANGE_REQUEST
from schema.types.content import changes as content_changes, pages

_TEXT = shape("ChangeAttributeString", content_changes.TextChange, "before? after?")
_NUMBER = shape("ChangeAttributeNumber", content_changes.NumberChange, "before? after?")
_FLAG = shape("ChangeAttributeBoolean", content_changes.FlagChange, "before? after?")
_OBJECT = shape("ChangeAttributeObject", content_changes.ObjectChange, "before? after?")
_URL = shape("ChangeAttributeURL", content_changes.UrlChange, "before? after?")

_PAGE_ATTRIBUTES = shape(
    "RevisionPageChangeAttributes",
    content_changes.PageChangeAttributes,
    "",
    **{
        name: nested(_TEXT, optional=True)
        for name in ("title", "description", "slug", "emoji", "icon", "document", "condition")
    },
    **{
        name: nested(_OBJECT, optional=True)
        for name in ("cover", "layout", "variables", "target", "computed")
    },
    **{name: nested(_FLAG, optional=True) for name in ("hidden", "noIndex", "noRobotsIndex")},
)
_FILE_ATTRIBUTES = shape(
    "RevisionFileChangeAttributes",
    content_changes.FileChangeAttributes,
    "",
    name=nested(_TEXT, optional=True),
    downloadURL=nested(_URL, optional=True),
    size=nested(_NUMBER, optional=True),
    contentType=nested(_TEXT, optional=True),
    dimensions=nested(_OBJECT, optional=True),
)
_CONTENT_ATTRIBUTES = shape(
    "RevisionReusableContentChangeAttributes",
    content_changes.ReusableContentChangeAttributes,
    "",
    title=nested(_TEXT, optional=True),
    document=nested(_TEXT, optional=True),
)


@cache
def _pages() -> Variants:
    kinds = {
        "document": pages.DocumentPage,
        "group": pages.GroupPage,
        "link": pages.LinkPage,
        "computed": pages.ComputedPage,
    }
    shapes = {
        name: shape(f"ChangedRevisionPage{name.capitalize()}", kind, "id:pageId type title path")
        for name, kind in kinds.items()
    }
    return Variants("ChangedRevisionPage", lambda row: str(row.type.value), shapes)


_PARENT = shape(
    "RevisionPageParentChange",
    content_changes.PageParentChange,
    "",
    before=nested(_pages, optional=True),
    after=nested(_pages, optional=True),
)
_PAGE = shape(
    "RevisionSemanticChangePage",
    content_changes.PageChange,
    "type",
    page=nested(_pages),
    attributes=nested(_PAGE_ATTRIBUTES, optional=True),
    parent=nested(_PARENT, optional=True),
)
_FILE = shape(
    "RevisionSemanticChangeFile",
    content_changes.FileChange,
    "type",
    file=nested(shape("ChangedRevisionFile", pages.File, "id:fileId name contentType downloadURL")),
    attributes=nested(_FILE_ATTRIBUTES, optional=True),
)
_VARIABLES = shape(
    "RevisionSemanticChangeVariables", content_changes.VariablesChange, "type variables"
)
_CONTENT = shape(
    "RevisionSemanticChangeReusableContent",
    content_changes.ReusableContentChange,
    "type",
    reusableContent=nested(
        shape(
            "ChangedRevisionReusableContent",
            pages.ReusableContent,
            "id:reusableContentId title",
            document=Renamed("documentId", optional=True),
        )
    ),
    attributes=nested(_CONTENT_ATTRIBUTES, optional=True),
)
CHANGE = Variants(
    "RevisionSemanticChange",
    lambda row: str(row.type.value).rsplit("_", 1)[0],
    {"page": _PAGE, "file": _FILE, "variables": _VARIABLES, "reusable_content": _CONTENT},
)
_END = shape(
    "RedirectEnd", content_changes.RedirectEnd, "anchor?", page=nested(_pages, optional=True)
)
_REDIRECT = shape(
    "RevisionRedirectChange",
    content_changes.RedirectChange,
    "type path",
    before=nested(_END, optional=True),
    after=nested(_END, optional=True),
)
# Beside the list of changes, whose kinds the contract settles.
REDIRECTS = shape(
    "RevisionRedirectChanges",
    content_changes.RedirectChanges,
    "total more?",
    changes=nested(_REDIRECT),
)
CHANGES: Shape = shape(
    "RevisionSemanticChanges",
    content_changes.ContentChanges,
    "more?",
    changes=nested(lambda: CHANGE),
    mergedFrom=nested(CHANGE_REQUEST, optional=True),
    redirects=nested(REDIRECTS, optional=True),
)
