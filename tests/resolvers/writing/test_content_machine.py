"""Random operations on the pages of a space do what they do to a simple tree in memory."""

import asyncio
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest
from hypothesis import settings, strategies as st
from hypothesis.stateful import RuleBasedStateMachine, invariant, precondition, rule
from sqlalchemy import select
from strawberry import Some

from content.slugs import slug_key
from db.content_enums import NewPageType, PageType
from db.enums import EditMode
from db.migrate import migrate
from db.models.content import Revision
from db.models.spaces import Space
from db.session import Database
from resolvers.core.actors import OPERATOR
from resolvers.core.context import Context
from resolvers.core.errors import ApiError
from resolvers.core.runners import run
from resolvers.drafts.operation_inputs import (
    ApplyContentChangesInput,
    ContentOperationInput,
    ContentTargetInput,
    CreatePageInput,
    DeletePageInput,
    MovePageInput,
    RenamePageInput,
)
from resolvers.drafts.page_inputs import PagePositionInput
from resolvers.revisions.objects import find_page_by_path
from resolvers.revisions.rows import Page
from resolvers.revisions.states import first_revision
from resolvers.revisions.tree import all_pages, find_page
from resolvers.writing.operations import ContentWrite, apply_content_changes
from tests import factories

TITLES = ["Home", "home", "Über", "~", "llms.txt", "page", "Home 1", "home-1", "中文"]
SLUGS = ["home", "HOME", "home-1", "llms.txt", "x", "ü", "a.b"]


@dataclass
class Model:
    """The tree as lists: children in order by parent, and what a page is."""

    children: dict[str | None, list[str]] = field(default_factory=dict)
    kinds: dict[str, PageType] = field(default_factory=dict)

    def parent_of(self, id: str) -> str | None:
        return next(parent for parent, ids in self.children.items() if id in ids)

    def subtree(self, id: str) -> list[str]:
        return [id, *(one for child in self.children.get(id, []) for one in self.subtree(child))]

    def remove(self, id: str) -> None:
        self.children[self.parent_of(id)].remove(id)
        for one in self.subtree(id):
            self.children.pop(one, None)
            self.kinds.pop(one, None)

    def place(self, id: str, parent: str | None, index: int | None) -> None:
        siblings = self.children.setdefault(parent, [])
        siblings.insert(len(siblings) if index is None else index, id)

    def documents(self) -> set[str]:
        return {id for id, kind in self.kinds.items() if kind is PageType.DOCUMENT}

    def walk(self, parent: str | None = None) -> list[str]:
        return [one for id in self.children.get(parent, []) for one in [id, *self.walk(id)]]


class Tree(RuleBasedStateMachine):
    """One space on SQLite; every step is one batch of one operation, as a writer makes it."""

    url = ""

    def __init__(self) -> None:
        super().__init__()
        self.loop = asyncio.new_event_loop()
        self.database = Database(self.url, durable=False)
        self.model = Model()
        self.space_id, page_id = self.do(self.begin())
        self.model.place(page_id, None, None)
        self.model.kinds[page_id] = PageType.DOCUMENT

    def do(self, work: Any) -> Any:
        return self.loop.run_until_complete(work)

    def teardown(self) -> None:
        self.do(self.database.close())
        self.loop.close()

    async def begin(self) -> tuple[str, str]:
        async with self.database.session() as session:
            await session.begin_write()
            organization = await factories.make_organization(session)
            space = await factories.make_space(session, organization, edit_mode=EditMode.LIVE)
            ctx = Context(OPERATOR, session)
            revision = await first_revision(ctx, space.id, "First")
            space.revision_id = revision.id
            (pages,) = await all_pages(ctx, [revision])
            await session.commit()
            return space.id, pages[0].id

    async def apply(self, *operations: ContentOperationInput) -> ContentWrite | None:
        """The write; None when it was refused."""
        async with self.database.session() as session:
            target = ContentTargetInput(space=self.space_id)
            batch = ApplyContentChangesInput(target=target, operations=list(operations))
            try:
                return await run(Context(OPERATOR, session), apply_content_changes, batch)
            except ApiError:
                return None

    def any_page(self, data: st.DataObject, groups: bool = True) -> str:
        ids = sorted(
            id for id, kind in self.model.kinds.items() if groups or kind is not PageType.GROUP
        )
        return data.draw(st.sampled_from(ids))

    @rule(
        data=st.data(), title=st.sampled_from(TITLES), slug=st.none() | st.sampled_from(SLUGS),
        type=st.sampled_from(NewPageType), below=st.booleans(), index=st.none() | st.integers(0, 3),
    )  # fmt: skip
    def create(self, data: Any, title: str, slug: str | None, type: NewPageType, below: bool,
               index: int | None) -> None:  # fmt: skip
        parent = self.any_page(data) if below else None
        made = CreatePageInput(
            type=type, title=title, parent=parent,
            position=None if index is None else PagePositionInput(index=index),
        )  # fmt: skip
        if type is NewPageType.LINK:
            made.target = Some({"kind": "url", "url": "https://a.example"})
        elif slug is not None:
            made.slug = Some(slug)
        written = self.do(self.apply(ContentOperationInput(create_page=made)))
        allowed = (
            (parent is None or self.model.kinds[parent] in (PageType.DOCUMENT, PageType.GROUP))
            and not (type is NewPageType.GROUP and parent is not None)
            and (index is None or index <= len(self.model.children.get(parent, [])))
        )
        if slug is None or type is NewPageType.LINK:
            assert (written is not None) == allowed
        if written is not None:
            assert allowed
            (created,) = written.created
            self.model.place(created.id, parent, index)
            self.model.kinds[created.id] = PageType(type.value)

    @rule(data=st.data(), title=st.none() | st.sampled_from(TITLES),
          slug=st.none() | st.sampled_from(SLUGS))  # fmt: skip
    def rename(self, data: Any, title: str | None, slug: str | None) -> None:
        renamed = RenamePageInput(page=self.any_page(data))
        if title is not None:
            renamed.title = Some(title)
        if slug is not None:
            renamed.slug = Some(slug)
        written = self.do(self.apply(ContentOperationInput(rename_page=renamed)))
        assert written is not None or slug is not None

    @rule(data=st.data(), top=st.booleans(), index=st.none() | st.integers(0, 4))
    def move(self, data: Any, top: bool, index: int | None) -> None:
        id = self.any_page(data)
        parent = None if top else self.any_page(data)
        position = None if index is None else PagePositionInput(index=index)
        moved = MovePageInput(page=id, parent=Some(parent), position=position)
        written = self.do(self.apply(ContentOperationInput(move_page=moved)))
        siblings = [one for one in self.model.children.get(parent, []) if one != id]
        allowed = (
            (parent is None or self.model.kinds[parent] in (PageType.DOCUMENT, PageType.GROUP))
            and parent not in self.model.subtree(id)
            and not (self.model.kinds[id] is PageType.GROUP and parent is not None)
            and (index is None or index <= len(siblings))
        )
        # A slug that was set by hand may be taken there.
        assert written is None or allowed
        if written is not None:
            self.model.children[self.model.parent_of(id)].remove(id)
            self.model.place(id, parent, index)

    @precondition(lambda self: len(self.model.kinds) > 2)
    @rule(data=st.data())
    def delete(self, data: Any) -> None:
        id = self.any_page(data)
        deleted = DeletePageInput(page=id)
        written = self.do(self.apply(ContentOperationInput(delete_page=deleted)))
        rest = self.model.documents() - set(self.model.subtree(id))
        gone = self.model.documents() & set(self.model.subtree(id))
        assert (written is not None) == bool(rest or not gone)
        if written is not None:
            self.model.remove(id)

    @invariant()
    def is_the_same_tree(self) -> None:
        self.do(self.check())

    async def check(self) -> None:
        async with self.database.session() as session:
            ctx = Context(OPERATOR, session)
            statement = select(Revision).join(Space, Space.revision_id == Revision.id)
            revision = (
                await session.execute(statement.where(Space.id == self.space_id))
            ).scalar_one()
            (pages,) = await all_pages(ctx, [revision])
            # The same pages in the same order: no orphan is left out, none is there twice.
            assert [page.id for page in pages] == self.model.walk()
            assert {page.id: page.type for page in pages} == self.model.kinds
            siblings: dict[str | None, list[Page]] = {}
            for page in pages:
                siblings.setdefault(page.parent_id, []).append(page)
            for below in siblings.values():
                orders = [page.order for page in below]
                assert orders == sorted(set(orders))
                slugs = [slug_key(page.slug) for page in below if page.slug is not None]
                assert len(slugs) == len(set(slugs))
            for page in pages:
                found = await find_page(ctx, revision, page.id)
                assert found.path == page.path
                if page.slug is not None:
                    assert (await find_page_by_path(ctx, revision, page.path)).id == page.id


@pytest.fixture(scope="module")
def database_url(tmp_path_factory: pytest.TempPathFactory) -> str:
    url = f"sqlite:///{tmp_path_factory.mktemp('machine') / 'docstead.sqlite3'}"

    async def make() -> None:
        database = Database(url, durable=False)
        await migrate(database)
        await database.close()

    with ThreadPoolExecutor(1) as pool:
        pool.submit(asyncio.run, make()).result()
    return url


def test_tree_machine(database_url: str, tmp_path: Path) -> None:
    """In a thread: the machine runs an event loop of its own."""
    from hypothesis.stateful import run_state_machine_as_test

    machine = type("TreeOnSQLite", (Tree,), {"url": database_url})
    bounds = settings(max_examples=25, stateful_step_count=25, deadline=None)
    with ThreadPoolExecutor(1) as pool:
        pool.submit(run_state_machine_as_test, machine, settings=bounds).result()
