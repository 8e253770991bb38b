"""Changes between two revisions: added, edited, moved, removed (docs/content-model.md).

Only those parts of the maps are read in which the revisions differ. Pages come first, then
variables, files and reusable contents, each in the order in which they were made; redirects are
listed beside them (resolvers/content/redirects.py). Times, Git metadata and the order keys
behind a reordering are no changes by themselves.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Annotated, Any, TypeVar

import strawberry

from content.merkle.node import Value
from content.merkle.read import Change, diff
from content.pages.layout_options import whole_layout
from db.content_enums import ContentChangeType
from db.models.content import Revision
from resolvers.change_requests.operations import get_change_request
from resolvers.content.files import file_urls
from resolvers.content.redirects import RedirectChanges, redirect_changes
from resolvers.core import inputs
from resolvers.core.arguments import ChangeRequestId, RevisionId, SpaceId
from resolvers.core.batch_functions import only
from resolvers.core.context import Context
from resolvers.core.errors import NotFound, invalid
from resolvers.core.pagination import decode_cursor, encode_cursor, fingerprint
from resolvers.revisions.read_targets import ROOTS, find_revision
from resolvers.revisions.rows import File, Page, ReusableContent, content_of, file_of, page_of
from resolvers.revisions.store import walk_all
from resolvers.revisions.tree import find_with_those_above, hidden_from

Json = dict[str, Any]


@dataclass(frozen=True, slots=True)
class BeforeAfter:
    """A value before and after; None where there was none."""

    before: Any
    after: Any


Attributes = dict[str, BeforeAfter]


@dataclass(slots=True)
class AttributeRow:
    """Changed attributes of a page, a file or a reusable content; None for unchanged ones."""

    changed: Attributes

    def __getattr__(self, name: str) -> BeforeAfter | None:
        if name.startswith("__"):
            # Clients need to know what kind of object this is.
            raise AttributeError(name)
        return self.changed.get(name)


@dataclass(slots=True)
class MovedRow:
    """The pages above a page before and after; None = the top level."""

    before: Page | None = None
    after: Page | None = None


@dataclass(slots=True)
class ChangeRow:
    """One change; `page`, `file` or `reusable_content` as they are now, or were until now."""

    type: ContentChangeType
    page: Page | None = None
    file: File | None = None
    reusable_content: ReusableContent | None = None
    attributes: AttributeRow | None = None
    parent: MovedRow | None = None
    variables: Json | None = None


@dataclass(frozen=True, slots=True)
class ChangesRow:
    """A portion of the changes, and how many are behind it; None = no more."""

    changes: list[ChangeRow]
    more: int | None
    revision_id: str
    end_cursor: str | None = None
    merged_from_id: str | None = None
    redirects: RedirectChanges | None = None


Row = TypeVar("Row", Page, File, ReusableContent)
LIMIT = 10
LARGEST_LIMIT = 1000
COLUMNS = ROOTS | {"redirects_root", "variables", "parents", "merged_from_id"}

Limit = Annotated[int, inputs.argument("Number of changes, 1 to 1000; 10 when absent.")]
Behind = Annotated[
    str | None,
    inputs.argument("The `endCursor` to read on behind; absent = from start."),
]
Since = Annotated[
    strawberry.ID | None,
    inputs.argument("Compare with this revision of the space; with the first parent when absent."),
]


async def get_revision_changes(
    ctx: Context,
    space_id: SpaceId,
    id: RevisionId,
    since: Since = None,
    limit: Limit = LIMIT,
    after: Behind = None,
) -> ChangesRow:
    """What a revision changed of its first parent, or of another revision."""
    check_limit(limit)
    now = await find_revision(ctx, space_id, revision_id=id, columns=COLUMNS, computed=False)
    if since is not None:
        before: Revision | None = await find_revision(
            ctx, space_id, revision_id=since, columns=COLUMNS
        )
    else:
        parent = next(iter(now.parents), None)
        before = await _before(ctx, space_id, parent, f"revision {id!r}")
    (row,) = await compare(ctx, [Compared(before, now, now.merged_from_id)], limit, after)
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
    ctx: Context,
    space_id: SpaceId,
    change_request_id: ChangeRequestId,
    limit: Limit = LIMIT,
    after: Behind = None,
) -> ChangesRow:
    """What a change request changes of the content that it began with or pulled last."""
    check_limit(limit)
    now = await find_revision(ctx, space_id, change_request_id, columns=COLUMNS)
    pointers = only("id", "revision_initial_id", "revision_merged_ancestor_id")
    request = await get_change_request(ctx, space_id, change_request_id, projection=pointers)
    base = request.revision_merged_ancestor_id or request.revision_initial_id
    before = await _before(ctx, space_id, base, f"change request {change_request_id!r}")
    (row,) = await compare(ctx, [Compared(before, now)], limit, after)
    return row


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


async def compare(
    ctx: Context, pairs: Sequence[Compared], limit: int, behind: str | None = None
) -> list[ChangesRow]:
    """The first `limit` changes of each pair, or those behind a cursor; what they need is read for
    all of them at once."""
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
        pages = _there(before, after, pages, hidden)
        changes = [
            *_changes_of("page", page_of, _page_attributes, pair, pages),
            *_edited_variables(before, after),
            *_changes_of("file", file_of, _file_attributes, pair, files),
            *_changes_of("reusable_content", content_of, _content_attributes, pair, contents),
        ]
        beside = redirect_changes(before, after, redirects, hidden, limit)
        mark = fingerprint("changes", after.space_id)
        if behind is not None:
            start = tuple(decode_cursor(mark, behind, (int, str, int)))
            changes = [change for change in changes if _position(change) > start]
        more = max(0, len(changes) - limit) or None
        end = encode_cursor(mark, [*_position(changes[limit - 1])]) if more else None
        rows.append(ChangesRow(changes[:limit], more, after.id, end, pair.merged_from_id, beside))
    await _place_pages(ctx, pairs, rows)
    return rows


# In the order of their list. A cursor names a change by what it is about, so it leads on where it
# was, also when content was changed meanwhile.
_KINDS = ("PAGE", "VARIABLES", "FILE", "REUSABLE_CONTENT")


def _position(change: ChangeRow) -> tuple[int, str, int]:
    """Where a change stands among others; one page can be edited, and moved behind that."""
    kind = next(at for at, kind in enumerate(_KINDS) if change.type.name.startswith(kind))
    about = change.page or change.file or change.reusable_content
    return kind, about.id if about else "", int(change.type is ContentChangeType.PAGE_MOVED)


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


def _changes_of(
    member: str,
    row_of: Callable[[str, str, str, Value], Row],
    attributes_of: Callable[[Row, Row], Attributes],
    pair: Compared,
    changes: Sequence[Change],
) -> Iterator[ChangeRow]:
    """The changes of pages, files or reusable contents, which a ChangeRow has as `member`; their
    types are named after that."""
    created, edited, deleted = (
        ContentChangeType[f"{member.upper()}_{what}"] for what in ("CREATED", "EDITED", "DELETED")
    )

    def row(revision: Revision, key: str, entry: Value | None) -> Row | None:
        return None if entry is None else row_of(revision.space_id, revision.id, key, entry)

    for change in changes:
        old = row(pair.before or pair.after, change.key, change.before)
        new = row(pair.after, change.key, change.after)
        about: dict[str, Any] = {member: old if new is None else new}
        if old is None or new is None:
            yield ChangeRow(created if old is None else deleted, **about)
            continue
        attributes = attributes_of(old, new)
        if attributes:
            yield ChangeRow(edited, attributes=AttributeRow(attributes), **about)
        if isinstance(old, Page) and isinstance(new, Page) and _place(old) != _place(new):
            yield ChangeRow(ContentChangeType.PAGE_MOVED, parent=MovedRow(), **about)


def _place(page: Page) -> tuple[str | None, str]:
    return page.parent_id, page.order


_TEXTS = ("title", "description", "slug", "emoji", "icon", "condition")
_FLAGS = ("hidden", "no_index", "no_robots_index")


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


def _edited_variables(before: Revision | None, after: Revision) -> Iterator[ChangeRow]:
    changed = variable_changes({} if before is None else before.variables, after.variables)
    if changed:
        yield ChangeRow(ContentChangeType.VARIABLES_EDITED, variables=changed)


def variable_changes(old: Mapping[str, Any], new: Mapping[str, Any]) -> Json:
    """Variables that are not the same, by name: each with `before`, `after` or both."""
    changed: Json = {}
    for name in sorted(old.keys() | new.keys()):
        if name in old and name in new and _same(old[name], new[name]):
            continue
        sides = (("before", old), ("after", new))
        changed[name] = {side: values[name] for side, values in sides if name in values}
    return changed


# ------------------------------------------------------------------ files


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


def _content_attributes(old: ReusableContent, new: ReusableContent) -> Attributes:
    return _different(
        {"title": (old.title, new.title), "document": (old.document_id, new.document_id)}
    )
