"""Spaces."""

from resolvers.organizations import operations as organizations
from resolvers.spaces import (
    fields as space_fields,
    lifecycle as space_lifecycle,
    moves,
    operations as spaces,
    transfers,
)
from resolvers.spaces.fields import SpaceArguments
from rest_compat.shapes.spaces import SPACE
from rest_compat.table import delete, get, page, patch, post

TAG = "spaces"
SPACES = "/orgs/{organizationId}/spaces"
ONE = "/spaces/{spaceId}"

ROUTES = (
    page(SPACES, "listSpacesInOrganizationById", TAG, organizations.get_organization,
         space_fields.spaces_of_organizations, SpaceArguments, SPACE, id="organizationId"),
    post(SPACES, "createSpace", TAG, spaces.create_space, SPACE, status=201, body_optional=True,
         location="/spaces/{id}", organization_id="organizationId"),
    get(ONE, "getSpaceById", TAG, spaces.get_space, SPACE, id="spaceId"),
    patch(ONE, "updateSpaceById", TAG, spaces.update_space, SPACE, id="spaceId"),
    delete(ONE, "deleteSpaceById", TAG, space_lifecycle.delete_space, id="spaceId"),
    post(f"{ONE}/restore", "restoreSpace", TAG, space_lifecycle.restore_space, SPACE,
         id="spaceId"),
    post(f"{ONE}/duplicate", "duplicateSpace", TAG, space_lifecycle.duplicate_space, SPACE,
         status=201, location="/spaces/{id}", id="spaceId"),
    post(f"{ONE}/move", "moveSpace", TAG, moves.move_space, SPACE, bad_request=True,
         id="spaceId"),
    post(f"{ONE}/transfer", "transferSpace", TAG, transfers.transfer_space, SPACE, id="spaceId"),
)  # fmt: skip
