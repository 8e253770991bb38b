"""Collections."""

from resolvers.core.pagination import PageArguments
from resolvers.organizations import operations as organizations
from resolvers.spaces import (
    collections,
    fields as space_fields,
    operations as space_operations,
    transfers,
)
from resolvers.spaces.collections import CollectionArguments
from rest_compat.shapes.spaces import COLLECTION, SPACE
from rest_compat.table import delete, get, page, patch, post

TAG = "collections"
COLLECTIONS = "/orgs/{organizationId}/collections"
ONE = "/collections/{collectionId}"

ROUTES = (
    page(COLLECTIONS, "listCollectionsInOrganizationById", TAG, organizations.get_organization,
         collections.collections_of_organizations, CollectionArguments, COLLECTION),
    post(COLLECTIONS, "createCollection", TAG, collections.create_collection, COLLECTION,
         status=201, body_optional=True, location="/collections/{id}"),
    get(ONE, "getCollectionById", TAG, collections.get_collection, COLLECTION),
    patch(ONE, "updateCollectionById", TAG, collections.update_collection, COLLECTION),
    delete(ONE, "deleteCollectionById", TAG, collections.delete_collection),
    page(f"{ONE}/spaces", "listSpacesInCollectionById", TAG, collections.get_collection,
         space_fields.spaces_of_collections, PageArguments, SPACE),
    post(f"{ONE}/move", "moveCollection", TAG, space_operations.move_collection, COLLECTION,
         bad_request=True),
    post(f"{ONE}/transfer", "transferCollection", TAG, transfers.transfer_collection, COLLECTION),
)  # fmt: skip
