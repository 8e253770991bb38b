"""Bodies of pages and reusable contents as documents and Markdown, evaluated where that is wanted.

No visitor asks here, so claims are empty: what depends on one is as for a reader without any.
"""

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Annotated, Any

import strawberry
from sqlalchemy import select

from content.evaluation import Evaluation, evaluate_document, variables_context
from content.markdown_writer import write_markdown
from db.enums import Evaluated
from db.models.content import Revision
from db.models.spaces import Space
from db.prepared import among
from resolvers.arguments import PageId, ReusableContentId, SpaceId
from resolvers.content_revisions import InChangeRequest, InRevision
from resolvers.context import Context
from resolvers.errors import NotFound
from resolvers.page_rows import Page, ReusableContent
from resolvers.pages import get_page
from resolvers.policy import must
from resolvers.reusable_contents import get_reusable_content
from resolvers.revisions import Body, bodies
from resolvers.statements import Asks, Written, statement

Json = dict[str, Any]
EMPTY: Json = {"object": "document", "data": {}, "nodes": []}
# Work on larger documents than this is done beside the event loop.
SLOW_CHARACTERS = 20_000

EvaluatedArgument = Annotated[
    Evaluated,
    strawberry.argument(
        description="Work out expressions and conditions: not at all, all of them (as for a "
        "reader without claims), or those that depend on variables only."
    ),
]
DocumentId = Annotated[strawberry.ID, strawberry.argument(description="Id of the document.")]


@dataclass(frozen=True)
class BodyArguments:
    """How a body is wanted."""

    evaluated: EvaluatedArgument = Evaluated.FALSE


@dataclass(frozen=True, slots=True)
class DocumentRow:
    """A document that is an answer of its own; of a page or content with the revision it is in."""

    space_id: str
    id: str | None
    document: Json
    markdown: str
    revision_id: str | None = None

    @property
    def data(self) -> Json:
        data: Json = self.document.get("data", {})
        return data

    @property
    def nodes(self) -> list[Json]:
        nodes: list[Json] = self.document.get("nodes", [])
        return nodes


async def get_document(ctx: Context, space_id: SpaceId, id: DocumentId) -> DocumentRow:
    """A document of a space by its id, as pages and semantic changes name it."""
    await must(ctx, Space, space_id, columns=frozenset({"id"}))
    (body,) = await bodies(ctx, [(space_id, id)])
    if body is None:
        raise NotFound(f"document {id!r} does not exist in the space")
    return DocumentRow(space_id, id, body.document, body.markdown)


async def get_page_document(
    ctx: Context,
    space_id: SpaceId,
    page_id: PageId,
    change_request_id: InChangeRequest = None,
    revision_id: InRevision = None,
    evaluated: EvaluatedArgument = Evaluated.FALSE,
) -> DocumentRow:
    """The body of a page as a document."""
    page = await get_page(ctx, space_id, page_id, change_request_id, revision_id)
    return await _document_of(ctx, page, evaluated)


async def get_reusable_content_document(
    ctx: Context,
    space_id: SpaceId,
    reusable_content_id: ReusableContentId,
    change_request_id: InChangeRequest = None,
    revision_id: InRevision = None,
    evaluated: EvaluatedArgument = Evaluated.FALSE,
) -> DocumentRow:
    """A reusable content as a document."""
    found = await get_reusable_content(
        ctx, space_id, reusable_content_id, change_request_id, revision_id
    )
    return await _document_of(ctx, found, evaluated)


async def _document_of(
    ctx: Context, row: Page | ReusableContent, evaluated: Evaluated
) -> DocumentRow:
    (body,) = await evaluated_bodies(ctx, [row], evaluated)
    return DocumentRow(row.space_id, row.document_id, body.document, body.markdown, row.revision_id)


async def page_markdown(ctx: Context, rows: Sequence[Page], arguments: BodyArguments) -> list[str]:
    """Each page as Markdown: its title as the leading heading, then the body."""
    found = await evaluated_bodies(ctx, rows, arguments.evaluated)
    return [_with_title(row.title, body.markdown) for row, body in zip(rows, found, strict=True)]


def _with_title(title: str, markdown: str) -> str:
    heading = "# " + " ".join(title.split())
    text = markdown.strip("\n")
    return f"{heading}\n\n{text}\n" if text else f"{heading}\n"


async def body_documents(
    ctx: Context, rows: Sequence[Page | ReusableContent], arguments: BodyArguments
) -> list[Json]:
    """The body of each page or reusable content as a JSON document."""
    found = await evaluated_bodies(ctx, rows, arguments.evaluated)
    return [body.document for body in found]


async def body_markdown(
    ctx: Context, rows: Sequence[ReusableContent], arguments: BodyArguments
) -> list[str]:
    """Each reusable content as Markdown."""
    return [body.markdown for body in await evaluated_bodies(ctx, rows, arguments.evaluated)]


@statement
def _variables(asks: Asks) -> Written:
    return select(Revision.id, Revision.variables).where(among(Revision.id, "ids"))


async def evaluated_bodies(
    ctx: Context, rows: Sequence[Page | ReusableContent], evaluated: Evaluated
) -> list[Body]:
    """Bodies in both forms: one statement, and one for the spaces' variables to evaluate with."""
    found = await bodies(ctx, [(row.space_id, row.document_id) for row in rows])
    stored = [body if body is not None else Body("", EMPTY) for body in found]
    if evaluated is Evaluated.FALSE:
        return stored
    ids = {row.revision_id for row in rows}
    variables = {row.id: row.variables for row in await _variables.rows(ctx, ids=ids)}
    results = []
    for row, body in zip(rows, stored, strict=True):
        page = row.variables if isinstance(row, Page) else None
        evaluation = Evaluation(
            variables_context(variables.get(row.revision_id) or {}, page),
            deterministic_only=evaluated is Evaluated.DETERMINISTIC_ONLY,
        )
        if len(body.markdown) > SLOW_CHARACTERS:
            results.append(await asyncio.to_thread(_evaluated, body, evaluation))
        else:
            results.append(_evaluated(body, evaluation))
    return results


def _evaluated(body: Body, evaluation: Evaluation) -> Body:
    document = evaluate_document(body.document, evaluation)
    if document is body.document:
        return body
    return Body(write_markdown(document), document)
