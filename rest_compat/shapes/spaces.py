"""Collections and spaces in /v1."""

from rest_compat.shape import Reference, Renamed, nested, shape
from schema.types import spaces

COLLECTION = shape(
    "Collection",
    spaces.Collection,
    "id title description? defaultLevel",
    {"object": "collection"},
    organization=Reference(),
    parent=Reference(optional=True),
    urls=nested(shape("CollectionUrls", spaces.CollectionUrls, "location app")),
    permissions=nested(
        shape(
            "CollectionPermissions",
            spaces.CollectionPermissions,
            "view admin viewInviteLinks create",
        )
    ),
)

SPACE = shape(
    "Space",
    spaces.Space,
    "id title emoji visibility createdAt updatedAt deletedAt? editMode language? mergeRules "
    "defaultLevel changeRequestsOpen changeRequestsDraft",
    {"object": "space"},
    organization=Reference(),
    parent=Reference(optional=True),
    revision=Reference(),
    comments=Renamed("commentsOpen"),
    changeRequests=Renamed("changeRequestsTotal"),
    urls=nested(shape("SpaceUrls", spaces.SpaceUrls, "location app published? public? icon?")),
    permissions=nested(
        shape(
            "SpacePermissions",
            spaces.SpacePermissions,
            "view access admin viewInviteLinks edit triggerGitSync comment merge review "
            "installIntegration",
        )
    ),
)
