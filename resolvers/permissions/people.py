"""Everybody who may read a space or a collection, with the effective role (docs/roles.md).

It is the rule of resolvers/access/ranks.py for all members at once, so the number of statements
depends neither on how many people there are nor on how many objects are asked about.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import Annotated, Any

import strawberry
from sqlalchemy import ColumnElement, Integer, Select, Subquery, bindparam, select
from sqlalchemy.orm import aliased

from db.enums import Role, TokenScope
from db.models.organizations import Member
from db.models.spaces import AccessGrant, Collection, CollectionAncestor, Space
from db.prepared import among
from db.text_order import sort_key
from resolvers.access.people import grants_of_people, nearest_on_collections
from resolvers.access.policy import must_be_operator, visible
from resolvers.access.ranks import READ, Rank, number, rank_on_collection, rank_on_space
from resolvers.core import inputs
from resolvers.core.batch_functions import only
from resolvers.core.context import Context
from resolvers.core.filters import Filter, containing, part_of
from resolvers.core.orders import by
from resolvers.core.pagination import Order, PageArguments, Slice
from resolvers.core.statements import Viewer, Written, statement
from resolvers.lists.batches import reads
from resolvers.lists.listing_statements import PARENTS
from resolvers.lists.listings import Listing

_READERS = "readers"


@dataclass(frozen=True, slots=True)
class ContentPerson:
    """The effective role of a person on a space or a collection."""

    user_id: str
    name_key: str
    role: Role


@dataclass(frozen=True)
class ContentPeopleArguments(PageArguments):
    """Filters of a list of the people who may read something."""

    role: Annotated[
        Role | None, strawberry.argument(description="Only people with exactly this role.")
    ] = None
    search: Annotated[
        str | None,
        inputs.argument("Part of the name; capitals do not matter."),
    ] = field(default=None, metadata={inputs.BOUNDS: inputs.Bounds(maximum=64)})


@dataclass(frozen=True, slots=True, eq=False)
class _Access:
    """Joins members to the objects of the list parameter `PARENTS`; `rank` is theirs there."""

    model: Any
    joins: tuple[tuple[Any, ColumnElement[bool]], ...]
    rank: Rank

    def rows(self, viewer: Viewer) -> Select[Any]:
        """The memberships that the viewer sees, of everybody who may read one of the objects."""
        statement = visible(viewer, Member).join(
            self.model, self.model.organization_id == Member.organization_id
        )
        for table, condition in self.joins:
            statement = statement.outerjoin(table, condition)
        return statement.where(
            among(self.model.id, PARENTS), Member.disabled.is_(False), self.rank >= READ
        )


def _once(grants: Subquery) -> Any:
    """Grants that are worked out first: a database that takes members for few, because it has not
    counted them yet, would work them out for each member."""
    return select(grants).cte().prefix_with("MATERIALIZED")


def _access_to_spaces(people: Any = None) -> _Access:
    here = among(Space.id, PARENTS)
    parents = select(Space.parent_id).where(here, Space.parent_id.is_not(None))
    above = select(CollectionAncestor.ancestor_id).where(
        CollectionAncestor.collection_id.in_(parents)
    )
    own = _once(
        grants_of_people(AccessGrant.space_id, objects=select(Space.id).where(here), people=people)
    )
    inherited = _once(
        nearest_on_collections(
            grants_of_people(AccessGrant.collection_id, objects=above, people=people),
            CollectionAncestor.collection_id.in_(parents),
        )
    )
    parent = aliased(Collection)
    return _Access(
        Space,
        (
            (own, (own.c.id == Space.id) & (own.c.holder == Member.user_id)),
            (parent, parent.id == Space.parent_id),
            (
                inherited,
                (inherited.c.id == Space.parent_id) & (inherited.c.holder == Member.user_id),
            ),
        ),
        rank_on_space(Space, Member, own.c.rank, parent, inherited),
    )


def _access_to_collections(people: Any = None) -> _Access:
    here = among(CollectionAncestor.collection_id, PARENTS)
    above = select(CollectionAncestor.ancestor_id).where(here)
    grants = _once(
        nearest_on_collections(
            grants_of_people(AccessGrant.collection_id, objects=above, people=people), here
        )
    )
    theirs = (grants.c.id == Collection.id) & (grants.c.holder == Member.user_id)
    return _Access(Collection, ((grants, theirs),), rank_on_collection(Collection, Member, grants))


_ORDER = Order((by(Member.name_key), by(Member.user_id)))
_MEMBER = only("user_id", "name_key")


def _people(name: str, access: _Access, about: str) -> Listing:
    return Listing(
        name,
        Member,
        access.model.id,
        _ORDER,
        about=about,
        filters=(
            Filter(
                "role",
                lambda arguments: arguments.role and arguments.role.rank,
                access.rank == bindparam("role", type_=Integer()),
            ),
            # Not by address: not everybody who sees a person sees that.
            Filter(
                "search",
                lambda arguments: part_of(arguments.search and sort_key(arguments.search)),
                containing(Member.name_key, "search"),
            ),
        ),
        rows=access.rows,
        by_itself=True,
        walks=True,
        scope=TokenScope.SPACE_PERMISSIONS_READ,
    )


_of_spaces = _people("people_of_spaces", _access_to_spaces(), "Who may read spaces, by name.")
_of_collections = _people(
    "people_of_collections", _access_to_collections(), "Who may read collections, by name."
)

_readers = select(Member.user_id).where(among(Member.user_id, _READERS))
_OF_READERS = {
    Space: _access_to_spaces(_readers),
    Collection: _access_to_collections(_readers),
}


@statement
def _ranks(viewer: Viewer, model: Any) -> Written:
    """The ranks of the people on a page, for whom alone grants are looked at."""
    access = _OF_READERS[model]
    return (
        access.rows(viewer)
        .with_only_columns(model.id, Member.user_id, access.rank.label("rank"))
        .where(among(Member.user_id, _READERS))
    )


@dataclass(frozen=True, slots=True)
class Reader:
    """A person who may read a space: their rank there, and whether they are a guest."""

    space_id: str
    user_id: str
    rank: int
    guest: bool


def _readers_from(viewer: Viewer, access: _Access) -> Written:
    return (
        access.rows(viewer)
        .with_only_columns(
            Space.id, Member.user_id, access.rank.label("rank"), number(Member.role).label("role")
        )
        .where(Space.deleted_at.is_(None))
    )


@statement
def _some_readers(viewer: Viewer) -> Written:
    among_them = among(Member.user_id, _READERS)
    return _readers_from(viewer, _OF_READERS[Space]).where(among_them)


_everybody = _access_to_spaces()


@statement
def _ranking_readers(viewer: Viewer) -> Written:
    least = bindparam("least", type_=Integer())
    return _readers_from(viewer, _everybody).where(_everybody.rank >= least)


async def readers_of_spaces(
    ctx: Context, space_ids: Sequence[str], user_ids: Sequence[str]
) -> list[Reader]:
    """Who of some people may read which of some spaces, for the server itself."""
    must_be_operator(ctx)
    rows = await _some_readers.rows(ctx, parents=space_ids, readers=user_ids)
    return [Reader(row.id, row.user_id, row.rank, row.role == 0) for row in rows]


async def readers_with_rank(ctx: Context, space_ids: Sequence[str], least: Role) -> list[Reader]:
    """Everybody who has at least a role on one of some spaces, for the server itself."""
    must_be_operator(ctx)
    rows = await _ranking_readers.rows(ctx, parents=space_ids, least=least.rank)
    return [Reader(row.id, row.user_id, row.rank, row.role == 0) for row in rows]


@reads("id", scope=TokenScope.SPACE_PERMISSIONS_READ)
async def people_of_spaces(
    ctx: Context, rows: Sequence[Space], arguments: ContentPeopleArguments
) -> list[Slice[ContentPerson]]:
    """Members and guests who may read spaces, by name; guests see themselves only."""
    return await _with_roles(ctx, Space, await _of_spaces(ctx, rows, arguments, _MEMBER))


@reads("id", scope=TokenScope.SPACE_PERMISSIONS_READ)
async def people_of_collections(
    ctx: Context, rows: Sequence[Collection], arguments: ContentPeopleArguments
) -> list[Slice[ContentPerson]]:
    """Members and guests who may read collections, by name; guests see themselves only."""
    return await _with_roles(ctx, Collection, await _of_collections(ctx, rows, arguments, _MEMBER))


async def _with_roles(
    ctx: Context, model: Any, slices: list[Slice[Any]]
) -> list[Slice[ContentPerson]]:
    people = {member.user_id for part in slices for member in part.rows}
    if not people:
        return slices
    parents = {part.parent for part in slices}
    ranks = {
        (row.id, row.user_id): row.rank
        for row in await _ranks.rows(ctx, model, parents=parents, readers=people)
    }
    # Behind a write each statement sees what others have committed meanwhile.
    return [
        replace(
            part,
            rows=[
                ContentPerson(member.user_id, member.name_key, role)
                for member in part.rows
                if (role := Role.of_rank(ranks.get((part.parent, member.user_id)))) is not None
            ],
        )
        for part in slices
    ]
