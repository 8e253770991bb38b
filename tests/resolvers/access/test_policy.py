"""The doors of the policy that are about the actor alone, and the parent that a row must have."""

import pytest

from db.enums import Role
from db.models.sites import Site
from db.models.spaces import Space
from db.session import Session
from resolvers.access.policy import must, must_be_operator, must_be_person
from resolvers.core.actors import NOBODY, OPERATOR, Actor, Visitor
from resolvers.core.context import Context
from resolvers.core.errors import Forbidden, NotFound, Unauthenticated
from tests.conftest import World, context, settle
from tests.factories import make_organization, make_site, make_space

VISITOR = Actor(visitor=Visitor("site", "organization"))


def test_people_and_the_operator_are_persons() -> None:
    must_be_person(Context(OPERATOR))
    must_be_person(Context(Actor("somebody")))
    with pytest.raises(Unauthenticated):
        must_be_person(Context(NOBODY))
    with pytest.raises(Forbidden):
        must_be_person(Context(VISITOR))


def test_only_the_operator_is_the_operator() -> None:
    must_be_operator(Context(OPERATOR))
    for actor in (NOBODY, VISITOR, Actor("somebody")):
        with pytest.raises(Forbidden):
            must_be_operator(Context(actor))


@pytest.mark.parametrize("lock", [False, True])
async def test_a_row_is_found_by_its_id_and_below_its_parent(
    session: Session, world: World, lock: bool
) -> None:
    home = world.organization
    elsewhere = await make_organization(session)
    spaces = [await make_space(session, home) for _ in range(3)]
    site = await make_site(session, home, *spaces)
    await settle(session)
    ctx = context(session, world.editor)
    for space in spaces:
        here = Space.organization_id == home.id
        row = await must(ctx, Space, space.id, Role.EDIT, where=here, lock=lock)
        assert row.id == space.id
        there = Space.organization_id == elsewhere.id
        with pytest.raises(NotFound, match=f"space '{space.id}'"):
            await must(ctx, Space, space.id, where=there, lock=lock)
    by_title = Site.title == site.title
    assert (await must(ctx, Site, None, Role.EDIT, where=by_title, lock=lock)).id == site.id
    with pytest.raises(NotFound, match=r"^site does not exist"):
        await must(ctx, Site, None, where=Site.title == "None", lock=lock)
    with pytest.raises(Forbidden, match="the role 'create' on the site"):
        await must(ctx, Site, site.id, Role.CREATE, lock=lock)
