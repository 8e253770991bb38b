"""Which pages a visitor sees: for any tree, all readers of pages give the same, and a model too."""

import random
from typing import Any

import pytest

from content.ordering import spread
from db.content_enums import PageType
from db.models.content import Revision
from db.session import Session
from resolvers.content import pages as content_pages
from resolvers.core.actors import Actor, Visitor
from resolvers.core.context import Context
from resolvers.core.errors import NotFound
from resolvers.revisions import conditions as page_conditions
from resolvers.revisions.conditions import hidden_by_mask, hidden_pages, mask_of, without
from resolvers.revisions.objects import (
    find_landing_page,
    find_page_by_path,
    find_pages,
)
from resolvers.revisions.rows import Page
from resolvers.revisions.states import Changes, write_revision
from resolvers.revisions.tree import all_pages, children_of, find_page, find_with_those_above
from tests import factories
from tests.conftest import Queries, World, context

CONDITIONS = (None, None, None, "", "visitor.claims.a", "visitor.claims.b == 'x'", "false", "(")
CLAIMS: tuple[dict[str, Any], ...] = ({}, {"a": True}, {"b": "x"}, {"a": True, "b": "x"})
PAGES = 30


def holds(condition: str | None, claims: dict[str, Any]) -> bool:
    """The model: what each of the conditions above means."""
    return {
        None: True, "": True, "visitor.claims.a": claims.get("a") is True,
        "visitor.claims.b == 'x'": claims.get("b") == "x", "false": False, "(": False,
    }[condition]  # fmt: skip


def random_pages(space_id: str, chance: random.Random) -> dict[str, Page]:
    """Pages in a random tree; groups stand at the top."""
    pages: dict[str, Page] = {}
    for number, order in enumerate(spread(PAGES)):
        id = f"p{number}"
        parent = chance.choice([None, *pages])
        group = parent is None and chance.random() < 0.4
        pages[id] = Page(
            space_id=space_id, revision_id="", id=id, title=id, slug=id, parent_id=parent,
            type=PageType.GROUP if group else PageType.DOCUMENT, order=order,
            condition=chance.choice(CONDITIONS),
        )  # fmt: skip
    return pages


def model(pages: dict[str, Page], claims: dict[str, Any]) -> set[str]:
    """Ids of the pages that are there."""

    def is_there(page: Page) -> bool:
        above = None if page.parent_id is None else pages[page.parent_id]
        return holds(page.condition, claims) and (above is None or is_there(above))

    return {id for id, page in pages.items() if is_there(page)}


def visiting(session: Session, claims: dict[str, Any]) -> Context:
    return Context(Actor(visitor=Visitor("site", "organization", claims=claims)), session)


async def check(ctx: Context, revision: Revision, pages: dict[str, Page], seen: set[str]) -> None:
    """Every reader gives the pages that are there, and no other."""
    (tree,) = await all_pages(ctx, [revision])
    assert {page.id for page in tree} == seen
    for page in tree:
        assert {child.id for child in page.children or []} <= seen
    (found,) = await find_with_those_above(ctx, [(revision, pages)])
    assert found.keys() == seen
    (many,) = await find_pages(ctx, [(revision, pages)])
    assert many.keys() == seen
    rows = list(found.values())
    for page, children in zip(rows, await children_of(ctx, rows), strict=True):
        expected = [id for id, one in pages.items() if one.parent_id == page.id and id in seen]
        assert [child.id for child in children] == expected
    for id in pages:
        operator = Context(Actor(operator=True), ctx.session)
        ((path,),) = [pages.values() for pages in await find_pages(operator, [(revision, [id])])]
        if id in seen:
            assert (await find_page(ctx, revision, id)).id == id
            assert (await find_page_by_path(ctx, revision, path.path)).id == id
            continue
        with pytest.raises(NotFound, match=f"page '{id}' does not exist in this content"):
            await find_page(ctx, revision, id)
        with pytest.raises(NotFound, match="there is no page at"):
            await find_page_by_path(ctx, revision, path.path)
    documents = [page for page in tree if page.type is PageType.DOCUMENT]
    ways = await content_pages.pages_behind(ctx, documents, None)
    assert [one.id for one in ways if one] == [page.id for page in documents[1:]]
    tops = [page for page in tree if page.parent_id is None]
    shown = [
        one for top in tops
        for one in ([top] if top.type is PageType.DOCUMENT else top.children or [])
        if one.type is PageType.DOCUMENT
    ]  # fmt: skip
    if shown:
        assert (await find_landing_page(ctx, revision)).id == shown[0].id
    else:
        with pytest.raises(NotFound):
            await find_landing_page(ctx, revision)


@pytest.mark.divided("seed", range(6))
async def test_all_readers_agree(session: Session, world: World, seed: int) -> None:
    chance = random.Random(seed)
    space = await factories.make_space(session, world.organization)
    changes = Changes()
    changes.pages.update(random_pages(space.id, chance))
    pages = {id: page for id, page in changes.pages.items() if page is not None}
    revision = await write_revision(context(session), space.id, None, changes)
    await session.commit()
    for claims in [None, *CLAIMS, None]:
        if claims is None:
            await check(context(session, world.reader), revision, pages, set(pages))
        else:
            await check(visiting(session, claims), revision, pages, model(pages, claims))
    (tree,) = await all_pages(context(session), [revision])
    for claims in CLAIMS:
        hidden = hidden_pages(tree, {}, claims)
        assert hidden == pages.keys() - model(pages, claims)
        assert hidden_by_mask(tree, mask_of(tree, hidden)) == hidden
        assert {page.id for page in without(tree, hidden)} == pages.keys() - hidden


async def test_revisions_know_whether_there_are_conditions(
    session: Session, world: World, queries: Queries
) -> None:
    space = await factories.make_space(session, world.organization)
    ctx = context(session)
    plain = Page(
        space_id=space.id, revision_id="", id="a", title="A", slug="a", parent_id=None, order="V",
        type=PageType.DOCUMENT,
    )  # fmt: skip
    first = await write_revision(ctx, space.id, None, Changes(pages={"a": plain}))
    closed = Page(
        space_id=space.id, revision_id="", id="b", title="B", slug="b", parent_id=None, order="W",
        type=PageType.DOCUMENT, condition="false",
    )  # fmt: skip
    second = await write_revision(ctx, space.id, first, Changes(pages={"b": closed}))
    third = await write_revision(
        ctx, space.id, second, Changes(pages={"b": None}, before={"b": closed})
    )
    assert [one.conditional for one in (first, second, third)] == [False, True, True]
    for revision, pages in ((first, ["a"]), (second, ["a"]), (third, ["a"])):
        (tree,) = await all_pages(visiting(session, {}), [revision])
        assert [page.id for page in tree] == pages
    # Without conditions the tree is not read to find a page: what is read is known already.
    with queries(1):
        await find_page(visiting(session, {}), first, "a")


def test_work_is_bounded(monkeypatch: pytest.MonkeyPatch) -> None:
    """Conditions beyond the bound of a revision are not met, whoever asks in whatever order."""
    heavy = "visitor.claims.a.map(x => visitor.claims.a.includes(x)).length > 0"
    pages = [
        Page(
            space_id="s", revision_id="r", id=f"p{number}", title="", parent_id=None, order="V",
            type=PageType.DOCUMENT, condition=heavy, variables={"n": number},
        )
        for number in range(50)
    ]  # fmt: skip
    claims = {"a": list(range(50))}
    assert hidden_pages(pages, {}, claims) == frozenset()
    monkeypatch.setattr(page_conditions, "REVISION_STEPS", 3_000)
    hidden = hidden_pages(pages, {}, claims)
    assert hidden
    shown = [page.id for page in pages if page.id not in hidden]
    assert shown == [f"p{number}" for number in range(len(shown))]
