"""What an import answers with in /v1."""

from rest_compat.shape import Reference, nested, shape
from rest_compat.shapes.content.changes import REDIRECTS
from schema.types.imports import (
    ImportContentResult,
    ImportedPages,
    ImportLeftOut,
    ImportLeftOutItem,
)

_ITEM = shape("ImportLeftOutItem", ImportLeftOutItem, "kind title path reason")
_LEFT_OUT = shape("ImportLeftOut", ImportLeftOut, "pages files", items=nested(_ITEM))
_PAGES = shape("ImportedPages", ImportedPages, "created updated unchanged removed")
IMPORT_RESULT = shape(
    "ImportContentResult",
    ImportContentResult,
    "importedResources totalResources warnings",
    revision=Reference(),
    leftOut=nested(_LEFT_OUT),
    pages=nested(_PAGES),
    redirects=nested(REDIRECTS, optional=True),
)
