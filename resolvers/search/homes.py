"""Under which organizations the pages of an organization are indexed.

The words of a page say of which organization it is, so that a search in one looks at the pages of
no others. A space that is transferred keeps its words, which only `docstead reindex` writes anew;
what is written later has the new one. So each organization remembers where its spaces were before.
Which pages may be found is not decided by this (resolvers/search/words.py, `Within`).
"""

from collections.abc import Sequence

from sqlalchemy import select

from db.inserts import insert_missing
from db.models.content_index import FormerHome
from db.prepared import among
from resolvers.core.context import Context
from resolvers.core.statements import Viewer, Written, statement
from resolvers.search.words import Within


@statement
def _former(viewer: Viewer) -> Written:
    return (
        select(FormerHome)
        .where(among(FormerHome.organization_id, "organizations"))
        .order_by(FormerHome.organization_id, FormerHome.former_id)
    )


async def searched_within(
    ctx: Context, searches: Sequence[tuple[str, Sequence[str]]]
) -> list[Within]:
    """Where to look, for each organization and the spaces of it that are searched, or none for all.

    Homes are read for those only whose spaces are not named themselves.
    """
    places = [Within(spaces) for _, spaces in searches]
    whole = {id for (id, _), place in zip(searches, places, strict=True) if not place.names_spaces}
    homes = await _homes(ctx, sorted(whole)) if whole else {}
    return [Within(spaces, homes.get(id, ())) for id, spaces in searches]


async def _homes(ctx: Context, organizations: Sequence[str]) -> dict[str, tuple[str, ...]]:
    """For each organization its own id and those of former ones of its spaces."""
    homes = {id: [id] for id in organizations}
    for row in await _former.rows(ctx, organizations=list(homes)):
        homes[row.organization_id].append(row.former_id)
    return {id: tuple(all) for id, all in homes.items()}


async def remember_home(ctx: Context, former: str, organization: str) -> None:
    """Say that spaces of one organization are in another one from now on."""
    ids = (await _homes(ctx, [former]))[former]
    rows = [{"organization_id": organization, "former_id": id} for id in ids if id != organization]
    await insert_missing(ctx.session, FormerHome, rows)
