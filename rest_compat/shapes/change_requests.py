"""Change requests in /v1."""

from rest_compat.shape import Reference, Renamed, nested, shape
from rest_compat.shapes.organizations import USER
from schema.types import change_requests

CHANGE_REQUEST = shape(
    "ChangeRequest",
    change_requests.ChangeRequest,
    "id number status subject description? createdAt updatedAt outdated",
    {"object": "change-request"},
    createdBy=nested(USER),
    space=Reference(),
    revision=Reference(),
    revisionInitial=Reference(),
    revisionMergedAncestor=Reference(optional=True),
    revisionMerged=Reference(optional=True),
    comments=Renamed("commentsOpen"),
    urls=nested(shape("ChangeRequestURLs", change_requests.ChangeRequestUrls, "app location")),
)
