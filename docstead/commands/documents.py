"""Commands that print the interfaces."""

from typing import Annotated

import typer

from content.documents.schema import json_schema_text, typescript_text
from rest_compat.openapi import openapi_text
from schema.build import sdl_text


def openapi() -> None:
    """Print the OpenAPI 3.1 document of /v1."""
    typer.echo(openapi_text(), nl=False)


def sdl() -> None:
    """Print the GraphQL schema (SDL)."""
    typer.echo(sdl_text(), nl=False)


def document_schema(
    typescript: Annotated[
        bool, typer.Option("--typescript", help="TypeScript types instead of JSON Schema.")
    ] = False,
) -> None:
    """Print the JSON Schema of JSON documents, or their TypeScript types."""
    typer.echo(typescript_text() if typescript else json_schema_text(), nl=False)
