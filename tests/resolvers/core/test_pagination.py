"""Pages cover a list exactly once, in its order, whatever the order, filter, size and parents."""

import base64
import datetime as dt
import random

import orjson
import pytest

from db.base import utc_now
from db.enums import MemberRoleFilter, MemberSort, Role, SortOrder
from db.models.organizations import Member, Organization
from db.models.spaces import Collection
from db.session import Session
from resolvers.core.batch_functions import Projection
from resolvers.core.context import Context
from resolvers.core.errors import BadRequest
from resolvers.core.pagination import PageArguments, Slice, encode_cursor, total_counts
from resolvers.organizations import members
from resolvers.organizations.members import MemberArguments
from resolvers.spaces import collections as space_collections, fields as space_fields
from resolvers.spaces.fields import SpaceArguments
from tests import factories
from tests.conftest import World, context

ROUNDS = 25


async def people_with_ties(session: Session, organization: Organization, count: int) -> None:
    """Members who joined and were seen at few different times, or never."""
    start = dt.datetime(2026, 1, 1, tzinfo=dt.UTC)
    dice = random.Random(organization.id)
    for number in range(count):
        seen = start + dt.timedelta(days=dice.randrange(3)) if dice.random() < 0.6 else None
        await factories.make_member(
            session,
            organization,
            dice.choice([Role.READ, Role.EDIT, None]),
            await factories.make_user(session, dice.choice(["Ada", "Bo_b", "C%d"]) + str(number)),
            joined_at=start + dt.timedelta(days=dice.randrange(3), microseconds=number % 2),
            last_seen_at=seen,
        )


def expected(rows: list[Member], arguments: MemberArguments) -> list[str]:
    """The list as Python sorts it."""

    def key(row: Member) -> tuple[dt.datetime, str]:
        if arguments.sort is MemberSort.LAST_SEEN_AT:
            return row.last_seen_at or row.joined_at, row.user_id
        return row.joined_at, row.user_id

    found = sorted(rows, key=key, reverse=arguments.order is SortOrder.DESC)
    if arguments.role is MemberRoleFilter.EDIT:
        found = [row for row in found if row.role is Role.EDIT]
    return [row.user_id for row in found]


async def walk(
    ctx: Context, parents: list[Organization], arguments: MemberArguments
) -> list[list[str]]:
    """All pages of each parent: the first of all in one call, the next one by one."""
    first = await members.members_of_organizations(ctx, parents, arguments)
    results = []
    for parent, part in zip(parents, first, strict=True):
        found = [row.user_id for row in part.rows]
        (total,) = await part.counter.counts(ctx, [part.parent])
        while part.has_next:
            following = MemberArguments(
                first=arguments.first, after=part.next_cursor, order=arguments.order,
                sort=arguments.sort, role=arguments.role,
            )  # fmt: skip
            (part,) = await members.members_of_organizations(ctx, [parent], following)
            assert part.has_previous
            assert part.rows
            found += [row.user_id for row in part.rows]
        assert total == len(found)
        results.append(found)
    return results


async def test_pages_cover_lists_exactly_once(session: Session, world: World) -> None:
    dice = random.Random(5)
    second = await factories.make_organization(session)
    empty = await factories.make_organization(session)
    for organization in (second, empty):
        await factories.make_member(session, organization, Role.ADMIN, world.admin)
    await people_with_ties(session, world.organization, 20)
    await people_with_ties(session, second, 13)
    parents = [world.organization, second, empty]
    ctx = context(session, world.admin)
    everything = await members.members_of_organizations(ctx, parents, MemberArguments(first=1000))
    for _ in range(ROUNDS):
        arguments = MemberArguments(
            first=dice.choice([1, 2, 3, 7, 50]),
            order=dice.choice([None, SortOrder.ASC, SortOrder.DESC]),
            sort=dice.choice([None, *MemberSort]),
            role=dice.choice([None, MemberRoleFilter.EDIT]),
        )
        wanted = [expected(list(part.rows), arguments) for part in everything]
        assert await walk(ctx, parents, arguments) == wanted, arguments


async def test_children_of_many_parents_follow_one_cursor(session: Session, world: World) -> None:
    """The same cursor for many parents means the same place in each of their orders."""
    collections: list[Collection] = []
    for _ in range(3):
        collection = await factories.make_collection(session, world.organization)
        collections.append(collection)
        for position in ("B", "C", "D", "DV"):
            await factories.make_space(session, world.organization, collection, position=position)
    ctx = context(session, world.admin)
    first = await space_fields.spaces_of_collections(ctx, collections, PageArguments(first=2))
    after = PageArguments(first=2, after=first[1].next_cursor)
    together = await space_fields.spaces_of_collections(ctx, collections, after)
    for collection, part in zip(collections, together, strict=True):
        (alone,) = await space_fields.spaces_of_collections(ctx, [collection], after)
        assert [row.id for row in part.rows] == [row.id for row in alone.rows]
        assert part.has_next == alone.has_next


def tampered(part: Slice[Member], *values: object) -> list[str]:
    """Cursors with the fingerprint of a list and other values."""
    cursor = part.cursor_of(part.rows[0])
    mark = orjson.loads(base64.urlsafe_b64decode(cursor + "=" * (-len(cursor) % 4)))[0]
    return [encode_cursor(mark, list(value)) for value in values]  # type: ignore[call-overload]


async def test_cursors_with_wrong_values_are_refused(session: Session, world: World) -> None:
    ctx = context(session, world.admin)
    (part,) = await members.members_of_organizations(
        ctx, [world.organization], MemberArguments(first=1)
    )
    now = utc_now().isoformat()
    for cursor in tampered(
        part,
        [],
        [now],
        [now, "a", "b"],
        [now, 5],
        [now, None],
        [now, True],
        [now, ["a"]],
        [now, "\x00"],
        [5, "a"],
        ["", "a"],
        ["2026-01-01", "a"],
        ["2026-01-01T00:00:00", "a"],
        ["0001-01-01T00:00:00+14:00", "a"],
        ["9999-12-31T23:59:59-14:00", "a"],
        ["9" * 40, "a"],
    ):
        with pytest.raises(BadRequest, match="cursor"):
            await members.members_of_organizations(
                ctx, [world.organization], MemberArguments(after=cursor)
            )
    for edge in ("0001-01-01T00:00:00+00:00", "9999-12-31T23:59:59.999999+00:00"):
        (cursor,) = tampered(part, [edge, ""])
        await members.members_of_organizations(
            ctx, [world.organization], MemberArguments(after=cursor)
        )


async def test_cursor_belongs_to_its_list(session: Session, world: World) -> None:
    collection = await factories.make_collection(session, world.organization)
    for _ in range(2):
        await factories.make_space(session, world.organization, collection)
    ctx = context(session, world.admin)
    (part,) = await space_fields.spaces_of_organizations(
        ctx, [world.organization], SpaceArguments(first=1)
    )
    cursor = part.next_cursor
    with pytest.raises(BadRequest):
        await space_collections.collections_of_organizations(
            ctx, [world.organization], space_collections.CollectionArguments(after=cursor)
        )
    with pytest.raises(BadRequest):
        await space_fields.spaces_of_collections(ctx, [collection], PageArguments(after=cursor))
    for arguments in (
        SpaceArguments(after=cursor, title="x"),
        SpaceArguments(after=cursor, parent=collection.id),
    ):
        with pytest.raises(BadRequest):
            await space_fields.spaces_of_organizations(ctx, [world.organization], arguments)


@pytest.mark.parametrize(
    ("beside", "has_next"), [({"page_info"}, [True, False]), (set(), [None, None])]
)
async def test_one_row_more_is_read_only_when_somebody_asks_whether_there_is_one(
    session: Session, world: World, beside: set[str], has_next: list[bool | None]
) -> None:
    other = await factories.make_organization(session)
    await factories.make_member(session, other, Role.ADMIN, world.admin)
    for number in range(3):
        await factories.make_collection(session, world.organization, title=f"C{number}")
    await session.flush()
    ctx = context(session, world.admin)
    pages = await space_collections.collections_of_organizations(
        ctx,
        [world.organization, other],
        space_collections.CollectionArguments(first=2),
        Projection(frozenset({"id"}), frozenset(beside)),
    )
    assert [page.has_next for page in pages] == has_next
    assert [len(page.rows) for page in pages] == [2, 0]


async def test_a_list_counts_the_same_by_itself_and_among_others(
    session: Session, world: World
) -> None:
    others = [await factories.make_organization(session) for _ in range(2)]
    await factories.make_member(session, others[0], Role.READ, world.creator)
    for number in range(5):
        await factories.make_space(session, world.organization, title=f"Space {number}")
    await factories.make_space(session, others[0])
    parents = [world.organization, *others]
    ctx = context(session, world.creator)
    for arguments in (SpaceArguments(first=2), SpaceArguments(title="space 1")):
        together = await space_fields.spaces_of_organizations(ctx, parents, arguments)
        counts = await total_counts(ctx, together, None)
        alone = []
        for parent in parents:
            found = await space_fields.spaces_of_organizations(ctx, [parent], arguments)
            alone += await total_counts(ctx, found, None)
        assert counts == alone
        assert counts[0] == (5 if arguments.title is None else 1)
        twice = [together[0], together[0]]
        assert await total_counts(ctx, twice, None) == [counts[0]] * 2
