"""What an import answers with in /v1."""

from rest_compat.shape import nested, reference, shape
from rest_compat.shapes.content.changes import REDIRECTS
from schema.types.imports import (
    ImportContentResult,
    ImportedPages,
    ImportLeftOut,
    ImportLeftOutItem,
)

_ITEM = shape(ImportLeftOutItem, "kind title path reason")
_LEFT_OUT = shape(ImportLeftOut, "pages files", items=_ITEM)
_PAGES = shape(ImportedPages, "created updated unchanged removed")
IMPORT_RESULT = shape(
    ImportContentResult,
    "importedResources totalResources warnings",
    revision=reference(),
    leftOut=_LEFT_OUT,
    pages=_PAGES,
    redirects=nested(REDIRECTS, optional=True),
)
