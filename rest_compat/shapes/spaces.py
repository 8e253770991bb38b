"""Collections and spaces in /v1."""

from rest_compat.shape import nested, reference, renamed, shape
from rest_compat.shapes.git import INFO
from schema.types import spaces

COLLECTION = shape(
    spaces.Collection,
    "id title description? defaultLevel",
    {"object": "collection"},
    organization=reference(),
    parent=reference(optional=True),
    urls=shape(spaces.CollectionUrls, "location app"),
    permissions=shape(spaces.CollectionPermissions, "view admin viewInviteLinks create"),
)

SPACE = shape(
    spaces.Space,
    "id title emoji visibility createdAt updatedAt deletedAt? editMode language? mergeRules "
    "defaultLevel changeRequestsOpen changeRequestsDraft",
    {"object": "space"},
    organization=reference(),
    parent=reference(optional=True),
    revision=reference(),
    gitSync=nested(INFO, optional=True),
    comments=renamed("commentsOpen"),
    changeRequests=renamed("changeRequestsTotal"),
    urls=shape(spaces.SpaceUrls, "location app published? public? icon?"),
    permissions=shape(
        spaces.SpacePermissions,
        "view access admin viewInviteLinks edit triggerGitSync comment merge review "
        "installIntegration",
    ),
)
