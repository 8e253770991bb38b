"""One search for old paths: of one path, of paths of many spaces, and of links to other spaces."""

import random
from typing import Any

import pytest
from sqlalchemy import select

from db.models.content import Revision
from db.session import Session
from resolvers.addresses.app import AppPlace
from resolvers.core.errors import NotFound
from resolvers.drafts.draft import Draft
from resolvers.drafts.links import old_paths
from resolvers.links.other_spaces import led_to
from resolvers.revisions.objects import active_revisions
from resolvers.revisions.redirects import (
    TRIES,
    OtherContent,
    PrimaryContent,
    find_redirect,
    follow_moves,
    match,
    pages_led_to,
    paths_above,
)
from resolvers.revisions.tree import all_pages
from tests.conftest import Api, World, context
from tests.resolvers.content.test_pages_within import written

APPLY = """mutation($space: ID!, $operations: [ContentOperationInput!]!) {
  applyContentChanges(input: {target: {space: $space}, operations: $operations}) { changed } }"""
PAGES = ["a", "b", "c", "d", "e"]


async def shaken(api: Api, world: World, space_id: str, seed: int) -> None:
    """Rename and move pages at random, and set redirects; some of that is refused."""
    chosen = random.Random(seed)
    made = [{"createPage": {"title": id, "slug": id}} for id in PAGES[2:]]
    await api.data(APPLY, world.creator, space=space_id, operations=made)
    found = await api.data(
        "query($id: ID!) { space(id: $id) { revision { allPages(first: 20) { nodes { id } } } } }",
        world.creator, id=space_id,
    )  # fmt: skip
    ids = [one["id"] for one in found["space"]["revision"]["allPages"]["nodes"]]
    for _ in range(25):
        page, other = chosen.sample(ids, 2)
        operation: dict[str, Any] = chosen.choice([
            {"renamePage": {"page": page, "slug": chosen.choice("uvwxyz")}},
            {"movePage": {"page": page, "parent": chosen.choice([other, None])}},
            {"setRedirect": {"path": chosen.choice(["old", "u/old", "v"]), "page": page}},
        ])  # fmt: skip
        await api.graphql(APPLY, world.creator, space=space_id, operations=[operation])


@pytest.mark.divided("seed", range(4))
async def test_all_who_ask_find_the_same(
    session: Session, world: World, api: Api, seed: int
) -> None:
    spaces = [(await written(session, world)).space.id for _ in range(2)]
    for number, space in enumerate(spaces):
        await shaken(api, world, space, seed * 10 + number)
    names = [*"abcdeuvwxyz", "old"]
    chosen = random.Random(seed)
    paths = {"/".join(chosen.choices(names, k=chosen.randint(1, 4))) for _ in range(150)}
    paths |= set(names)
    ctx = context(session, world.creator)
    revisions = await active_revisions(ctx, spaces, columns=None)
    places = [(space, path) for space in spaces for path in sorted(paths)]
    content = PrimaryContent(ctx, revisions)
    live = await content.live_at(places)
    old = [place for place in places if place not in live]
    together = await match(content, old)
    assert together
    for space, path in old:
        try:
            alone: str | None = (await find_redirect(ctx, revisions[space], path)).page.id
        except NotFound:
            alone = None
        found = together.get((space, path))
        assert alone == (None if found is None else found.page.id), path
        # As in a change request that has the same content.
        (within,) = await pages_led_to(ctx, [revisions[space]], path)
        assert alone == (None if within is None else within.id), path
    linked = await led_to(ctx, [AppPlace(space, path, "") for space, path in places])
    for space, path in places:
        ids = {place: end.page.id for place, end in together.items()} | live
        reference = linked.get(AppPlace(space, path, ""))
        assert (reference and reference["page"]) == ids.get((space, path))
    for space in spaces:
        draft = Draft(ctx, revisions[space])
        wanted = [path for one, path in old if one == space]
        ends = await old_paths(draft, wanted)
        assert {path: id for path, (id, _) in ends.items()} == {
            path: end.page.id for (one, path), end in together.items() if one == space
        }
    assert all(await all_pages(ctx, list(revisions.values())))


async def test_revisions_have_the_same_answers_together(
    session: Session, world: World, api: Api
) -> None:
    spaces = [(await written(session, world)).space.id for _ in range(2)]
    for number, space in enumerate(spaces):
        await shaken(api, world, space, 90 + number)
    ctx = context(session, world.creator)
    statement = select(Revision).where(Revision.space_id.in_(spaces)).order_by(Revision.id)
    revisions = list((await session.scalars(statement)).all())
    assert len(revisions) > 20
    chosen = random.Random(9)
    led = 0
    for _ in range(40):
        path = "/".join(chosen.choices([*"cdeuvwxyz", "old"], k=chosen.randint(1, 3)))
        some = chosen.sample(revisions, 8)
        together = await pages_led_to(ctx, some, path)
        alone = [(await pages_led_to(ctx, [revision], path))[0] for revision in some]
        assert [page and page.id for page in together] == [page and page.id for page in alone]
        led += sum(page is not None for page in alone)
        # Later rounds ask each for other paths.
        places = {(one.id, chosen.choice(["u", "u/v", "w", "x/c", path])) for one in some}
        content = OtherContent(ctx, {one.id: one for one in some})
        moved = await content.moved_ids(places)
        assert moved.keys() <= {(of, above) for of, path in places for above in paths_above(path)}
        for place in places:
            own = await content.moved_ids([place])
            assert own == {key: moved[key] for key in own}
    assert led


async def test_a_search_is_bounded() -> None:
    """However many ways there are on, only so many paths are looked at."""
    looked: list[str] = []

    async def moved(current: Any) -> dict[str, Any]:
        return {path: [(path, f"{path}/{number}") for number in range(20)] for path in current}

    async def live(after: Any) -> dict[str, str]:
        looked.extend(after)
        return {}

    assert await follow_moves(["a", "b"], moved, live) == {}
    assert len(looked) == 2 * TRIES


async def test_chains_are_followed() -> None:
    """One old path after another, also where the nearest page that moved leads nowhere."""
    length = TRIES - 1

    async def moved(current: Any) -> dict[str, Any]:
        ways = {}
        for path in current:
            number = int(path)
            ways[path] = [("nowhere", None if number == length else str(number + 1))]
        return ways

    async def live(after: Any) -> dict[str, str]:
        return {}

    assert await follow_moves(["0"], moved, live) == {"0": "nowhere"}
    ways = {"x": [("one", "dead"), ("two", "end")]}

    async def some(current: Any) -> dict[str, Any]:
        return {path: ways.get(path, []) for path in current}

    async def ends(after: Any) -> dict[str, str]:
        return {"end": "found"} if "end" in after else {}

    assert await follow_moves(["x"], some, ends) == {"x": "found"}
