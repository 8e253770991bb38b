"""Roles of people and teams on spaces and collections, in /v1."""

from rest_compat.shape import named_shape
from rest_compat.shapes.organizations import TEAM, USER
from schema.types import permissions

CONTENT_PERSON = named_shape(
    "UserContentPermission",
    permissions.ContentPerson,
    "permission:role",
    user=USER,
)
USER_GRANT = named_shape(
    "UserContentPermission",
    permissions.UserGrant,
    "permission:role",
    user=USER,
)
TEAM_GRANT = named_shape(
    "TeamContentPermission",
    permissions.TeamGrant,
    "permission:role",
    team=TEAM,
)
