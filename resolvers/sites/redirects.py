"""Redirects of sites that somebody makes (docs/sites.md, "Redirects")."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Annotated, Any

import strawberry
from sqlalchemy import select
from strawberry import Maybe

from content.errors import SlugError
from content.links.redirect_paths import (
    MAX_SOURCE,
    SOURCE_ALLOWED,
    SOURCE_PATTERN,
    Source,
    read_source,
)
from db.base import Data
from db.enums import Role
from db.models.site_settings import SiteRedirect
from db.models.sites import Site
from db.order_enums import SiteRedirectOrderField
from db.site_enums import SiteRedirectIntent, SiteRedirectKind, SiteRedirectOutcome
from resolvers.access.policy import must
from resolvers.core import inputs
from resolvers.core.arguments import InOrganization, OfSite, SiteId, SiteRedirectId
from resolvers.core.context import Context
from resolvers.core.deletions import Deletion, finding_what_to_delete
from resolvers.core.errors import Conflict, invalid, invalid_at
from resolvers.core.filters import equal_to, of_part
from resolvers.core.orders import Orders, SiteRedirectOrder, by
from resolvers.core.pagination import PageArguments, by_id
from resolvers.lists.batches import computed_from, reads
from resolvers.lists.listings import Listing
from resolvers.sites.locks import find_part
from resolvers.sites.operations import must_site
from resolvers.sites.redirect_destinations import (
    KIND,
    PAGE,
    SECTION,
    SITE_SPACE,
    URL,
    SiteRedirectDestinationInput,
    missing_members,
    read_destination,
    with_stable_pages,
)

NO_WILDCARD = "needs a source that ends with /*"
CAPTURES = "Whether what a request has in place of `*` is put behind the destination."
PERMANENT = (
    "Whether it is answered with 308 and not with 307, while the site is published for everybody."
)


def _source_field(required: bool) -> Any:
    return inputs.text(
        "Path from the site's root that leads on, with `/*` at its end for everything below. It "
        "differs from other sources of the site whatever the capitals and the percent-encoding.",
        max=MAX_SOURCE,
        pattern=SOURCE_PATTERN,
        allowed=SOURCE_ALLOWED,
        required=required,
    )


@strawberry.input(description="A new redirect.")
class CreateSiteRedirectInput:
    source: str = _source_field(required=True)
    destination: SiteRedirectDestinationInput = inputs.field("Where it leads.", required=True)
    capture_wildcard: Maybe[bool] = inputs.field(f"{CAPTURES} False when absent.")
    permanent: Maybe[bool] = inputs.field(f"{PERMANENT} False when absent.")
    draft: Maybe[bool] = inputs.field("Whether it does not fire yet; false when absent.")


@strawberry.input(description="Changes to a redirect; absent fields stay as they are.")
class UpdateSiteRedirectInput:
    source: Maybe[str] = _source_field(required=False)
    destination: Maybe[SiteRedirectDestinationInput] = inputs.field("Where it leads.")
    capture_wildcard: Maybe[bool] = inputs.field(CAPTURES)
    permanent: Maybe[bool] = inputs.field(PERMANENT)
    draft: Maybe[bool] = inputs.field("Whether it does not fire yet.")


async def create_site_redirect(
    ctx: Context,
    site_id: SiteId,
    input: CreateSiteRedirectInput,
    organization_id: InOrganization = None,
) -> SiteRedirect:
    """Make a redirect; needs the organization role `create`. Conflict when the source has one."""
    site = await must_site(ctx, site_id, organization_id, Role.CREATE, lock=True)
    source = _read(input.source)
    row = SiteRedirect(
        site_id=site.id,
        destination=await _destination(ctx, site.id, input.destination),
        permanent=inputs.given(input.permanent, False),
        draft=inputs.given(input.draft, False),
        capture_wildcard=inputs.given(input.capture_wildcard, False),
        created_at=ctx.now(),
        updated_at=ctx.now(),
    )
    set_source(row, input.source, source)
    _check_capture(row)
    await _check_free(ctx, row)
    ctx.session.add(row)
    await ctx.session.flush()
    return row


async def update_site_redirect(
    ctx: Context,
    id: SiteRedirectId,
    input: UpdateSiteRedirectInput,
    site_id: OfSite = None,
    organization_id: InOrganization = None,
) -> SiteRedirect:
    """Change a redirect; needs the organization role `create`. Conflict when the source has one."""
    row = await _locked(ctx, id, site_id, organization_id)
    before = _written(row)
    if input.source is not None:
        set_source(row, input.source.value, _read(input.source.value))
        await _check_free(ctx, row)
    if input.destination is not None:
        row.destination = await _destination(
            ctx, row.site_id, input.destination.value, stored=row.destination
        )
    inputs.assign(row, input, "capture_wildcard", "permanent", "draft")
    _check_capture(row)
    if _written(row) != before:
        row.updated_at = ctx.now()
    return row


def _written(row: SiteRedirect) -> tuple[object, ...]:
    """The attributes of a redirect that callers may change."""
    return row.source, row.destination, row.capture_wildcard, row.permanent, row.draft


async def delete_site_redirect(
    ctx: Context,
    id: SiteRedirectId,
    site_id: OfSite = None,
    organization_id: InOrganization = None,
) -> Deletion:
    """Delete a redirect; needs the organization role `create`."""
    with finding_what_to_delete():
        row = await _locked(ctx, id, site_id, organization_id)
    await ctx.session.delete(row)
    return Deletion(deleted_id=row.id, site_id=row.site_id)


def set_source(row: SiteRedirect, text: str, source: Source) -> None:
    """Give a redirect its source: as it was written, and as it is compared."""
    row.source, row.source_key, row.wildcard = text, source.key, source.wildcard


def _read(text: str) -> Source:
    with invalid_at("source", SlugError):
        return read_source(text)


async def _destination(
    ctx: Context,
    site_id: str,
    input: SiteRedirectDestinationInput,
    stored: Data | None = None,
) -> Data:
    """The destination as it is stored; Invalid unless everything in it is there for the caller."""
    read, problem = read_destination(input)
    if problem is not None:
        name, _, message = problem.partition(": ")
        raise invalid(f"destination.{name}", message)
    (destination,) = await with_stable_pages(ctx, [read])
    # One that is broken already may be sent back as it is.
    if destination != stored:
        (missing,) = await missing_members(ctx, [(site_id, destination)], for_caller=True)
        if missing is not None:
            raise invalid(f"destination.{missing}", gone(destination[missing]))
    return destination


def gone(id: str) -> str:
    """The problem of a member of a destination that names nothing."""
    return f"{id!r} does not exist on this site"


def _check_capture(row: SiteRedirect) -> None:
    if row.capture_wildcard and not row.wildcard:
        raise invalid("captureWildcard", NO_WILDCARD)


async def _check_free(ctx: Context, row: SiteRedirect) -> None:
    """Conflict when another redirect of the site has the source; the caller holds the site."""
    statement = select(SiteRedirect.id).where(
        SiteRedirect.site_id == row.site_id,
        SiteRedirect.source_key == row.source_key,
        SiteRedirect.wildcard.is_(row.wildcard),
    )
    with ctx.session.no_autoflush:
        holder = (await ctx.session.execute(statement)).scalars().first()
    if holder is not None and holder != row.id:
        raise Conflict(f"source: {row.source!r} has a redirect already")


async def _locked(
    ctx: Context, id: str, site_id: str | None, organization_id: str | None
) -> SiteRedirect:
    """The redirect, with its site locked: writers of one site's redirects take turns."""
    row = await find_part(ctx, SiteRedirect, id, site_id, organization_id, Role.CREATE)
    await must(ctx, Site, row.site_id, Role.CREATE, lock=True)
    return await must(ctx, SiteRedirect, row.id, Role.CREATE, lock=True)


# ------------------------------------------------------------------ many at once


Key = tuple[str, bool]
ENTRIES = 500
TEXT_LIMIT = 2048


@strawberry.input(description="One redirect of many: made, changed, published or deleted.")
class SiteRedirectEntryInput:
    source: str = inputs.text(
        "Path from the site's root that leads on, with `/*` at its end for everything below. A "
        "source that is not allowed is an error of this entry only.",
        max=TEXT_LIMIT,
        required=True,
    )
    destination: Maybe[SiteRedirectDestinationInput | None] = inputs.field(
        "Where it leads; null deletes the redirect with this source. May be absent where there is "
        "one already."
    )
    intent: SiteRedirectIntent | None = inputs.field(
        "`live`, also when absent: it fires; `draft`: it does not; `publish`: a draft fires now."
    )
    capture_wildcard: Maybe[bool] = inputs.field(f"{CAPTURES} As it was, or false, when absent.")
    permanent: Maybe[bool] = inputs.field(f"{PERMANENT} As it was, or false, when absent.")


@strawberry.input(description="Redirects to write.")
class WriteSiteRedirectsInput:
    redirects: list[SiteRedirectEntryInput] = inputs.items(
        "The redirects; of several with one source the first counts.",
        min=1,
        max=ENTRIES,
        required=True,
    )


@dataclass(slots=True)
class SiteRedirectResult:
    """The result of one entry."""

    source: str
    status: SiteRedirectOutcome
    # As it is now; None when it was deleted, and with an error.
    redirect: SiteRedirect | None = None
    message: str | None = None


@dataclass(frozen=True, slots=True)
class SiteRedirectResults:
    """The results of all entries, in their order."""

    results: list[SiteRedirectResult]
    # What the audit log names.
    audited: Site | None = None


class _EntryError(Exception):
    """An entry that cannot be written, with the problem."""


async def write_site_redirects(
    ctx: Context,
    site_id: SiteId,
    input: WriteSiteRedirectsInput,
    organization_id: InOrganization = None,
) -> SiteRedirectResults:
    """Make, change, publish and delete up to 500 redirects; needs the organization role `create`.

    Entries are found by their source. One that cannot be written is an error in its result, and
    the others are written.
    """
    site = await must_site(ctx, site_id, organization_id, Role.CREATE, lock=True)
    sources = [_read_source(entry.source) for entry in input.redirects]
    batch = _Batch(ctx, site.id, await _existing(ctx, site.id, sources))
    await batch.read_destinations(input.redirects)
    results = []
    for index, (entry, source) in enumerate(zip(input.redirects, sources, strict=True)):
        try:
            if isinstance(source, str):
                raise _EntryError(f"source: {source}")
            results.append(await batch.write(index, entry, source))
        except _EntryError as error:
            results.append(
                SiteRedirectResult(entry.source, SiteRedirectOutcome.ERROR, message=str(error))
            )
    await ctx.session.flush()
    return SiteRedirectResults(results, site)


def _read_source(text: str) -> Source | str:
    """The source, or what is wrong with it."""
    try:
        return read_source(text)
    except SlugError as error:
        return str(error)


async def _existing(
    ctx: Context, site_id: str, sources: Sequence[Source | str]
) -> dict[Key, SiteRedirect]:
    keys = {source.key for source in sources if isinstance(source, Source)}
    statement = select(SiteRedirect).where(
        SiteRedirect.site_id == site_id, SiteRedirect.source_key.in_(keys)
    )
    rows = (await ctx.session.execute(statement)).scalars()
    return {(row.source_key, row.wildcard): row for row in rows}


class _Batch:
    """One batch of entries."""

    def __init__(self, ctx: Context, site_id: str, existing: dict[Key, SiteRedirect]) -> None:
        self._ctx, self._site_id, self._existing = ctx, site_id, existing
        # Index of the entry that each source was first in.
        self._first: dict[Key, int] = {}
        # By index of entry: the destination, or what is wrong with it, and what is not there.
        self._destinations: dict[int, Data] = {}
        self._malformed: dict[int, str] = {}
        self._gone: dict[int, str] = {}

    async def read_destinations(self, entries: Sequence[SiteRedirectEntryInput]) -> None:
        """Read what the entries lead to, and look once which of it is there for the caller."""
        for index, entry in enumerate(entries):
            if entry.destination is not None and entry.destination.value is not None:
                stored, problem = read_destination(entry.destination.value)
                if problem is None:
                    self._destinations[index] = stored
                else:
                    self._malformed[index] = f"destination.{problem}"
        stable = await with_stable_pages(self._ctx, list(self._destinations.values()))
        self._destinations = dict(zip(self._destinations, stable, strict=True))
        destinations = [(self._site_id, destination) for destination in self._destinations.values()]
        missing = await missing_members(self._ctx, destinations, for_caller=True)
        for (index, destination), name in zip(self._destinations.items(), missing, strict=True):
            if name is not None:
                self._gone[index] = f"destination.{name}: {gone(destination[name])}"

    async def write(
        self, index: int, entry: SiteRedirectEntryInput, source: Source
    ) -> SiteRedirectResult:
        """Write one entry; _EntryError leaves everything as it was."""
        key = (source.key, source.wildcard)
        first = self._first.setdefault(key, index)
        if first != index:
            raise _EntryError(f"source: is that of redirects[{first}], which counts")
        row = self._existing.get(key)
        if entry.destination is not None and entry.destination.value is None:
            if row is not None:
                await self._ctx.session.delete(row)
            return SiteRedirectResult(entry.source, SiteRedirectOutcome.DELETED)
        if index in self._malformed:
            raise _EntryError(self._malformed[index])
        destination = self._destinations.get(index, None if row is None else row.destination)
        # One that is broken already may be sent back as it is.
        if index in self._gone and (row is None or destination != row.destination):
            raise _EntryError(self._gone[index])
        if destination is None:
            raise _EntryError("destination: is required, for there is no redirect with this source")
        capture = inputs.given(entry.capture_wildcard, row is not None and row.capture_wildcard)
        if capture and not source.wildcard:
            raise _EntryError(f"captureWildcard: {NO_WILDCARD}")
        return self._upsert(entry, source, row, destination, capture)

    def _upsert(
        self,
        entry: SiteRedirectEntryInput,
        source: Source,
        row: SiteRedirect | None,
        destination: Data,
        capture: bool,
    ) -> SiteRedirectResult:
        publishes = entry.intent is SiteRedirectIntent.PUBLISH
        if row is None:
            row = SiteRedirect(site_id=self._site_id, permanent=False, created_at=self._ctx.now())
            self._ctx.session.add(row)
            outcome = SiteRedirectOutcome.CREATED
        elif publishes and row.draft:
            outcome = SiteRedirectOutcome.PUBLISHED
        else:
            outcome = SiteRedirectOutcome.UPDATED
        set_source(row, entry.source, source)
        row.destination, row.capture_wildcard = destination, capture
        row.permanent = inputs.given(entry.permanent, row.permanent)
        row.draft = entry.intent is SiteRedirectIntent.DRAFT
        row.updated_at = self._ctx.now()
        return SiteRedirectResult(entry.source, outcome, row)


# ------------------------------------------------------------------ lists


@dataclass(frozen=True)
class SiteRedirectArguments(PageArguments):
    """Order and filters of a list of redirects; all given filters must hold."""

    order_by: Annotated[
        SiteRedirectOrder | None, inputs.argument("Order; oldest first when absent.")
    ] = None
    search: Annotated[
        str | None, inputs.argument("Part of the source path; capitals do not matter.")
    ] = field(default=None, metadata={inputs.BOUNDS: inputs.Bounds(maximum=MAX_SOURCE)})
    draft: Annotated[
        bool | None, inputs.argument("Only drafts, or only those that fire; all when absent.")
    ] = None


ORDERS = Orders(
    by(SiteRedirect.id),
    {
        SiteRedirectOrderField.CREATED_AT: by(SiteRedirect.created_at),
        SiteRedirectOrderField.UPDATED_AT: by(SiteRedirect.updated_at),
        SiteRedirectOrderField.SOURCE: by(SiteRedirect.source_key),
    },
)
redirects_of_sites = Listing(
    "redirects_of_sites",
    SiteRedirect,
    SiteRedirect.site_id,
    ORDERS.or_else(by_id(SiteRedirect)),
    about="Redirects of sites, oldest first; for members of the organization.",
    filters=(
        of_part("search", SiteRedirect.source),
        equal_to("draft", SiteRedirect.draft),
    ),
)


@dataclass(frozen=True, slots=True)
class SiteRedirectDestination:
    """Where a redirect leads; which members there are depends on the kind."""

    kind: SiteRedirectKind
    site_section_id: str | None
    site_space_id: str | None
    page_id: str | None
    url: str | None


@computed_from("destination")
async def redirect_destinations(
    ctx: Context, rows: Sequence[SiteRedirect], arguments: Any
) -> list[SiteRedirectDestination]:
    """Where each redirect leads."""
    return [
        SiteRedirectDestination(
            SiteRedirectKind(stored[KIND]),
            stored.get(SECTION),
            stored.get(SITE_SPACE),
            stored.get(PAGE),
            stored.get(URL),
        )
        for stored in (row.destination for row in rows)
    ]


@reads("site_id", "destination")
async def are_broken(ctx: Context, rows: Sequence[SiteRedirect], arguments: Any) -> list[bool]:
    """Whether the destination of each redirect is gone, so that it does not fire."""
    missing = await missing_members(ctx, [(row.site_id, row.destination) for row in rows])
    return [name is not None for name in missing]
