"""Content references with types: each member, what they name, who sees it, and odd ones."""

from collections.abc import Mapping, Sequence
from typing import Any

import pytest
from hypothesis import given, strategies as st

from content.documents.content_references import KINDS as URL_KINDS, NAMES
from content.markdown.parser import parse_document
from content.ordering import spread
from db.content_enums import PageType
from db.models.spaces import Space
from db.session import Session
from resolvers.core.context import Context
from resolvers.core.errors import ApiError
from resolvers.core.runners import read
from resolvers.core.scalars import JsonObject
from resolvers.revisions.references import ALL_KINDS, MEMBERS, read_reference_input
from resolvers.revisions.rows import File, Page, ReusableContent
from resolvers.revisions.states import Changes, write_revision
from resolvers.revisions.typed_references import (
    OTHER,
    TAG,
    Origin,
    TypedReference,
    reference_files,
    reference_pages,
    typed_reference,
)
from schema.build import build_schema
from schema.types import references
from tests import factories
from tests.conftest import Api, Queries, World, context
from tests.published.conditional_sites import publish, visiting

Json = dict[str, Any]
SHOWN = """
fragment Reference on ContentReference {
  __typename
  ... on UrlReference { url }
  ... on PageReference { pageId spaceId page { id pageId title path } space { title } }
  ... on AnchorReference { anchor pageId spaceId page { id pageId title } space { title } }
  ... on FileReference { fileId spaceId file { fileId name } space { title } }
  ... on ReusableContentReference {
    reusableContentId spaceId reusableContent { reusableContentId title } space { title }
  }
  ... on SpaceReference { spaceId space { title } }
  ... on CollectionReference { collectionId collection { title } }
  ... on UserReference { userId user { displayName } }
  ... on OpenAPIReference { specification }
  ... on TagReference { tag }
  ... on OtherReference { kind }
}
"""
PAGES = (
    """
query ($space: ID!, $request: ID) {
  revision(spaceId: $space, changeRequestId: $request) {
    allPages(first: 200) {
      nodes { pageId ... on LinkPage { target typedTarget { ...Reference } } }
    }
  }
}
"""
    + SHOWN
)


def linking(space_id: str, targets: Sequence[Any], changes: Changes | None = None) -> Changes:
    """Link pages `l0` and so on with these targets, a page `there`, a file and a content."""
    changes = Changes() if changes is None else changes
    body = "Text.\n"
    document_id = changes.add_document(body, parse_document(body, seed="there"))
    orders = list(spread(len(targets) + 1))
    names: Json = {"space_id": space_id, "revision_id": ""}
    changes.pages["there"] = Page(
        **names, id="there", type=PageType.DOCUMENT, title="There", parent_id=None,
        order=orders[-1], slug="there", document_id=document_id,
        cover={"ref": {"kind": "file", "file": "pic"}, "yPos": 12},
    )  # fmt: skip
    for number, target in enumerate(targets):
        changes.pages[f"l{number}"] = Page(
            **names, id=f"l{number}", type=PageType.LINK, title="Link", parent_id=None,
            order=orders[number], target=target,
        )  # fmt: skip
    changes.files["pic"] = File(
        **names, id="pic", name="pic.png", content_type="image/png", size=3, sha256="a" * 64
    )
    changes.contents["note"] = ReusableContent(
        **names, id="note", title="Note", document_id=document_id
    )
    return changes


async def fill(session: Session, space: Space, targets: Sequence[Any]) -> None:
    revision = await write_revision(context(session), space.id, None, linking(space.id, targets))
    space.revision_id = revision.id


async def filled(session: Session, world: World, targets: Sequence[Any], **more: Any) -> Space:
    space = await factories.make_space(session, world.organization, **more)
    await fill(session, space, targets)
    await session.commit()
    return space


async def typed(api: Api, person: Any, space: Space, request: str | None = None) -> list[Json]:
    """The typed targets of the link pages of a space, in order."""
    data = await api.data(PAGES, person, space=space.id, request=request)
    nodes = data["revision"]["allPages"]["nodes"]
    return [one["typedTarget"] for one in nodes if "typedTarget" in one]


async def test_every_kind_has_its_type(api: Api, world: World, session: Session) -> None:
    other = await filled(session, world, [], title="Other")
    await session.begin_write()
    shelf = await factories.make_collection(session, world.organization, title="Shelf")
    space = await filled(session, world, [
        {"kind": "url", "url": "https://example.com/a?b#c"},
        {"kind": "page", "page": "there"},
        {"kind": "page", "page": "there", "space": other.id},
        {"kind": "anchor", "anchor": "top", "page": "there"},
        {"kind": "anchor", "anchor": "top"},
        {"kind": "file", "file": "pic"},
        {"kind": "reusable-content", "reusableContent": "note"},
        {"kind": "space", "space": other.id},
        {"kind": "collection", "collection": shelf.id},
        {"kind": "user", "user": world.editor.id},
        {"kind": "openapi", "spec": "pets"},
        {"kind": "tag", "tag": "new"},
        {"kind": "teapot", "pot": "x"},
    ], title="Own")  # fmt: skip
    own, there = {"spaceId": space.id, "space": {"title": "Own"}}, {"pageId": "there"}
    page = {"pageId": "there", "title": "There"}
    found = await typed(api, world.reader, space)
    for one in found:
        (one.get("page") or {}).pop("id", None)
    assert found == [
        {"__typename": "UrlReference", "url": "https://example.com/a?b#c"},
        {"__typename": "PageReference", **there, **own, "page": {**page, "path": "there"}},
        {"__typename": "PageReference", **there, "spaceId": other.id,
         "space": {"title": "Other"}, "page": {**page, "path": "there"}},
        {"__typename": "AnchorReference", "anchor": "top", **there, **own, "page": page},
        {"__typename": "AnchorReference", "anchor": "top", "pageId": "l4", **own,
         "page": {"pageId": "l4", "title": "Link"}},
        {"__typename": "FileReference", "fileId": "pic", **own,
         "file": {"fileId": "pic", "name": "pic.png"}},
        {"__typename": "ReusableContentReference", "reusableContentId": "note", **own,
         "reusableContent": {"reusableContentId": "note", "title": "Note"}},
        {"__typename": "SpaceReference", "spaceId": other.id, "space": {"title": "Other"}},
        {"__typename": "CollectionReference", "collectionId": shelf.id,
         "collection": {"title": "Shelf"}},
        {"__typename": "UserReference", "userId": world.editor.id,
         "user": {"displayName": "Editor"}},
        {"__typename": "OpenAPIReference", "specification": "pets"},
        {"__typename": "TagReference", "tag": "new"},
        {"__typename": "OtherReference", "kind": "teapot"},
    ]  # fmt: skip


async def test_what_may_not_be_seen_looks_like_what_is_not_there(
    api: Api, world: World, session: Session
) -> None:
    hidden = await filled(session, world, [], title="Hidden")
    binned = await filled(session, world, [], title="Binned")
    await session.begin_write()
    elsewhere = await factories.make_organization(session, title="Theirs")
    shelf = await factories.make_collection(session, elsewhere, title="Secret shelf")
    theirs = await factories.make_space(session, elsewhere, title="Secret")
    stranger = await factories.make_member(session, elsewhere)
    await fill(session, theirs, [])
    hidden.default_level = None
    binned.deleted_at = context(session).now()
    await session.commit()
    names = [
        {"kind": "page", "page": "there"},
        {"kind": "anchor", "page": "there", "anchor": "x"},
        {"kind": "file", "file": "pic"},
        {"kind": "reusable-content", "reusableContent": "note"},
        {"kind": "space"},
    ]
    spaces = (hidden.id, binned.id, theirs.id, "nowhere")
    await session.begin_write()
    space = await filled(
        session,
        world,
        [
            *({**one, "space": other} for other in spaces for one in names),
            {"kind": "collection", "collection": shelf.id},
            {"kind": "collection", "collection": "nowhere"},
            {"kind": "user", "user": stranger.id},
            {"kind": "user", "user": "nobody"},
        ],
    )
    objects = ("page", "file", "reusableContent", "space", "collection", "user")
    found = await typed(api, world.reader, space)
    assert len(found) == 24
    assert {one.get(name) for one in found for name in objects} == {None}
    # The person whose organization it is sees it by another way.
    seen = await typed(api, world.admin, space)
    assert [one["space"] for one in seen[:5]] == [{"title": "Hidden"}] * 5
    assert {one.get(name) for one in seen[5:] for name in objects} == {None}


async def test_visitors_find_only_what_is_there_for_them(session: Session, world: World) -> None:
    site = await publish(session, world)
    other = await filled(session, world, [], title="Other")
    origin = Origin(site.space.id, site.revision.id)

    async def ask(ctx: Context) -> tuple[list[Any], list[Any]]:
        rows = [
            typed_reference({"kind": "page", "page": id, **more}, origin)
            for id, more in (("guide", {}), ("sfirst", {}), ("there", {"space": other.id}))
        ]
        files = [
            typed_reference({"kind": "file", "file": "pic", "space": other.id}, origin),
            typed_reference({"kind": "file", "file": "pdf"}, origin),
        ]
        return await reference_pages(ctx, rows, None), await reference_files(ctx, files, None)

    pages, files = await read(visiting(session, site, {}), ask)
    assert [page and page.id for page in pages] == ["guide", None, None]
    assert [file and file.id for file in files] == [None, "pdf"]
    pages, _ = await read(visiting(session, site, {"beta": True}), ask)
    assert [page and page.id for page in pages] == ["guide", "sfirst", None]


async def test_references_in_a_draft_mean_things_of_the_draft(
    api: Api, world: World, session: Session
) -> None:
    space = await filled(session, world, [{"kind": "page", "page": "there"}])
    await session.begin_write()
    request = await factories.make_change_request(session, space, world.editor)
    changes = linking(space.id, [{"kind": "page", "page": "there", "space": space.id}])
    page = changes.pages["there"]
    assert page is not None
    page.title = "Draft"
    draft = await write_revision(context(session), space.id, None, changes)
    request.revision_id = draft.id
    await session.commit()
    (primary,) = await typed(api, world.reader, space)
    (drafted,) = await typed(api, world.reader, space, request.id)
    assert (primary["page"]["title"], drafted["page"]["title"]) == ("There", "Draft")
    assert drafted["page"]["id"] == f"page~{request.id}~there"
    assert drafted["page"]["id"] != primary["page"]["id"]


ODD: list[Any] = [
    None, {}, {"kind": None}, {"kind": 5}, {"kind": []}, {"kind": ""}, {"kind": "url"},
    {"kind": "url", "url": None}, {"kind": "url", "url": "#x"}, {"kind": "url", "url": ""},
    {"kind": "page"}, {"kind": "page", "page": 1}, {"kind": "page", "page": ""},
    {"kind": "page", "page": "a\x00b"}, {"kind": "page", "page": "x" * 3000},
    {"kind": "page", "page": "there", "space": "\x00"}, {"kind": "page", "page": "\ud800"},
    {"kind": "page", "page": "there", "space": {"a": 1}}, {"kind": "anchor", "anchor": 3},
    {"kind": "anchor", "page": "there"}, {"kind": "file", "file": "/../\x00", "space": "y" * 99},
    {"kind": "user", "user": "\x00"}, {"kind": "collection", "collection": "\x00"},
    {"kind": "space", "space": "\x00"}, {"kind": "space"}, {"kind": "reusable-content"},
    {"kind": "reusable-content", "reusableContent": "\x00", "space": "\x00"},
    {"kind": "openapi", "spec": 2}, {"kind": "tag"}, {"kind": "tag", "tag": {}},
]  # fmt: skip


async def test_odd_references_have_a_type_and_no_failure(
    api: Api, world: World, session: Session
) -> None:
    storable = [one for one in ODD if one is not None and "ud800" not in repr(one)]
    space = await filled(session, world, storable)
    found = await typed(api, world.reader, space)
    assert len(found) == len(storable)
    objects = ("file", "reusableContent", "collection", "user")
    assert {one.get(name) for one in found for name in objects} == {None}


async def test_statements_do_not_depend_on_the_number_of_references(
    api: Api, world: World, session: Session, queries: Queries
) -> None:
    others = [await filled(session, world, []) for _ in range(4)]
    counts = []
    for times in (1, 12):
        await session.begin_write()
        targets = [
            {"kind": kind, member: name, **({"space": other.id} if other else {}),
             **({"page": "there"} if kind == "anchor" else {})}
            for _ in range(times)
            for other in (None, *others[: 1 if times == 1 else 4])
            for kind, member, name in (
                ("page", "page", "there"), ("anchor", "anchor", "x"), ("file", "file", "pic"),
                ("reusable-content", "reusableContent", "note"), ("user", "user", world.editor.id),
            )
        ]  # fmt: skip
        space = await filled(session, world, targets[:190])
        await typed(api, world.reader, space)  # maps and nodes of this process
        queries.statements.clear()
        await typed(api, world.reader, space)
        counts.append(len(queries.statements))
    assert counts[0] == counts[1], counts


# ------------------------------------------------------------------ the stored form

_TYPES = {
    definition.name: kind
    for kind, definition in (
        (one.__strawberry_definition__.origin, one.__strawberry_definition__)
        for one in vars(references).values()
        if hasattr(one, "__strawberry_definition__")
    )
}


def members_of(one: TypedReference) -> list[str]:
    """The members of the union that a value is of."""
    return [name for name, kind in _TYPES.items() if kind.is_type_of(one, None)]


def json_of(one: TypedReference) -> Json:
    """The stored form again, from what the fields of the type say."""
    found: dict[str, Any] = {"kind": one.kind}
    values: Mapping[str, Any] = {
        MEMBERS[one.kind]: one.named, "page": one.page_id, "space": one.space_id,
    }  # fmt: skip
    return found | {name: value for name, value in values.items() if value is not None}


_TEXT = st.text(min_size=1, max_size=12)


@st.composite
def _stored(draw: st.DrawFn) -> Json:
    """What a write accepts as a reference, with the members that its kind has."""
    kind = draw(st.sampled_from(ALL_KINDS))
    value = "https://example.com/a" if kind == "url" else draw(_TEXT)
    found = {"kind": kind, MEMBERS[kind]: value}
    if kind == "anchor" and draw(st.booleans()):
        found["page"] = draw(_TEXT)
    if kind in ("page", "anchor", "file", "reusable-content") and draw(st.booleans()):
        found["space"] = draw(_TEXT)
    return found


@given(_stored())
def test_what_a_write_accepts_is_one_member_and_says_the_same(value: Json) -> None:
    stored = read_reference_input(JsonObject(value), "to", {})
    one = typed_reference(stored)
    assert len(members_of(one)) == 1
    assert one.kind != OTHER
    assert json_of(one) == stored


_JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=5),
    lambda inner: st.lists(inner, max_size=2) | st.dictionaries(st.text(max_size=4), inner),
    max_leaves=4,
)
_MEMBER = st.sampled_from(["kind", *MEMBERS.values()])


@given(_JSON | st.dictionaries(_MEMBER, _JSON | st.sampled_from(ALL_KINDS), max_size=5))
def test_whatever_is_stored_is_one_member(value: Any) -> None:
    one = typed_reference(value, Origin("space", "revision", "page"))
    (name,) = members_of(one)
    kind = _TYPES[name]
    for field in kind.__strawberry_definition__.fields:
        if field.graphql_name in ("space", "page", "file", "reusableContent"):
            continue
        value_of = getattr(one, _attribute(field), None)
        assert value_of is None or isinstance(value_of, str)


def _attribute(field: Any) -> str:
    source = field.metadata.get("source")
    return str((source and source.attribute) or field.python_name)


def test_every_kind_of_reference_has_one_type() -> None:
    union = build_schema()._schema.type_map["ContentReference"]
    names = {one.name for one in union.types}  # type: ignore[attr-defined]
    assert names == set(_TYPES)
    assert {*NAMES, TAG} == set(ALL_KINDS)
    assert {*URL_KINDS, TAG} <= set(ALL_KINDS)
    for kind in (*ALL_KINDS, OTHER):
        assert len(members_of(TypedReference(kind, {}, Origin()))) == 1


def test_references_that_writes_refuse_are_read_all_the_same() -> None:
    for value in ODD:
        if value is not None:
            try:
                read_reference_input(JsonObject(value), "to", {})
            except (ApiError, TypeError):
                assert len(members_of(typed_reference(value))) == 1


@pytest.mark.parametrize("value", ODD)
def test_odd_values_are_one_member(value: Any) -> None:
    assert len(members_of(typed_reference(value))) == 1
