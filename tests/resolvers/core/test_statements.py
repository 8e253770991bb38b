"""Statements are compiled once: neither values nor who asks make another text."""

from typing import Any

import pytest
from sqlalchemy import Select, select

from db.content_enums import CommentStatusFilter
from db.models.organizations import User
from db.models.spaces import Space
from db.session import Session
from resolvers.access.policy import must, visible
from resolvers.comments.fields import CommentArguments, comments_of_spaces
from resolvers.core import statements
from resolvers.core.actors import Actor
from resolvers.core.context import Context
from resolvers.core.policy_asked import PolicyNotAskedError
from resolvers.core.runners import read
from resolvers.core.statements import Viewer, statement
from resolvers.organizations.operations import get_organization
from resolvers.spaces.fields import SpaceArguments, spaces_of_organizations
from tests.conftest import World, context
from tests.seeds import sow


def compiled() -> int:
    """How many statements were compiled so far."""
    return statements._prepare.cache_info().misses


async def test_values_and_people_share_a_text(session: Session, world: World) -> None:
    seed = await sow(session, world)
    asked = [context(session, person) for person in world.people().values()]

    async def ask(ctx: Context, number: int) -> None:
        rows = [world.organization]
        await spaces_of_organizations(ctx, rows, SpaceArguments(first=number, title=f"a{number}"))
        comments = CommentArguments(
            first=number, authors=[str(number)] * number, status=CommentStatusFilter.OPEN
        )  # type: ignore[arg-type]
        await comments_of_spaces(ctx, [seed.space], comments)
        await comments_of_spaces(ctx, [seed.space, seed.hidden, world.organization], comments)

    await ask(asked[0], 1)
    before = compiled()
    for number, ctx in enumerate(asked, 2):
        await ask(ctx, number)
    assert compiled() == before


async def test_everybody_gets_their_own_rows(session: Session, world: World) -> None:
    seed = await sow(session, world)
    found = {}
    for name, person in world.people().items():
        ctx = context(session, person)
        (part,) = await spaces_of_organizations(ctx, [world.organization], SpaceArguments())
        found[name] = {row.id for row in part.rows}
    assert found["admin"] == {seed.space.id, seed.hidden.id}
    assert found["reader"] == found["guest"] == {seed.space.id}
    assert found["outsider"] == set()
    nobody = Context(Actor(), session)
    (part,) = await spaces_of_organizations(nobody, [world.organization], SpaceArguments())
    assert part.rows == []
    (part,) = await spaces_of_organizations(
        context(session), [world.organization], SpaceArguments()
    )
    assert len(part.rows) == 2


@statement
def _titles(viewer: Viewer) -> Select[Any]:
    return visible(viewer, Space)


@statement
def _everybody(viewer: Viewer) -> Select[Any]:
    return select(User)


async def test_a_kept_statement_still_counts_as_asking(session: Session, world: World) -> None:
    async def viewer(ctx: Context) -> None:
        await _titles.rows(ctx)

    async def asks_not(ctx: Context) -> None:
        await _everybody.rows(ctx)

    for _ in range(2):
        await read(context(session, world.reader), viewer)
        with pytest.raises(PolicyNotAskedError):
            await read(context(session, world.reader), asks_not)


async def test_only_wanted_columns_are_read(session: Session, world: World) -> None:
    await sow(session, world)
    ctx = context(session, world.reader)
    rows = await _titles.rows(ctx, columns=frozenset({"title", "id"}))
    assert rows[0].row_layout.names == ("id", "title")
    with pytest.raises(AttributeError):
        _ = rows[0].emoji
    with pytest.raises(LookupError, match="Space has no columns colour"):
        await _titles.rows(ctx, columns=frozenset({"colour"}))


async def test_writes_get_rows_of_their_session(session: Session, world: World) -> None:
    ctx = context(session, world.admin)
    light: Any = await get_organization(ctx, world.organization.id)
    assert light.row_layout.model is type(world.organization)
    ctx.writing = True
    assert await must(ctx, type(world.organization), world.organization.id) in session
