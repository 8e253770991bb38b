"""Links and locations of content, in /v1.

A page of a location is shown without the pages below it, and a location in primary content
without its revision, which would be the whole content of the space each time.
"""

from functools import cache

from rest_compat.shape import Shape, Variants, named_shape, nested
from rest_compat.shapes.change_requests import CHANGE_REQUEST
from rest_compat.shapes.content.pages import (
    LAYOUT,
    PAGE_BASE,
    URLS,
    file_shape,
    reusable_content_shape,
)
from rest_compat.shapes.organizations import ORGANIZATION, USER
from rest_compat.shapes.spaces import COLLECTION, SPACE
from schema.types import links
from schema.types.content import pages

_DOCUMENT = named_shape(
    "LocatedPageDocument",
    pages.DocumentPage,
    f"{PAGE_BASE} slug path description? documentId? cover? variables hidden noIndex noRobotsIndex",
    {"kind": "sheet", "pages": []},
    layout=LAYOUT,
    urls=URLS,
)
_GROUP = named_shape(
    "LocatedPageGroup",
    pages.GroupPage,
    f"{PAGE_BASE} slug path hidden noIndex noRobotsIndex",
    {"kind": "group", "pages": []},
)
_LINK = named_shape(
    "LocatedPageLink", pages.LinkPage, f"{PAGE_BASE} target href? hidden", {"kind": "link"}
)
_COMPUTED = named_shape("LocatedPageComputed", pages.ComputedPage, f"{PAGE_BASE} computed")
PAGE = Variants(
    "LocatedPage",
    lambda row: str(row.type.value),
    {"document": _DOCUMENT, "group": _GROUP, "link": _LINK, "computed": _COMPUTED},
)
CONTEXT = named_shape(
    "ContentLocationChangeRequestContext",
    links.VersionContext,
    "type",
    changeRequest=nested(CHANGE_REQUEST, optional=True),
)
INTERNAL = named_shape("ContentLocationInternal", links.InternalLocation, "type anchor? node?")
_SPACE = nested(SPACE, optional=True)
_ORGANIZATION = nested(ORGANIZATION, optional=True)
_CONTEXT = nested(CONTEXT, optional=True)


@cache
def _shapes() -> dict[str, Shape]:
    return {
        "page": named_shape(
            "ContentLocationPage", links.PageLocation, "kind",
            organization=_ORGANIZATION, space=_SPACE, versionContext=_CONTEXT,
            page=nested(lambda: PAGE, optional=True),
            internalLocation=nested(INTERNAL, optional=True),
        ),
        "file": named_shape(
            "ContentLocationFile", links.FileLocation, "kind",
            organization=_ORGANIZATION, space=_SPACE, versionContext=_CONTEXT,
            file=nested(file_shape(), optional=True),
        ),
        "reusable-content": named_shape(
            "ContentLocationReusableContent", links.ReusableContentLocation, "kind",
            organization=_ORGANIZATION, space=_SPACE, versionContext=_CONTEXT,
            reusableContent=nested(reusable_content_shape(), optional=True),
        ),
        "url": named_shape("ContentLocationURL", links.UrlLocation, "kind url"),
        "user": named_shape(
            "ContentLocationUser", links.UserLocation, "kind", user=nested(USER, optional=True)
        ),
        "collection": named_shape(
            "ContentLocationCollection", links.CollectionLocation, "kind",
            organization=_ORGANIZATION, collection=nested(COLLECTION, optional=True),
        ),
        "space": named_shape(
            "ContentLocationSpace", links.SpaceLocation, "kind",
            organization=_ORGANIZATION, space=_SPACE,
        ),
    }  # fmt: skip


LOCATION = Variants("ContentLocation", lambda row: str(row.kind), _shapes())
LINK = named_shape(
    "ContentReferenceUsage",
    links.ContentLink,
    "status relation",
    targetReference=nested(lambda: LOCATION, of="target", optional=True),
    locationReferences=nested(lambda: LOCATION, of="locations"),
)
STATS = named_shape(
    "ContentReferencesStats",
    links.LinkStats,
    "total",
    broken=named_shape(
        "BrokenContentReferencesStats", links.BrokenLinkStats, "total changeRequest?"
    ),
)
