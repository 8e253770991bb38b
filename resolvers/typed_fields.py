"""The typed fields beside fields of JSON: `typedX` beside `x` (decision 0059)."""

from collections.abc import Sequence
from typing import Any

from content.links.references import ID_PATTERN
from db.models.content import Revision
from db.models.organizations import Organization, User
from db.models.site_settings import SiteMcpServer
from db.models.spaces import Space
from db.prepared import ACTOR_RANK
from resolvers.core.context import Context
from resolvers.links.rows import Link
from resolvers.lists.batches import computed_from, reads, visible_in
from resolvers.revisions.rows import Page
from resolvers.revisions.typed_references import (
    NOWHERE,
    Origin,
    TypedReference,
    typed_or_none,
    typed_reference as typed,
)
from resolvers.revisions.typed_values import (
    ComputedSource,
    HttpHeader,
    MergeRule,
    MergeRules,
    PageCover,
    Variable,
    typed_cover,
    typed_headers,
    typed_merge_rules,
    typed_source,
    typed_variables,
)
from resolvers.sites.mcp_servers import mcp_server_headers
from resolvers.spaces.fields import RULES_OF_VISITORS

# ------------------------------------------------------------------ pages and revisions


async def page_targets(ctx: Context, rows: Sequence[Page], arguments: Any) -> list[TypedReference]:
    """Where link pages lead."""
    return [typed(row.target, Origin.of(row)) for row in rows]


async def page_covers(ctx: Context, rows: Sequence[Page], arguments: Any) -> list[PageCover | None]:
    """The covers of pages."""
    return [typed_cover(row.cover, Origin.of(row)) for row in rows]


async def page_sources(
    ctx: Context, rows: Sequence[Page], arguments: Any
) -> list[ComputedSource | None]:
    """The sources of computed pages."""
    return [typed_source(row.computed, Origin.of(row)) for row in rows]


@computed_from("variables")
async def variables(
    ctx: Context, rows: Sequence[Page | Revision], arguments: Any
) -> list[list[Variable]]:
    """The variables of pages, or of spaces in their revisions."""
    return [typed_variables(row.variables) for row in rows]


# ------------------------------------------------------------------ links


async def link_references(
    ctx: Context, rows: Sequence[Link], arguments: Any
) -> list[TypedReference]:
    """What links refer to."""
    return [typed(row.reference, _origin_of(row)) for row in rows]


def _origin_of(link: Link) -> Origin:
    revision = link.version.revision
    return Origin(link.version.space_id, None if revision is None else revision.id)


async def link_ends(
    ctx: Context, rows: Sequence[Any], arguments: Any
) -> list[TypedReference | None]:
    """Where links of menus, footers and announcements lead, which name the spaces of pages."""
    return [typed_or_none(row.to, NOWHERE) for row in rows]


# ------------------------------------------------------------------ settings


@reads("id", "headers", ACTOR_RANK)
async def server_headers(
    ctx: Context, rows: Sequence[SiteMcpServer], arguments: Any
) -> list[list[HttpHeader]]:
    """The headers of each server, for those who may see them; none for others."""
    return [typed_headers(header) for header in await mcp_server_headers(ctx, rows, None)]


@computed_from("merge_rules")
async def merge_rules(
    ctx: Context, rows: Sequence[Organization | Space], arguments: Any
) -> list[MergeRules]:
    """When change requests may be merged; visitors of a site see no rules."""
    if ctx.actor.visitor is not None:
        return [typed_merge_rules(RULES_OF_VISITORS) for _ in rows]
    return [typed_merge_rules(row.merge_rules) for row in rows]


_users = visible_in(User.id, "ids")


async def users_of_rules(
    ctx: Context, rows: Sequence[MergeRule], arguments: Any
) -> list[list[User]]:
    """The people that rules name, without those whom the caller may not see."""
    ids = {id for row in rows for id in row.user_ids if ID_PATTERN.fullmatch(id)}
    users = {user.id: user for user in await _users.rows(ctx, ids=ids)} if ids else {}
    return [[users[id] for id in row.user_ids if id in users] for row in rows]
