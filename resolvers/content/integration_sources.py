"""Pages and documents that integrations make: the sources `integration:NAME:SOURCE`.

What a script answers is a stranger's: all of it is checked here before it is content. It is asked
with what its source depends on as that is now, of the organization of the space alone.
"""

import asyncio
import hashlib
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import orjson
from sqlalchemy import Integer, bindparam, select

from content.documents.limits import text_problem
from content.documents.shape import DocumentError, checked_document
from content.emoji import EMOJI
from content.json_types import values_in
from content.markdown.parser import parse_document
from content.markdown.spelling import write_markdown
from content.pages.front_matter import ICON
from content.slugs import slug_from_title, slug_key, unique_slug
from db.content_enums import PageType
from db.integration_enums import InstallationStatus as Status
from db.models.content import ComputedPage
from db.models.integrations import Installation, Integration, SpaceInstallation
from db.models.spaces import Space
from db.models.specifications import Specification, SpecificationVersion
from db.prepared import KEY
from resolvers.access.policy import must_be_operator
from resolvers.content.computed_revisions import ComputedRevision
from resolvers.content.documents import DocumentRow
from resolvers.core.context import Context
from resolvers.core.errors import ApiError, Forbidden, NotFound, Unavailable, invalid
from resolvers.core.installation import Concerns
from resolvers.core.statements import Viewer, Written, statement
from resolvers.revisions import limits
from resolvers.revisions.references import read_reference_input
from resolvers.revisions.rows import Page
from resolvers.revisions.states import Changes
from resolvers.specifications.uses import StalePage

Json = dict[str, Any]
PREFIX = "integration:"
REVISION, DOCUMENT = "content_compute_revision", "content_compute_document"
# Of one revision: pages, and how deep they stand in each other; of one source: what it depends on.
MOST_PAGES, DEPTH, MOST_DEPENDENCIES = 200, 10, 20
TITLE = 100
# Seconds in which a source has to make all its pages, and characters that their texts may have: one
# that is slow or large has no end otherwise, and others wait for the same workers.
SECONDS, MOST_CHARACTERS = 120.0, 5_000_000
_TYPES = {type.value: type for type in PageType}


@dataclass(frozen=True, slots=True)
class SourceState:
    """A source as it is now: whom it is asked of, what it depends on, and a name for all that."""

    integration_id: str
    source_id: str
    dependencies: Json
    version: str


@statement
def _offered(viewer: Viewer) -> Written:
    return (
        select(
            Integration.id, Integration.version, Integration.content_sources,
            Installation.configuration.label("installed"),
            SpaceInstallation.configuration.label("configured"),
        )
        .join(SpaceInstallation, SpaceInstallation.integration_id == Integration.id)
        .join(Installation, Installation.id == SpaceInstallation.installation_id)
        .where(
            Integration.name == bindparam("name", type_=KEY),
            SpaceInstallation.space_id == bindparam("space", type_=KEY),
            SpaceInstallation.status == Status.ACTIVE,
            Installation.status == Status.ACTIVE,
        )
    )  # fmt: skip


@statement
def _space(viewer: Viewer) -> Written:
    return select(Space.id, Space.revision_id, Space.organization_id).where(
        Space.id == bindparam("id", type_=KEY), Space.deleted_at.is_(None)
    )


@statement
def _specification(viewer: Viewer) -> Written:
    return (
        select(Specification.id, Specification.slug, SpecificationVersion.id.label("version"))
        .outerjoin(SpecificationVersion, SpecificationVersion.id == Specification.last_version_id)
        .where(
            Specification.organization_id == bindparam("organization", type_=KEY),
            Specification.slug == bindparam("slug", type_=KEY),
        )
    )


async def state_of_source(ctx: Context, space_id: str, source: Mapping[str, Any]) -> SourceState:
    """A source of an integration in a space; NotFound where that is not active there, or has no
    such source. The caller has asked whether the space may be read."""
    name, _, source_id = str(source.get("type", "")).removeprefix(PREFIX).partition(":")
    offers = await _offered.rows(ctx, name=name, space=space_id)
    offered = offers[0].content_sources if offers else ()
    if all(entry.get("id") != source_id for entry in offered):
        raise NotFound(f"no integration {name[:100]!r} with a source {source_id[:100]!r} is here")
    offer = offers[0]
    dependencies = await _resolved(ctx, space_id, source.get("dependencies"))
    what = [offer.version, offer.installed, offer.configured, dependencies]
    version = hashlib.sha256(orjson.dumps(what, option=orjson.OPT_SORT_KEYS)).hexdigest()
    return SourceState(offer.id, source_id, dependencies, version)


async def _resolved(ctx: Context, space_id: str, dependencies: Any) -> Json:
    """What a source depends on, with the values of now; null for what is not there."""
    if dependencies is None:
        return {}
    if not isinstance(dependencies, dict) or len(dependencies) > MOST_DEPENDENCIES:
        raise invalid(
            "source.dependencies", f"must be an object of at most {MOST_DEPENDENCIES} members"
        )
    spaces = await _space.rows(ctx, id=space_id)
    organization_id = spaces[0].organization_id if spaces else ""
    resolved: Json = {}
    for name, dependency in dependencies.items():
        reference = dependency.get("ref") if isinstance(dependency, dict) else None
        if not isinstance(reference, dict):
            raise invalid(f"source.dependencies.{name[:100]}.ref", "is required")
        value = await _value(ctx, organization_id, reference)
        resolved[name] = {"ref": reference, "value": value}
    return resolved


async def _value(ctx: Context, organization_id: str, reference: Json) -> Json | None:
    kind = reference.get("kind")
    if kind == "space":
        for row in await _space.rows(ctx, id=str(reference.get("space"))):
            if row.organization_id == organization_id:
                return {"object": "space", "id": row.id, "revision": row.revision_id}
    if kind == "openapi":
        slug = str(reference.get("spec"))
        for row in await _specification.rows(ctx, organization=organization_id, slug=slug):
            value: Json = {"object": "openapi-spec", "id": row.id, "slug": row.slug}
            return value if row.version is None else {**value, "lastVersion": row.version}
    return None


# ------------------------------------------------------------------ what is asked for


async def ask_source(
    ctx: Context,
    space_id: str,
    state: SourceState,
    type: str,
    props: Any,
    ends: float | None = None,
) -> Json:
    """What a source answers; Unavailable where it answers nothing that can be used, or not before
    the event loop's time `ends`."""
    if ctx.ask_integration is None:
        raise Unavailable("this server runs no integrations")
    event = {
        "type": type,
        "sourceId": state.source_id,
        "props": props if isinstance(props, dict) else {},
        "dependencies": state.dependencies,
    }
    concerns = Concerns(space_id=space_id)
    try:
        async with asyncio.timeout_at(ends):
            answer = await ctx.ask_integration(state.integration_id, event, concerns)
    except TimeoutError as error:
        raise Unavailable("the integration took too long to make all of it") from error
    response = answer.response
    if answer.failed or response is None or response.status >= 400:
        raise Unavailable("the integration could not make it; its events say why")
    return await asyncio.to_thread(_object_of, response.body)


def _object_of(body: bytes) -> Json:
    try:
        value = orjson.loads(body)
    except orjson.JSONDecodeError as error:
        raise Unavailable("the integration has answered something else than JSON") from error
    if not isinstance(value, dict):
        raise Unavailable("the integration has answered no JSON object")
    # No database stores them in a text.
    if any(isinstance(text, str) and "\x00" in text for text in values_in([value])):
        raise Unavailable("the integration has answered with NUL characters")
    return value


class IntegrationSource:
    """Makes documents and pages by asking an integration that is installed on the space."""

    async def document(self, ctx: Context, space_id: str, source: Json, seed: str) -> DocumentRow:
        """One document: `{document}`, with Markdown or nodes."""
        state = await self._state(ctx, space_id, source)
        answer = await ask_source(ctx, space_id, state, DOCUMENT, source.get("props"))
        return await asyncio.to_thread(document_of_answer, answer.get("document"), seed)

    async def revision(
        self, ctx: Context, space_id: str, source: Json, seed: str
    ) -> ComputedRevision:
        """The pages of `{pages}`; files that it names are not taken."""
        state = await self._state(ctx, space_id, source)
        answer = await ask_source(ctx, space_id, state, REVISION, source.get("props"))
        pages = PagesOfAnswer(space_id, seed).below(answer.get("pages"), None, "", 0)
        return ComputedRevision(pages=pages)

    async def _state(self, ctx: Context, space_id: str, source: Json) -> SourceState:
        if ctx.actor.visitor is not None:
            raise Forbidden("visitors of sites have no sources of content")
        return await state_of_source(ctx, space_id, source)


# ------------------------------------------------------------------ what it has answered


def document_of_answer(value: Any, seed: str) -> DocumentRow:
    """A document that an integration has made; Unavailable says what is wrong with it."""
    markdown = ""
    if isinstance(value, dict) and isinstance(value.get("markdown"), str):
        markdown = value["markdown"]
    elif isinstance(value, dict):
        nodes = value.get("document", value)
        try:
            if isinstance(nodes, dict) and nodes.get("nodes"):
                markdown = write_markdown(checked_document(nodes))
        except DocumentError as error:
            raise Unavailable(f"the integration has made no document: {error}") from error
    elif value is not None:
        raise Unavailable("the integration has made no document: it must be an object")
    if problem := text_problem(markdown):
        raise Unavailable(f"the document of the integration {problem}")
    return DocumentRow(None, dict(parse_document(markdown, seed=seed)), markdown)


class PagesOfAnswer:
    """Makes rows of the pages that an integration has answered; equal seeds give equal ids."""

    def __init__(self, space_id: str, seed: str) -> None:
        self._space_id, self._seed = space_id, seed
        self._left = MOST_PAGES
        self._names: set[str] = set()

    def below(self, values: Any, parent: Page | None, path: str, depth: int) -> list[Page]:
        """Pages with those below them; Unavailable says what is wrong with one."""
        if values is None:
            return []
        if not isinstance(values, list) or depth > DEPTH:
            raise Unavailable(f"`pages` must be lists, at most {DEPTH} in each other")
        rows: list[Page] = []
        taken: set[str] = set()
        for value in values:
            self._left -= 1
            if self._left < 0:
                raise Unavailable(f"more than {MOST_PAGES} pages were made")
            rows.append(self._page(value, parent, path, taken, len(rows), depth))
        return rows

    def _page(
        self, value: Any, parent: Page | None, path: str, taken: set[str], number: int, depth: int
    ) -> Page:
        title = value.get("title") if isinstance(value, dict) else None
        if not isinstance(title, str) or not title.strip():
            raise Unavailable("each page must have a `title`")
        title = " ".join(title.split())[:TITLE]
        type = _TYPES.get(str(value.get("type")))
        if type is None or type is PageType.COMPUTED:
            raise Unavailable("the `type` of a page must be document, group or link")
        slug = None
        if type is not PageType.LINK:
            wanted_slug = value.get("slug")
            chosen = wanted_slug if isinstance(wanted_slug, str) and wanted_slug else title
            slug = unique_slug(slug_from_title(chosen), taken)
            taken.add(slug_key(slug))
        here = path if slug is None else f"{path}{slug}"
        page = Page(
            space_id=self._space_id, revision_id="", id=self._id(value.get("id"), here, number),
            type=type, title=title, parent_id=None if parent is None else parent.id,
            order=f"{number:06}", slug=slug, path=here, children=[],
        )  # fmt: skip
        for name, pattern in (("emoji", EMOJI), ("icon", ICON)):
            text = value.get(name)
            if isinstance(text, str) and len(text) <= TITLE and re.fullmatch(pattern, text):
                setattr(page, name, text)
        if isinstance(value.get("description"), str):
            page.description = " ".join(value["description"].split())[: limits.DESCRIPTION] or None
        if type is PageType.LINK:
            page.target = _target(value.get("target"))
        computed = value.get("computed")
        if type is PageType.DOCUMENT and isinstance(computed, dict):
            page.computed = {name: computed.get(name) for name in ("type", "props", "dependencies")}
        page.children = self.below(value.get("pages"), page, f"{here}/", depth + 1)
        return page

    def _id(self, own: Any, path: str, number: int) -> str:
        name = own if isinstance(own, str) and own else f"{path}\n{number}"
        if name in self._names:
            raise Unavailable(f"two pages have the id {name[:100]!r}")
        self._names.add(name)
        return hashlib.blake2b(f"{self._seed}\n{name}".encode(), digest_size=10).hexdigest()


def _target(value: Any) -> Json:
    url = value.get("url") if isinstance(value, dict) and value.get("kind") == "url" else None
    if not isinstance(url, str) or not url:
        raise Unavailable("the `target` of a link must be of the kind url")
    try:
        return read_reference_input({"kind": "url", "url": url}, "target", {}, ("url",))
    except ApiError as error:
        raise Unavailable(f"the integration has made no link: {error.message}") from error


async def made_pages(
    ctx: Context, space_id: str, seed: str, source: Json, state: SourceState
) -> tuple[list[Page], Changes]:
    """All pages that a source makes in the place of a computed page, each behind the one above it,
    with their bodies; Unavailable where one of them cannot be made, or all of them take too long or
    are too much."""
    ends = asyncio.get_running_loop().time() + SECONDS
    answer = await ask_source(ctx, space_id, state, REVISION, source.get("props"), ends)
    top = PagesOfAnswer(space_id, seed).below(answer.get("pages"), None, "", 0)
    bodies, left = Changes(), MOST_CHARACTERS
    pages = list(_depth_first(top))
    for page in pages:
        if page.type is not PageType.DOCUMENT:
            continue
        value = None
        if page.computed is not None:
            own = await state_of_source(ctx, space_id, {
                **page.computed, "dependencies": page.computed.get("dependencies")
            })  # fmt: skip
            props = page.computed.get("props")
            answered = await ask_source(ctx, space_id, own, DOCUMENT, props, ends)
            value = answered.get("document")
        row = await asyncio.to_thread(document_of_answer, value, page.id)
        left -= len(row.markdown)
        if left < 0:
            raise Unavailable(f"its pages have more than {MOST_CHARACTERS:,} characters")
        page.document_id = bodies.add_document(row.markdown, row.document)
    return pages, bodies


# ------------------------------------------------------------------ what is to be made anew

# Spaces that are looked at by one sweep.
MOST_SWEPT = 200
_OF_INTEGRATIONS = ComputedPage.name.like(f"{PREFIX}%")


@statement
def _computed(viewer: Viewer) -> Written:
    return select(ComputedPage.page_id, ComputedPage.source, ComputedPage.tried).where(
        ComputedPage.space_id == bindparam("space", type_=KEY), _OF_INTEGRATIONS
    )


@statement
def _spaces(viewer: Viewer) -> Written:
    return (
        select(ComputedPage.space_id, Space.organization_id)
        .distinct()
        .join(Space, Space.id == ComputedPage.space_id)
        .where(_OF_INTEGRATIONS, Space.deleted_at.is_(None))
        .order_by(ComputedPage.space_id)
        .limit(bindparam("most", type_=Integer()))
    )


@dataclass(frozen=True, slots=True)
class StaleSource:
    """A computed page whose source is another one than its pages were made of."""

    page: StalePage
    state: SourceState
    # In place of the version where nothing can be made of it: then it is tried again in an hour.
    failed: str


async def stale_sources(ctx: Context, space_id: str) -> list[StaleSource]:
    """The computed pages of a space that integrations are to make anew. One whose integration is
    not there has none, so the last good pages stay."""
    must_be_operator(ctx)
    stale = []
    hour = f"{ctx.now():%Y%m%d%H}"
    for row in await _computed.rows(ctx, space=space_id):
        try:
            state = await state_of_source(ctx, space_id, row.source)
        except ApiError:
            continue
        failed = f"{state.version[:50]}!{hour}"
        if row.tried not in (state.version, failed):
            page = StalePage(row.page_id, row.source, "", state.version)
            stale.append(StaleSource(page, state, failed))
    return stale


async def spaces_with_stale_sources(ctx: Context) -> list[tuple[str, str]]:
    """Spaces with such pages, among the first that have any of integrations; each with its
    organization."""
    must_be_operator(ctx)
    rows = await _spaces.rows(ctx, most=MOST_SWEPT)
    return [
        (row.space_id, row.organization_id)
        for row in rows
        if await stale_sources(ctx, row.space_id)
    ]


def _depth_first(top: Sequence[Page]) -> Iterator[Page]:
    stack = list(reversed(top))
    while stack:
        page = stack.pop()
        yield page
        stack.extend(reversed(page.children or []))
