"""Rows that are read with what is below them: how many statements that takes, and what is seen."""

import gc
from typing import Any

import pytest
from graphql import GraphQLObjectType
from sqlalchemy import select

from db.models.organizations import User
from db.models.sites import Site
from db.models.spaces import Space
from db.prepared import Prepared
from db.session import Session
from resolvers.core import nesting
from resolvers.core.batch_functions import BatchCall, Projection, only
from resolvers.core.installation import Settings
from resolvers.core.pagination import PageArguments
from resolvers.core.statements import ACTOR_ID, PERSON, ViewerKind
from resolvers.lists.batches import ID, by_key
from resolvers.lists.listings import Listing
from resolvers.sites.mcp_servers import mcp_servers_of_sites
from resolvers.sites.sections import sections_of_sites
from resolvers.sites.share_links import share_links_of_sites
from schema.build import build_schema
from schema.engine.plan import FieldLookahead
from schema.engine.sources import Batch
from schema.sources import sources_of
from tests import factories
from tests.conftest import Api, Queries, World
from tests.resolvers.core.test_one_statement import watched
from tests.seeds import sow

NESTED = """query ($id: ID!, $requests: Int, $comments: Int) { space(id: $id) { id title
  changeRequests(first: $requests) { nodes { id subject comments(first: $comments) {
    nodes { id body { markdown } postedBy { id displayName } } pageInfo { hasNextPage } } } } } }"""
FILTERED = """query ($id: ID!, $status: [ChangeRequestStatus!]) { space(id: $id) { id
  a: changeRequests(first: 9, status: $status) { nodes { id status } }
  b: changeRequests(first: 9, status: [DRAFT]) { nodes { id status createdBy { id } } }
  c: changeRequests(first: 9, status: [DRAFT]) { nodes { id subject } } } }"""
LISTED = """query ($id: ID!) { organization(id: $id) { title
  spaces(first: 3) { nodes { id changeRequests(first: 3) { nodes { id number } } } } } }"""


async def asked_twice(
    api: Api, queries: Queries, text: str, person: Any, again: int, **given: Any
) -> Any:
    """The same answer twice; `again` statements for the second one, the token's among them."""
    first = await api.data(text, person, **given)
    with queries(again):
        second = await api.data(text, person, **given)
    assert second == first
    return second


async def test_several_levels_are_one_statement(
    session: Session, world: World, api: Api, queries: Queries
) -> None:
    seed = await sow(session, world)
    await session.close()
    given = {"id": seed.space.id, "requests": 3, "comments": 2}
    data = await asked_twice(api, queries, NESTED, world.reader, 2, **given)
    (request, *_) = data["space"]["changeRequests"]["nodes"]
    assert request["comments"]["nodes"][0]["postedBy"]["displayName"]


async def test_a_new_document_uses_the_statement_of_another_with_its_shape(
    session: Session, world: World, api: Api, queries: Queries
) -> None:
    seed = await sow(session, world)
    await session.close()
    given = {"id": seed.space.id, "requests": 3, "comments": 2}
    for person in (world.reader, world.editor):
        await api.data("{ __typename }", person)
    with queries(5):
        # Nobody has asked like that before, so no statement is written for it.
        data = await api.data(NESTED, world.reader, **given)
    assert await api.data(NESTED, world.reader, **given) == data
    renamed = NESTED.replace("id title", "id name: title")
    with queries(2):
        other = await api.data(renamed, world.editor, **given)
    data["space"]["name"] = data["space"].pop("title")
    assert other == data


async def test_more_rows_than_allowed_are_read_level_by_level(
    session: Session, world: World, api: Api, queries: Queries, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(nesting, "LIMITS", {"sqlite": 2, "postgresql": 2})
    seed = await sow(session, world)
    await session.close()
    given = {"id": seed.space.id, "requests": 3, "comments": 2}
    await asked_twice(api, queries, NESTED, world.reader, 5, **given)


async def test_filters_of_several_lists_stay_apart(
    session: Session, world: World, api: Api, queries: Queries
) -> None:
    seed = await sow(session, world)
    for number in range(6):
        status = "draft" if number % 2 else "open"
        await factories.make_change_request(session, seed.space, world.reader, status=status)
    await session.commit()
    await session.close()
    for status in (["OPEN"], ["DRAFT", "OPEN"]):
        data = await asked_twice(
            api, queries, FILTERED, world.reader, 2, id=seed.space.id, status=status
        )
        found = data["space"]
        assert {one["status"] for one in found["a"]["nodes"]} == set(status)
        assert {one["status"] for one in found["b"]["nodes"]} == {"DRAFT"}
        assert [one["id"] for one in found["b"]["nodes"]] == [
            one["id"] for one in found["c"]["nodes"]
        ]


async def test_each_person_sees_their_own(
    session: Session, world: World, api: Api, queries: Queries
) -> None:
    seed = await sow(session, world)
    await session.close()
    seen = {}
    for name, person in world.people().items():
        answer = await api.graphql(LISTED, person, id=world.organization.id)
        assert await api.graphql(LISTED, person, id=world.organization.id) == answer
        found = answer["data"]["organization"]
        nodes = found["spaces"]["nodes"] if found else []
        seen[name] = {one["id"] for one in nodes}
    assert seed.space.id in seen["admin"]
    assert not seen["outsider"]


async def test_a_write_does_not_leave_what_was_read_before(
    session: Session, world: World, api: Api
) -> None:
    seed = await sow(session, world)
    await session.close()
    text = """mutation ($id: ID!, $a: String!, $b: String!) {
      a: createChangeRequest(spaceId: $id, input: { subject: $a }) { ...all }
      b: createChangeRequest(spaceId: $id, input: { subject: $b }) { ...all } }
      fragment all on ChangeRequest { subject space { changeRequests(first: 1) {
        nodes { subject } } } }"""
    for round in range(2):
        names = {"a": f"first {round}", "b": f"second {round}"}
        data = await api.data(text, world.admin, id=seed.space.id, **names)
        for key, subject in names.items():
            (newest,) = data[key]["space"]["changeRequests"]["nodes"]
            assert newest["subject"] == subject


@pytest.mark.parametrize("dialect", ["sqlite", "postgresql"])
def test_no_nested_list_needs_parameters_that_it_does_not_give(dialect: str) -> None:
    """A list whose statement asks for all parents at once has to say so (`by_itself`)."""
    schema = build_schema()
    source_of = sources_of(schema)
    nested = set()
    for type_ in schema._schema.type_map.values():
        fields = type_.fields if isinstance(type_, GraphQLObjectType) else {}
        for name, field in fields.items():
            source = source_of(type_, name, field)
            if not (isinstance(source, Batch) and source.prefetchable):
                continue
            if not isinstance(source.call, Listing) or source.call.key != "id":
                continue
            model = source.call._follows or (Space if source.call.model is User else User)
            if model is source.call.model:
                continue
            arguments = source.arguments({}) if source.arguments else None
            call = BatchCall(source.call, arguments, only())
            found = nesting.nesting(Settings(), dialect, model, Projection(ID, calls=(call,)))
            assert found.nests, name
            assert found.whole
            outer = nesting.OuterRow(model, model.__table__, model)
            columns = nesting.nested_columns(ViewerKind(PERSON, dialect), outer, found.nests)
            Prepared(select(model.id, *columns), dialect).parameters(
                {**found.values, ACTOR_ID: "anybody"}
            )
            nested.add(source.call.__name__)
    assert len(nested) > 8, nested


def test_a_plan_is_made_once_for_one_way_to_ask() -> None:
    relation = by_key(User, "created_by_id")
    projection = Projection(ID, calls=(BatchCall(relation, None, only("id")),))
    first = nesting.nesting(Settings(), "sqlite", Space, projection)
    assert first.nests
    assert first.whole
    assert nesting.nesting(Settings(), "sqlite", Space, projection) is first


@pytest.mark.parametrize("wide", [20, 97])
async def test_what_is_too_much_for_one_statement_is_read_apart(
    session: Session, world: World, api: Api, wide: int
) -> None:
    seed = await sow(session, world)
    await session.close()
    people = " ".join(f"u{number}: createdBy {{ id }}" for number in range(wide))
    text = f"""query ($id: ID!) {{ space(id: $id) {{ changeRequests(first: 1) {{ nodes {{
      id number subject status createdAt updatedAt {people} }} }} }} }}"""
    first = await api.data(text, world.reader, id=seed.space.id)
    assert await api.data(text, world.reader, id=seed.space.id) == first
    (found,) = first["space"]["changeRequests"]["nodes"]
    assert found["u19"] == {"id": seed.change_request.created_by_id}


BELOW_ONE = """query ($space: ID!, $id: ID!) { changeRequest(spaceId: $space, id: $id) { status
  space { changeRequests(first: 50) { nodes { id status } } } } }"""


async def test_a_list_below_a_relation_to_one_is_no_part_of_its_statement(
    session: Session, world: World, api: Api, monkeypatch: pytest.MonkeyPatch
) -> None:
    """So both have to see one snapshot."""
    seed = await sow(session, world)
    await session.close()
    given = {"space": seed.space.id, "id": seed.change_request.id}
    for _ in range(2):
        seen = watched(api, monkeypatch)
        assert (await api.data(BELOW_ONE, world.reader, **given))["changeRequest"]["space"]
        monkeypatch.undo()
        # The first one is the token's.
        assert seen[0]
        assert len(seen) > 2
        assert not any(seen[1:])


async def test_long_values_are_not_kept(session: Session, world: World, api: Api) -> None:
    await sow(session, world)
    await session.close()
    text = """query ($id: ID!, $title: String) { organization(id: $id) {
      spaces(first: 2, title: $title) { nodes { id } } } }"""
    title = "never kept " * 4_000
    for _ in range(3):
        await api.graphql(text, world.outsider, id="unknown", title=title)
    gc.collect()
    lookaheads = [item for item in gc.get_objects() if isinstance(item, FieldLookahead)]
    assert not any(title in key for lookahead in lookaheads for key in lookahead.cached)


@pytest.mark.parametrize(
    ("listing", "parent", "arguments"),
    [
        (share_links_of_sites, Site, PageArguments()),
        (sections_of_sites, Site, PageArguments()),
        (mcp_servers_of_sites, Site, PageArguments()),
    ],
)
def test_a_policy_that_joins_the_table_of_the_parents_is_not_nested(
    listing: Any, parent: Any, arguments: Any
) -> None:
    """In the nested statement the table's name would stand for any row that the policy finds."""
    call = BatchCall(listing, arguments, only("id"))
    assert listing.plan_prefetch(Settings(), parent, call, single=True) is None
