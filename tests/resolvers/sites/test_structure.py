"""Random writes through the operations: the rules of a site's structure hold after each."""

import asyncio
from collections.abc import Awaitable, Callable
from typing import Any

import pytest
from hypothesis import settings, strategies as st
from hypothesis.stateful import RuleBasedStateMachine, invariant, rule, run_state_machine_as_test
from sqlalchemy import select
from strawberry import Some

from content.slugs import slug_key
from db.models.sites import Site, SiteSpace
from db.models.spaces import Space
from db.session import Database, Session
from resolvers.core.actors import OPERATOR
from resolvers.core.context import Context
from resolvers.core.errors import Conflict, NotFound, NothingToDelete
from resolvers.core.runners import run
from resolvers.sites import operations as sites, order as site_order, spaces as site_spaces
from resolvers.sites.operations import UpdateSiteInput
from resolvers.sites.order import MoveSiteSpaceInput, SiteSpacePointer, SiteSpacePosition
from resolvers.sites.spaces import AddSiteSpaceInput, UpdateSiteSpaceInput
from tests.factories import make_organization, make_site, make_space
from tests.kinds import other_examples

TITLES = ["Guide", "guide", "v", "~", "Ünïcode", "llms", "x" * 50, "Guide 1"]
PATHS = ["guide", "GUIDE-1", "page", "x", "v2"]
Choice = st.integers(0, 7)


class Structure(RuleBasedStateMachine):
    """One site; `model` holds the ids of its site spaces in the expected order."""

    def __init__(self, runner: asyncio.Runner, database: Database) -> None:
        super().__init__()
        self.runner, self.database = runner, database
        self.model: list[str] = []
        self.default: str | None = None
        self.runner.run(self._prepare())

    async def _prepare(self) -> None:
        async with self.database.session() as session:
            await session.begin_write()
            organization = await make_organization(session)
            self.spaces = [
                (await make_space(session, organization, title=title)).id for title in TITLES
            ]
            self.site = (await make_site(session, organization)).id
            await session.commit()

    def write(self, operation: Callable[..., Awaitable[Any]], *arguments: Any) -> Any:
        async def go() -> Any:
            async with self.database.session() as session:
                return await run(Context(OPERATOR, session), operation, *arguments)

        return self.runner.run(go())

    def one(self, choice: int) -> str:
        return self.model[choice % len(self.model)] if self.model else "nothing"

    @rule(choice=Choice)
    def add(self, choice: int) -> None:
        try:
            wanted = AddSiteSpaceInput(space_id=self.spaces[choice])
            added = self.write(site_spaces.add_site_space, self.site, wanted)
        except Conflict:
            return
        self.model.append(added.id)
        self.default = self.default or added.id

    @rule(choice=Choice)
    def remove(self, choice: int) -> None:
        id = self.one(choice)
        if not self.model:
            with pytest.raises(NothingToDelete):
                self.write(site_spaces.delete_site_space, id)
            return
        assert self.write(site_spaces.delete_site_space, id).deleted_id == id
        index = self.model.index(id)
        self.model.remove(id)
        if id == self.default:
            left = self.model[index : index + 1] or self.model[-1:]
            self.default = left[0] if left else None

    @rule(choice=Choice, other=Choice, side=st.sampled_from(["before", "after", "end"]))
    def move(self, choice: int, other: int, side: str) -> None:
        id, neighbour = self.one(choice), self.one(other)
        if id == neighbour:
            return
        pointer = Some(SiteSpacePointer(type="site-space", site_space=neighbour))
        position = SiteSpacePosition(**({} if side == "end" else {side: pointer}))
        self.write(site_order.move_site_space, id, MoveSiteSpaceInput(position=Some(position)))
        self.model.remove(id)
        index = self.model.index(neighbour) + (side == "after")
        self.model.insert(len(self.model) if side == "end" else index, id)

    @rule(choice=Choice)
    def choose_default(self, choice: int) -> None:
        if self.model:
            chosen = UpdateSiteInput(default_site_space=Some(self.one(choice)))
            self.write(sites.update_site, self.site, chosen)
            self.default = self.one(choice)

    @rule(choice=Choice, path=st.sampled_from(PATHS))
    def rename(self, choice: int, path: str) -> None:
        change = UpdateSiteSpaceInput(path=Some(path))
        try:
            self.write(site_spaces.update_site_space, self.one(choice), change)
        except (Conflict, NotFound):
            return

    @rule(choice=Choice, other=Choice)
    def show_another_space(self, choice: int, other: int) -> None:
        change = UpdateSiteSpaceInput(space_id=Some(self.spaces[other]))
        try:
            self.write(site_spaces.update_site_space, self.one(choice), change)
        except (Conflict, NotFound):
            return

    @invariant()
    def the_structure_is_sound(self) -> None:
        self.runner.run(self._check())

    async def _check(self) -> None:
        async with self.database.session() as session:
            site = (await session.execute(select(Site).where(Site.id == self.site))).scalar_one()
            rows = await _rows(session, self.site)
            assert [row.id for row in rows] == self.model
            assert [row.position for row in rows] == list(range(len(rows)))
            assert len({slug_key(row.path) for row in rows}) == len(rows)
            assert len({row.space_id for row in rows}) == len(rows)
            assert site.default_site_space_id == self.default
            ctx = Context(OPERATOR, session)
            flags = await site_spaces.are_defaults(ctx, rows, None) if rows else []
            assert flags == [row.id == self.default for row in rows]


async def _rows(session: Session, site_id: str) -> list[SiteSpace]:
    statement = (
        select(SiteSpace)
        .join(Space, Space.id == SiteSpace.space_id)
        .where(SiteSpace.site_id == site_id)
        .order_by(SiteSpace.position)
    )
    return list((await session.execute(statement)).scalars())


def test_random_writes_keep_the_structure_sound(database: Database) -> None:
    url = database.url.render_as_string(hide_password=False)
    with asyncio.Runner() as runner:
        # Connections belong to the loop that opened them.
        own = Database(url, durable=False)
        try:
            run_state_machine_as_test(
                other_examples(lambda: Structure(runner, own), database),
                settings=settings(max_examples=8, stateful_step_count=20, deadline=None),
            )
        finally:
            runner.run(own.close())
