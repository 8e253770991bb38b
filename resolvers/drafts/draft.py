"""Content while a batch of operations changes it: reads what they need, remembers what they set.

A draft stands on one revision. It never loads the whole tree: a page costs the nodes on the way to
its entry, the siblings of a place those below one parent.
"""

import asyncio
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from content.links.meaning import Meaning
from content.merkle.node import canonical
from content.merkle.read import lookup, scan
from content.pages.stored import child_key, has_slugs
from db.inserts import parts
from db.models.content import Revision
from resolvers.core.context import Context
from resolvers.core.errors import NotFound
from resolvers.revisions.bodies_work import BodiesWork
from resolvers.revisions.expansion import refuse_made_page
from resolvers.revisions.objects import CONTENTS, FILES, Kind, Row
from resolvers.revisions.rows import File, Page, ReusableContent, entry_of, page_of
from resolvers.revisions.size import check_size
from resolvers.revisions.states import Body, Changes, bodies
from resolvers.revisions.store import walk_all, walk_beside, walk_one
from resolvers.revisions.tree import join_path

Json = dict[str, Any]
# Keys that are looked up without letting others go first.
KEYS_ON_THE_LOOP = 500
PATHS_AT_ONCE = 5000


def _equal(page: Page, other: Page) -> bool:
    """Whether two states of a page are equal but for the time of their last edit."""
    entries = (entry_of(replace(state, updated_at=None)) for state in (page, other))
    return len({canonical(entry) for entry in entries}) == 1


def _with_slugs(paths: Iterable[str]) -> list[str]:
    """Each path of slugs once."""
    return [path for path in dict.fromkeys(paths) if has_slugs(path)]


@dataclass(frozen=True, slots=True)
class FileBytes:
    """Digest, size and kind of the bytes of a file; `name` is what their server calls them."""

    sha256: str
    size: int
    content_type: str
    width: int | None = None
    height: int | None = None
    name: str = ""


@dataclass(frozen=True, slots=True)
class Waiting:
    """URLs of a body that lead nowhere, with the pages that they may mean."""

    page: bool
    urls: dict[str, Meaning] = field(default_factory=dict)


class Draft:
    """The content of a revision with changes on top of it.

    `received` are bytes that came along with the batch, by the place of the operation that makes a
    file of them. `refs` are ids by the names that the batch gave them (with `ref:` in front),
    `kinds` the kinds of references to them. Rows that it hands out are never changed in place:
    `put` takes the changed copy.
    """

    def __init__(self, ctx: Context, revision: Revision, base_id: str | None = None) -> None:
        """`base_id` is the revision that a change request is based on."""
        self.ctx = ctx
        self.base_id = base_id
        self.revision = revision
        self.space_id = revision.space_id
        self.refs: dict[str, str] = {}
        self.kinds: dict[str, str] = {}
        self.received: dict[str, FileBytes] = {}
        self.written = Changes()
        self.work = BodiesWork()
        # Links whose targets may yet come, by what they stand in.
        self.waiting: dict[str, Waiting] = {}
        self._pages: dict[str, Page | None] = {}
        self._stored: dict[str, Page] = {}
        self._below: dict[str | None, tuple[str, ...]] = {}

    # ------------------------------------------------------------------ ids

    def named(self, id: str) -> str:
        """The id that `ref:NAME` stands for, or the id itself."""
        return self.refs.get(id, id)

    def called(self, id: str) -> str:
        """The reference of the caller to this id: `ref:NAME` if the batch named it, else the id."""
        return next((name for name, named in self.refs.items() if named == id), id)

    # ------------------------------------------------------------------ pages

    async def page(self, id: str, where: str) -> Page:
        """A page by id or `ref:NAME`; NotFound names the argument `where`. PreconditionFailed for
        one that a source has made: what is written has only the page that stands for it."""
        page = await self.find_page(self.named(id))
        if page is None:
            await refuse_made_page(self.ctx, self.space_id, self.named(id), where)
            raise NotFound.at(where, f"page {self.called(id)!r} does not exist in this content")
        return page

    async def find_page(self, id: str) -> Page | None:
        """A page by id; None when there is none."""
        await self._load([id])
        return self._pages.get(id)

    async def find_pages(self, ids: Iterable[str]) -> dict[str, Page]:
        """Pages by id; without those that are not there."""
        page_ids = set(ids)
        await self._load(page_ids)
        return {id: page for id in page_ids if (page := self._pages.get(id)) is not None}

    def stored_page(self, id: str) -> Page | None:
        """A page that was read, as the revision has it; None when it does not have it."""
        return self._stored.get(id)

    async def take(self, changes: Changes) -> None:
        """Become what these changes make of the revision, when nothing else was put here yet."""
        await self._load(changes.pages)
        self._pages.update(changes.pages)

    async def load_above(self, pages: Iterable[Page]) -> None:
        """Read the pages above these, a level at a time."""
        read: set[str] = set()
        while ids := {page.parent_id for page in pages if page.parent_id is not None} - read:
            await self._load(ids)
            read |= ids
            pages = [page for id in ids if (page := self._pages.get(id)) is not None]

    async def _load(self, ids: Iterable[str]) -> None:
        unknown = [id for id in ids if id not in self._pages]
        if not unknown:
            return
        entries = await walk_one(self.ctx, self.space_id, lookup(self.revision.pages_root, unknown))
        for id in unknown:
            self._pages[id] = None
        for id, entry in entries.items():
            self._stored[id] = self._pages[id] = page_of(self.space_id, "", id, entry)

    def put(self, page: Page, edited: bool = True) -> None:
        """Add a page, or set one to this state; `edited` unless only its place changes."""
        old = self._pages.get(page.id)
        if old is not None and edited and not _equal(page, old):
            page = replace(page, updated_at=self.ctx.now())
        self._pages[page.id] = page

    def put_body(self, row: Page | ReusableContent, document_id: str | None) -> None:
        """Give a page or reusable content another body."""
        if isinstance(row, Page):
            self.put(replace(row, document_id=document_id))
        else:
            self.written.contents[row.id] = replace(row, document_id=document_id)

    async def remove(self, page: Page) -> None:
        """Take out a page and everything below it."""
        level = [page]
        while level:
            below = await self.below([page.id for page in level])
            for removed in level:
                self._pages[removed.id] = None
            level = below

    def take_out(self, ids: Iterable[str]) -> None:
        """Take out pages that were read, and have nothing below them but others of these."""
        self._pages.update(dict.fromkeys(ids))

    async def children(self, parent_id: str | None) -> list[Page]:
        """Pages directly below one, or at the top level, in display order."""
        return sorted(await self.below([parent_id]), key=lambda page: (page.order, page.id))

    async def below(self, parent_ids: Iterable[str | None]) -> list[Page]:
        """Pages directly below any of these, in no order; read in one batch."""
        parents = set(parent_ids)
        unread = [parent for parent in parents if parent not in self._below]
        await self._load([parent for parent in unread if parent is not None])
        stored = [parent for parent in unread if parent is None or parent in self._stored]
        walks = [
            (self.space_id, scan(self.revision.slugs_root, prefix=f"{parent or ''}/"))
            for parent in stored
        ]
        self._below.update(dict.fromkeys(unread, ()))
        for parent, entries in zip(stored, await walk_all(self.ctx, walks), strict=True):
            self._below[parent] = tuple(value["id"] for _, value in entries)
        await self._load(id for parent in parents for id in self._below[parent])
        return [
            page for page in self._pages.values() if page is not None and page.parent_id in parents
        ]

    async def at_slug(self, parent_id: str | None, slug: str) -> Page | None:
        """The page that has this slug below a parent."""
        key = child_key(parent_id, slug, "")
        for page in self._pages.values():
            if page is not None and page.key == key:
                return page
        stored = await walk_one(self.ctx, self.space_id, lookup(self.revision.slugs_root, [key]))
        page = await self.find_page(stored[key]["id"]) if key in stored else None
        return page if page is not None and page.key == key else None

    async def at_paths(self, paths: Iterable[str]) -> dict[str, Page]:
        """The pages at paths of slugs, as they are compared, by path; without those of none.

        They are read a level at a time, thousands at once: a text may have very many links.
        """
        pages: dict[str, Page] = {}
        ordered = await asyncio.to_thread(_with_slugs, paths)
        for some in parts(ordered, PATHS_AT_ONCE):
            # What is known already is read without waiting; others go first all the same.
            await asyncio.sleep(0)
            left = [(path, "", path) for path in some]
            while left:
                keys: list[tuple[str, str, str]] = []
                for path, above, rest in left:
                    slug, _, below = rest.partition("/")
                    keys.append((path, f"{above}/{slug}", below))
                there = await self._at_keys({key for _, key, _ in keys})
                left = []
                for path, key, below in keys:
                    page = there.get(key)
                    if page is not None and below:
                        left.append((path, page.id, below))
                    elif page is not None:
                        pages[path] = page
        return pages

    async def _at_keys(self, keys: set[str]) -> dict[str, Page]:
        """Pages by their keys in the map of children; a page of this batch comes first."""
        walk = lookup(self.revision.slugs_root, keys)
        walked = walk_one if len(keys) <= KEYS_ON_THE_LOOP else walk_beside
        stored = await walked(self.ctx, self.space_id, walk)
        await self._load(value["id"] for value in stored.values())
        return {
            page.key: page for page in self._pages.values() if page is not None and page.key in keys
        }

    async def ancestors(self, page: Page) -> list[Page]:
        """The pages above one, the nearest first."""
        ancestors: list[Page] = []
        above = page.parent_id
        while above is not None and (parent := await self.find_page(above)) is not None:
            ancestors.append(parent)
            above = parent.parent_id
        return ancestors

    async def path_of(self, page: Page) -> str:
        """Slugs from the top level down."""
        path = ""
        for ancestor in (*reversed(await self.ancestors(page)), page):
            path = join_path(path, ancestor.slug)
        return path

    # ------------------------------------------------------------------ files and contents

    async def file(self, id: str, where: str) -> File:
        """A file by id or `ref:NAME`; NotFound names the argument `where`."""
        return await self._object(FILES, self.written.files, id, where)

    async def reusable_content(self, id: str, where: str) -> ReusableContent:
        """A reusable content by id or `ref:NAME`; NotFound names the argument `where`."""
        return await self._object(CONTENTS, self.written.contents, id, where)

    async def _object(
        self, kind: Kind[Row], written: Mapping[str, Row | None], id: str, where: str
    ) -> Row:
        named = self.named(id)
        row = written[named] if named in written else await kind.get(self.ctx, self.revision, named)
        if row is None:
            raise NotFound.at(where, f"{kind.called} {id!r} does not exist in this content")
        return row

    async def find_files(self, ids: Iterable[str]) -> set[str]:
        """The ids that are files here."""
        file_ids, written = set(ids), self.written.files
        (stored,) = await FILES.find(self.ctx, [(self.revision, file_ids - written.keys())])
        return stored.keys() | {id for id in file_ids if written.get(id) is not None}

    # ------------------------------------------------------------------ bodies

    async def body(self, document_id: str | None) -> Body | None:
        """A body, be it stored or written by this batch."""
        if document_id in self.written.documents:
            return self.written.body(document_id)
        (body,) = await bodies(self.ctx, [(self.space_id, document_id)])
        return body

    def replace_document(self, old: str, markdown: str, document: Json) -> str:
        """The id of a body in place of one that this batch has written, and that nothing keeps."""
        document_id = self.written.add_document(markdown, document)
        rows = (*self._pages.values(), *self.written.contents.values())
        if (
            document_id != old
            and sum(row is not None and row.document_id == old for row in rows) < 2
        ):
            del self.written.documents[old]
        return document_id

    # ------------------------------------------------------------------ the end

    async def changes(self) -> Changes:
        """Everything that differs from the revision; PreconditionFailed beyond the limits."""
        changes = self.written
        for id, page in self._pages.items():
            stored = self._stored.get(id)
            if page is None:
                if stored is not None:
                    changes.pages[id], changes.before[id] = None, stored
            elif stored is None:
                changes.pages[id] = page
            elif not _equal(page, stored):
                changes.pages[id], changes.before[id] = page, stored
        await self.check_size(changes)
        return changes

    async def check_size(self, changes: Changes) -> None:
        """Raise PreconditionFailed when the space would have too many pages or files."""
        added = sum((page is not None) - (id in self._stored) for id, page in changes.pages.items())
        await check_size(self.ctx, self.revision, added, changes)
