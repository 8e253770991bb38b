"""`first`, `after`, `last` and `before` in any combination are a slice of the whole list."""

import datetime as dt
import random
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import replace
from typing import Any

import pytest
from graphql import GraphQLInterfaceType, GraphQLObjectType, get_named_type

from db.models.organizations import Member
from db.session import Session
from resolvers.comments import fields as comment_lists
from resolvers.core.context import Context
from resolvers.core.errors import BadRequest, Invalid
from resolvers.core.pagination import PageArguments, Slice
from resolvers.lists.memory_pages import memory_slices
from resolvers.organizations import members
from resolvers.spaces import fields as space_fields
from schema.build import build_schema
from tests import factories
from tests.conftest import Api, Queries, World, context, settle
from tests.resolvers.links.test_links import PAGE, proposal
from tests.resolvers.search.test_search import Writer

SIZES = (1, 2, 3, 7, 50, 1000)
Page = Callable[[Context, Sequence[Any], Any], Awaitable[list[Slice[Any]]]]
ROUNDS = 60


def sliced(length: int, asked: PageArguments, after: int | None, before: int | None) -> Any:
    """Which places are shown, and what is said of those before and behind, as Relay has it."""
    low, high = 0 if after is None else after + 1, length if before is None else before
    places = list(range(low, high))
    size = asked.first or asked.last or 50
    if asked.last is not None or (before is not None and asked.first is None and after is None):
        shown = places[max(0, len(places) - size) :]
        return shown, before is not None, len(places) > size
    return places[:size], len(places) > size, after is not None


def test_every_list_is_read_from_both_ends() -> None:
    """Whatever is a connection takes these four arguments."""
    lists = 0
    for name, type_ in build_schema()._schema.type_map.items():
        if isinstance(type_, GraphQLObjectType | GraphQLInterfaceType):
            for field, definition in type_.fields.items():
                if get_named_type(definition.type).name.endswith("Connection"):
                    lists += 1
                    wanted = {"first", "after", "last", "before"}
                    assert wanted <= definition.args.keys(), f"{name}.{field}"
    assert lists > 50


async def check(ctx: Context, page: Page, parents: list[Any], asked: Any, seed: int) -> None:
    dice = random.Random(seed)
    whole = await page(ctx, parents, replace(asked, first=1000))
    for _ in range(ROUNDS):
        own = dice.randrange(len(parents))
        rows, cursor_of = whole[own].rows, whole[own].cursor_of
        after, before = (
            dice.randrange(len(rows)) if rows and dice.random() < 0.5 else None for _ in range(2)
        )
        number = dice.choice([None, *SIZES])
        some = replace(
            asked,
            **{dice.choice(["first", "last"]): number},
            after=None if after is None else cursor_of(rows[after]),
            before=None if before is None else cursor_of(rows[before]),
        )
        ends = after is None and before is None
        found = await page(ctx, parents if ends else [parents[own]], some)
        for part, all_of in zip(found, whole if ends else [whole[own]], strict=True):
            places, following, preceding = sliced(len(all_of.rows), some, after, before)
            keys = [all_of.cursor_of(row) for row in all_of.rows]
            assert [part.cursor_of(row) for row in part.rows] == [keys[one] for one in places], some
            assert (part.has_next, part.has_previous) == (following, preceding), some


async def test_lists_of_the_database(session: Session, world: World) -> None:
    """Of members, whose rows have ties, of spaces, of comments and of replies to those."""
    start = dt.datetime(2026, 1, 1, tzinfo=dt.UTC)
    dice = random.Random(3)
    other = await factories.make_organization(session)
    await factories.make_member(session, other, None, world.admin)
    for number in range(17):
        await factories.make_member(
            session, world.organization, None, await factories.make_user(session, str(number)),
            joined_at=start + dt.timedelta(days=dice.randrange(3)),
        )  # fmt: skip
    spaces = [await factories.make_space(session, world.organization) for _ in range(3)]
    comments = []
    for number in range(14):
        space = spaces[number % 2]
        comments.append(await factories.make_comment(session, space, world.editor))
    for number in range(9):
        parent = comments[number % 3]
        space = spaces[(number % 3) % 2]
        await factories.make_comment(session, space, world.editor, parent=parent)
    await settle(session)
    ctx = context(session, world.admin)
    lists: list[tuple[Page, list[Any], Any]] = [
        (members.members_of_organizations, [world.organization, other], members.MemberArguments()),
        (space_fields.spaces_of_organizations, [world.organization, other],
         space_fields.SpaceArguments()),
        (comment_lists.comments_of_spaces, spaces, comment_lists.CommentArguments()),
        (comment_lists.replies_of_comments, comments[:4], PageArguments()),
    ]  # fmt: skip
    for number, (page, parents, asked) in enumerate(lists):
        await check(ctx, page, parents, asked, number)


async def test_lists_in_memory(session: Session, world: World) -> None:
    lists = [[dt.date(2026, 1, 1 + day) for day in range(length)] for length in (0, 1, 20)]

    async def page(ctx: Context, rows: Sequence[Any], arguments: Any) -> list[Slice[Any]]:
        named = [f"list {row}" for row in rows]
        return memory_slices(ctx, "dates", named, [lists[row] for row in rows], arguments)

    await check(context(session, world.admin), page, [0, 1, 2], PageArguments(), 7)


async def test_wrong_combinations_are_refused(session: Session, world: World) -> None:
    ctx = context(session, world.admin)
    await settle(session)
    page = members.members_of_organizations
    for wrong, field in (
        ({"first": 1, "last": 1}, "last"), ({"last": 0}, "last"), ({"last": 1001}, "last"),
    ):  # fmt: skip
        with pytest.raises(Invalid) as caught:
            await page(ctx, [world.organization], members.MemberArguments(**wrong))
        assert [one.path for one in caught.value.fields] == [field]
    for cursor in ("", "x", "WyIiXQ"):
        with pytest.raises(BadRequest):
            await page(ctx, [world.organization], members.MemberArguments(before=cursor))


QUERY = """query($id: ID!, $before: String) { organization(id: $id) {
  members(last: 3, before: $before) {
    nodes { id } edges { cursor }
    pageInfo { hasNextPage hasPreviousPage startCursor endCursor }
  }
  spaces(last: 2) { nodes { id comments(last: 1) { nodes { id } } } }
} }"""


async def test_walk_backward(session: Session, world: World, api: Api, queries: Queries) -> None:
    """By GraphQL, nested lists read with their parents; /v1 knows neither argument."""
    spaces = [await factories.make_space(session, world.organization) for _ in range(3)]
    comments = [
        [await factories.make_comment(session, space, world.editor) for _ in range(2)]
        for space in spaces
    ]
    await settle(session)
    id, found, before = world.organization.id, list[str](), None
    await api.token_of(world.reader)
    await api.data("{ viewer { id } }", world.reader)  # what a process reads once
    while True:
        # The token, the organization with its spaces and their comments, members.
        with queries.at_most(5):
            data = await api.data(QUERY, world.reader, id=id, before=before)
        listed = data["organization"]["members"]
        info = listed["pageInfo"]
        assert info["hasNextPage"] is (before is not None)
        assert info["startCursor"] == listed["edges"][0]["cursor"]
        found = [one["id"] for one in listed["nodes"]] + found
        before = info["startCursor"]
        if not info["hasPreviousPage"]:
            break
    (whole,) = await members.members_of_organizations(
        context(session, world.reader), [world.organization], members.MemberArguments(first=1000)
    )
    rows: list[Member] = list(whole.rows)
    assert len(found) == len(rows) == 7
    # Newest first: the last comment is the oldest.
    assert data["organization"]["spaces"]["nodes"] == [
        {"id": space.id, "comments": {"nodes": [{"id": oldest.id}]}}
        for space, (oldest, _) in list(zip(spaces, comments, strict=True))[1:]
    ]
    for name in ("last=1", "before=x"):
        answer = await api.rest("GET", f"/orgs/{id}/members?{name}", world.reader)
        assert answer.status_code == 200
        assert len(answer.json()["items"]) == 7


ARGUMENTS = "first: $first, after: $after, last: $last, before: $before"
FOUND = "{ edges { cursor node { __typename } } pageInfo { hasNextPage hasPreviousPage } }"


async def test_lists_whose_cursors_are_places(session: Session, world: World, api: Api) -> None:
    """Hits of a search, spaces that have some, links of a change request, and backlinks."""
    space = await factories.make_space(session, world.organization)
    await session.commit()
    writer = Writer(session, space)
    names = [f"p{number}" for number in range(11)]
    everybody = "".join(f"[{name}]({PAGE}{name}) " for name in names)
    await writer.write(*(writer.page(name, f"Alpha {everybody}\n") for name in names))
    await proposal(
        session, world, writer, writer.page("p3", f"Alpha [p1]({PAGE}p1) [p4]({PAGE}p4)\n")
    )
    other = await factories.make_space(session, world.organization)
    await session.commit()
    second = Writer(session, other)
    await second.write(second.page("q", "Alpha\n"))
    of_space = f'space(id: "{space.id}")'
    fields = {
        "hits": (of_space + " { list: search(query: \"alpha\", ARGUMENTS) FOUND }", 11),
        "spaces": (
            f'space: organization(id: "{world.organization.id}") '
            '{ list: search(query: "alpha", ARGUMENTS) FOUND }', 2,
        ),
        "links": (
            of_space + ' { of: changeRequest(id: "1") { list: links(ARGUMENTS) FOUND } }', 11
        ),
        "backlinks": (
            f'space: page(spaceId: "{space.id}", id: "p1", changeRequestId: "1") '
            "{ list: backlinks(ARGUMENTS) FOUND }", 11,
        ),
    }  # fmt: skip
    dice = random.Random(11)
    for name, (field, length) in fields.items():
        query = (
            "query($first: Int, $after: String, $last: Int, $before: String) { "
            + field.replace("ARGUMENTS", ARGUMENTS).replace("FOUND", FOUND) + " }"
        )  # fmt: skip

        async def page(asked: PageArguments, query: str = query) -> Any:
            data = await api.data(
                query, world.reader, first=asked.first, after=asked.after, last=asked.last,
                before=asked.before,
            )  # fmt: skip
            found = data["space"]
            return found.get("of", found)["list"]

        whole = [one["cursor"] for one in (await page(PageArguments(first=100)))["edges"]]
        assert len(set(whole)) == length, name
        for _ in range(25):
            after, before = (
                dice.randrange(length) if dice.random() < 0.5 else None for _ in range(2)
            )
            sizes = {dice.choice(["first", "last"]): dice.choice([None, 1, 2, 5, 11, 20])}
            asked = PageArguments(
                **sizes,
                after=None if after is None else whole[after],
                before=None if before is None else whole[before],
            )
            places, following, preceding = sliced(length, asked, after, before)
            found = await page(asked)
            info = found["pageInfo"]
            assert [one["cursor"] for one in found["edges"]] == [whole[one] for one in places], (
                asked
            )
            assert (info["hasNextPage"], info["hasPreviousPage"]) == (following, preceding), asked
