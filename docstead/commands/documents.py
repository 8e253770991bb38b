"""Commands that print the interfaces."""

import typer

from rest_compat.openapi import openapi_text
from schema.build import sdl_text


def openapi() -> None:
    """Print the OpenAPI 3.1 document of /v1."""
    typer.echo(openapi_text(), nl=False)


def sdl() -> None:
    """Print the GraphQL schema (SDL)."""
    typer.echo(sdl_text(), nl=False)
