"""Bodies of pages and reusable contents as documents and Markdown, evaluated where that is wanted.

For a visitor of a published site that is done with its claims, and never left out: what conditions
on variables and listed claims withhold is in no body that it gets. For everybody else claims are
empty: what depends on one is as for a reader without any.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Annotated, Any

import strawberry
from sqlalchemy import bindparam

from content.documents.anchors import with_anchors
from content.documents.evaluation import (
    Evaluation,
    evaluate_document,
    has_expressions,
    variables_context,
)
from content.expressions.references import Path
from content.markdown.spelling import parse_with_style, write_markdown
from content.visitors.claims import deterministic_claims
from db.content_enums import Evaluated
from db.models.content import Revision
from db.models.spaces import Space
from db.prepared import KEY
from resolvers.access.claims_schemas import claims_schemas
from resolvers.access.policy import must, visible
from resolvers.access.published_rows import listed_rows
from resolvers.content.client_markdown import (
    Standpoint,
    beside_if_long,
    client_documents,
    client_markdown,
    is_private,
)
from resolvers.content.files import get_reusable_content
from resolvers.content.front_matter import page_heads
from resolvers.content.pages import get_page
from resolvers.core import inputs
from resolvers.core.arguments import PageId, ReusableContentId, SpaceId
from resolvers.core.batch_functions import only
from resolvers.core.context import Context
from resolvers.core.errors import NotFound
from resolvers.core.statements import Viewer, Written, statement
from resolvers.revisions.conditions import variables_of
from resolvers.revisions.objects import CONTENTS
from resolvers.revisions.read_targets import ROOTS, InChangeRequest, InRevision, find_revision
from resolvers.revisions.rows import Page, ReusableContent
from resolvers.revisions.states import Body, bodies
from resolvers.revisions.tree import all_pages

Json = dict[str, Any]
EMPTY: Json = {"object": "document", "data": {}, "nodes": []}

EvaluatedArgument = Annotated[
    Evaluated,
    inputs.argument(
        "Work out expressions and conditions: not at all, all of them, those that depend on "
        "variables only, or of these the expressions alone. A visitor's own claims count; of those "
        "that depend on variables only, also claims that are true, false or one of a few texts, "
        "which is the least that visitors get. Everybody else is a reader without claims."
    ),
]
FrontMatterArgument = Annotated[
    bool,
    inputs.argument(
        "Whether YAML front matter comes first: as in the file that the page was "
        "imported from, while its fields are those of that file; else with the keys that "
        "imports and writes of Markdown read. Visitors get neither `if` nor unknown keys."
    ),
]
DocumentId = Annotated[strawberry.ID, inputs.argument("Id of the document.")]


@dataclass(frozen=True)
class BodyArguments:
    """How a body is wanted."""

    evaluated: EvaluatedArgument = Evaluated.FALSE


@dataclass(frozen=True)
class PageMarkdownArguments(BodyArguments):
    """How the Markdown of a page is wanted."""

    front_matter: FrontMatterArgument = False


@dataclass(frozen=True, slots=True)
class DocumentRow:
    """A document that is an answer of its own, with its Markdown as it is stored.

    `revision_id` and `evaluation` are those of the page or reusable content it is the body of.
    """

    id: str | None
    document: Json
    markdown: str
    revision_id: str | None = None
    evaluation: Evaluation | None = None
    standpoint: Standpoint | None = None

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
    await must(ctx, Space, space_id, projection=only("id"))
    missing = NotFound(f"document {id!r} does not exist in the space")
    if ctx.actor.visitor is not None:
        owner = await _shown_with(ctx, space_id, id)
        if owner is None:
            raise missing
        return await document_of(ctx, owner, Evaluated.FALSE)
    (body,) = await bodies(ctx, [(space_id, id)])
    if body is None:
        raise missing
    document, standpoint = await _document(body, None), None
    if is_private(body.markdown):
        standpoint = Standpoint((await find_revision(ctx, space_id)).id)
        (document,) = await client_documents(ctx, [standpoint], [document])
    return DocumentRow(id, document, body.markdown, standpoint=standpoint)


@statement
def _readable(viewer: Viewer) -> Written:
    statement = visible(viewer, Revision).where(
        Revision.space_id == bindparam("space_id", type_=KEY)
    )
    visitor = viewer.actor.visitor
    return statement if visitor is None else listed_rows(statement, Revision, visitor)


async def _shown_with(
    ctx: Context, space_id: str, document_id: str
) -> Page | ReusableContent | None:
    """The page or reusable content that a visitor may read, and has a document for its body."""
    revisions = await _readable.rows(ctx, columns=ROOTS, space_id=space_id)
    owners: list[Page | ReusableContent] = []
    for tree in await all_pages(ctx, revisions):
        owners.extend(tree)
    for listed in await CONTENTS.all(ctx, revisions):
        owners.extend(listed)
    return next((owner for owner in owners if owner.document_id == document_id), None)


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
    return await document_of(ctx, page, evaluated)


async def get_reusable_content_document(
    ctx: Context,
    space_id: SpaceId,
    reusable_content_id: ReusableContentId,
    change_request_id: InChangeRequest = None,
    revision_id: InRevision = None,
    evaluated: EvaluatedArgument = Evaluated.FALSE,
) -> DocumentRow:
    """A reusable content as a document."""
    content = await get_reusable_content(
        ctx, space_id, reusable_content_id, change_request_id, revision_id
    )
    return await document_of(ctx, content, evaluated)


async def document_of(
    ctx: Context, row: Page | ReusableContent, evaluated: Evaluated
) -> DocumentRow:
    """The body of a page or reusable content that was found already."""
    (body,), (evaluation,) = await _bodies(ctx, [row]), await _evaluations(ctx, [row], evaluated)
    (document,) = await _documents(ctx, [row], [body], [evaluation])
    standpoint = Standpoint.of(row)
    return DocumentRow(
        row.document_id, document, body.markdown, row.revision_id, evaluation, standpoint
    )


async def document_markdown(ctx: Context, rows: Sequence[DocumentRow], arguments: Any) -> list[str]:
    """Each document as Markdown, evaluated if the document is."""
    texts = [await _markdown(Body(row.markdown, row.document), row.evaluation) for row in rows]
    return await client_markdown(ctx, [row.standpoint for row in rows], texts)


async def page_markdown(
    ctx: Context, rows: Sequence[Page], arguments: PageMarkdownArguments
) -> list[str]:
    """Each page as Markdown: front matter if wanted, its title as the leading heading, the body."""
    bodies = await body_markdown(ctx, rows, arguments)
    if not arguments.front_matter:
        return [with_title(row.title, text) for row, text in zip(rows, bodies, strict=True)]
    headings = [
        with_title(row.title, "") + ("\n" if text.strip("\n") else "")
        for row, text in zip(rows, bodies, strict=True)
    ]
    heads = await page_heads(ctx, rows, headings)
    return [_joined(head, text) for head, text in zip(heads, bodies, strict=True)]


def _joined(head: str, markdown: str) -> str:
    """A body behind its front matter and title."""
    text = markdown.strip("\n")
    return f"{head}{text}\n" if text else head


def with_title(title: str, markdown: str) -> str:
    """A body below the title of its page, as the leading heading."""
    heading = "# " + " ".join(title.split())
    text = markdown.strip("\n")
    return f"{heading}\n\n{text}\n" if text else f"{heading}\n"


async def body_markdown(
    ctx: Context, rows: Sequence[Page | ReusableContent], arguments: BodyArguments
) -> list[str]:
    """The body of each page or reusable content as Markdown."""
    texts = [text.markdown for text in await stored_markdown(ctx, rows, arguments.evaluated)]
    return await client_markdown(ctx, [Standpoint.of(row) for row in rows], texts)


@dataclass(frozen=True, slots=True)
class StoredText:
    """The Markdown of a body with the addresses that are stored in it, evaluated where wanted."""

    markdown: str
    body: Body
    evaluation: Evaluation | None


async def stored_markdown(
    ctx: Context, rows: Sequence[Page | ReusableContent], evaluated: Evaluated
) -> list[StoredText]:
    """The stored Markdown of each page or reusable content."""
    stored = await _bodies(ctx, rows)
    evaluations = await _evaluations(ctx, rows, evaluated)
    return [
        StoredText(await _markdown(body, evaluation), body, evaluation)
        for body, evaluation in zip(stored, evaluations, strict=True)
    ]


async def body_documents(
    ctx: Context, rows: Sequence[Page | ReusableContent], arguments: BodyArguments
) -> list[Json]:
    """The body of each page or reusable content as a JSON document."""
    stored = await _bodies(ctx, rows)
    evaluations = await _evaluations(ctx, rows, arguments.evaluated)
    return await _documents(ctx, rows, stored, evaluations)


async def _documents(
    ctx: Context,
    rows: Sequence[Page | ReusableContent],
    stored: Sequence[Body],
    evaluations: Sequence[Evaluation | None],
) -> list[Json]:
    """Documents as they leave this server."""
    documents = [await _document(*pair) for pair in zip(stored, evaluations, strict=True)]
    texts = [body.markdown for body in stored]
    return await client_documents(ctx, [Standpoint.of(row) for row in rows], documents, texts)


async def _bodies(ctx: Context, rows: Sequence[Page | ReusableContent]) -> list[Body]:
    stored = await bodies(ctx, [(row.space_id, row.document_id) for row in rows])
    return [body if body is not None else Body("", EMPTY) for body in stored]


async def _evaluations(
    ctx: Context, rows: Sequence[Page | ReusableContent], evaluated: Evaluated
) -> list[Evaluation | None]:
    """The variables and claims that each body is evaluated with: one statement for the spaces'."""
    visitor = ctx.actor.visitor
    if evaluated is Evaluated.FALSE and visitor is None:
        return [None] * len(rows)
    variables = await variables_of(ctx, {row.revision_id for row in rows})
    deterministic_only = evaluated is not Evaluated.TRUE
    deterministic: frozenset[Path] = frozenset()
    if visitor is not None and deterministic_only:
        deterministic = await _deterministic(ctx, visitor.site_id)
    return [
        Evaluation(
            variables_context(
                variables.get(row.revision_id) or {},
                row.variables if isinstance(row, Page) else None,
                None if visitor is None else dict(visitor.claims),
            ),
            deterministic_only=deterministic_only,
            claims=deterministic,
            # What is withheld from a visitor is in no body that it gets.
            conditions=visitor is not None or evaluated is not Evaluated.VALUES_ONLY,
        )
        for row in rows
    ]


async def _deterministic(ctx: Context, site_id: str) -> frozenset[Path]:
    """The claims of a site's visitors that are true, false or one of a few texts."""
    # Of the visitor's own site, whose version everything follows from that visitors read.
    schemas = await claims_schemas(ctx, [site_id], lasting=True)
    return deterministic_claims(schemas.get(site_id))


async def _document(body: Body, evaluation: Evaluation | None) -> Json:
    """The document as it is shown: headings with their anchors, and evaluated if wanted."""
    return await beside_if_long(len(body.markdown), lambda: _shown(body.document, evaluation))


def _shown(document: Json, evaluation: Evaluation | None) -> Json:
    shown: Json = dict(with_anchors(document))
    return shown if evaluation is None else evaluate_document(shown, evaluation)


async def _markdown(body: Body, evaluation: Evaluation | None) -> str:
    if evaluation is None or not has_expressions(body.markdown):
        return body.markdown
    return await beside_if_long(
        len(body.markdown), lambda: _evaluated_markdown(body.markdown, evaluation)
    )


def _evaluated_markdown(markdown: str, evaluation: Evaluation) -> str:
    """The Markdown without what does not hold; addresses stay as they are written in it.

    So it is read anew: references of the stored document were made of the addresses.
    """
    document = dict(parse_with_style(markdown))
    evaluated = evaluate_document(document, evaluation)
    return markdown if evaluated is document else write_markdown(evaluated)
