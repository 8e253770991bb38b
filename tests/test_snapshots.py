"""The committed descriptions of both interfaces are those that the code generates."""

from pathlib import Path

import pytest
from openapi_spec_validator import OpenAPIV31SpecValidator

from rest_compat.openapi import openapi_document, openapi_text
from rest_compat.routes.all import ROUTES
from schema.build import sdl_text

ROOT = Path(__file__).parent.parent


@pytest.mark.parametrize(
    ("path", "generate"),
    [("schema/schema.graphql", sdl_text), ("rest_compat/openapi.json", openapi_text)],
)
def test_snapshot_is_current(path: str, generate: object) -> None:
    assert callable(generate)
    assert (ROOT / path).read_text() == generate(), f"{path} is old; run `make snapshots`"


def test_openapi_document_is_valid() -> None:
    errors = list(OpenAPIV31SpecValidator(openapi_document(ROUTES)).iter_errors())
    assert [error.message for error in errors] == []
