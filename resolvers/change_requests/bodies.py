"""Texts of comments: given as Markdown or as a document, stored as both."""

import asyncio
from dataclasses import dataclass
from typing import Any

import strawberry

from content.documents.content_references import read_reference
from content.documents.shape import DocumentError, checked_document
from content.imports.markdown_links import script_links
from content.markdown.parser import parse_document
from content.markdown.spelling import write_markdown
from content.script_addresses import ALLOWED
from resolvers.core import inputs
from resolvers.core.errors import invalid
from resolvers.core.json_schemas import DOCUMENT_SCHEMA
from resolvers.core.scalars import JsonObject

MARKDOWN_LIMIT = 50_000


@strawberry.input(description="Text of a comment: `markdown` or `document`, one of the two.")
class CommentBodyInput:
    markdown: str | None = inputs.text(
        "Markdown, at most 50,000 characters and not blank.", max=MARKDOWN_LIMIT
    )
    document: JsonObject | None = inputs.field(
        f"A JSON document: `object` (`document`), `data` and `nodes`. {DOCUMENT_SCHEMA}"
    )


@dataclass(frozen=True, slots=True)
class Body:
    """The text of a comment in both forms."""

    markdown: str
    document: dict[str, Any]


async def read_body(input: CommentBodyInput) -> Body:
    """Both forms of the text; Invalid when it is empty, ambiguous or no document.

    Reading a long text takes a while, so it does not happen in the event loop.
    """
    return await asyncio.to_thread(_read_body, input)


def _read_body(input: CommentBodyInput) -> Body:
    if input.markdown is not None and input.document is not None:
        raise invalid("body", "has both `markdown` and `document`; send one of the two")
    if input.document is not None:
        return _from_document(input.document)
    if input.markdown is None or not input.markdown.strip():
        raise invalid("body", "is empty; send `markdown` or `document` with some text")
    refuse_scripts(input.markdown, "body.markdown")
    document = parse_document(input.markdown, resolve=read_reference)
    return Body(input.markdown, dict(document))


def _from_document(value: JsonObject) -> Body:
    document = checked_input("body.document", value)
    markdown = write_markdown(document).rstrip("\n")
    if not markdown.strip():
        raise invalid("body", "is empty; send `markdown` or `document` with some text")
    if len(markdown) > MARKDOWN_LIMIT:
        raise invalid(
            "body.document",
            f"has {len(markdown)} characters as Markdown; at most {MARKDOWN_LIMIT} are allowed",
        )
    return Body(markdown, document)


def refuse_scripts(markdown: str, where: str) -> None:
    """Invalid where a link, an image or a tag in Markdown leads to what runs a script."""
    for url in script_links(markdown):
        raise invalid(where, f"has the address {url[:100]!r}; an address {ALLOWED}")


def checked_input(path: str, value: dict[str, Any]) -> dict[str, Any]:
    """A document that a caller sent, with a key on every node; Invalid names what is wrong."""
    try:
        return dict(checked_document(value))
    except DocumentError as error:
        where = f"{path}.{error.path}" if error.path else path
        raise invalid(where, error.problem) from error
