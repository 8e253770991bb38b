"""Every list of the schema is sorted by `orderBy`, or docs/graphql.md says why it is not."""

import re
from pathlib import Path

from graphql import (
    GraphQLEnumType,
    GraphQLInputObjectType,
    GraphQLNonNull,
    GraphQLObjectType,
    get_named_type,
)

from db.session import Session
from schema.build import build_schema
from tests import factories
from tests.conftest import Api, Queries, World, settle
from tests.seeds import sow

SCHEMA = build_schema()._schema
PAGE = Path(__file__).parents[2] / "docs" / "graphql.md"
# The types that implement `Page` have its lists.
PAGES = {"DocumentPage", "GroupPage", "LinkPage", "ComputedPage"}
CONTENT = {"Page", "File", "Space", "ChangeRequest"}


def lists() -> dict[tuple[str, str], list[str] | None]:
    """Type and field of each list of the schema, with the fields that it can be sorted by."""
    found: dict[tuple[str, str], list[str] | None] = {}
    for name, type_ in SCHEMA.type_map.items():
        if not isinstance(type_, GraphQLObjectType):
            continue
        for field_name, field in type_.fields.items():
            if not get_named_type(field.type).name.endswith("Connection"):
                continue
            key = ("Page" if name in PAGES else name, field_name)
            found[key] = None
            if "orderBy" in field.args:
                order = field.args["orderBy"].type
                assert isinstance(order, GraphQLInputObjectType), key
                assert order.fields.keys() == {"field", "direction"}
                assert order.fields["direction"].default_value is not None
                of = order.fields["field"].type
                assert isinstance(of, GraphQLNonNull)
                assert isinstance(of.of_type, GraphQLEnumType)
                assert of.of_type.name == f"{order.name}Field"
                assert all(value.description for value in of.of_type.values.values())
                found[key] = list(of.of_type.values)
    return found


def documented() -> list[dict[tuple[str, str], str]]:
    """The tables of lists with `orderBy` and of those without, by type and field."""
    section = PAGE.read_text().partition("### Sorting\n")[2].partition("\n## ")[0]
    tables: list[dict[tuple[str, str], str]] = []
    for line in section.splitlines():
        if line.startswith("| List"):
            tables.append({})
        elif line.startswith("| `"):
            names, types, rest = (part.strip() for part in line.strip("|").split("|"))
            of = CONTENT if types == "all content" else set(re.findall(r"`(\w+)`", types))
            for name in re.findall(r"`(\w+)`", names):
                tables[-1] |= {(type_, name): rest for type_ in of}
    return tables


def test_every_list_is_documented() -> None:
    found = lists()
    # Links lead from pages, spaces and change requests, and to pages and files. Rows of a table
    # name several lists and several types, of which not each type has each list.
    sorted_lists, others = documented()
    for key, fields in found.items():
        if fields is None:
            assert others[key], key
        else:
            assert re.findall(r"`(\w+)`", sorted_lists[key]) == fields, key
    assert sorted_lists.keys() == {key for key, fields in found.items() if fields is not None}
    assert {name for _, name in others} == {
        name for (_, name), fields in found.items() if fields is None
    }


QUERY = """query ($organization: ID!) { organization(id: $organization) {
  members(orderBy: {field: NAME}) { nodes { user { displayName } } }
  spaces(orderBy: {field: TITLE, direction: DESC}) { nodes {
    title
    changeRequests(first: 5, orderBy: {field: SUBJECT}) { nodes {
      subject
      comments(first: 5, orderBy: {field: EDITED_AT}) { nodes { postedAt editedAt } }
    } }
    comments(first: 5, orderBy: {field: POSTED_AT}) { nodes { postedAt editedAt } }
    sites(first: 5, orderBy: {field: TITLE}) { nodes {
      title shareLinks(first: 5, orderBy: {field: NAME, direction: DESC}) { nodes { name } }
    } }
  } }
} }"""


async def test_sorted_lists_run_as_many_statements_for_any_number_of_parents(
    session: Session, world: World, api: Api, queries: Queries
) -> None:
    """Nested ones are in their order, too, whether they are read with their parents or not."""
    await session.commit()
    await api.token_of(world.reader)
    counts = []
    made = 0
    for spaces in (1, 12, 50):
        await session.begin_write()
        while made < spaces:
            space = await factories.make_space(
                session, world.organization, title=f"{'s' if made % 2 else 'S'}pace {made % 7}"
            )
            site = await factories.make_site(
                session, world.organization, space, title="bA"[made % 2]
            )
            for number in range(3):
                request = await factories.make_change_request(
                    session, space, world.editor, subject=["c", "B", "a"][number]
                )
                await factories.make_comment(session, space, world.editor, request)
                await factories.make_comment(session, space, world.editor)
                await factories.make_share_link(session, site, name=["y", "Z", "x"][number])
            made += 1
        await session.commit()
        for _ in range(3):
            with queries.at_most(20):
                data = await api.data(QUERY, world.reader, organization=world.organization.id)
        counts.append(len(queries.statements))
        found = data["organization"]
        people = [one["user"]["displayName"] for one in found["members"]["nodes"]]
        assert people == sorted(people)
        titles = [one["title"].lower() for one in found["spaces"]["nodes"]]
        assert titles == sorted(titles, reverse=True)
        for node in found["spaces"]["nodes"]:
            subjects = [one["subject"] for one in node["changeRequests"]["nodes"]]
            assert subjects == ["a", "B", "c"]
            posted = [one["postedAt"] for one in node["comments"]["nodes"]]
            assert posted == sorted(posted)
            assert len(posted) == 3
            for site_node in node["sites"]["nodes"]:
                links = [one["name"] for one in site_node["shareLinks"]["nodes"]]
                assert links == ["Z", "y", "x"]
    assert counts[1] == counts[2], counts
    assert counts[0] <= counts[1]


async def test_lists_of_content(session: Session, world: World, api: Api) -> None:
    """All pages, files and reusable contents, which are read whole; from both ends."""
    seed = await sow(session, world)
    query = """query ($space: ID!, $order: PageOrder, $after: String, $before: String, $last: Int,
      $first: Int) { space(id: $space) { revision {
        allPages(orderBy: $order, after: $after, before: $before, first: $first, last: $last) {
          nodes { pageId title path createdAt updatedAt }
          pageInfo { hasNextPage hasPreviousPage startCursor endCursor } totalCount }
        files(orderBy: {field: SIZE, direction: DESC}) { nodes { name size } }
        byName: files(orderBy: {field: NAME}) { nodes { name } }
        reusableContents(orderBy: {field: TITLE}) { nodes { title } } } } }"""

    async def pages(**variables: object) -> dict[str, list[dict[str, str]]]:
        data = await api.data(query, world.reader, space=seed.space.id, **variables)
        revision = data["space"]["revision"]
        sizes = [one["size"] for one in revision["files"]["nodes"]]
        assert sizes == sorted(sizes, reverse=True)
        names = [one["name"].lower() for one in revision["byName"]["nodes"]]
        assert names == sorted(names)
        assert len(names) > 1
        found: dict[str, list[dict[str, str]]] = revision["allPages"]
        return found

    whole = (await pages())["nodes"]
    for field, key in (("TITLE", "title"), ("PATH", "path"), ("CREATED_AT", "createdAt"),
                       ("UPDATED_AT", "updatedAt")):  # fmt: skip
        wanted = sorted(
            whole, key=lambda page: ((page[key] or "").lower().split("/"), page["pageId"])
        )
        up, down = ({"field": field, "direction": way} for way in ("ASC", "DESC"))
        assert (await pages(order=up))["nodes"] == wanted
        assert (await pages(order=down))["nodes"] == wanted[::-1]
        first = await pages(order=up, first=2)
        after = first["pageInfo"]["endCursor"]  # type: ignore[call-overload]
        assert (await pages(order=up, after=after))["nodes"] == wanted[2:]
        last = await pages(order=down, last=2)
        before = last["pageInfo"]["startCursor"]  # type: ignore[call-overload]
        assert (await pages(order=down, before=before))["nodes"] == wanted[:1:-1]
        for other in (None, down):
            answer = await api.graphql(
                query, world.reader, space=seed.space.id, order=other, after=after
            )
            assert answer["errors"][0]["extensions"]["code"] == "BAD_REQUEST"
            assert "with the same filters and order" in answer["errors"][0]["message"]


async def test_wrong_orders_are_refused(session: Session, world: World, api: Api) -> None:
    await settle(session)
    query = "query ($id: ID!) { organization(id: $id) { members(ORDER) { nodes { id } } } }"
    for order, code, words in (
        ("orderBy: {field: SIZE}", "GRAPHQL_VALIDATION_FAILED", "SIZE"),
        ("orderBy: {direction: ASC}", "GRAPHQL_VALIDATION_FAILED", "field"),
        ("orderBy: {field: NAME, direction: null}", "GRAPHQL_VALIDATION_FAILED", "null"),
        ("orderBy: {field: NAME}, sort: JOINED_AT", "INVALID", "orderBy: is not allowed"),
        ("orderBy: {field: NAME}, order: DESC", "INVALID", "orderBy: is not allowed"),
    ):
        answer = await api.graphql(
            query.replace("ORDER", order), world.reader, id=world.organization.id
        )
        assert words in answer["errors"][0]["message"], answer
        assert answer["errors"][0]["extensions"]["code"] == code, answer


async def test_v1_has_no_other_orders(session: Session, world: World, api: Api) -> None:
    """The argument is unknown there, as any other."""
    await settle(session)
    for path in ("members", "spaces"):
        listed = f"/orgs/{world.organization.id}/{path}"
        plain = await api.rest("GET", listed, world.reader)
        same = await api.rest("GET", f"{listed}?orderBy=name", world.reader)
        assert (same.status_code, same.json()) == (plain.status_code, plain.json())
