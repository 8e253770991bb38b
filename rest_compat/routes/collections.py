"""Collections."""

from resolvers.core.pagination import PageArguments
from resolvers.organizations import operations as organizations
from resolvers.spaces import (
    collection_fields,
    collections,
    fields as space_fields,
    moves,
    transfers,
)
from resolvers.spaces.collection_fields import CollectionArguments
from rest_compat.shapes.spaces import COLLECTION, SPACE
from rest_compat.table import delete, get, page, patch, post

TAG = "collections"
COLLECTIONS = "/orgs/{organizationId}/collections"
ONE = "/collections/{collectionId}"

ROUTES = (
    page(COLLECTIONS, "listCollectionsInOrganizationById", TAG, organizations.get_organization,
         collection_fields.collections_of_organizations, CollectionArguments, COLLECTION,
         id="organizationId"),
    post(COLLECTIONS, "createCollection", TAG, collections.create_collection, COLLECTION,
         status=201, body_optional=True, location="/collections/{id}",
         organization_id="organizationId"),
    get(ONE, "getCollectionById", TAG, collections.get_collection, COLLECTION, id="collectionId"),
    patch(ONE, "updateCollectionById", TAG, collections.update_collection, COLLECTION,
          id="collectionId"),
    delete(ONE, "deleteCollectionById", TAG, collections.delete_collection, id="collectionId"),
    page(f"{ONE}/spaces", "listSpacesInCollectionById", TAG, collections.get_collection,
         space_fields.spaces_of_collections, PageArguments, SPACE, id="collectionId"),
    post(f"{ONE}/move", "moveCollection", TAG, moves.move_collection, COLLECTION,
         bad_request=True, id="collectionId"),
    post(f"{ONE}/transfer", "transferCollection", TAG, transfers.transfer_collection, COLLECTION,
         id="collectionId"),
)  # fmt: skip
