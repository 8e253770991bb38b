"""What an import answers with in /v1."""

from rest_compat.shape import Reference, shape
from schema.types.imports import ImportContentResult

IMPORT_RESULT = shape(
    "ImportContentResult",
    ImportContentResult,
    "importedResources totalResources",
    revision=Reference(),
)
