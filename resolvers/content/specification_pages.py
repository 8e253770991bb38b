"""Pages that are made of OpenAPI specifications: the source `builtin:openapi` of computed content.

A revision has a page for each tag; its document is asked for by the source that the page names.
"""

import asyncio
import hashlib
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import strawberry

from content.documents.nodes import block, text as text_node
from content.markdown.parser import parse_document
from content.markdown.spelling import write_markdown
from content.openapi.outline import Entry, Outline, TagPage, outline_of
from content.slugs import slug_from_title, slug_key, unique_slug
from db.content_enums import PageType
from db.enums import TokenScope
from db.models.spaces import Space
from resolvers.access.policy import must
from resolvers.content.computed_revisions import ComputedRevision
from resolvers.content.documents import DocumentRow
from resolvers.core.batch_functions import only
from resolvers.core.context import Context
from resolvers.core.errors import NotFound, invalid
from resolvers.core.scopes import must_hold
from resolvers.revisions.rows import Page
from resolvers.revisions.states import Changes
from resolvers.specifications.operations import get_specification
from resolvers.specifications.shown import specifications_for
from resolvers.specifications.uses import TYPE, slug_of

Json = dict[str, Any]
MODELS = "models"


class SpecificationSource:
    """Makes documents and pages of the last good version of a specification."""

    async def document(self, ctx: Context, space_id: str, source: Json, seed: str) -> DocumentRow:
        """A page: `props` are `doc: models`, or `doc: operations` and `page`, the name of a tag or
        the title of the specification; `doc: info` gives its description alone."""
        props = _props(source)
        slug, outline = await _outline(ctx, space_id, source)
        kind, name = props.get("doc"), props.get("page")
        if kind == MODELS:
            return await asyncio.to_thread(_written, _models(slug, outline.schemas), seed)
        if kind not in ("operations", "info"):
            raise invalid("source.props.doc", "must be 'models', 'operations' or 'info'")
        if not isinstance(name, str) or not name:
            raise invalid("source.props.page", "is required: the name of a tag")
        page = outline.by_name.get(name)
        if page is None and name == outline.by_name[""].title:
            page = outline.by_name[""]
        if page is None:
            raise NotFound(f"the specification {slug!r} has no page {name[:100]!r}")
        entries = page.entries if kind == "operations" else []
        return await asyncio.to_thread(_written, _nodes(slug, page, entries), seed)

    async def revision(
        self, ctx: Context, space_id: str, source: Json, seed: str
    ) -> ComputedRevision:
        """The pages of all tags, and one of the schemas behind them when `props.models` is true."""
        props = _props(source)
        models = props.get("models", True)
        if not isinstance(models, bool):
            raise invalid("source.props.models", "must be true or false")
        _, outline = await _outline(ctx, space_id, source)
        maker = _Pages(space_id, seed, source)
        pages = maker.below(outline.top, None, "")
        if models and outline.schemas:
            pages.append(maker.models(len(pages), [page.slug or "" for page in pages]))
        return ComputedRevision(pages=pages)


def _props(source: Json) -> Mapping[str, Any]:
    props = source.get("props", {})
    if not isinstance(props, dict):
        raise invalid("source.props", "must be an object")
    return props


async def _outline(ctx: Context, space_id: str, source: Json) -> tuple[str, Outline]:
    """The slug of the specification that a source names, and its pages; for whoever may read it."""
    value = slug_of(source)
    if value is None:
        raise invalid(
            "source.dependencies.spec.ref.spec", "is required: the slug of a specification"
        )
    space = await must(ctx, Space, space_id, projection=only("id", "organization_id"))
    must_hold(ctx.actor, TokenScope.OPENAPI_READ)
    await get_specification(ctx, strawberry.ID(space.organization_id), value)
    root = (await specifications_for(ctx, space_id, [value])).get(value)
    if root is None:
        raise NotFound(f"the OpenAPI specification {value!r} has no version yet")
    return value, await asyncio.to_thread(outline_of, root)


def pages_within(space_id: str, seed: str, source: Json, root: Json) -> tuple[list[Page], Changes]:
    """All pages that a specification makes in the place of a computed page, each behind the one
    above it, with their bodies; `models` that is neither true nor false is true."""
    props = source.get("props") or {}
    outline = outline_of(root)
    slug = slug_of(source) or ""
    maker = _Pages(space_id, seed, {"dependencies": source.get("dependencies")})
    top = maker.below(outline.top, None, "")
    if outline.schemas and (not isinstance(props, dict) or props.get(MODELS, True) is not False):
        top.append(maker.models(len(top), [page.slug or "" for page in top]))
    bodies = Changes()
    pages = list(_depth_first(top))
    for page in pages:
        about = (page.computed or {})["props"]
        if about["doc"] == MODELS:
            nodes = _models(slug, outline.schemas)
        else:
            tag = outline.by_name.get(about["page"], outline.by_name[""])
            nodes = _nodes(slug, tag, tag.entries)
        row = _written(nodes, page.id)
        page.document_id = bodies.add_document(row.markdown, row.document)
    return pages, bodies


def _depth_first(top: Sequence[Page]) -> Iterator[Page]:
    stack = list(reversed(top))
    while stack:
        page = stack.pop()
        yield page
        stack.extend(reversed(page.children or []))


class _Pages:
    """Makes rows of pages; equal seeds give equal ids."""

    def __init__(self, space_id: str, seed: str, source: Json) -> None:
        self._space_id, self._seed, self._source = space_id, seed, source

    def below(self, tags: list[TagPage], parent: Page | None, path: str) -> list[Page]:
        """Pages of tags, and those below them."""
        rows: list[Page] = []
        taken: set[str] = set()
        for tag in tags:
            slug = unique_slug(slug_from_title(tag.title), taken)
            taken.add(slug_key(slug))
            props = {"doc": "operations", "page": tag.name or tag.title}
            row = self._page(tag.name or "/", tag.title, slug, parent, path, len(rows), props)
            row.description, row.icon = tag.lead or None, tag.icon or None
            row.children = self.below(tag.children, row, f"{path}{slug}/")
            rows.append(row)
        return rows

    def models(self, number: int, taken: list[str]) -> Page:
        """The page of schemas."""
        slug = unique_slug(MODELS, taken)
        return self._page("//models", "Models", slug, None, "", number, {"doc": MODELS})

    def _page(
        self, name: str, title: str, slug: str, parent: Page | None, path: str, number: int,
        props: Json,
    ) -> Page:  # fmt: skip
        id = hashlib.blake2b(f"{self._seed}\n{name}".encode(), digest_size=10).hexdigest()
        source = {"type": TYPE, "props": props, "dependencies": self._source["dependencies"]}
        return Page(
            space_id=self._space_id, revision_id="", id=id, type=PageType.DOCUMENT, title=title,
            parent_id=None if parent is None else parent.id, order=f"{number:06}", slug=slug,
            path=f"{path}{slug}", computed=source, children=[],
        )  # fmt: skip


# ------------------------------------------------------------------ documents


def _written(nodes: list[Any], seed: str) -> DocumentRow:
    """A document of these blocks, as it is when it is read from its own Markdown."""
    markdown = write_markdown({"object": "document", "data": {}, "nodes": nodes})
    return DocumentRow(None, dict(parse_document(markdown, seed=seed)), markdown)


def _nodes(slug: str, page: TagPage, entries: list[Entry]) -> list[Any]:
    nodes = list(_described(page.description))
    for entry in entries:
        nodes.append(_heading(entry.title))
        name = "name" if entry.webhook else "path"
        kind = "openapi-webhook" if entry.webhook else "openapi-operation"
        nodes.append(_block(kind, slug, {name: entry.name, "method": entry.method}))
    return nodes


def _models(slug: str, names: list[str]) -> list[Any]:
    nodes: list[Any] = []
    for name in names:
        nodes.append(_heading(name))
        nodes.append(_block("openapi-schemas", slug, {"schemas": [name], "grouped": False}))
    return nodes


def _described(markdown: str) -> Iterator[Any]:
    yield from parse_document(markdown).get("nodes", ()) if markdown else ()  # type: ignore[misc]


def _heading(title: str) -> Any:
    return block("heading-2", [text_node(" ".join(title.split()))])


def _block(kind: str, slug: str, data: Json) -> Any:
    return {
        "object": "block", "type": kind, "isVoid": True, "nodes": [],
        "data": {**data, "ref": {"kind": "openapi", "spec": slug}},
    }  # fmt: skip
