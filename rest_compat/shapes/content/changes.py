"""Semantic changes in /v1."""

from functools import cache

from rest_compat.shape import Shape, Variants, named_shape, nested, renamed, shape
from rest_compat.shapes.change_requests import CHANGE_REQUEST
from schema.types.content import changes as content_changes, pages

_TEXT = named_shape("ChangeAttributeString", content_changes.TextChange, "before? after?")
_NUMBER = named_shape("ChangeAttributeNumber", content_changes.NumberChange, "before? after?")
_FLAG = named_shape("ChangeAttributeBoolean", content_changes.FlagChange, "before? after?")
_OBJECT = named_shape("ChangeAttributeObject", content_changes.ObjectChange, "before? after?")
_URL = named_shape("ChangeAttributeURL", content_changes.UrlChange, "before? after?")

_PAGE_ATTRIBUTES = named_shape(
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
_FILE_ATTRIBUTES = named_shape(
    "RevisionFileChangeAttributes",
    content_changes.FileChangeAttributes,
    "",
    name=nested(_TEXT, optional=True),
    downloadURL=nested(_URL, optional=True),
    size=nested(_NUMBER, optional=True),
    contentType=nested(_TEXT, optional=True),
    dimensions=nested(_OBJECT, optional=True),
)
_CONTENT_ATTRIBUTES = named_shape(
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
        name: named_shape(
            f"ChangedRevisionPage{name.capitalize()}", kind, "id:pageId type title path"
        )
        for name, kind in kinds.items()
    }
    return Variants("ChangedRevisionPage", lambda row: str(row.type.value), shapes)


_PARENT = named_shape(
    "RevisionPageParentChange",
    content_changes.PageParentChange,
    "",
    before=nested(_pages, optional=True),
    after=nested(_pages, optional=True),
)
_PAGE = named_shape(
    "RevisionSemanticChangePage",
    content_changes.PageChange,
    "type",
    page=_pages,
    attributes=nested(_PAGE_ATTRIBUTES, optional=True),
    parent=nested(_PARENT, optional=True),
)
_FILE = named_shape(
    "RevisionSemanticChangeFile",
    content_changes.FileChange,
    "type",
    file=named_shape("ChangedRevisionFile", pages.File, "id:fileId name contentType downloadURL"),
    attributes=nested(_FILE_ATTRIBUTES, optional=True),
)
_VARIABLES = named_shape(
    "RevisionSemanticChangeVariables", content_changes.VariablesChange, "type variables"
)
_CONTENT = named_shape(
    "RevisionSemanticChangeReusableContent",
    content_changes.ReusableContentChange,
    "type",
    reusableContent=named_shape(
        "ChangedRevisionReusableContent",
        pages.ReusableContent,
        "id:reusableContentId title",
        document=renamed("documentId", optional=True),
    ),
    attributes=nested(_CONTENT_ATTRIBUTES, optional=True),
)
CHANGE = Variants(
    "RevisionSemanticChange",
    lambda row: str(row.type.value).rsplit("_", 1)[0],
    {"page": _PAGE, "file": _FILE, "variables": _VARIABLES, "reusable_content": _CONTENT},
)
_END = shape(content_changes.RedirectEnd, "anchor?", page=nested(_pages, optional=True))
_REDIRECT = named_shape(
    "RevisionRedirectChange",
    content_changes.RedirectChange,
    "type path",
    before=nested(_END, optional=True),
    after=nested(_END, optional=True),
)
# Beside the list of changes, whose kinds the contract settles.
REDIRECTS = named_shape(
    "RevisionRedirectChanges", content_changes.RedirectChanges, "total more?", changes=_REDIRECT
)
CHANGES: Shape = named_shape(
    "RevisionSemanticChanges",
    content_changes.ContentChanges,
    "more? endCursor?",
    changes=lambda: CHANGE,
    mergedFrom=nested(CHANGE_REQUEST, optional=True),
    redirects=nested(REDIRECTS, optional=True),
)
