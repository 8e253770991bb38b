"""Lists that people sort: whatever the rows, the order, the direction and the pages."""

import datetime as dt
import random
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass, replace
from typing import Any

import pytest
from strawberry import Some

from db.enums import MemberSort, Role, SortOrder
from db.models.organizations import User
from db.order_enums import MemberOrderField, SpaceOrderField
from db.session import Session
from db.text_order import sort_key
from resolvers.change_requests import fields as change_request_lists
from resolvers.comments import fields as comment_lists
from resolvers.core import orders
from resolvers.core.context import Context
from resolvers.core.errors import BadRequest, Invalid
from resolvers.core.pagination import Slice
from resolvers.core.runners import run
from resolvers.organizations import members, operations as organizations, users
from resolvers.organizations.users import UpdateUserInput
from resolvers.sites import fields as site_fields, redirects as site_redirects, share_links
from resolvers.spaces import collections as space_collections, fields as space_fields
from tests import factories
from tests.conftest import World, context, settle
from tests.db.test_sort_keys import random_text

START = dt.datetime(2026, 1, 1, tzinfo=dt.UTC)
SIZES = (1, 2, 3, 7, 50)
Page = Callable[[Context, Sequence[Any], Any], Awaitable[list[Slice[Any]]]]


@dataclass(frozen=True)
class Sorted:
    """A list, the arguments of it, the input of its order, and what each field sorts by."""

    page: Page
    parents: list[Any]
    arguments: Any
    order: Any
    keys: dict[str, Callable[[Any], Any]]


class Dice:
    """Values that are often equal, and odd."""

    def __init__(self, seed: int) -> None:
        self.random = random.Random(seed)

    def time(self) -> dt.datetime:
        return START + dt.timedelta(milliseconds=self.random.randrange(4) * 500)

    def times(self) -> dict[str, dt.datetime]:
        return {"created_at": self.time(), "updated_at": self.time()}

    def text(self) -> str:
        return self.random.choice(["", "Same", "same", "SAME", "Éa", random_text(self.random, 6)])

    def sometime(self) -> dt.datetime | None:
        return self.time() if self.random.random() < 0.5 else None


def _at(name: str) -> Callable[[Any], Any]:
    return lambda row: getattr(row, name)


def _text(name: str) -> Callable[[Any], Any]:
    return lambda row: sort_key(getattr(row, name))


TITLED = {"CREATED_AT": _at("created_at"), "TITLE": _text("title")}


async def everything(session: Session, world: World, seed: int) -> list[Sorted]:
    """Rows in every list that can be sorted, under several parents."""
    dice, admin = Dice(seed), world.admin
    second = await factories.make_organization(session)
    await factories.make_member(session, second, Role.ADMIN, admin)
    both = [world.organization, second]
    names: dict[str, User] = {}
    for number in range(18):
        person = await factories.make_user(session, dice.text() or "x")
        names[person.id] = person
        await factories.make_member(
            session, both[number % 2], dice.random.choice([None, Role.READ, Role.EDIT]), person,
            joined_at=dice.time(), last_seen_at=dice.sometime(),
        )  # fmt: skip
    for name, person in world.people().items():
        assert name
        names[person.id] = person
    for _ in range(6):
        made = await factories.make_organization(session, title=dice.text(), created_at=dice.time())
        await factories.make_member(session, made, Role.READ, admin)
    tops = [await factories.make_collection(session, world.organization) for _ in range(2)]
    for number in range(14):
        await factories.make_collection(
            session, world.organization, tops[number % 2], title=dice.text(),
            created_at=dice.time(),
        )  # fmt: skip
    spaces = [
        await factories.make_space(
            session, both[number % 2], tops[number % 4 // 2] if number % 2 == 0 else None,
            title=dice.text(), **dice.times(),
        )
        for number in range(16)
    ]  # fmt: skip
    for number in range(16):
        await factories.make_change_request(
            session, spaces[number % 3], admin, subject=dice.text(), **dice.times()
        )
    request = await factories.make_change_request(session, spaces[0], admin)
    for number in range(20):
        await factories.make_comment(
            session, spaces[number % 2 * number % 3], admin,
            request if number % 5 == 0 else None, posted_at=dice.time(),
            edited_at=dice.sometime(),
        )  # fmt: skip
    sites = [
        await factories.make_site(
            session, world.organization, *spaces[:3:2], title=dice.text(), created_at=dice.time()
        )
        for _ in range(12)
    ]
    for number in range(14):
        site = sites[number % 2]
        await factories.make_share_link(session, site, name=dice.text(), created_at=dice.time())
        source = f"/{dice.random.choice(['b', 'B-', '%C3%A4', 'z/y', '%E4%B8%AD'])}{number}"
        redirect = await factories.make_site_redirect(session, site, source, "https://example.com/")
        redirect.created_at, redirect.updated_at = dice.time(), dice.time()
    await settle(session)
    requests = {
        "CREATED_AT": _at("created_at"),
        "UPDATED_AT": _at("updated_at"),
        "NUMBER": _at("number"),
        "SUBJECT": _text("subject"),
    }
    comments = {
        "POSTED_AT": _at("posted_at"),
        "EDITED_AT": lambda row: row.edited_at or row.posted_at,
    }
    of_spaces = {**TITLED, "UPDATED_AT": _at("updated_at")}
    redirects = {
        "CREATED_AT": _at("created_at"),
        "UPDATED_AT": _at("updated_at"),
        "SOURCE": _at("source_key"),
    }
    people: dict[str, Callable[[Any], Any]] = {
        "NAME": lambda row: sort_key(names[row.user_id].display_name),
        "JOINED_AT": _at("joined_at"),
        "LAST_SEEN_AT": lambda row: row.last_seen_at or row.joined_at,
        "ROLE": lambda row: 0 if row.role is None else row.role.rank,
    }
    links = {"CREATED_AT": _at("created_at"), "NAME": _text("name")}
    return [
        Sorted(members.members_of_organizations, both, members.MemberArguments(),
               orders.MemberOrder, people),
        Sorted(organizations.organizations_of_users, [admin],
               organizations.OrganizationArguments(), orders.OrganizationOrder, TITLED),
        Sorted(space_collections.collections_of_organizations, both,
               space_collections.CollectionArguments(), orders.CollectionOrder, TITLED),
        Sorted(space_collections.collections_of_collections, tops,
               space_collections.SortedCollections(), orders.CollectionOrder, TITLED),
        Sorted(space_fields.spaces_of_organizations, both, space_fields.SpaceArguments(),
               orders.SpaceOrder, of_spaces),
        Sorted(space_fields.spaces_of_collections, tops, space_fields.SortedSpaces(),
               orders.SpaceOrder, of_spaces),
        Sorted(change_request_lists.change_requests_of_spaces, spaces,
               change_request_lists.ChangeRequestArguments(), orders.ChangeRequestOrder, requests),
        Sorted(change_request_lists.change_requests_of_organizations, both,
               change_request_lists.ChangeRequestArguments(), orders.ChangeRequestOrder, requests),
        Sorted(comment_lists.comments_of_spaces, spaces, comment_lists.CommentArguments(),
               orders.CommentOrder, comments),
        Sorted(comment_lists.comments_of_change_requests, [request],
               comment_lists.CommentArguments(), orders.CommentOrder, comments),
        Sorted(site_fields.sites_of_organizations, both, site_fields.SiteArguments(),
               orders.SiteOrder, TITLED),
        Sorted(site_fields.sites_of_spaces, spaces[:3], site_fields.SortedSites(),
               orders.SiteOrder, TITLED),
        Sorted(share_links.share_links_of_sites, sites,
               share_links.ShareLinkArguments(), orders.ShareLinkOrder, links),
        Sorted(site_redirects.redirects_of_sites, sites,
               site_redirects.SiteRedirectArguments(), orders.SiteRedirectOrder, redirects),
    ]  # fmt: skip


def _id(row: Any) -> str:
    found: str = row.user_id if hasattr(row, "user_id") else row.id
    return found


async def walked(ctx: Context, one: Sorted, parent: Any, asked: Any, size: int) -> list[str]:
    """The ids on all pages of a list, read forwards or backwards."""
    backward = asked.last is not None
    found: list[str] = []
    cursor = None
    while True:
        page = {"last": size, "before": cursor} if backward else {"first": size, "after": cursor}
        (part,) = await one.page(ctx, [parent], replace(asked, **page))
        ids = [_id(row) for row in part.rows]
        assert len(ids) <= size
        found = ids + found if backward else found + ids
        if not (part.has_previous if backward else part.has_next):
            return found
        cursor = part.start_cursor if backward else part.end_cursor


@pytest.mark.parametrize("seed", range(2))
async def test_pages_of_every_order_are_the_sorted_whole(
    session: Session, world: World, seed: int
) -> None:
    dice = random.Random(seed)
    ctx = context(session, world.admin)
    for one in await everything(session, world, seed):
        whole = await one.page(ctx, one.parents, replace(one.arguments, first=1000))
        assert max(len(part.rows) for part in whole) > 3
        fields = {field.name: field for field in type_of_field(one.order)}
        assert fields.keys() == one.keys.keys()
        for name, field in fields.items():
            key = one.keys[name]
            for direction in SortOrder:
                asked = replace(one.arguments, order_by=one.order(field=field, direction=direction))
                down = direction is SortOrder.DESC
                wanted = [
                    [_id(row) for row in sorted(
                        part.rows, key=lambda row: (key(row), _id(row)), reverse=down
                    )]
                    for part in whole
                ]  # fmt: skip
                # All parents at once, and from the end.
                for page in ({"first": 5}, {"last": 5}):
                    parts = await one.page(ctx, one.parents, replace(asked, **page))
                    shown = [ids[:5] if "first" in page else ids[-5:] for ids in wanted]
                    assert [[_id(row) for row in part.rows] for part in parts] == shown, asked
                place = dice.randrange(len(one.parents))
                ways = (replace(asked, first=1), replace(asked, last=1))
                found = await walked(
                    ctx, one, one.parents[place], dice.choice(ways), dice.choice(SIZES)
                )
                assert found == wanted[place], asked


def type_of_field(order: Any) -> Any:
    """The enumeration of the fields of an order."""
    return order.__annotations__["field"]


async def test_cursors_of_other_orders_are_refused(session: Session, world: World) -> None:
    """Of the other direction, of another field and of the order of the list itself."""
    for _ in range(3):
        await factories.make_space(session, world.organization)
    await settle(session)
    ctx = context(session, world.admin)
    ways: list[orders.SpaceOrder | None] = [None]
    ways += [
        orders.SpaceOrder(field=field, direction=direction)
        for field in SpaceOrderField
        for direction in SortOrder
    ]
    page, parents = space_fields.spaces_of_organizations, [world.organization]
    cursors = []
    for way in ways:
        (part,) = await page(ctx, parents, space_fields.SpaceArguments(first=2, order_by=way))
        cursors.append(part.end_cursor)
    assert len(set(cursors)) == len(cursors)
    for way in ways:
        for other, cursor in zip(ways, cursors, strict=True):
            for where in ("after", "before"):
                asked = space_fields.SpaceArguments(order_by=way, **{where: cursor})
                if way == other:
                    await page(ctx, parents, asked)
                    continue
                with pytest.raises(BadRequest, match="with the same filters and order"):
                    await page(ctx, parents, asked)


async def test_other_ways_to_choose_an_order_are_refused_beside_it(
    session: Session, world: World
) -> None:
    ctx = context(session, world.admin)
    await settle(session)
    by_name = orders.MemberOrder(field=MemberOrderField.NAME)
    for beside in ({"order": SortOrder.ASC}, {"sort": MemberSort.JOINED_AT}):
        asked = members.MemberArguments(order_by=by_name, **beside)  # type: ignore[arg-type]
        with pytest.raises(Invalid, match="give one of them") as caught:
            await members.members_of_organizations(ctx, [world.organization], asked)
        assert [one.path for one in caught.value.fields] == ["orderBy"]


async def test_members_follow_the_names_of_people(session: Session, world: World) -> None:
    """A person who takes another name stands elsewhere in all organizations."""
    other = await factories.make_organization(session)
    await factories.make_member(session, other, Role.READ, world.reader)
    await factories.make_member(session, other, Role.READ, world.editor)
    await session.commit()
    await session.begin_write()
    by_name = members.MemberArguments(order_by=orders.MemberOrder(field=MemberOrderField.NAME))

    async def listed() -> list[list[str]]:
        parents = [world.organization, other]
        parts = await members.members_of_organizations(
            context(session, world.admin), parents[:1], by_name
        ) + await members.members_of_organizations(
            context(session, world.editor), parents[1:], by_name
        )
        return [[row.user_id for row in part.rows] for part in parts]

    people = [world.admin, world.commenter, world.creator, world.editor, world.guest]
    people += [world.reader, world.reviewer]
    assert await listed() == [[one.id for one in people], [world.editor.id, world.reader.id]]
    ctx = context(session, world.reader)
    change = UpdateUserInput(display_name=Some("äon"))
    await run(ctx, users.update_user, world.reader.id, change)
    people = [world.admin, world.reader, *people[1:5], world.reviewer]
    assert await listed() == [[one.id for one in people], [world.reader.id, world.editor.id]]


def test_arguments_with_an_order_are_keys_of_caches() -> None:
    one, other = (
        space_fields.SpaceArguments(order_by=orders.SpaceOrder(field=SpaceOrderField.TITLE))
        for _ in range(2)
    )
    assert one == other
    assert hash(one) == hash(other)
    turned = replace(
        one, order_by=orders.SpaceOrder(field=SpaceOrderField.TITLE, direction=SortOrder.DESC)
    )
    assert turned != one
