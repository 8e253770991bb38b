"""Random walks: a space and a change request move on, pull, decide and merge; nothing is lost.

Every text that is written is a word of its own, so that each one can be found again: what a page
says in the end is what the space said last or what the change request said last, never anything
older, and nothing stands there twice.
"""

import random
from collections import Counter
from dataclasses import dataclass, field
from typing import Any

import pytest
from sqlalchemy import select
from strawberry import ID, Some

from content.slugs import slug_key
from db.content_enums import ConflictResolution, MergeResult, PageType
from db.models.change_requests import ChangeRequest
from db.models.content import Revision
from db.models.content_index import ContentLink, ContentLinkUse, IndexedPage
from db.models.merging import MergeConflict
from db.models.spaces import Space
from db.session import Session
from jobs.reindex import index_space
from resolvers.core.errors import ApiError, PreconditionFailed
from resolvers.core.runners import run
from resolvers.core.scalars import JsonObject
from resolvers.drafts.operation_inputs import (
    ApplyContentChangesInput,
    ContentOperationInput,
    ContentTargetInput,
    CreatePageInput,
    DeletePageInput,
    MovePageInput,
    SetVariablesInput,
    UpdatePageInput,
)
from resolvers.drafts.page_inputs import PageBodyInput, PagePositionInput
from resolvers.merging.conflict_resolution import ResolveConflictInput, resolve_conflict
from resolvers.merging.operations import merge_change_request, pull_change_request
from resolvers.revisions.objects import find_page_by_path
from resolvers.revisions.rows import Page, entry_of
from resolvers.revisions.states import bodies
from resolvers.revisions.tree import all_pages, find_page
from resolvers.writing.operations import apply_content_changes
from tests.conftest import World, context
from tests.factories import make_change_request
from tests.merging import filled_space

PAGES = 6
PARAGRAPHS = 4
ROWS = 3
VARIABLES = ("one", "two")
TITLE = "title"
Place = tuple[str, str]


def _word(walk: "Walk") -> str:
    walk.words += 1
    return f"w{walk.words:05}"


@dataclass
class Side:
    """What was written last on one side, by page and part of it."""

    request: str | None
    said: dict[Place, str] = field(default_factory=dict)
    removed: set[str] = field(default_factory=set)

    def remove(self, pages: set[str]) -> None:
        """What was said on these pages is gone with them."""
        self.removed |= pages
        self.said = {place: word for place, word in self.said.items() if place[0] not in pages}


@dataclass
class Walk:
    """One space with one change request."""

    session: Session
    world: World
    random: random.Random
    space_id: str = ""
    request_id: str = ""
    words: int = 0
    sides: list[Side] = field(default_factory=list)
    made: set[str] = field(default_factory=set)

    @property
    def live(self) -> Side:
        return self.sides[0]

    @property
    def draft(self) -> Side:
        return self.sides[1]

    # ------------------------------------------------------------------ reading

    async def revision(self, side: Side) -> Revision:
        self.session.expunge_all()
        if side.request is None:
            id = (await self.session.get_one(Space, self.space_id)).revision_id
        else:
            id = (await self.session.get_one(ChangeRequest, side.request)).revision_id
        found = await self.session.get_one(Revision, id)
        await self.session.commit()
        return found

    async def pages(self, revision: Revision) -> list[Page]:
        (found,) = await all_pages(context(self.session), [revision])
        await self.session.commit()
        return list(found)

    async def text(self, page: Page) -> str:
        (body,) = await bodies(context(self.session), [(self.space_id, page.document_id)])
        await self.session.commit()
        return "" if body is None else body.markdown

    # ------------------------------------------------------------------ writing

    async def apply(self, side: Side, **operation: Any) -> Any:
        """One operation; None when it is refused."""
        batch = ApplyContentChangesInput(
            target=ContentTargetInput(
                space=ID(self.space_id),
                change_request=None if side.request is None else ID(side.request),
            ),
            operations=[ContentOperationInput(**operation)],
        )
        try:
            ctx = context(self.session, self.world.admin)
            return await run(ctx, apply_content_changes, batch)
        except ApiError:
            return None

    async def step(self, side: Side) -> None:
        """Something random on one side."""
        pages = await self.pages(await self.revision(side))
        page = self.random.choice(pages)
        kind = self.random.choice(("title", "body", "body", "body", "move", "add", "delete", "var"))
        if kind == "title":
            word = _word(self)
            update = UpdatePageInput(page=ID(page.id), title=Some(word))
            if await self.apply(side, update_page=update):
                side.said[page.id, TITLE] = word
        elif kind == "body":
            await self.rewrite(side, page)
        elif kind == "move":
            parent = self.random.choice([None, *(one.id for one in pages)])
            index = self.random.choice((None, 0, 1))
            moved = MovePageInput(
                page=ID(page.id), parent=Some(None if parent is None else ID(parent)),
                position=None if index is None else PagePositionInput(index=index),
            )  # fmt: skip
            await self.apply(side, move_page=moved)
        elif kind == "add":
            word = _word(self)
            # Some titles are taken on the other side, too.
            title = self.random.choice((word, "Same", "Same"))
            body = PageBodyInput(markdown=f"{word} text.\n")
            parent = self.random.choice([None, page.id])
            made = CreatePageInput(title=title, parent=parent and ID(parent), body=body)
            written = await self.apply(side, create_page=made)
            if written is not None:
                self.made.add(written.created[0].id)
        elif kind == "delete":
            below = {page.id}
            for one in pages:
                if one.parent_id in below:
                    below.add(one.id)
            if len(pages) - len(below) >= 2 and await self.apply(
                side, delete_page=DeletePageInput(page=ID(page.id))
            ):
                side.remove(below)
        else:
            name, word = self.random.choice(VARIABLES), _word(self)
            values = SetVariablesInput(set=JsonObject({name: word}))
            await self.apply(side, set_variables=values)
            side.said["", name] = word

    async def rewrite(self, side: Side, page: Page) -> None:
        """Write the whole body with one word in it changed; sometimes put a row or block in."""
        text = await self.text(page)
        lines = text.split("\n")
        places = [n for n, line in enumerate(lines) if "part-" in line]
        if not places or page.id in self.made:
            return
        at = self.random.choice(places)
        cells = lines[at].split("|")
        number = self.random.choice([n for n, cell in enumerate(cells) if "part-" in cell])
        name = next(word for word in cells[number].split() if word.startswith("part-"))
        word = _word(self)
        cells[number] = f" {name} {word} "
        lines[at] = "|".join(cells).strip()
        body = PageBodyInput(markdown="\n".join(lines))
        update = UpdatePageInput(page=ID(page.id), body=body)
        if await self.apply(side, update_page=update):
            side.said[page.id, name] = word

    async def pull(self) -> None:
        ctx = context(self.session, self.world.admin)
        try:
            await run(ctx, pull_change_request, self.space_id, self.request_id)
        except PreconditionFailed:
            # Together they would leave no document, or nest too deep: the walk ends here.
            raise _EndError from None

    async def open_conflicts(self) -> list[MergeConflict]:
        self.session.expunge_all()
        statement = select(MergeConflict).where(
            MergeConflict.change_request_id == self.request_id, MergeConflict.resolution.is_(None)
        )
        found = list((await self.session.execute(statement)).scalars())
        await self.session.commit()
        return found

    async def decide(self, conflict: MergeConflict) -> None:
        ctx = context(self.session, self.world.admin)
        before = {one.id for one in await self.pages(await self.revision(self.draft))}
        options = [ConflictResolution.OURS, ConflictResolution.THEIRS]
        self.random.shuffle(options)
        for resolution in (*options, ConflictResolution.CUSTOM):
            wanted = ResolveConflictInput(resolution=resolution)
            try:
                await run(
                    ctx, resolve_conflict, self.space_id, self.request_id, conflict.id, wanted
                )
            except ApiError:
                # Its page is gone, or it has no place there: the next choice.
                continue
            after = {one.id for one in await self.pages(await self.revision(self.draft))}
            # A page that goes takes along what is below it.
            self.draft.remove(before - after)
            return
        raise AssertionError(f"{conflict.data} cannot be resolved")


class _EndError(Exception):
    """A walk that cannot go on."""


def _body(page: int) -> str:
    parts = [f"part-{n} start{page}{n}" for n in range(PARAGRAPHS)]
    rows = [f"| part-c{n}a s{page}{n}a | part-c{n}b s{page}{n}b |" for n in range(ROWS)]
    table = "\n".join(("| Left | Right |", "| --- | --- |", *rows))
    return "\n\n".join((*parts[:2], table, *parts[2:])) + "\n"


async def begin(session: Session, world: World, seed: int) -> Walk:
    walk = Walk(session, world, random.Random(seed))
    space = await filled_space(session, world, PAGES)
    walk.space_id = space.id
    walk.sides = [Side(None)]
    for number in range(PAGES):
        update = UpdatePageInput(page=ID(f"p{number}"), body=PageBodyInput(markdown=_body(number)))
        assert await walk.apply(walk.live, update_page=update)
    await index_space(context(session), space.id)
    await session.begin_write()
    space = await session.get_one(Space, space.id)
    row = await make_change_request(session, space, world.admin)  # fmt: skip
    walk.request_id = row.id
    await session.commit()
    walk.sides.append(Side(row.id))
    return walk


async def check_tree(walk: Walk, revision: Revision) -> dict[str, Page]:
    """The pages, each of which stands in a tree and is found by its id and its path."""
    pages = await walk.pages(revision)
    siblings: dict[str | None, list[Page]] = {}
    for page in pages:
        siblings.setdefault(page.parent_id, []).append(page)
    for below in siblings.values():
        orders = [page.order for page in below]
        assert orders == sorted(set(orders))
        slugs = [slug_key(page.slug) for page in below if page.slug is not None]
        assert len(slugs) == len(set(slugs))
    ctx = context(walk.session)
    for page in pages:
        assert page.type is PageType.DOCUMENT
        assert (await find_page(ctx, revision, page.id)).path == page.path
        assert (await find_page_by_path(ctx, revision, page.path)).id == page.id
    await walk.session.commit()
    return {page.id: page for page in pages}


async def told(walk: Walk, revision: Revision) -> dict[str, Any]:
    """Everything that a revision says, apart from times."""
    found: dict[str, Any] = {"": dict(revision.variables)}
    for page in await walk.pages(revision):
        entry = entry_of(page)
        for name in ("updated_at", "created_at", "document_id"):
            entry.pop(name, None)
        found[page.id] = [entry, await walk.text(page)]
    return found


async def indexed(walk: Walk) -> list[Any]:
    pages = select(IndexedPage.page_id, IndexedPage.searchable, IndexedPage.audience)
    links = select(ContentLink.digest, ContentLink.status, ContentLink.target_id)
    uses = select(ContentLinkUse.source_id, ContentLinkUse.node, ContentLinkUse.text)
    tables = ((pages, IndexedPage), (links, ContentLink), (uses, ContentLinkUse))
    found = [
        sorted(map(str, (await walk.session.execute(
            statement.where(table.space_id == walk.space_id)  # type: ignore[attr-defined]
        )).all()))
        for statement, table in tables
    ]  # fmt: skip
    await walk.session.commit()
    return found


@pytest.mark.divided("seed", range(6))
async def test_nothing_is_lost(session: Session, world: World, seed: int) -> None:
    walk = await begin(session, world, seed)
    try:
        for _ in range(walk.random.randint(1, 4)):
            for _ in range(walk.random.randint(1, 5)):
                await walk.step(walk.random.choice(walk.sides))
            if walk.random.random() < 0.7:
                await walk.pull()
                await check_tree(walk, await walk.revision(walk.draft))
            for conflict in await walk.open_conflicts():
                if walk.random.random() < 0.4:
                    await walk.decide(conflict)
        await walk.pull()
    except _EndError:
        return
    while conflicts := await walk.open_conflicts():
        await walk.decide(conflicts[0])
    before = await told(walk, await walk.revision(walk.draft))
    ctx = context(session, world.admin)
    done = await run(ctx, merge_change_request, walk.space_id, walk.request_id)
    assert done.result is MergeResult.MERGE
    revision = await walk.revision(walk.live)
    # The change request had pulled everything, so it is what the space becomes.
    assert await told(walk, revision) == before
    pages = await check_tree(walk, revision)
    await check_words(walk, revision, pages)
    shown = await indexed(walk)
    await index_space(context(session), walk.space_id)
    assert await indexed(walk) == shown


async def check_words(walk: Walk, revision: Revision, pages: dict[str, Page]) -> None:
    live, draft = walk.live.said, walk.draft.said
    gone = walk.live.removed | walk.draft.removed
    for name in VARIABLES:
        _check(walk, ("", name), revision.variables.get(name))
    for number in range(PAGES):
        id = f"p{number}"
        if id not in pages:
            assert id in gone, f"{id} is lost"
            continue
        text = await walk.text(pages[id])
        words = Counter(text.replace("|", " ").split())
        assert not [word for word, count in words.items() if word[0] == "w" and count > 1]
        _check(walk, (id, TITLE), pages[id].title)
        for name in {part for page, part in (*live, *draft) if page == id and part != TITLE}:
            found = [line for line in text.replace("|", "\n").split("\n") if name in line.split()]
            assert len(found) == 1, (id, name, found, text)
            _check(walk, (id, name), found[0].split()[1])


def _check(walk: Walk, place: Place, word: Any) -> None:
    """The word is what either side has said last."""
    live, draft = walk.live.said.get(place), walk.draft.said.get(place)
    if live is None and draft is None:
        return
    assert word in (live, draft), (place, word, live, draft)
