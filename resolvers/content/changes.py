"""What changed between two revisions, in the words of readers (docs/content-model.md).

Only those parts of the maps are read in which the revisions differ. Pages come first, then
variables, files and reusable contents, each in the order in which they were made; redirects are
listed beside them (resolvers/content/redirect_changes.py). Times, Git metadata and the order keys
behind a reordering are no changes by themselves.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Annotated, Any

import strawberry

from content.merkle.read import Change, diff
from content.pages.layout_options import whole_layout
from db.content_enums import ContentChangeType
from db.models.content import Revision
from resolvers.change_requests.operations import get_change_request
from resolvers.content.change_rows import (
    AttributeRow,
    Attributes,
    BeforeAfter,
    ChangeRow,
    ChangesRow,
    MovedRow,
)
from resolvers.content.files import file_urls
from resolvers.content.redirect_changes import redirect_changes
from resolvers.core.arguments import ChangeRequestId, RevisionId, SpaceId
from resolvers.core.context import Context
from resolvers.core.errors import NotFound, invalid
from resolvers.revisions.read_targets import ROOTS, find_revision
from resolvers.revisions.rows import File, Page, content_of, file_of, page_of
from resolvers.revisions.store import walk_all
from resolvers.revisions.tree import find_with_those_above, hidden_from

Json = dict[str, Any]
LIMIT = 10
LARGEST_LIMIT = 1000
COLUMNS = ROOTS | {"redirects_root", "variables", "parents", "merged_from_id"}

Limit = Annotated[
    int,
    strawberry.argument(description="Number of changes, 1 to 1000; 10 when absent."),
]
Since = Annotated[
    strawberry.ID | None,
    strawberry.argument(
        description="Compare with this revision of the space; with the first parent when absent."
    ),
]


_CREATED = {
    "page": ContentChangeType.PAGE_CREATED,
    "file": ContentChangeType.FILE_CREATED,
    "content": ContentChangeType.REUSABLE_CONTENT_CREATED,
}
_DELETED = {
    "page": ContentChangeType.PAGE_DELETED,
    "file": ContentChangeType.FILE_DELETED,
    "content": ContentChangeType.REUSABLE_CONTENT_DELETED,
}


async def get_revision_changes(
    ctx: Context, space_id: SpaceId, id: RevisionId, since: Since = None, limit: Limit = LIMIT
) -> ChangesRow:
    """What a revision changed of its first parent, or of another revision."""
    check_limit(limit)
    after = await find_revision(ctx, space_id, revision_id=id, columns=COLUMNS)
    if since is not None:
        before: Revision | None = await find_revision(
            ctx, space_id, revision_id=since, columns=COLUMNS
        )
    else:
        parent = next(iter(after.parents), None)
        before = await _before(ctx, space_id, parent, f"revision {id!r}")
    (row,) = await compare(ctx, [Compared(before, after, after.merged_from_id)], limit)
    return row


async def _before(ctx: Context, space_id: str, id: str | None, changed: str) -> Revision | None:
    """The revision that something is compared with, which the caller has not named."""
    if id is None:
        return None
    try:
        return await find_revision(ctx, space_id, revision_id=id, columns=COLUMNS)
    except NotFound as error:
        raise hidden_before(changed) from error


def hidden_before(changed: str) -> NotFound:
    """The error where the revision before `changed` may not be read."""
    return NotFound(
        f"what {changed} changed is not visible to you: you may not read what was before"
    )


async def get_change_request_changes(
    ctx: Context, space_id: SpaceId, change_request_id: ChangeRequestId, limit: Limit = LIMIT
) -> ChangesRow:
    """What a change request changes of the content that it began with or pulled last."""
    check_limit(limit)
    after = await find_revision(ctx, space_id, change_request_id, columns=COLUMNS)
    pointers = frozenset({"id", "revision_initial_id", "revision_merged_ancestor_id"})
    request = await get_change_request(ctx, space_id, change_request_id, columns=pointers)
    base = request.revision_merged_ancestor_id or request.revision_initial_id
    before = await _before(ctx, space_id, base, f"change request {change_request_id!r}")
    return await changes_between(ctx, before, after, limit)


def check_limit(limit: int) -> None:
    """Invalid for another number of changes than a read may have."""
    if not 1 <= limit <= LARGEST_LIMIT:
        raise invalid("limit", f"{limit} is not allowed; it must be 1 to {LARGEST_LIMIT}")


async def changes_between(
    ctx: Context, before: Revision | None, after: Revision, limit: int
) -> ChangesRow:
    """The first `limit` changes from one revision to another of the same space."""
    (row,) = await compare(ctx, [Compared(before, after)], limit)
    return row


@dataclass(frozen=True, slots=True)
class Compared:
    """Two revisions of one space; all is new in the second one where there is no first."""

    before: Revision | None
    after: Revision
    merged_from_id: str | None = None

    @property
    def both(self) -> tuple[Revision, ...]:
        """The revisions that there are."""
        return (self.after,) if self.before is None else (self.before, self.after)


async def compare(ctx: Context, pairs: Sequence[Compared], limit: int) -> list[ChangesRow]:
    """The first `limit` changes of each pair; what they need is read for all of them at once."""
    walks = [
        (pair.after.space_id, diff(getattr(pair.before, name, None), getattr(pair.after, name)))
        for pair in pairs
        for name in ("pages_root", "files_root", "contents_root", "redirects_root")
    ]
    walked = iter(await walk_all(ctx, walks))
    hidden = await hidden_from(ctx, [revision for pair in pairs for revision in pair.both])
    rows: list[ChangesRow] = []
    for pair, pages, files, contents, redirects in zip(
        pairs, walked, walked, walked, walked, strict=True
    ):
        before, after = pair.before, pair.after
        changes = [
            *_page_changes(before, after, _there(before, after, pages, hidden)),
            *_variable_changes(before, after),
            *_file_changes(before, after, files),
            *_content_changes(before, after, contents),
        ]
        beside = redirect_changes(before, after, redirects, hidden, limit)
        more = max(0, len(changes) - limit) or None
        rows.append(ChangesRow(changes[:limit], more, after.id, pair.merged_from_id, beside))
    await _place_pages(ctx, pairs, rows)
    return rows


# ------------------------------------------------------------------ pages


def _there(
    before: Revision | None,
    after: Revision,
    changes: list[Change],
    hidden: Mapping[str, frozenset[str]],
) -> list[Change]:
    """The changes as they are for the viewer: pages that are hidden from it are not there."""
    if not hidden:
        return changes
    then = hidden.get(before.id, frozenset()) if before is not None else frozenset[str]()
    now = hidden.get(after.id, frozenset())
    visible = [
        Change(
            change.key,
            None if change.key in then else change.before,
            None if change.key in now else change.after,
        )
        for change in changes
    ]
    return [change for change in visible if (change.before, change.after) != (None, None)]


_TEXTS = ("title", "description", "slug", "emoji", "icon", "condition")
_FLAGS = ("hidden", "no_index", "no_robots_index")


def _page_changes(
    before: Revision | None, after: Revision, changes: Sequence[Change]
) -> Iterator[ChangeRow]:
    for change in changes:
        old, new = (
            None if entry is None else page_of(revision.space_id, revision.id, change.key, entry)
            for revision, entry in ((before or after, change.before), (after, change.after))
        )
        if old is None or new is None:
            kind = _CREATED["page"] if old is None else _DELETED["page"]
            yield ChangeRow(kind, page=new or old)
            continue
        attributes = _page_attributes(old, new)
        if attributes:
            edited = AttributeRow(attributes)
            yield ChangeRow(ContentChangeType.PAGE_EDITED, page=new, attributes=edited)
        if (old.parent_id, old.order) != (new.parent_id, new.order):
            yield ChangeRow(ContentChangeType.PAGE_MOVED, page=new, parent=MovedRow())


def _page_attributes(old: Page, new: Page) -> Attributes:
    values: dict[str, tuple[Any, Any]] = {
        name: (getattr(old, name), getattr(new, name)) for name in (*_TEXTS, *_FLAGS)
    }
    values["document"] = (old.document_id, new.document_id)
    values["cover"] = (old.cover, new.cover)
    values["target"] = (old.target, new.target)
    values["computed"] = (old.computed, new.computed)
    values["variables"] = (old.variables, new.variables)
    values["layout"] = (whole_layout(old.layout), whole_layout(new.layout))
    attributes = _different(values)
    if attributes:
        # References mean things of the revision that they stand in.
        attributes["pages"] = BeforeAfter(old, new)
    return attributes


def _different(values: dict[str, tuple[Any, Any]]) -> Attributes:
    return {
        name: BeforeAfter(old, new) for name, (old, new) in values.items() if not _same(old, new)
    }


def _same(old: Any, new: Any) -> bool:
    # In Python 1 equals true, and a variable may turn from one into the other.
    if isinstance(old, dict) and isinstance(new, dict):
        return old.keys() == new.keys() and all(_same(old[key], new[key]) for key in old)
    if isinstance(old, list) and isinstance(new, list):
        return len(old) == len(new) and all(map(_same, old, new))
    return type(old) is type(new) and bool(old == new)


async def _place_pages(ctx: Context, pairs: Sequence[Compared], rows: Sequence[ChangesRow]) -> None:
    """Replace pages by those with a path, and fill in the parents of those that moved."""
    about = [[change for change in row.changes if change.page is not None] for row in rows]
    lookups: list[tuple[Revision, set[str]]] = []
    for pair, changes in zip(pairs, about, strict=True):
        gone = _ids(changes, ContentChangeType.PAGE_DELETED)
        lookups.append((pair.after, _ids(changes) - gone))
        if pair.before is not None:
            lookups.append((pair.before, gone | _ids(changes, ContentChangeType.PAGE_MOVED)))
    pages = iter(await find_with_those_above(ctx, lookups))
    for pair, changes in zip(pairs, about, strict=True):
        now = next(pages)
        then: dict[str, Page] = {} if pair.before is None else next(pages)
        for change in changes:
            assert change.page is not None
            id = change.page.id
            is_gone = change.type is ContentChangeType.PAGE_DELETED
            change.page = (then if is_gone else now).get(id, change.page)
            if change.parent is not None:
                old, new = then.get(id), now.get(id)
                change.parent.before = then.get(old.parent_id) if old and old.parent_id else None
                change.parent.after = now.get(new.parent_id) if new and new.parent_id else None


def _ids(changes: Sequence[ChangeRow], type: ContentChangeType | None = None) -> set[str]:
    """Ids of the pages of changes, or of those of one type."""
    return {change.page.id for change in changes if change.page and type in (None, change.type)}


# ------------------------------------------------------------------ variables


def _variable_changes(before: Revision | None, after: Revision) -> Iterator[ChangeRow]:
    old, new = (before.variables if before is not None else {}), after.variables
    changed = {}
    for name in sorted(old.keys() | new.keys()):
        if name in old and name in new and _same(old[name], new[name]):
            continue
        sides = (("before", old), ("after", new))
        changed[name] = {side: values[name] for side, values in sides if name in values}
    if changed:
        yield ChangeRow(ContentChangeType.VARIABLES_EDITED, variables=changed)


# ------------------------------------------------------------------ files


def _file_changes(
    before: Revision | None, after: Revision, changes: Sequence[Change]
) -> Iterator[ChangeRow]:
    for change in changes:
        old, new = (
            None if entry is None else file_of(revision.space_id, revision.id, change.key, entry)
            for revision, entry in ((before or after, change.before), (after, change.after))
        )
        if old is None or new is None:
            yield ChangeRow(_CREATED["file"] if old is None else _DELETED["file"], file=new or old)
            continue
        attributes = _file_attributes(old, new)
        if attributes:
            edited = AttributeRow(attributes)
            yield ChangeRow(ContentChangeType.FILE_EDITED, file=new, attributes=edited)


def _file_attributes(old: File, new: File) -> Attributes:
    attributes = _different(
        {
            "name": (old.name, new.name),
            "size": (old.size, new.size),
            "content_type": (old.content_type, new.content_type),
            "dimensions": (_dimensions(old), _dimensions(new)),
        }
    )
    if attributes or old.sha256 != new.sha256:
        # Addresses name all of these.
        attributes["files"] = BeforeAfter(old, new)
    return attributes


def _dimensions(file: File) -> Json | None:
    if file.width is None or file.height is None:
        return None
    return {"width": file.width, "height": file.height}


async def file_url_changes(
    ctx: Context, rows: Sequence[AttributeRow], arguments: Any
) -> list[BeforeAfter | None]:
    """The addresses of edited files before and after."""
    changed: list[BeforeAfter] = [row.changed["files"] for row in rows]
    urls = await file_urls(
        ctx, [file for change in changed for file in (change.before, change.after)], None
    )
    return [BeforeAfter(old, new) for old, new in zip(urls[::2], urls[1::2], strict=True)]


# ------------------------------------------------------------------ reusable contents


def _content_changes(
    before: Revision | None, after: Revision, changes: Sequence[Change]
) -> Iterator[ChangeRow]:
    for change in changes:
        old, new = (
            None if entry is None else content_of(revision.space_id, revision.id, change.key, entry)
            for revision, entry in ((before or after, change.before), (after, change.after))
        )
        if old is None or new is None:
            kind = _CREATED["content"] if old is None else _DELETED["content"]
            yield ChangeRow(kind, reusable_content=new or old)
            continue
        attributes = _different(
            {
                "title": (old.title, new.title),
                "document": (old.document_id, new.document_id),
            }
        )
        if attributes:
            yield ChangeRow(
                ContentChangeType.REUSABLE_CONTENT_EDITED,
                reusable_content=new,
                attributes=AttributeRow(attributes),
            )
