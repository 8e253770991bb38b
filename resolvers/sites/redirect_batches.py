"""Writing many redirects at once: each entry by itself, found by its source."""

from collections.abc import Sequence
from dataclasses import dataclass

import strawberry
from sqlalchemy import select
from strawberry import Maybe

from content.errors import SlugError
from content.links.redirect_paths import Source, read_source
from db.base import Data
from db.enums import Role
from db.models.site_settings import SiteRedirect
from db.models.sites import Site
from db.site_enums import SiteRedirectIntent, SiteRedirectOutcome
from resolvers.access.policy import must
from resolvers.core import inputs
from resolvers.core.arguments import InOrganization, SiteId
from resolvers.core.context import Context
from resolvers.sites.operations import in_organization
from resolvers.sites.redirect_destinations import (
    SiteRedirectDestinationInput,
    missing_members,
    read_destination,
    with_stable_pages,
)
from resolvers.sites.redirects import CAPTURES, NO_WILDCARD, PERMANENT, gone, set_source

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
    where = in_organization(organization_id)
    site = await must(ctx, Site, site_id, Role.CREATE, where=where, lock=True)
    sources = [_source(entry.source) for entry in input.redirects]
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
    return SiteRedirectResults(results)


def _source(text: str) -> Source | str:
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
