"""Typed fields beside JSON: pages, changes, conflicts, settings; and that unions fit together."""

import math
from dataclasses import asdict
from typing import Any

import pytest
from graphql import (
    GraphQLInterfaceType,
    GraphQLObjectType,
    GraphQLUnionType,
    get_named_type,
    is_composite_type,
)
from hypothesis import given, strategies as st
from sqlalchemy import select

from content.merge.conflict import Cell, ConflictKind, make_conflict
from db.content_enums import ConflictKind as StoredKind
from db.models.merging import MergeConflict
from db.models.sites import SiteSpace
from db.session import Session
from resolvers.core.context import Context
from resolvers.core.runners import run
from resolvers.core.scalars import JsonObject
from resolvers.drafts.operation_inputs import SetVariablesInput
from resolvers.merging.conflict_lists import shown, typed_side
from resolvers.revisions.typed_references import Origin
from resolvers.revisions.typed_values import (
    PageCover,
    TypedValue,
    typed_cover,
    typed_merge_rules,
    typed_source,
    typed_value,
    typed_variables,
)
from resolvers.revisions.write_targets import open_target
from resolvers.writing.operations import Step, apply_steps
from schema.build import build_schema
from tests import factories
from tests.conftest import Api, Queries, World, context
from tests.merging import edit, filled_space, with_request
from tests.resolvers.revisions.test_typed_references import filled

VALUE = """
  ... on TextValue { text } ... on NumberValue { number }
  ... on BooleanValue { boolean } ... on OtherValue { json }
"""
REFERENCE = """{
  __typename ... on UrlReference { url } ... on FileReference { fileId file { name } }
}"""
COVER = f"{{ ref {REFERENCE} refDark {REFERENCE} yPos }}"


async def test_pages_have_typed_covers_and_variables(
    api: Api, world: World, session: Session
) -> None:
    space = await filled(session, world, [])
    answer = await api.rest("GET", f"/spaces/{space.id}/content/page/there", world.reader)
    assert answer.json()["cover"] == {"ref": {"kind": "file", "file": "pic"}, "yPos": 12}
    query = f"""query ($space: ID!) {{ page(spaceId: $space, id: "there") {{
      ... on DocumentPage {{ cover typedCover {COVER} typedVariables {{ name }} }} }} }}"""
    page = (await api.data(query, world.reader, space=space.id))["page"]
    assert page["typedCover"] == {
        "ref": {"__typename": "FileReference", "fileId": "pic", "file": {"name": "pic.png"}},
        "refDark": None,
        "yPos": 12,
    }
    assert page["typedVariables"] == []


async def test_variables_are_lists_of_values_with_types(
    api: Api, world: World, session: Session
) -> None:
    space = await filled_space(session, world, 1)
    stored = {"b": "text", "a": True, "c": 1.5, "d": [1], "e": {"x": None}, "f": 2**60, "g": None}
    before = await edit(session, world.creator, space, p0={"variables": {"b": "old", "z": 1}})
    after = await edit(session, world.creator, space, p0={"variables": stored})
    query = f"""query ($space: ID!, $id: ID!, $since: ID) {{
      page(spaceId: $space, id: "p0") {{
        ... on DocumentPage {{ typedVariables {{ name value {{ __typename {VALUE} }} }} }} }}
      revisionChanges(spaceId: $space, id: $id, since: $since) {{ changes {{
        ... on PageChange {{ attributes {{ variables {{ before after }}
          typedVariables {{ name before {{ {VALUE} }} after {{ {VALUE} }} }} }} }} }} }}
    }}"""
    data = await api.data(query, world.reader, space=space.id, id=after.id, since=before.id)
    assert {one["name"]: one["value"] for one in data["page"]["typedVariables"]} == {
        "a": {"__typename": "BooleanValue", "boolean": True},
        "b": {"__typename": "TextValue", "text": "text"},
        "c": {"__typename": "NumberValue", "number": 1.5},
        "d": {"__typename": "OtherValue", "json": [1]},
        "e": {"__typename": "OtherValue", "json": {"x": None}},
        "f": {"__typename": "NumberValue", "number": float(2**60)},
        "g": None,
    }
    (change,) = data["revisionChanges"]["changes"]
    changed = {one.pop("name"): one for one in change["attributes"]["typedVariables"]}
    assert changed["b"] == {"before": {"text": "old"}, "after": {"text": "text"}}
    assert changed["z"] == {"before": {"number": 1}, "after": None}
    assert changed["a"] == {"before": None, "after": {"boolean": True}}


async def test_changes_of_pages_have_types(api: Api, world: World, session: Session) -> None:
    space = await filled(session, world, [{"kind": "file", "file": "pic"}])
    space_row = await session.get_one(type(space), space.id)
    first = space_row.revision_id
    changes = {
        "l0": {"target": {"kind": "url", "url": "https://example.com"}},
        "there": {
            "cover": {"ref": {"kind": "url", "url": "https://example.com/a.png"}, "yPos": 0},
            "layout": {"outline": False},
        },
    }
    after = await edit(session, world.reviewer, space, **changes)
    query = f"""query ($space: ID!, $id: ID!, $since: ID) {{
      revisionChanges(spaceId: $space, id: $id, since: $since) {{ changes {{
        ... on PageChange {{ page {{ pageId }} attributes {{
          cover {{ before }} typedCover {{ before {COVER} after {COVER} }}
          typedLayout {{ before {{ outline }} after {{ outline cover }} }}
          typedTarget {{ before {REFERENCE} after {REFERENCE} }}
          typedComputed {{ before {{ type }} }} typedVariables {{ name }}
        }} }} }} }}
    }}"""
    data = await api.data(query, world.reader, space=space.id, id=after.id, since=first)
    found = {one["page"]["pageId"]: one["attributes"] for one in data["revisionChanges"]["changes"]}
    pic = {"__typename": "FileReference", "fileId": "pic", "file": {"name": "pic.png"}}
    url = {"__typename": "UrlReference", "url": "https://example.com"}
    assert found["l0"]["typedTarget"] == {"before": pic, "after": url}
    assert found["l0"]["typedCover"] is None
    there = found["there"]
    assert there["typedCover"]["before"] == {"ref": pic, "refDark": None, "yPos": 12}
    assert there["typedCover"]["after"]["ref"]["url"] == "https://example.com/a.png"
    assert there["typedLayout"] == {
        "before": {"outline": True}, "after": {"outline": False, "cover": True}
    }  # fmt: skip
    assert (there["typedTarget"], there["typedComputed"], there["typedVariables"]) == (None,) * 3


async def test_variables_of_spaces_and_their_changes(
    api: Api, world: World, session: Session
) -> None:
    space = await filled_space(session, world, 1)

    async def set_variables(ctx: Context) -> Any:
        target = await open_target(ctx, space.id)
        given = SetVariablesInput(set=JsonObject({"edition": "pro", "year": 2026}))
        return await apply_steps(ctx, target, [Step("set_variables", given, "input")])

    await run(context(session, world.creator), set_variables)
    query = f"""query ($space: ID!) {{ revision(spaceId: $space) {{
      variables typedVariables {{ name value {{ {VALUE} }} }}
      changes {{ changes {{ ... on VariablesChange {{
        variables typedVariables {{ name before {{ {VALUE} }} after {{ {VALUE} }} }} }} }} }}
    }} }}"""
    found = (await api.data(query, world.reader, space=space.id))["revision"]
    assert found["typedVariables"] == [
        {"name": "edition", "value": {"text": "pro"}},
        {"name": "year", "value": {"number": 2026}},
    ]
    (change,) = found["changes"]["changes"]
    assert change["typedVariables"] == [
        {"name": one["name"], "before": None, "after": one["value"]}
        for one in found["typedVariables"]
    ]


async def test_settings_have_types(api: Api, world: World, session: Session) -> None:
    space = await factories.make_space(session, world.organization)
    stranger = await factories.make_user(session, "Stranger")
    space.merge_rules = {
        "type": "rules",
        "rules": [
            {"rule": "require_specific_reviewers",
             "users": [world.editor.id, stranger.id, "service:agent", "\x00"]},
            {"rule": "custom", "expression": "true"},
        ],
    }  # fmt: skip
    site = await factories.make_site(session, world.organization, space)
    server = await factories.make_site_mcp_server(session, site, headers={"B": "2", "A": "1"})
    await factories.make_site_customization(
        session,
        site,
        settings={
            "header": {
                "links": [
                    {"title": "Menu", "links": [
                        {"title": "Page", "to": {"kind": "page", "page": "x", "space": space.id}}]},
                    {"title": "Out", "to": {"kind": "url", "url": "https://example.com"}},
                ]
            }
        },
    )  # fmt: skip
    await session.commit()
    placed = (await session.execute(select(SiteSpace))).scalars().one()
    await session.commit()
    query = """query ($space: ID!, $site: ID!, $server: ID!, $placed: ID!) {
      space(id: $space) { typedMergeRules {
        type rules { rule userIds users { displayName } expression } } }
      site(id: $site) { organization { typedMergeRules { type rules { rule } } } }
      server: node(id: $server) { ... on SiteMcpServer { headers typedHeaders { name value } } }
      look: siteCustomization(siteId: $site) { header { links { to typedTo {
        ... on UrlReference { url } } links { typedTo {
          ... on PageReference { pageId spaceId page { title } space { title } } } } } } }
      node(id: $placed) { __typename }
    }"""
    ids = {"space": space.id, "site": site.id, "server": server.id, "placed": placed.id}
    found = await api.data(query, world.reader, **ids)
    assert found["space"]["typedMergeRules"] == {
        "type": "rules",
        "rules": [
            {"rule": "require_specific_reviewers", "expression": None,
             "userIds": [world.editor.id, stranger.id, "service:agent", "\x00"],
             "users": [{"displayName": "Editor"}]},
            {"rule": "custom", "userIds": [], "users": [], "expression": "true"},
        ],
    }  # fmt: skip
    rules = {"typedMergeRules": {"type": "none", "rules": []}}
    assert found["site"]["organization"] == rules
    # Headers hold secrets.
    assert found["server"] == {"headers": {}, "typedHeaders": []}
    menu, out = found["look"]["header"]["links"]
    assert menu["typedTo"] is None
    assert menu["links"][0]["typedTo"] == {
        "pageId": "x", "spaceId": space.id, "page": None, "space": {"title": space.title}
    }  # fmt: skip
    assert out["typedTo"] == {"url": "https://example.com"}
    found = await api.data(query, world.creator, **ids)
    assert sorted(one["name"] for one in found["server"]["typedHeaders"]) == ["A", "B"]


async def test_links_have_typed_references(api: Api, world: World, session: Session) -> None:
    space = await filled(session, world, [])
    # A change request reads its links from its content.
    await session.begin_write()
    request = await factories.make_change_request(session, space, world.editor)
    await session.commit()
    await edit(session, world.editor, space, request, there={"title": "Now"})
    query = """query ($space: ID!, $id: ID!) { changeRequest(spaceId: $space, id: $id) { links {
      nodes { reference typedReference { __typename ... on FileReference { fileId file {
        name } } } } } } }"""
    data = await api.data(query, world.reader, space=space.id, id=request.id)
    expected = {
        "reference": {"kind": "file", "file": "pic"},
        "typedReference": {
            "__typename": "FileReference", "fileId": "pic", "file": {"name": "pic.png"}
        },
    }  # fmt: skip
    assert expected in data["changeRequest"]["links"]["nodes"]


# ------------------------------------------------------------------ conflicts

NODE = {"object": "block", "type": "paragraph", "nodes": [], "data": {}}
SIDES: list[tuple[ConflictKind, dict[str, Any], Any, dict[str, Any]]] = [
    (ConflictKind.BLOCK, {"block": "b"}, NODE, {"__typename": "ConflictNode", "node": NODE}),
    (ConflictKind.CELL, {"cell": Cell("r", "d")}, [NODE],
     {"__typename": "ConflictNodes", "nodes": [NODE]}),
    (ConflictKind.CELL, {"cell": Cell("r", "d")}, ["a"],
     {"__typename": "OtherValue", "json": ["a"]}),
    (ConflictKind.CELL, {"cell": Cell("r", "d")}, 3, {"__typename": "NumberValue", "number": 3}),
    (ConflictKind.FIELD, {"field": "title"}, "T", {"__typename": "TextValue", "text": "T"}),
    (ConflictKind.FIELD, {"field": "hidden"}, True,
     {"__typename": "BooleanValue", "boolean": True}),
    (ConflictKind.FIELD, {"field": "target"}, {"kind": "page", "page": "p0"},
     {"__typename": "ConflictReference", "reference": {"pageId": "p0", "page": {"pageId": "p0"}}}),
    (ConflictKind.FIELD, {"field": "cover"}, {"yPos": 3},
     {"__typename": "ConflictCover", "cover": {"yPos": 3, "ref": None}}),
    (ConflictKind.FIELD, {"field": "layout"}, {"outline": {"visible": False}, "width": 7},
     {"__typename": "ConflictLayout", "layout": {"outline": False, "width": "default"}}),
    (ConflictKind.FIELD, {"field": "computed"},
     {"type": "builtin:x", "props": {"a": 1}, "dependencies": {"s": {"ref": {"kind": "space"}}}},
     {"__typename": "ConflictSource", "computed": {
         "type": "builtin:x", "props": {"a": 1},
         "dependencies": [{"name": "s", "reference": {"__typename": "OtherReference"}}]}}),
    (ConflictKind.PAGE_MOVED_TWICE, {}, {"parent": "p0", "order": "a"},
     {"__typename": "ConflictPlace", "parentPageId": "p0"}),
    (ConflictKind.PAGE_CYCLE, {}, {"parent": None, "order": "a"},
     {"__typename": "ConflictPlace", "parentPageId": None}),
    (ConflictKind.PAGE_DELETED_EDITED, {}, {"title": "T", "slug": 5, "order": "a"},
     {"__typename": "ConflictPage", "title": "T", "slug": None}),
    (ConflictKind.FILE, {}, {"name": "a.png", "type": "image/png", "size": 2**40},
     {"__typename": "ConflictFile", "name": "a.png", "contentType": "image/png", "size": None}),
    (ConflictKind.REUSABLE_CONTENT, {}, {"title": "T", "document_id": "d"},
     {"__typename": "ConflictReusableContent", "title": "T", "documentId": "d"}),
    (ConflictKind.VARIABLE, {"field": "v"}, {"a": 1},
     {"__typename": "OtherValue", "json": {"a": 1}}),
]  # fmt: skip
SIDE = f"""{{ __typename {VALUE}
  ... on ConflictNode {{ node }} ... on ConflictNodes {{ nodes }}
  ... on ConflictPlace {{ parentPageId }} ... on ConflictPage {{ title slug }}
  ... on ConflictFile {{ name contentType size }}
  ... on ConflictReusableContent {{ title documentId }}
  ... on ConflictReference {{ reference {{ ... on PageReference {{ pageId page {{ pageId }} }} }} }}
  ... on ConflictCover {{ cover {{ yPos ref {{ __typename }} }} }}
  ... on ConflictLayout {{ layout {{ outline width }} }}
  ... on ConflictSource {{ computed {{ type props dependencies {{
      name reference {{ __typename }} }} }} }}
}}"""
CONFLICTS = f"""query ($space: ID!, $id: ID!) {{ changeRequest(spaceId: $space, id: $id) {{
  conflicts(first: 100) {{ nodes {{ base
    typedBase {SIDE} typedOurs {SIDE} typedTheirs {SIDE} }} }} }} }}"""


async def test_sides_of_conflicts_have_types(
    api: Api, world: World, session: Session, queries: Queries
) -> None:
    space, request = await with_request(session, world, 1)
    counts = []
    for turn in range(2):
        await session.begin_write()
        for kind, more, value, _ in SIDES:
            place = {"page": f"p{turn}"} if kind is not ConflictKind.VARIABLE else {}
            conflict = make_conflict(kind, **place, **more, base=value, ours=value, theirs=None)
            if not turn or kind is ConflictKind.FIELD:
                await factories.make_conflict(session, request, conflict)
        await session.commit()
        await api.data(CONFLICTS, world.reader, space=space.id, id=request.id)
        queries.statements.clear()
        data = await api.data(CONFLICTS, world.reader, space=space.id, id=request.id)
        counts.append(len(queries.statements))
    found = data["changeRequest"]["conflicts"]["nodes"][: len(SIDES)]
    for one, (_, _, _, expected) in zip(found, SIDES, strict=True):
        assert (one["typedBase"], one["typedOurs"], one["typedTheirs"]) == (
            expected, expected, None
        )  # fmt: skip
    assert counts[0] == counts[1]


_JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text(max_size=4),
    lambda inner: (
        st.lists(inner, max_size=2)
        | st.dictionaries(
            st.sampled_from(["kind", "ref", "type", "parent", "size", "props"]), inner
        )
    ),
    max_leaves=4,
)
_FIELDS = st.sampled_from([None, "title", "target", "cover", "layout", "computed", "variables.a"])


@given(_JSON, st.sampled_from(list(StoredKind)), _FIELDS)
def test_whatever_a_side_is_has_one_type(value: Any, kind: StoredKind, field: str | None) -> None:
    row = MergeConflict(kind=kind, field=field, block=None, data={})
    side = typed_side(row, shown(value), Origin("space"))
    members = build_schema()._schema.type_map["ConflictSide"].types  # type: ignore[attr-defined]
    fitting = [one.name for one in members if side is not None and one.is_type_of(side, None)]
    assert len(fitting) == (0 if value is None else 1)


@given(_JSON)
def test_whatever_is_stored_has_a_typed_value(value: Any) -> None:
    one = typed_value(value)
    if value is None:
        assert one is None
    else:
        assert isinstance(one, TypedValue)
        assert one.kind != "number" or math.isfinite(one.value)
    typed_variables(value)
    typed_cover(value)
    typed_source(value)


def test_numbers_that_float_has_not_are_other_values() -> None:
    found = [typed_value(one) for one in (10**400, math.inf, -math.inf, True, 1)]
    assert [one and one.kind for one in found] == ["other"] * 3 + ["boolean", "number"]


def test_merge_rules_of_any_form() -> None:
    for stored in ({}, {"type": "rules"}, {"type": "rules", "rules": None}):
        assert typed_merge_rules(stored).rules == []
    assert asdict(PageCover(None, None, None)) == {"ref": None, "ref_dark": None, "y_pos": None}


# ------------------------------------------------------------------ unions


def _unions() -> list[GraphQLUnionType]:
    types = build_schema()._schema.type_map.values()
    return [one for one in types if isinstance(one, GraphQLUnionType)]


@pytest.mark.parametrize("union", _unions(), ids=str)
def test_members_of_a_union_can_be_selected_together(union: GraphQLUnionType) -> None:
    """Fields of one name have one shape, so that no document needs aliases for them."""
    seen: dict[str, str] = {}
    for member in union.types:
        for name, field in member.fields.items():
            shape, named = str(field.type), get_named_type(field.type)
            if is_composite_type(named):
                # Objects of several types may stand in one place, lists or nulls of one may not.
                shape = shape.replace(named.name, "object")
            assert seen.setdefault(name, shape) == shape, (member.name, name)


def test_generated_code_has_the_types() -> None:
    """What introspection says: possible types of the unions, and the typed field beside JSON."""
    types = build_schema()._schema.type_map
    possible = {one.name: {member.name for member in one.types} for one in _unions()}
    assert {"PageReference", "UrlReference", "OtherReference"} <= possible["ContentReference"]
    assert {"ConflictNode", "ConflictReference", "TextValue"} <= possible["ConflictSide"]
    assert possible["TypedValue"] == {"TextValue", "NumberValue", "BooleanValue", "OtherValue"}
    for kind in types.values():
        if not isinstance(kind, GraphQLObjectType | GraphQLInterfaceType):
            continue
        for name in kind.fields:
            if name.startswith("typed"):
                beside = name.removeprefix("typed")
                assert beside[0].lower() + beside[1:] in kind.fields, (kind.name, name)
