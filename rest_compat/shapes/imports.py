"""What an import answers with in /v1."""

from rest_compat.shape import Reference, nested, shape
from rest_compat.shapes.content_changes import REDIRECTS
from schema.types.imports import ImportContentResult

IMPORT_RESULT = shape(
    "ImportContentResult",
    ImportContentResult,
    "importedResources totalResources",
    revision=Reference(),
    redirects=nested(REDIRECTS, optional=True),
)
