"""OpenAPI specifications and their versions."""

from resolvers.core.pagination import PageArguments
from resolvers.organizations import operations as organizations
from resolvers.specifications import operations as specifications
from rest_compat.shapes.specifications import CONTENT, SPECIFICATION, VERSION
from rest_compat.table import delete, get, page, patch, post, put

TAG, VERSIONS_TAG = "openapi", "openapi-versions"
ALL = "/orgs/{organizationId}/openapi"
ONE = f"{ALL}/{{specSlug}}"
VERSIONS = f"{ONE}/versions"
SLUG = {"slug": "specSlug"}

ROUTES = (
    page(ALL, "listOpenAPISpecs", TAG, organizations.get_organization,
         specifications.specifications_of_organizations, PageArguments, SPECIFICATION),
    post(ALL, "createOpenAPISpec", TAG, specifications.create_specification, SPECIFICATION,
         status=201, bad_request=True),
    get(ONE, "getOpenAPISpecBySlug", TAG, specifications.get_specification, SPECIFICATION, **SLUG),
    put(ONE, "createOrUpdateOpenAPISpecBySlug", TAG, specifications.put_specification,
        SPECIFICATION, bad_request=True, created=lambda row: row.is_new, **SLUG),
    patch(ONE, "updateOpenAPISpecBySlug", TAG, specifications.update_specification, SPECIFICATION,
          bad_request=True, **SLUG),
    delete(ONE, "deleteOpenAPISpecBySlug", TAG, specifications.delete_specification, **SLUG),
    page(VERSIONS, "listOpenAPISpecVersions", VERSIONS_TAG, specifications.get_specification,
         specifications.versions_of_specifications, PageArguments, VERSION, **SLUG),
    get(f"{VERSIONS}/latest", "getLatestOpenAPISpecVersion", VERSIONS_TAG,
        specifications.get_latest_specification_version, VERSION, **SLUG),
    get(f"{VERSIONS}/latest/content", "getLatestOpenAPISpecVersionContent", VERSIONS_TAG,
        specifications.get_latest_specification_version, CONTENT, **SLUG),
    get(f"{VERSIONS}/{{versionId}}", "getOpenAPISpecVersionById", VERSIONS_TAG,
        specifications.get_specification_version, VERSION, **SLUG),
    get(f"{VERSIONS}/{{versionId}}/content", "getOpenAPISpecVersionContentById", VERSIONS_TAG,
        specifications.get_specification_version, CONTENT, **SLUG),
)  # fmt: skip
