"""Pages and documents that integrations make: the sources `integration:NAME:SOURCE`.

What a script answers is a stranger's, and checked (`source_answers`) before it is content. It is
asked with what its source depends on as that is now, of the organization of the space alone.
"""

import asyncio
import hashlib
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import orjson
from sqlalchemy import Integer, bindparam, func, select

from content.json_types import values_in
from db.content_enums import PageType
from db.integration_enums import InstallationStatus as Status
from db.models.content import ComputedPage
from db.models.integrations import Installation, Integration, SpaceInstallation
from db.models.spaces import Space, written_revision_of
from db.models.specifications import Specification, SpecificationVersion
from db.prepared import among
from resolvers.access.policy import must_be_operator
from resolvers.content.computed_revisions import ComputedRevision
from resolvers.content.documents import DocumentRow
from resolvers.content.source_answers import (
    OfferedFile,
    OwnNames,
    PagesOfAnswer,
    document_of_answer,
    files_of_answer,
)
from resolvers.content.source_dependencies import (
    MOST_DEPENDENCIES,
    OF_INTEGRATIONS,
    PREFIX,
    circular_dependencies,
    computed_of_integrations,
    references_of,
    spaces_of,
)
from resolvers.core.context import Context
from resolvers.core.errors import (
    ApiError,
    Forbidden,
    NoCapacity,
    NotFound,
    Unavailable,
    invalid,
)
from resolvers.core.installation import Concerns
from resolvers.core.statements import Viewer, Written, statement
from resolvers.revisions.rows import Page
from resolvers.revisions.states import Changes
from resolvers.specifications.uses import StalePage

Json = dict[str, Any]
REVISION, DOCUMENT = "content_compute_revision", "content_compute_document"
# Seconds in which a source has to make all its pages, and characters that their texts may have: one
# that is slow or large has no end otherwise, and others wait for the same workers.
SECONDS, MOST_CHARACTERS = 120.0, 5_000_000
# Seconds before a source is asked again where there was no room for its event; then twice as long.
PAUSE = 1.0


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
            Integration.id, Integration.name, Integration.version, Integration.content_sources,
            SpaceInstallation.space_id,
            Installation.configuration.label("installed"),
            SpaceInstallation.configuration.label("configured"),
        )
        .join(SpaceInstallation, SpaceInstallation.integration_id == Integration.id)
        .join(Installation, Installation.id == SpaceInstallation.installation_id)
        .where(
            among(Integration.name, "names"),
            among(SpaceInstallation.space_id, "spaces"),
            SpaceInstallation.status == Status.ACTIVE,
            Installation.status == Status.ACTIVE,
        )
    )  # fmt: skip


@statement
def _of_spaces(viewer: Viewer) -> Written:
    written = written_revision_of(Space).label("written_revision_id")
    return select(Space.id, Space.revision_id, written, Space.organization_id).where(
        among(Space.id, "ids"), Space.deleted_at.is_(None)
    )


@statement
def _specifications(viewer: Viewer) -> Written:
    return (
        select(
            Specification.id, Specification.slug, Specification.organization_id,
            SpecificationVersion.id.label("version"),
        )
        .outerjoin(SpecificationVersion, SpecificationVersion.id == Specification.last_version_id)
        .where(
            among(Specification.organization_id, "organizations"),
            among(Specification.slug, "slugs"),
        )
    )  # fmt: skip


async def state_of_source(ctx: Context, space_id: str, source: Mapping[str, Any]) -> SourceState:
    """A source of an integration in a space; NotFound where that is not active there, or has no
    such source. The caller has asked whether the space may be read."""
    (state,) = await states_of_sources(ctx, [(space_id, source)])
    if isinstance(state, ApiError):
        raise state
    return state


async def states_of_sources(
    ctx: Context, sources: Sequence[tuple[str, Mapping[str, Any]]]
) -> list[SourceState | ApiError]:
    """The same of several sources with their spaces, in three statements, or why one has none."""
    references = [
        reference
        for _, source in sources
        for _, reference in references_of(source.get("dependencies"))
        if isinstance(reference, dict)
    ]
    spaces = {space_id for space_id, _ in sources}
    named = {str(reference.get("space")) for reference in references}
    slugs = {str(reference.get("spec")) for reference in references}
    facts = _Facts(
        {
            (row.space_id, row.name): row
            for row in await _offered.rows(
                ctx, names={_names(source)[0] for _, source in sources}, spaces=spaces
            )
        },
        {row.id: row for row in await _of_spaces.rows(ctx, ids=spaces | named)},
        await circular_dependencies(
            ctx, {(space_id, space) for space_id, source in sources for space in spaces_of(source)}
        ),
    )
    if references:
        organizations = {row.organization_id for row in facts.spaces.values()}
        for row in await _specifications.rows(ctx, organizations=organizations, slugs=slugs):
            facts.specifications[row.organization_id, row.slug] = row
    states: list[SourceState | ApiError] = []
    for space_id, source in sources:
        try:
            states.append(facts.state(space_id, source))
        except ApiError as error:
            states.append(error)
    return states


def _names(source: Mapping[str, Any]) -> tuple[str, str]:
    """The names of an integration and of one of its sources."""
    name, _, id = str(source.get("type", "")).removeprefix(PREFIX).partition(":")
    return name, id


@dataclass(frozen=True, slots=True)
class _Facts:
    """What was read for some sources: offers by space and integration, spaces, specifications by
    organization and slug."""

    offers: Mapping[tuple[str, str], Any]
    spaces: Mapping[str, Any]
    # Spaces with those that they depend on, and that depend on them.
    circular: Collection[tuple[str, str]]
    specifications: dict[tuple[str, str], Any] = field(default_factory=dict)

    def state(self, space_id: str, source: Mapping[str, Any]) -> SourceState:
        name, source_id = _names(source)
        offer = self.offers.get((space_id, name))
        offers = () if offer is None else offer.content_sources
        if offer is None or all(entry.get("id") != source_id for entry in offers):
            raise NotFound(
                f"no integration {name[:100]!r} with a source {source_id[:100]!r} is here"
            )
        dependencies = self._resolved(space_id, source.get("dependencies"))
        what = [offer.version, offer.installed, offer.configured, dependencies]
        version = hashlib.sha256(orjson.dumps(what, option=orjson.OPT_SORT_KEYS)).hexdigest()
        return SourceState(offer.id, source_id, dependencies, version)

    def _resolved(self, space_id: str, dependencies: Any) -> Json:
        """What a source depends on, with the values of now; null for what is not there."""
        if dependencies is None:
            return {}
        if not isinstance(dependencies, dict) or len(dependencies) > MOST_DEPENDENCIES:
            raise invalid(
                "source.dependencies", f"must be an object of at most {MOST_DEPENDENCIES} members"
            )
        resolved: Json = {}
        for name, reference in references_of(dependencies):
            if not isinstance(reference, dict):
                raise invalid(f"source.dependencies.{name[:100]}.ref", "is required")
            resolved[name] = {"ref": reference, "value": self._value(space_id, reference)}
        return resolved

    def _value(self, space_id: str, reference: Json) -> Json | None:
        space = self.spaces.get(space_id)
        organization_id = "" if space is None else space.organization_id
        kind = reference.get("kind")
        row = self.spaces.get(str(reference.get("space"))) if kind == "space" else None
        if row is not None and row.organization_id == organization_id:
            # Of its own space, and of one whose sources depend on it, a source depends on what was
            # written: what it makes would be another version of it each time, and be made anew for
            # ever.
            written = row.id == space_id or (space_id, row.id) in self.circular
            revision = row.written_revision_id if written else row.revision_id
            return {"object": "space", "id": row.id, "revision": revision}
        slug = str(reference.get("spec"))
        spec = self.specifications.get((organization_id, slug)) if kind == "openapi" else None
        if spec is None:
            return None
        value: Json = {"object": "openapi-spec", "id": spec.id, "slug": spec.slug}
        return value if spec.version is None else {**value, "lastVersion": spec.version}


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
    event = {
        "type": type,
        "sourceId": state.source_id,
        "props": props if isinstance(props, dict) else {},
        "dependencies": state.dependencies,
    }
    concerns = Concerns(space_id=space_id)
    try:
        async with asyncio.timeout_at(ends):
            answer = await ctx.ask(state.integration_id, event, concerns)
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
        """The pages and files of `{pages, files}`; files are fetched once it stands in a space."""
        state = await self._state(ctx, space_id, source)
        answer = await ask_source(ctx, space_id, state, REVISION, source.get("props"))
        pages = PagesOfAnswer(space_id, seed).below(answer.get("pages"), None, "", 0)
        files, _ = files_of_answer(answer.get("files"), seed)
        return ComputedRevision(pages=pages, files=[file.as_file(space_id) for file in files])

    async def _state(self, ctx: Context, space_id: str, source: Json) -> SourceState:
        if ctx.actor.visitor is not None:
            raise Forbidden("visitors of sites have no sources of content")
        return await state_of_source(ctx, space_id, source)


# ------------------------------------------------------------------ all pages of a source


@dataclass(frozen=True, slots=True)
class MadeContent:
    """What a source makes in the place of a computed page: pages, each behind the one above it,
    their bodies, and files that are still where the integration has them."""

    pages: list[Page]
    bodies: Changes
    files: list[OfferedFile]


async def made_pages(
    ctx: Context, space_id: str, seed: str, source: Json, state: SourceState
) -> MadeContent:
    """All that a source makes in the place of a computed page; Unavailable where a part cannot be
    made, or all of it takes too long or is too much, NoCapacity where there was no room for it."""
    ends = asyncio.get_running_loop().time() + SECONDS
    answer = await _ask_patiently(ctx, space_id, state, REVISION, source.get("props"), ends)
    of_answer = PagesOfAnswer(space_id, seed)
    top = of_answer.below(answer.get("pages"), None, "", 0)
    files, file_ids = files_of_answer(answer.get("files"), seed)
    own_names = OwnNames(of_answer.ids, file_ids)
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
            answered = await _ask_patiently(ctx, space_id, own, DOCUMENT, props, ends)
            value = answered.get("document")
        row = await asyncio.to_thread(document_of_answer, value, page.id, own_names)
        left -= len(row.markdown)
        if left < 0:
            raise Unavailable(f"its pages have more than {MOST_CHARACTERS:,} characters")
        page.document_id = bodies.add_document(row.markdown, row.document)
    return MadeContent(pages, bodies, files)


async def _ask_patiently(
    ctx: Context, space_id: str, state: SourceState, type: str, props: Any, ends: float
) -> Json:
    """The same as `ask_source`, once more each time there was no room, as long as there is time:
    what was made before a busy moment would be made again otherwise."""
    clock = asyncio.get_running_loop().time
    pause = PAUSE
    while True:
        try:
            return await ask_source(ctx, space_id, state, type, props, ends)
        except NoCapacity:
            if clock() + pause > ends - SECONDS / 2:
                raise
        await asyncio.sleep(pause)
        pause *= 2


# ------------------------------------------------------------------ what is to be made anew

# Spaces that are looked at by one sweep.
MOST_SWEPT = 200


@statement
def _number(viewer: Viewer) -> Written:
    return select(func.count(ComputedPage.space_id.distinct()).label("spaces")).where(
        OF_INTEGRATIONS
    )


@statement
def _spaces(viewer: Viewer) -> Written:
    return (
        select(ComputedPage.space_id, Space.organization_id)
        .distinct()
        .join(Space, Space.id == ComputedPage.space_id)
        .where(OF_INTEGRATIONS, Space.deleted_at.is_(None))
        .order_by(ComputedPage.space_id)
        .limit(bindparam("most", type_=Integer()))
        .offset(bindparam("before", type_=Integer()))
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
    return (await _stale(ctx, {space_id})).get(space_id, [])


async def _stale(ctx: Context, spaces: set[str]) -> dict[str, list[StaleSource]]:
    """The same of several spaces, in a few statements."""
    rows = await computed_of_integrations.rows(ctx, spaces=spaces)
    if not rows:
        return {}
    states = await states_of_sources(ctx, [(row.space_id, row.source) for row in rows])
    hour = f"{ctx.now():%Y%m%d%H}"
    stale: dict[str, list[StaleSource]] = {}
    for row, state in zip(rows, states, strict=True):
        if isinstance(state, ApiError):
            continue
        failed = f"{state.version[:50]}!{hour}"
        if row.tried not in (state.version, failed):
            page = StalePage(row.page_id, row.source, "", state.version)
            stale.setdefault(row.space_id, []).append(StaleSource(page, state, failed))
    return stale


async def spaces_with_stale_sources(ctx: Context) -> list[tuple[str, str]]:
    """Spaces with such pages, each with its organization, among `MOST_SWEPT` that have any of
    integrations: others in each minute, until all had their turn."""
    must_be_operator(ctx)
    (number,) = await _number.rows(ctx)
    portions = -(-number.spaces // MOST_SWEPT)
    if portions == 0:
        return []
    turn = int(ctx.now().timestamp()) // 60 % portions
    rows = await _spaces.rows(ctx, most=MOST_SWEPT, before=turn * MOST_SWEPT)
    stale = await _stale(ctx, {row.space_id for row in rows})
    return [(row.space_id, row.organization_id) for row in rows if row.space_id in stale]


def _depth_first(top: Sequence[Page]) -> Iterator[Page]:
    stack = list(reversed(top))
    while stack:
        page = stack.pop()
        yield page
        stack.extend(reversed(page.children or []))
