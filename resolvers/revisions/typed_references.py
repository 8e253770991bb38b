"""Content references as typed values, and the objects that they name (decision 0059).

`typed_reference` is the one way from the stored form of a reference to its typed one. A reference
says what it names, whether that is there or not; the object is looked up when it is asked for, and
is null where it is not there or where the caller may not see it, which look the same.
"""

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from typing import Any

from sqlalchemy import select

from content.documents.references import ID_PATTERN, NAMES, normal_target
from content.merkle.read import lookup
from db.models.content import Revision
from db.models.organizations import User
from db.models.spaces import Collection as SpaceCollection, Space
from db.prepared import among
from resolvers.access.policy import visible
from resolvers.core.context import Context
from resolvers.core.statements import Viewer, Written, statement
from resolvers.lists.batches import visible_by_key
from resolvers.revisions.ids import asked_for
from resolvers.revisions.pages_by_id import find_pages
from resolvers.revisions.read_targets import ROOTS
from resolvers.revisions.rows import File, Page, ReusableContent, content_of, file_of
from resolvers.revisions.store import walk_all

Json = dict[str, Any]
TAG, OTHER = "tag", ""
# All kinds of references; `OTHER` is what none of them fits.
KINDS = (*NAMES, TAG, OTHER)


@dataclass(frozen=True, slots=True)
class Origin:
    """The content that a reference stands in: a revision, or the primary content of a space.

    A reference that stands in no content (a link of a site's header) has an origin without space.
    """

    space_id: str | None = None
    revision_id: str | None = None
    page_id: str | None = None
    # As that of a page.
    asked_in: str | None = None

    @classmethod
    def of(cls, page: Page) -> "Origin":
        """Where the fields of a page stand."""
        return cls(page.space_id, page.revision_id or None, page.id, page.asked_in)


NOWHERE = Origin()


@dataclass(frozen=True, slots=True)
class TypedReference:
    """A content reference; `kind` is one of `KINDS`, and `target` has the known members of it."""

    kind: str
    target: Json
    origin: Origin
    # The kind as it is stored, of a reference that is none of the known ones.
    stored_kind: str | None = None

    def _id(self, member: str) -> str | None:
        """A member that is an id; None for what none can be, which nothing is looked up by."""
        value = self.target.get(member)
        return value if isinstance(value, str) and ID_PATTERN.fullmatch(value) else None

    @property
    def url(self) -> Any:
        return self.target.get("url")

    @property
    def page_id(self) -> str | None:
        """The page; the one that it stands on, of an anchor without a page."""
        return self.target.get("page") or (self.origin.page_id if self.kind == "anchor" else None)

    @property
    def anchor(self) -> Any:
        return self.target.get("anchor")

    @property
    def file_id(self) -> Any:
        return self.target.get("file")

    @property
    def collection_id(self) -> Any:
        return self.target.get("collection")

    @property
    def user_id(self) -> Any:
        return self.target.get("user")

    @property
    def reusable_content_id(self) -> Any:
        return self.target.get("reusableContent")

    @property
    def specification(self) -> Any:
        return self.target.get("spec")

    @property
    def tag(self) -> Any:
        return self.target.get("tag")

    @property
    def space_id(self) -> str | None:
        """The space that it names or, where it names none, the one that it stands in."""
        named: str | None = self.target.get("space")
        return self.origin.space_id if named is None else named

    @property
    def space_key(self) -> str | None:
        """The id of the space, to look it up."""
        return self._id("space") if "space" in self.target else self.origin.space_id

    @property
    def collection_key(self) -> str | None:
        """The id of the collection, to look it up."""
        return self._id("collection")

    @property
    def user_key(self) -> str | None:
        """The id of the person, to look it up."""
        return self._id("user")

    @property
    def content_key(self) -> str | None:
        """The id of the page, file or reusable content, to look it up."""
        if self.kind == "anchor" and "page" not in self.target:
            return self.origin.page_id
        return self._id(NAMES[self.kind])


def typed_reference(value: Any, origin: Origin = NOWHERE) -> TypedReference:
    """The typed form of a stored reference, whatever is stored; `origin` is where it stands."""
    target = _tag(value) if _is_tag(value) else normal_target(value, None)
    if target is None:
        kind = value.get("kind") if isinstance(value, dict) else None
        return TypedReference(OTHER, {}, origin, kind if isinstance(kind, str) else None)
    return TypedReference(str(target["kind"]), target, origin)


def _is_tag(value: Any) -> bool:
    return isinstance(value, dict) and value.get("kind") == TAG


def _tag(value: Json) -> Json | None:
    """Tags of pages are no part of this server, so they are not among what links lead to."""
    tag = value.get("tag")
    return {"kind": TAG, "tag": tag} if isinstance(tag, str) else None


def typed_or_none(value: Any, origin: Origin = NOWHERE) -> TypedReference | None:
    """The typed form of a reference that may be absent."""
    return None if value is None else typed_reference(value, origin)


# ------------------------------------------------------------------ objects of references

reference_spaces = visible_by_key(Space, "space_key")
reference_collections = visible_by_key(SpaceCollection, "collection_key")
reference_users = visible_by_key(User, "user_key")

Rows = Sequence[TypedReference]


@statement
def _revisions_by_id(viewer: Viewer) -> Written:
    return visible(viewer, Revision).where(among(Revision.id, "ids"))


@statement
def _active(viewer: Viewer) -> Written:
    """The active revisions of spaces, for those who may read the content of these."""
    active = select(Space.revision_id).where(among(Space.id, "spaces"))
    return visible(viewer, Revision).where(Revision.id.in_(active))


async def _revisions(ctx: Context, rows: Rows) -> list[Revision | None]:
    """The revision that the target of each reference is in; None where that may not be read.

    What stands in a revision means things of that one; of other spaces it means primary content.
    """
    own = {reference.origin.revision_id for reference in rows if _is_of_its_revision(reference)} - {
        None
    }
    spaces = {reference.space_key for reference in rows if not _is_of_its_revision(reference)} - {
        None
    }
    by_id = {}
    if own:
        revisions = await _revisions_by_id.rows(ctx, columns=ROOTS, ids=own)
        by_id = {revision.id: revision for revision in revisions}
    active = {}
    if spaces:
        revisions = await _active.rows(ctx, columns=ROOTS, spaces=spaces)
        active = {revision.space_id: revision for revision in revisions}
    return [
        by_id.get(reference.origin.revision_id)
        if _is_of_its_revision(reference)
        else active.get(reference.space_key)
        for reference in rows
    ]


def _is_of_its_revision(reference: TypedReference) -> bool:
    return (
        reference.origin.revision_id is not None
        and reference.space_key == reference.origin.space_id
    )


def _asked(row: Any, reference: TypedReference) -> Any:
    """An object as it was asked for, if it is in the content that the reference stands in."""
    return (
        asked_for(row, None, reference.origin.asked_in) if _is_of_its_revision(reference) else row
    )


async def reference_pages(ctx: Context, rows: Rows, arguments: Any) -> list[Page | None]:
    """The pages that references name, with their paths."""
    revisions = await _revisions(ctx, rows)
    lookups = _lookups(rows, revisions)
    placed = await find_pages(ctx, list(lookups.values()))
    pages = dict(zip(lookups, placed, strict=True))
    return [
        None if page is None else _asked(page, reference)
        for reference, page in _each(rows, revisions, pages)
    ]  # fmt: skip


async def reference_files(ctx: Context, rows: Rows, arguments: Any) -> list[File | None]:
    """The files that references name."""
    return [
        None if entry is None else _asked(file_of(space, revision, id, entry), reference)
        for reference, space, revision, id, entry in await _entries(ctx, rows, "files_root")
    ]


async def reference_contents(
    ctx: Context, rows: Rows, arguments: Any
) -> list[ReusableContent | None]:
    """The reusable contents that references name."""
    return [
        None if entry is None else _asked(content_of(space, revision, id, entry), reference)
        for reference, space, revision, id, entry in await _entries(ctx, rows, "contents_root")
    ]


async def _entries(ctx: Context, rows: Rows, root: str) -> list[tuple[Any, ...]]:
    revisions = await _revisions(ctx, rows)
    lookups = _lookups(rows, revisions)
    walks = [
        (revision.space_id, lookup(getattr(revision, root), ids))
        for revision, ids in lookups.values()
    ]
    entries = dict(zip(lookups, await walk_all(ctx, walks), strict=True))
    return [
        (
            reference,
            *(("", "") if revision is None else (revision.space_id, revision.id)),
            reference.content_key,
            entry,
        )
        for revision, (reference, entry) in zip(
            revisions, _each(rows, revisions, entries), strict=True
        )
    ]


def _lookups(
    rows: Rows, revisions: Sequence[Revision | None]
) -> dict[str, tuple[Revision, set[str]]]:
    lookups: dict[str, tuple[Revision, set[str]]] = {}
    for reference, revision in zip(rows, revisions, strict=True):
        if revision is not None and reference.content_key is not None:
            lookups.setdefault(revision.id, (revision, set()))[1].add(reference.content_key)
    return lookups


def _each(
    rows: Rows, revisions: Sequence[Revision | None], values_by_revision: dict[str, Any]
) -> Collection[tuple[TypedReference, Any]]:
    """Each reference with the value of its target, or None."""
    return [
        (
            reference,
            None
            if revision is None
            else values_by_revision.get(revision.id, {}).get(reference.content_key),
        )
        for reference, revision in zip(rows, revisions, strict=True)
    ]
