"""Putting the pages of an import into a draft: new ones, and those that an earlier import has made.

The source decides what its pages say and where they stand. What it has not changed since the last
import stays as it is, whatever people have done to it; what it has changed is taken from it. Pages
that it no longer has are removed, unless people have edited them, or have put pages below them.
"""

import asyncio
import datetime as dt
from collections.abc import AsyncIterator, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, TypeVar

import orjson

from content.markdown.parser import parse_document
from content.slugs import slug_key, unique_slug
from db.content_enums import PageType
from db.inserts import parts
from resolvers.drafts.bodies import carried
from resolvers.drafts.draft import Draft
from resolvers.drafts.page_places import WITH_SLUG, check_parent
from resolvers.imports.order import keys_in_order
from resolvers.revisions.import_marks import mark_of, mark_of_head, page_digest, text_digest
from resolvers.revisions.objects import CONTENTS, FILES
from resolvers.revisions.rows import File, Page, ReusableContent
from resolvers.revisions.states import bodies, is_first_page

Json = dict[str, Any]
T = TypeVar("T")


WHERE = "pageId"
_FIELDS = ("description", "icon", "emoji", "hidden", "no_index", "no_robots_index", "layout",
           "cover", "variables", "condition", "extra", "target", "computed")  # fmt: skip
BODIES_AT_ONCE = 200
# Rows that are worked on before others have their turn.
ROWS_AT_ONCE = 50
# Pages that a warning names.
NAMED = 20


@dataclass(slots=True)
class PutPages:
    """Counts and warnings of the pages of an import."""

    created: int = 0
    updated: int = 0
    unchanged: int = 0
    removed: int = 0
    warnings: list[str] = field(default_factory=list)


@dataclass(frozen=True, slots=True)
class ImportPlace:
    """Where an import goes to: its source, and the page that its pages come below."""

    source: str
    below: str | None


async def put_pages(
    draft: Draft, place: ImportPlace, values: Sequence[Json], gone: Iterable[str]
) -> PutPages:
    """Put pages where they belong; `gone` are ids of earlier ones that the source has no more."""
    done = PutPages()
    before = await draft.find_pages(value["id"] for value in values)
    incoming: list[Incoming] = []
    async for value in _in_turn(values):
        incoming.append(_incoming(draft, place, value))
    changed = [
        before[item.page.id]
        for item in incoming
        if item.page.id in before and _digest(before[item.page.id]) != item.digest
    ]
    there = await _stored(draft, changed)
    rows: dict[str, Page] = {}
    overwritten: list[str] = []
    async for item in _in_turn(incoming):
        id, old = item.page.id, before.get(item.page.id)
        if old is None or is_first_page(old):
            rows[id] = await _written(draft, item)
            done.created += 1
        elif _digest(old) == item.digest or there[id].digest == item.digest:
            rows[id] = _moved(item, old)
            done.unchanged += 1
        else:
            rows[id] = await _written(draft, item, old, there[id].document)
            done.updated += 1
            if _digest(old) not in (None, there[id].digest):
                overwritten.append(item.page.title)
    if overwritten:
        done.warnings.append(
            "edited here and changed in the source, whose text they have now: "
            + _names(overwritten)
        )
    removed = await _removable(draft, [id for id in gone if id not in rows], rows, done)
    if done.created or done.updated or removed:
        _remark(rows.values(), place)
    await _place(draft, rows, removed)
    draft.take_out(removed)
    done.removed = len(removed)
    return done


async def _in_turn(items: Sequence[T]) -> AsyncIterator[T]:
    """The items, with a turn for others after every few of them."""
    for some in parts(items, ROWS_AT_ONCE):
        for item in some:
            yield item
        await asyncio.sleep(0)


@dataclass(frozen=True, slots=True)
class Incoming:
    """A page as the source has it, with its body; the document is the bytes of its JSON."""

    page: Page
    markdown: str
    document: bytes
    digest: str


def _incoming(draft: Draft, place: ImportPlace, value: Json) -> Incoming:
    fields = {name: value[name] for name in _FIELDS if value.get(name) is not None}
    now = draft.ctx.now()
    changed = source_time(value.get("changed"), now)
    page = Page(
        space_id=draft.space_id, revision_id="", id=value["id"], type=PageType(value["type"]),
        title=value["title"], parent_id=value["parent"] or place.below, order=value["order"],
        slug=value.get("slug"), created_at=changed, updated_at=changed, git=value.get("git"),
        **fields,
    )  # fmt: skip
    markdown, document = value.get("markdown", ""), value["document"]
    if page.type is PageType.GROUP and place.below is not None:
        # Groups stand at the top level only; elsewhere a page without a body does the same.
        page = replace(page, type=PageType.DOCUMENT)
        markdown, document = "", orjson.dumps(parse_document("", seed=page.id))
    digest = page_digest(page, markdown)
    mark = mark_of(place.source, value["path"], place.below, digest)
    page.imported = mark | mark_of_head(page, value.get("head"))
    return Incoming(page, markdown, document, digest)


def source_time(text: Any, now: dt.datetime) -> dt.datetime:
    """The time of the source, as packed, but not a later one than now, which it is without one."""
    changed = dt.datetime.fromisoformat(text) if isinstance(text, str) else now
    return min(changed if changed.tzinfo is not None else changed.replace(tzinfo=dt.UTC), now)


def _digest(page: Page) -> str | None:
    """The digest of what the import before has written; None when it is not known."""
    return None if page.imported is None else str(page.imported["digest"])


@dataclass(frozen=True, slots=True)
class Stored:
    """The present state of a page: its digest, and the document of its body."""

    digest: str
    document: Json | None


async def _stored(draft: Draft, pages: Sequence[Page]) -> dict[str, Stored]:
    """Pages as they are now, by id."""
    stored: dict[str, Stored] = {}
    for some in parts(pages, BODIES_AT_ONCE):
        bodies_read = await bodies(draft.ctx, [(draft.space_id, page.document_id) for page in some])
        for page, body in zip(some, bodies_read, strict=True):
            digest = page_digest(page, body.markdown if body is not None else "")
            stored[page.id] = Stored(digest, None if body is None else body.document)
    return stored


async def _written(
    draft: Draft, incoming: Incoming, old: Page | None = None, before: Json | None = None
) -> Page:
    """A page with the text of the source; what was there keeps its id and what people chose, and
    its blocks keep their keys, which comments and links hold on to."""
    page = incoming.page
    if old is not None:
        page = replace(page, created_at=old.created_at, slug_set=old.slug_set)
        if old.updated_at is not None and page.updated_at is not None:
            # Readers who have seen it before must see that it has changed since.
            older = page.updated_at <= old.updated_at
            page.updated_at = draft.ctx.now() if older else page.updated_at
        if old.slug_set:
            page.slug = old.slug
    if page.type is PageType.DOCUMENT:
        document = incoming.document
        if before is not None:
            document = await asyncio.to_thread(_carried, before, document)
        page.document_id = draft.written.add_body(incoming.markdown, document)
    return page


def _carried(before: Json, document: bytes) -> bytes:
    return orjson.dumps(carried(before, orjson.loads(document)))


def _moved(incoming: Incoming, old: Page) -> Page:
    """A page that the source has not changed, where the source has it."""
    mark, stays = incoming.page.imported, old.imported or {}
    # Another address of the same documentation alone is no reason to write: see _remark.
    same = {**stays, "source": ""} == {**(mark or {}), "source": ""}
    from_git = old.imported is None and old.git is not None
    page = replace(old, parent_id=incoming.page.parent_id)
    if not same and not from_git:
        page.imported, page.git = mark, incoming.page.git
    if page.slug_set or page.type not in WITH_SLUG:
        return page
    return replace(page, slug=incoming.page.slug)


def _remark(pages: Iterable[Page], place: ImportPlace) -> None:
    """Pages that came from another address of the documentation are of this one from now on, so
    that all of its pages are of one source. It is not worth a revision of its own."""
    for page in pages:
        if page.imported is not None:
            page.imported = {**page.imported, "source": place.source}


async def _removable(
    draft: Draft, gone: Sequence[str], rows: Mapping[str, Page], done: PutPages
) -> dict[str, Page]:
    """The pages that can go with the source's; a warning names the others."""
    pages = await draft.find_pages(gone)
    there = await _stored(draft, list(pages.values()))
    needed = {id for id, page in pages.items() if _digest(page) not in (None, there[id].digest)}
    # What people have put below a page, and what the source has but the import has not.
    for below in await draft.below(pages):
        if below.id not in rows and below.id not in pages and below.parent_id is not None:
            needed.add(below.parent_id)
    stack = [id for id in needed if id in pages]
    while stack:
        above = pages[stack.pop()].parent_id
        if above in pages and above not in needed:
            needed.add(above)
            stack.append(above)
    stay = [page.title for id, page in pages.items() if id in needed]
    if stay:
        done.warnings.append(
            "no longer in the source, but edited here or above other pages, so they stay: "
            + _names(stay)
        )
    return {id: page for id, page in pages.items() if id not in needed}


async def _place(draft: Draft, rows: Mapping[str, Page], removed: Mapping[str, Page]) -> None:
    """Give pages their slugs and their order: the source's, with those of others in between."""
    families: dict[str | None, list[Page]] = {}
    for page in rows.values():
        families.setdefault(page.parent_id, []).append(page)
    children: dict[str | None, list[Page]] = {}
    for page in await draft.below(list(families)):
        children.setdefault(page.parent_id, []).append(page)
    for parent, pages in families.items():
        ids = {page.id for page in pages}
        there = sorted(children.get(parent, []), key=lambda page: (page.order, page.id))
        # Those that stand elsewhere from now on.
        others = [
            sibling for sibling in there
            if sibling.id in ids or (sibling.id not in rows and sibling.id not in removed)
        ]  # fmt: skip
        keys = keys_in_order(
            [page.id for page in pages], [(page.id, page.order) for page in others]
        )
        slugs = {
            slug_key(sibling.slug)
            for sibling in others
            if sibling.slug is not None and sibling.id not in ids
        }
        for page in pages:
            placed = replace(page, order=keys.get(page.id, page.order))
            if placed.slug is not None:
                placed.slug = unique_slug(placed.slug, slugs, at_root=parent is None)
                slugs.add(slug_key(placed.slug))
            await check_parent(draft, placed, WHERE)
            # Its own text has its own time.
            draft.put(placed, edited=False)
        for sibling in others:
            if sibling.id not in ids and keys[sibling.id] != sibling.order:
                draft.put(replace(sibling, order=keys[sibling.id]), edited=False)


def _names(titles: Sequence[str]) -> str:
    named = ", ".join(repr(title[:100]) for title in titles[:NAMED])
    more = len(titles) - NAMED
    return f"{named} and {more} more" if more > 0 else named


Row = TypeVar("Row", File, ReusableContent)


async def put_files(draft: Draft, place: ImportPlace, values: Sequence[Json]) -> None:
    """Put files; the bytes of changed ones take the place of those that were there."""
    (stored,) = await FILES.find(draft.ctx, [(draft.revision, [value["id"] for value in values])])
    for value in values:
        mark = mark_of(place.source, value["path"], place.below, value["sha256"])
        attributes = {name: item for name, item in value.items() if name != "path"}
        file = File(space_id=draft.space_id, revision_id="", imported=mark, **attributes)
        old = stored.get(file.id)
        if old is not None:
            file = _newest(old, file, old.sha256 == file.sha256)
        draft.written.files[file.id] = file


async def put_contents(draft: Draft, place: ImportPlace, values: Sequence[Json]) -> None:
    """Put reusable contents."""
    (before,) = await CONTENTS.find(
        draft.ctx, [(draft.revision, [value["id"] for value in values])]
    )
    digests = await _digests(draft, list(before.values()))
    for value in values:
        digest = text_digest(value["title"], value["markdown"])
        content = ReusableContent(
            space_id=draft.space_id,
            revision_id="",
            id=value["id"],
            title=value["title"],
            git=value["git"],
            imported=mark_of(place.source, value["path"], place.below, digest),
        )
        old = before.get(content.id)
        if old is not None:
            content = _newest(old, content, digests[old.id] == digest)
        if content.document_id is None:
            content.document_id = draft.written.add_body(value["markdown"], value["document"])
        draft.written.contents[content.id] = content


async def _digests(draft: Draft, contents: Sequence[ReusableContent]) -> dict[str, str]:
    """Digests of titles and texts of stored contents, by id."""
    digests: dict[str, str] = {}
    for some in parts(contents, BODIES_AT_ONCE):
        stored = await bodies(
            draft.ctx, [(draft.space_id, content.document_id) for content in some]
        )
        for content, body in zip(some, stored, strict=True):
            digests[content.id] = text_digest(content.title, "" if body is None else body.markdown)
    return digests


def _newest(old: Row, new: Row, equal: bool) -> Row:
    """The stored object if the source has not changed it, else the one of the source."""
    before: Mapping[str, Any] = old.imported or {}
    after: Mapping[str, Any] = new.imported or {}
    if not equal and before.get("digest") != after["digest"]:
        return new
    same = {**before, "source": ""} == {**after, "source": ""}
    from_git = old.imported is None and old.git is not None
    return old if same or from_git else replace(old, imported=new.imported)
