"""Roles of people and teams on spaces and collections."""

from typing import Any

from resolvers.permissions import grants, operations as permissions, people
from resolvers.permissions.grants import GrantArguments
from resolvers.permissions.people import ContentPeopleArguments
from resolvers.spaces import collections, operations as spaces
from rest_compat.shapes.permissions import CONTENT_PERSON, TEAM_GRANT, USER_GRANT
from rest_compat.table import delete, done, page

SPACE = "/spaces/{spaceId}/permissions"
COLLECTION = "/collections/{collectionId}/permissions"
# The contract knows no "no access" in these lists.
ROLES_ONLY: dict[str, Any] = {"defaults": {"denials": False}, "unused": ("denials", "share_key")}

ROUTES = (
    done(SPACE, "inviteToSpace", "space-users", permissions.invite_to_space, status=204),
    page(f"{SPACE}/aggregate", "listPermissionsAggregateInSpace", "space-users", spaces.get_space,
         people.people_of_spaces, ContentPeopleArguments, CONTENT_PERSON, unused=("share_key",)),
    page(f"{SPACE}/users", "listUserPermissionsInSpace", "space-users", spaces.get_space,
         grants.user_grants_of_spaces, GrantArguments, USER_GRANT, **ROLES_ONLY),
    done(f"{SPACE}/users/{{userId}}", "updateUserPermissionInSpace", "space-users",
         permissions.update_user_permission_in_space, method="PATCH", status=204),
    delete(f"{SPACE}/users/{{userId}}", "removeUserFromSpace", "space-users",
           permissions.remove_user_from_space),
    page(f"{SPACE}/teams", "listTeamPermissionsInSpace", "space-teams", spaces.get_space,
         grants.team_grants_of_spaces, GrantArguments, TEAM_GRANT, **ROLES_ONLY),
    done(f"{SPACE}/teams/{{teamId}}", "updateTeamPermissionInSpace", "space-teams",
         permissions.update_team_permission_in_space, method="PATCH", status=204),
    delete(f"{SPACE}/teams/{{teamId}}", "removeTeamFromSpace", "space-teams",
           permissions.remove_team_from_space),
    done(COLLECTION, "inviteToCollection", "collection-users", permissions.invite_to_collection,
         status=204),
    page(f"{COLLECTION}/aggregate", "listPermissionsAggregateInCollection", "collection-users",
         collections.get_collection, people.people_of_collections, ContentPeopleArguments,
         CONTENT_PERSON),
    page(f"{COLLECTION}/users", "listUserPermissionsInCollection", "collection-users",
         collections.get_collection, grants.user_grants_of_collections, GrantArguments,
         USER_GRANT, **ROLES_ONLY),
    done(f"{COLLECTION}/users/{{userId}}", "updateUserPermissionInCollection", "collection-users",
         permissions.update_user_permission_in_collection, method="PATCH", status=204),
    delete(f"{COLLECTION}/users/{{userId}}", "removeUserFromCollection", "collection-users",
           permissions.remove_user_from_collection),
    page(f"{COLLECTION}/teams", "listTeamPermissionsInCollection", "collection-teams",
         collections.get_collection, grants.team_grants_of_collections, GrantArguments,
         TEAM_GRANT, **ROLES_ONLY),
    done(f"{COLLECTION}/teams/{{teamId}}", "updateTeamPermissionInCollection", "collection-teams",
         permissions.update_team_permission_in_collection, method="PATCH", status=204),
    delete(f"{COLLECTION}/teams/{{teamId}}", "removeTeamFromCollection", "collection-teams",
           permissions.remove_team_from_collection),
)  # fmt: skip
