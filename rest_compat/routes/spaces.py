"""Spaces."""

from resolvers.organizations import operations as organizations
from resolvers.spaces import fields as space_fields, operations as spaces, transfers
from resolvers.spaces.fields import SpaceArguments
from rest_compat.shapes.spaces import SPACE
from rest_compat.table import delete, get, page, patch, post

TAG = "spaces"
SPACES = "/orgs/{organizationId}/spaces"
ONE = "/spaces/{spaceId}"

ROUTES = (
    page(SPACES, "listSpacesInOrganizationById", TAG, organizations.get_organization,
         space_fields.spaces_of_organizations, SpaceArguments, SPACE),
    post(SPACES, "createSpace", TAG, spaces.create_space, SPACE, status=201, body_optional=True,
         location="/spaces/{id}"),
    get(ONE, "getSpaceById", TAG, spaces.get_space, SPACE),
    patch(ONE, "updateSpaceById", TAG, spaces.update_space, SPACE),
    delete(ONE, "deleteSpaceById", TAG, spaces.delete_space),
    post(f"{ONE}/restore", "restoreSpace", TAG, spaces.restore_space, SPACE),
    post(f"{ONE}/duplicate", "duplicateSpace", TAG, spaces.duplicate_space, SPACE,
         status=201, location="/spaces/{id}"),
    post(f"{ONE}/move", "moveSpace", TAG, spaces.move_space, SPACE, bad_request=True),
    post(f"{ONE}/transfer", "transferSpace", TAG, transfers.transfer_space, SPACE),
)  # fmt: skip
