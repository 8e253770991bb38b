"""Every object of the demo: `node` finds it by its id, as what it is, and no other has that id."""

from pathlib import Path
from typing import Any

from graphql import (
    GraphQLInterfaceType,
    GraphQLNamedType,
    GraphQLObjectType,
    GraphQLUnionType,
    get_named_type,
    is_abstract_type,
    is_composite_type,
    is_required_argument,
)

from db.models.organizations import User
from db.session import Database
from schema.build import build_schema
from tests.conftest import Api
from tests.docstead.test_demo import fresh_demo, person

SCHEMA = build_schema()._schema
NODE = SCHEMA.type_map["Node"]
DEPTH = 2
ITEMS, FEW = 100, 3
AT_ONCE = 3


def possible(type_: GraphQLNamedType) -> list[GraphQLObjectType]:
    if isinstance(type_, GraphQLObjectType):
        return [type_]
    assert isinstance(type_, GraphQLInterfaceType | GraphQLUnionType)
    return list(SCHEMA.get_possible_types(type_))


def is_node(type_: GraphQLNamedType) -> bool:
    return all(NODE in one.interfaces for one in possible(type_))


def selection(type_: GraphQLNamedType, depth: int) -> str:
    """Fields below an object that lead to nodes, with the types and ids of these."""
    if is_abstract_type(type_):
        parts = [
            f"... on {one.name} {{ {inner} }}"
            for one in possible(type_)
            if (inner := selection(one, depth))
        ]
        return " ".join(parts)
    assert isinstance(type_, GraphQLObjectType)
    fields = []
    for name, field in type_.fields.items():
        named = get_named_type(field.type)
        required = any(is_required_argument(one) for one in field.args.values())
        if required or not is_composite_type(named) or named.name.endswith("Edge"):
            continue
        if is_node(named):
            inner = "... on Node { __typename id }"
        elif depth == 0:
            continue
        else:
            inner = selection(named, depth - 1)
        if inner:
            items = ITEMS if depth == DEPTH else FEW
            size = f"(first: {items})" if "first" in field.args else ""
            # Of one name fields may have several types.
            fields.append(f"{type_.name}_{name}: {name}{size} {{ {inner} }}")
    return " ".join(fields)


QUERIES = {
    one.name: f"query ($ids: [ID!]!) {{ nodes(ids: $ids) {{ __typename id ... on {one.name} {{ "
    f"{selection(one, DEPTH) or 'id'} }} }} }}"
    for one in SCHEMA.get_possible_types(NODE)  # type: ignore[arg-type]
}


def nodes_in(value: Any) -> list[tuple[str, str]]:
    if isinstance(value, list):
        return [found for one in value for found in nodes_in(one)]
    if not isinstance(value, dict):
        return []
    own = [(value["id"], value["__typename"])] if "id" in value else []
    return own + [found for one in value.values() for found in nodes_in(one)]


START = """query ($id: ID!) { organization(id: $id) { spaces(first: 1) { nodes { id
  revision { landingPage { pageId } }
  changeRequests(first: 1, status: [DRAFT, OPEN]) { nodes { id } } } } } }"""
TITLE = """mutation ($space: ID!, $page: ID!, $request: ID) {
  updatePage(spaceId: $space, changeRequestId: $request, input: {page: $page, title: "New"}) {
    changed } }"""


async def edit(api: Api, by: User, organization: str) -> None:
    """Edit a page in a change request and in primary content, so that there are old revisions."""
    data = await api.data(START, by, id=organization)
    (space,) = data["organization"]["spaces"]["nodes"]
    (request,) = space["changeRequests"]["nodes"]
    page = space["revision"]["landingPage"]["pageId"]
    for named in (request["id"], None):
        data = await api.data(TITLE, by, space=space["id"], page=page, request=named)
        assert data["updatePage"]["changed"]


async def test_every_object_is_found_by_its_id(
    database: Database, api: Api, tmp_path: Path
) -> None:
    made = await fresh_demo(database, tmp_path / "data")
    ada = await person(database, "ada")
    await edit(api, ada, made["organization"]["id"])
    types: dict[str, str] = {}
    waiting: dict[str, list[str]] = {"Organization": [made["organization"]["id"]]}
    types[made["organization"]["id"]] = "Organization"
    while waiting:
        name, ids = waiting.popitem()
        for start in range(0, len(ids), AT_ONCE):
            some = ids[start : start + AT_ONCE]
            data = await api.data(QUERIES[name], ada, ids=some)
            assert None not in data["nodes"], (name, some)
            assert [(one["id"], one["__typename"]) for one in data["nodes"]] == [
                (id, name) for id in some
            ]
            for id, type_ in nodes_in(data):
                if id not in types:
                    types[id] = type_
                    waiting.setdefault(type_, []).append(id)
                assert types[id] == type_
    counts = {name: list(types.values()).count(name) for name in set(types.values())}
    assert counts["Organization"] == 1
    for name in ("DocumentPage", "File", "Revision", "ChangeRequest", "Comment", "Member"):
        assert counts[name] > 1, counts
    # Drafts and old revisions were walked through, too.
    assert sum("~" in id for id, name in types.items() if name == "DocumentPage") > 10
