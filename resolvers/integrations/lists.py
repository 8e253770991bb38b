"""Lists of integrations, installations and their entries."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Annotated, Any

from sqlalchemy import (
    Boolean,
    ColumnElement,
    Select,
    String,
    Text,
    and_,
    bindparam,
    cast,
    exists,
    false,
    func,
    literal_column,
    or_,
    select,
)

from db.integration_enums import (
    InstallationTarget,
    IntegrationCategory,
    IntegrationScope,
    IntegrationTarget,
    IntegrationVisibility as Visibility,
)
from db.models.integrations import (
    ExternalId,
    Installation,
    Integration,
    IntegrationEvent,
    SiteInstallation,
    SpaceInstallation,
)
from db.models.organizations import Organization
from db.prepared import KEY, among
from resolvers.access.policy import ranked, visible
from resolvers.access.ranks import ADMIN, READ, organization_rank
from resolvers.core import inputs
from resolvers.core.context import Context
from resolvers.core.filters import Filter, equal_to, part_of
from resolvers.core.pagination import PageArguments, by_id
from resolvers.core.policy_asked import policy_was_asked
from resolvers.core.statements import Viewer, Written, statement
from resolvers.lists.batches import reads
from resolvers.lists.listings import Listing

ALL = "all"
_SEARCH = inputs.Bounds(maximum=256)


@dataclass(frozen=True)
class SearchArguments(PageArguments):
    """Filter of a list of integrations."""

    search: Annotated[
        str | None, inputs.argument("Part of the name or title; capitals do not matter.")
    ] = field(default=None, metadata={inputs.BOUNDS: _SEARCH})


@dataclass(frozen=True)
class IntegrationArguments(SearchArguments):
    """Filters of lists of integrations; all have to hold."""

    category: Annotated[
        IntegrationCategory | None, inputs.argument("Only those of this category.")
    ] = None
    block_domain: Annotated[
        str | None, inputs.argument("Only those with a block for URLs of this host.")
    ] = field(
        default=None,
        metadata={
            inputs.BOUNDS: inputs.Bounds(
                1, 100, r"[a-zA-Z0-9\-_.]+", "letters, digits, hyphens, underscores and dots"
            )
        },
    )
    blocks: Annotated[bool | None, inputs.argument("Only those with blocks, or without.")] = None
    content_sources: Annotated[
        bool | None, inputs.argument("Only those with sources of content, or without.")
    ] = None
    owner: Annotated[
        str | None, inputs.argument("Only those that this organization publishes, by its id.")
    ] = field(default=None, metadata={inputs.BOUNDS: inputs.Bounds(maximum=64)})
    scope: Annotated[
        IntegrationScope | None, inputs.argument("Only those that ask for this scope.")
    ] = None
    target: Annotated[IntegrationTarget | None, inputs.argument("Only those with this target.")] = (
        None
    )


@dataclass(frozen=True)
class ExternalIdArguments(PageArguments):
    """Filter of lists of installations and entries."""

    external_id: Annotated[str | None, inputs.argument("Only those with this external id.")] = (
        field(default=None, metadata={inputs.BOUNDS: inputs.Bounds(maximum=255)})
    )


@dataclass(frozen=True)
class TargetArguments(PageArguments):
    """Filter of the list of what is installed."""

    target: Annotated[
        InstallationTarget,
        inputs.argument("`space` and `site`: only what has entries for spaces, or sites."),
    ] = InstallationTarget.ORGANIZATION


def _holds(column: Any, name: str) -> ColumnElement[bool]:
    """That a JSON list of texts has the one in a parameter, as JSON writes it."""
    return cast(column, Text()).like(bindparam(name, type_=String()), escape="/")


def _quoted(name: str) -> Any:
    def value(arguments: Any) -> str | None:
        chosen = getattr(arguments, name)
        return None if chosen is None else part_of(f'"{chosen.value}"')

    return value


def _lower(column: Any, name: str) -> ColumnElement[bool]:
    return func.lower(column).like(bindparam(name, type_=String()), escape="/")


_SEARCHED = Filter(
    "search",
    lambda arguments: part_of(arguments.search),
    or_(_lower(Integration.name, "search"), _lower(Integration.title, "search")),
)


def _any(name: str, column: Any) -> Filter:
    some = cast(column, Text()) != "[]"
    return Filter(
        name, lambda arguments: getattr(arguments, name),
        some == bindparam(name, type_=Boolean()),
    )  # fmt: skip


_FILTERS = (
    _SEARCHED,
    Filter("category", _quoted("category"), _holds(Integration.categories, "category")),
    Filter(
        "block_domain",
        lambda arguments: part_of(arguments.block_domain),
        _lower(Integration.block_domains, "block_domain"),
    ),
    _any("blocks", Integration.blocks),
    _any("content_sources", Integration.content_sources),
    Filter(
        "owner", lambda arguments: arguments.owner,
        Integration.organization_id == bindparam("owner", type_=KEY),
    ),
    Filter("scope", _quoted("scope"), _holds(Integration.scopes, "scope")),
    equal_to("target", Integration.target),
)  # fmt: skip

# ------------------------------------------------------------------ lists of integrations


@dataclass(frozen=True, slots=True)
class IntegrationCatalogue:
    """All integrations that a caller may choose from."""

    id: str = ALL


async def list_integrations(ctx: Context) -> IntegrationCatalogue:
    """The integrations that you may choose from: public ones, and all that organizations publish
    which you administer."""
    policy_was_asked()
    return IntegrationCatalogue()


def _listed(viewer: Viewer) -> Written:
    rows, rank = ranked(viewer, Integration)
    return rows.where(or_(Integration.visibility == Visibility.PUBLIC, rank >= ADMIN))


integrations_of_catalogue = Listing(
    "integrations_of_catalogue",
    Integration,
    literal_column(f"'{ALL}'", KEY),
    by_id(Integration),
    about="Public integrations, and all of organizations that you administer, oldest first.",
    filters=_FILTERS,
    rows=_listed,
    by_itself=True,
)


def _of_organizations(viewer: Viewer) -> Written:
    own = Integration.organization_id == Organization.id
    public = Integration.visibility == Visibility.PUBLIC
    return visible(viewer, Integration).join(Organization, or_(own, public))


integrations_of_organizations = Listing(
    "integrations_of_organizations",
    Integration,
    Organization.id,
    by_id(Integration),
    about="What each organization may choose from: public integrations and its own.",
    filters=_FILTERS,
    rows=_of_organizations,
    by_itself=True,
)


def _nothing_for_visitors(viewer: Viewer, rows: Select[Any]) -> Select[Any]:
    policy_was_asked()
    return rows.where(false()) if viewer.actor.visitor is not None else rows


def _on_spaces(viewer: Viewer) -> Written:
    entry = SpaceInstallation.integration_id == Integration.id
    return _nothing_for_visitors(viewer, select(Integration).join(SpaceInstallation, entry))


def _on_sites(viewer: Viewer) -> Written:
    entry = SiteInstallation.integration_id == Integration.id
    return _nothing_for_visitors(viewer, select(Integration).join(SiteInstallation, entry))


integrations_of_spaces = Listing(
    "integrations_of_spaces",
    Integration,
    SpaceInstallation.space_id,
    by_id(Integration),
    about="The integrations that are installed on each space, oldest first.",
    filters=(_SEARCHED,),
    rows=_on_spaces,
    by_itself=True,
)
integrations_of_sites = Listing(
    "integrations_of_sites",
    Integration,
    SiteInstallation.site_id,
    by_id(Integration),
    about="The integrations that are installed on each site, oldest first.",
    filters=(_SEARCHED,),
    rows=_on_sites,
    by_itself=True,
)

# ------------------------------------------------------------------ lists of installations


def _with_external(column: Any, own: Any) -> Filter:
    wanted_id = ExternalId.value == bindparam("external_id", type_=KEY)
    return Filter(
        "external_id", lambda arguments: arguments.external_id,
        exists().where(column == own, wanted_id),
    )  # fmt: skip


_OF_INSTALLATION = _with_external(ExternalId.installation_id, Installation.id)
_OF_SPACE_ENTRY = _with_external(ExternalId.space_entry_id, SpaceInstallation.id)
_OF_SITE_ENTRY = _with_external(ExternalId.site_entry_id, SiteInstallation.id)

installations_of_integrations = Listing(
    "installations_of_integrations",
    Installation,
    Installation.integration_id,
    by_id(Installation),
    about="Installations of integrations, oldest first: of organizations that you administer, or "
    "all of them with the token of the integration.",
    filters=(_OF_INSTALLATION,),
)


def _searched_installations() -> Filter:
    of_integration = exists().where(
        Integration.id == Installation.integration_id,
        or_(_lower(Integration.name, "search"), _lower(Integration.title, "search")),
    )
    return Filter("search", lambda arguments: part_of(arguments.search), of_integration)


installations_of_organizations = Listing(
    "installations_of_organizations",
    Installation,
    Installation.organization_id,
    by_id(Installation),
    about="What is installed in organizations that you administer, oldest first.",
    filters=(_searched_installations(),),
)


def _for_members(viewer: Viewer) -> Written:
    policy_was_asked()
    rows = select(Installation)
    if viewer.actor.visitor is not None or viewer.actor.nobody:
        return rows.where(false())
    rows, rank = organization_rank(rows, viewer.actor, Installation.organization_id)
    return rows.where(rank >= READ)


def _target(arguments: Any) -> str | None:
    target: InstallationTarget = arguments.target
    return None if target is InstallationTarget.ORGANIZATION else target.value


_HAS_ENTRIES = or_(
    and_(
        bindparam("target", type_=String()) == InstallationTarget.SPACE.value,
        exists().where(SpaceInstallation.installation_id == Installation.id),
    ),
    and_(
        bindparam("target", type_=String()) == InstallationTarget.SITE.value,
        exists().where(SiteInstallation.installation_id == Installation.id),
    ),
)
statuses_of_organizations = Listing(
    "statuses_of_organizations",
    Installation,
    Installation.organization_id,
    by_id(Installation),
    about="How what is installed in organizations stands, for their members, oldest first.",
    filters=(Filter("target", _target, _HAS_ENTRIES),),
    rows=_for_members,
)


@statement
def status_in(viewer: Viewer) -> Written:
    return _for_members(viewer).where(
        Installation.organization_id == bindparam("organization_id", type_=KEY),
        Installation.integration_id
        == select(Integration.id)
        .where(Integration.name == bindparam("name", type_=KEY))
        .scalar_subquery(),
    )


space_entries_of_integrations = Listing(
    "space_entries_of_integrations",
    SpaceInstallation,
    SpaceInstallation.integration_id,
    by_id(SpaceInstallation),
    about="Entries of integrations for spaces, by installation.",
    filters=(_OF_SPACE_ENTRY,),
)
site_entries_of_integrations = Listing(
    "site_entries_of_integrations",
    SiteInstallation,
    SiteInstallation.integration_id,
    by_id(SiteInstallation),
    about="Entries of integrations for sites, by installation.",
    filters=(_OF_SITE_ENTRY,),
)
space_entries_of_installations = Listing(
    "space_entries_of_installations",
    SpaceInstallation,
    SpaceInstallation.installation_id,
    by_id(SpaceInstallation),
    about="Entries of installations for spaces.",
)
site_entries_of_installations = Listing(
    "site_entries_of_installations",
    SiteInstallation,
    SiteInstallation.installation_id,
    by_id(SiteInstallation),
    about="Entries of installations for sites.",
)
events_of_integrations = Listing(
    "events_of_integrations",
    IntegrationEvent,
    IntegrationEvent.integration_id,
    by_id(IntegrationEvent).reversed,
    IntegrationEvent.status.is_not(None),
    about="Events that integrations got in the last 30 days, newest first.",
)


@statement
def _counts(viewer: Viewer) -> Written:
    return (
        select(SpaceInstallation.installation_id, func.count())
        .where(among(SpaceInstallation.installation_id, "ids"))
        .group_by(SpaceInstallation.installation_id)
    )


@reads("id")
async def space_counts(ctx: Context, rows: Sequence[Installation], arguments: Any) -> list[int]:
    """For how many spaces each installation has an entry."""
    ids = [row.id for row in rows]
    counts = dict(await _counts.rows(ctx, ids=set(ids)))
    return [counts.get(id, 0) for id in ids]
