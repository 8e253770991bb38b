"""Merging the content of revisions: reads what the engine asks for, writes what it decides.

The engine (content/merge) is a generator that works on differences. What it asks for is read from
the maps of the primary revision, so the cost of a merge is that of what both sides changed.
"""

import asyncio
from collections.abc import Callable, Collection, Generator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, TypeVar

from sqlalchemy import bindparam, func, select

from content.json_types import JsonObject
from content.markdown.rewriting import rewrite_markdown
from content.merge.space import Difference, Merged, merge_space
from content.merge.versions import Found, Needs
from content.merkle.read import Change, diff, lookup, scan
from content.merkle.walk import Walk
from content.pages.stored import repaired_page
from db.models.content import Document, Revision
from db.prepared import KEY, among
from resolvers.core.context import Context
from resolvers.core.errors import invalid
from resolvers.core.statements import Viewer, Written, statement
from resolvers.revisions import limits as content_limits
from resolvers.revisions.bodies_work import BodiesWork
from resolvers.revisions.references import Addresses
from resolvers.revisions.rows import content_of, file_of, page_of, redirect_of
from resolvers.revisions.states import Body, Changes, bodies
from resolvers.revisions.store import advance, walk_all, walk_one

Json = dict[str, Any]
# What a merge does, in characters that are worked on: for a node of a map that it compares, and for
# an entry that one of the sides has changed.
PER_NODE, PER_ENTRY = 50, 20
# By id, or by old path.
Entries = Mapping[str, Any]
T = TypeVar("T")
# What errors call what is too large.
WHERE = "changeRequest"
MAPS = ("pages_root", "files_root", "contents_root", "redirects_root")


@dataclass(slots=True)
class ThreeWay:
    """The merge of a change request (`ours`) with primary content (`theirs`).

    What it changes on either side is worked out once.
    """

    space_id: str
    ours: Difference
    theirs: Difference
    merged: Merged
    # Bodies that were read, by document id.
    read: Mapping[str, Body]
    _onto_theirs: Changes | None = None
    _onto_ours: Changes | None = None

    async def onto_theirs(self) -> Changes:
        """The changes that the merge makes to the primary content."""
        if self._onto_theirs is None:
            merged = self.merged
            maps = (merged.files, merged.contents, merged.redirects)
            self._onto_theirs = await self._changes(
                merged.pages, merged.before, *maps, merged.variables
            )
        return self._onto_theirs

    async def onto_ours(self) -> Changes:
        """The changes that a pull of the primary content makes to the change request."""
        if self._onto_ours is None:
            self._onto_ours = await self._pulled()
        return self._onto_ours

    async def _pulled(self) -> Changes:
        ours, theirs, merged = self.ours, self.theirs, self.merged
        pages, before = _final(ours.pages, theirs.pages, merged.pages, merged.before)
        files, _ = _final(ours.files, theirs.files, merged.files, {})
        contents, _ = _final(ours.contents, theirs.contents, merged.contents, {})
        redirects, _ = _final(ours.redirects, theirs.redirects, merged.redirects, {})
        variables = theirs.variables if merged.variables is None else merged.variables
        return await self._changes(pages, before, files, contents, redirects, variables)

    async def _changes(
        self,
        pages: Entries,
        before: Entries,
        files: Entries,
        contents: Entries,
        redirects: Entries,
        variables: Entries | None,
    ) -> Changes:
        changes = Changes(
            pages=_rows(page_of, self.space_id, pages),
            before=_rows(page_of, self.space_id, before),
            files=_rows(file_of, self.space_id, files),
            contents=_rows(content_of, self.space_id, contents),
            redirects=_rows(redirect_of, self.space_id, redirects),
            variables=None if variables is None else dict(variables),
        )
        await self._write_bodies(changes)
        return changes

    async def _write_bodies(self, changes: Changes) -> None:
        """Add new documents, and name them in their pages and reusable contents."""
        for id, document in self.merged.bodies.items():
            markdown = await asyncio.to_thread(merged_markdown, document, self._sides(id))
            row = changes.pages.get(id) or changes.contents.get(id)
            if row is None:
                raise LookupError(f"the merge has a body for {id!r}, which is not in its result")
            row.document_id = await asyncio.to_thread(changes.add_document, markdown, document)

    def _sides(self, id: str) -> list[Body]:
        """The bodies of both sides that a new one was made from, theirs first."""
        entries = [
            change.after
            for side in (self.theirs, self.ours)
            for change in (*side.pages, *side.contents)
            if change.key == id and change.after is not None
        ]
        ids = [str(entry.get("document_id", "")) for entry in entries]
        return [self.read[id] for id in ids if id in self.read]


def merged_markdown(document: Json, sides: Sequence[Body]) -> str:
    """The Markdown of a merged document: blocks of either side stay as they are written there."""
    both = [Addresses(side.markdown, side.document) for side in sides]

    def resolve(url: str) -> JsonObject | None:
        return next(
            (reference for addresses in both if (reference := addresses.resolve(url)) is not None),
            None,
        )

    def link(reference: JsonObject) -> str | None:
        return next(
            (url for addresses in both if (url := addresses.link(reference)) is not None), None
        )

    originals = [side.markdown for side in sides]
    return rewrite_markdown(document, originals, resolve=resolve, link=link)


async def merge_revisions(
    ctx: Context,
    base: Revision,
    ours: Revision,
    theirs: Revision,
    held: Collection[str] = (),
    work: BodiesWork | None = None,
) -> ThreeWay:
    """Merge two revisions of a space that come from `base`; writes nothing.

    `held` are pages and contents with open conflicts. Revisions never change, so what `work` has
    of the same merge is taken; otherwise the merge counts as work on so many characters. Invalid
    beyond the bounds of a merge.
    """
    work = work or BodiesWork()
    key = "merge", base.id, ours.id, theirs.id, frozenset(held)
    earlier: ThreeWay | None = work.known(key)
    if earlier is not None:
        return earlier
    roots = [(getattr(base, name), getattr(side, name)) for side in (ours, theirs) for name in MAPS]
    walks = [(base.space_id, _weighed(diff(*pair), work)) for pair in roots]
    differences = await walk_all(ctx, walks)
    work.spend(PER_ENTRY * sum(map(len, differences)))
    mine = _difference(differences[: len(MAPS)], ours)
    other = _difference(differences[len(MAPS) :], theirs)
    read: dict[str, Body] = {}
    asking = merge_space(mine, other, dict(base.variables), held)
    merged = await answered(ctx, theirs, asking, read, work)
    if len(merged.conflicts) > content_limits.CONFLICTS:
        raise invalid(
            WHERE,
            f"the merge would leave {len(merged.conflicts):,} conflicts, at most "
            f"{content_limits.CONFLICTS:,} are allowed; merge parts of it, or undo changes that "
            "both sides have made to the same blocks",
        )
    merge = ThreeWay(base.space_id, mine, other, merged, read)
    work.keep(key, merge)
    return merge


def _weighed(walk: Walk[T], work: BodiesWork) -> Walk[T]:
    """The same walk, whose nodes count as work."""
    try:
        nodes = next(walk)
        while True:
            work.spend(PER_NODE * len(nodes))
            nodes = walk.send((yield nodes))
    except StopIteration as stop:
        result: T = stop.value
        return result


def _difference(maps: Sequence[list[Change]], side: Revision) -> Difference:
    pages, files, contents, redirects = maps
    return Difference(
        pages=[
            Change(change.key, _repaired(change.before), _repaired(change.after))
            for change in pages
        ],
        files=files,
        contents=contents,
        redirects=redirects,
        variables=dict(side.variables),
    )


def _repaired(entry: Json | None) -> Json | None:
    """The entry of a page as it is merged: what was stored oddly is no difference."""
    return None if entry is None else repaired_page(entry)


async def answered(
    ctx: Context,
    theirs: Revision,
    asking: Generator[Needs, Found, T],
    read: dict[str, Body],
    work: BodiesWork,
) -> T:
    """The result of a merge, with what it asks for of the primary revision.

    Bodies go to `read`, too, by document id. Its steps are worked out in a thread: comparing long
    texts takes a while. Invalid before bodies are read that are larger than a merge compares.
    """
    sizes: dict[str, int] = {}
    answer: Found | None = None
    while True:
        needs, results = await asyncio.to_thread(advance, asking, answer)
        if needs is None:
            return results[0]
        await _weigh(ctx, theirs.space_id, needs.documents - sizes.keys(), sizes, work)
        answer = await _found(ctx, theirs, needs, read)


@statement
def _sizes(viewer: Viewer) -> Written:
    return select(Document.id, func.length(Document.markdown).label("size")).where(
        Document.space_id == bindparam("space_id", type_=KEY), among(Document.id, "documents")
    )


async def _weigh(
    ctx: Context, space_id: str, ids: Collection[str], sizes: dict[str, int], work: BodiesWork
) -> None:
    """Count the characters of bodies as work before they are read; Invalid beyond the bound."""
    if not ids:
        return
    new = {row.id: row.size for row in await _sizes.rows(ctx, space_id=space_id, documents=ids)}
    sizes.update(new)
    total = sum(sizes.values())
    if total > content_limits.MERGED:
        raise invalid(
            WHERE,
            f"the merge is too large: both sides have changed {len(sizes):,} bodies that have "
            f"{total:,} characters with their common base, at most {content_limits.MERGED:,} are "
            "merged; merge parts of it",
        )
    work.spend(sum(new.values()))


async def _found(ctx: Context, theirs: Revision, needs: Needs, read: dict[str, Body]) -> Found:
    space_id = theirs.space_id
    parents = sorted(needs.children)
    walks: list[tuple[str, Any]] = [
        (space_id, lookup(theirs.pages_root, needs.pages)),
        (space_id, lookup(theirs.slugs_root, needs.slugs)),
        *((space_id, scan(theirs.slugs_root, prefix=f"{parent}/")) for parent in parents),
    ]
    pages, slugs, *below = await walk_all(ctx, walks)
    ids = {value["id"] for entries in below for _, value in entries}
    entries = await walk_one(ctx, space_id, lookup(theirs.pages_root, ids))
    documents = sorted(needs.documents)
    stored = await bodies(ctx, [(space_id, id) for id in documents])
    read.update((id, body) for id, body in zip(documents, stored, strict=True) if body is not None)
    pages, entries = (
        {id: repaired_page(entry) for id, entry in entries_of.items()}
        for entries_of in (pages, entries)
    )
    return Found(
        pages=pages,
        slugs={key: value["id"] for key, value in slugs.items()},
        children={
            parent: {value["id"]: entries[value["id"]] for _, value in children}
            for parent, children in zip(parents, below, strict=True)
        },
        documents={id: read[id].document for id in documents if id in read},
    )


def _final(
    ours: Any, theirs: Any, merged: Mapping[str, Any], before: Mapping[str, Any]
) -> tuple[dict[str, Any], dict[str, Any]]:
    """Entries of the result where it differs from ours, and those entries as ours has them."""
    mine: dict[str, Change] = {change.key: change for change in ours}
    other: dict[str, Change] = {change.key: change for change in theirs}
    final, present = {}, {}
    for id in mine.keys() | other.keys() | merged.keys():
        # What ours has not changed is as in base; and so is theirs, where it has not either.
        unchanged = other[id].before if id in other else before.get(id)
        old = mine[id].after if id in mine else unchanged
        # What is not decided is as theirs has it, even if ours alone has changed it: a move of ours
        # into a circle is undone.
        undecided = other[id].after if id in other else mine[id].before if id in mine else None
        new = merged.get(id, undecided)
        final[id] = new
        if old is not None:
            present[id] = old
    return final, present


def _rows(make: Callable[..., Any], space_id: str, entries: Mapping[str, Any]) -> Any:
    """Rows of entries by id; None stays None."""
    return {
        id: None if entry is None else make(space_id, "", id, entry)
        for id, entry in entries.items()
    }
