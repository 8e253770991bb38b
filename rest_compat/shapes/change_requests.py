"""Change requests in /v1."""

from rest_compat.shape import named_shape, reference, renamed, shape
from rest_compat.shapes.organizations import USER
from schema.types import change_requests

CHANGE_REQUEST = shape(
    change_requests.ChangeRequest,
    "id number status subject description? createdAt updatedAt outdated",
    {"object": "change-request"},
    createdBy=USER,
    space=reference(),
    revision=reference(),
    revisionInitial=reference(),
    revisionMergedAncestor=reference(optional=True),
    revisionMerged=reference(optional=True),
    comments=renamed("commentsOpen"),
    urls=named_shape("ChangeRequestURLs", change_requests.ChangeRequestUrls, "app location"),
)
