"""OpenAPI specifications in /v1."""

from rest_compat.shape import named_shape, nested, reference, renamed, shape
from schema.types import specifications

SPECIFICATION = named_shape(
    "OpenAPISpec",
    specifications.Specification,
    "id createdAt updatedAt slug sourceURL? processingState visibility lastProcessedAt? "
    "lastProcessErrorCode?",
    {"object": "openapi-spec"},
    lastVersion=reference(optional=True),
    lastProcessedErrors=nested(
        named_shape("OpenAPIErrorObject", specifications.SpecificationProblem, "message code?")
    ),
    permissions=shape(specifications.SpecificationPermissions, "view edit"),
    urls=shape(specifications.SpecificationUrls, "location app published?"),
)
VERSION = named_shape(
    "OpenAPISpecVersion",
    specifications.SpecificationVersion,
    "id createdAt url",
    {"object": "openapi-spec-version"},
    urls=shape(specifications.SpecificationVersionUrls, "location"),
)
CONTENT = named_shape(
    "OpenAPISpecContent",
    specifications.SpecificationVersion,
    "url",
    filesystem=renamed("content"),
)
