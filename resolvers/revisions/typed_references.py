"""Content references as typed values, and the objects that they name (decision 0059).

`typed_reference` is the one way from the stored form of a reference to its typed one. A reference
says what it names, whether that is there or not; the object is looked up when it is asked for, and
is null where it is not there or where the caller may not see it, which look the same.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from content.documents.content_references import NAMES
from content.links.references import ID_PATTERN, normal_target
from db.enums import TokenScope
from db.models.content import Revision
from db.models.organizations import User
from db.models.spaces import Collection as SpaceCollection, Space
from resolvers.core.context import Context
from resolvers.lists.batches import needs, visible_by_key
from resolvers.revisions.ids import asked_for
from resolvers.revisions.objects import CONTENTS, FILES, each_object, find_pages, readable_revisions
from resolvers.revisions.read_targets import revisions_by_id
from resolvers.revisions.references import MEMBERS
from resolvers.revisions.rows import File, Page, ReusableContent

Json = dict[str, Any]
TAG = "tag"
# What none of the kinds of references fits.
OTHER = ""


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
    def named(self) -> Any:
        """The member that the kind cannot be without, such as the URL or the id of the file."""
        return self.target.get(MEMBERS[self.kind])

    @property
    def page_id(self) -> str | None:
        """The page; the one that it stands on, of an anchor without a page."""
        return self.target.get("page") or (self.origin.page_id if self.kind == "anchor" else None)

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
    def key(self) -> str | None:
        """The id of the page, file, person and so on, to look it up."""
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
reference_collections = visible_by_key(SpaceCollection, "key")
reference_users = visible_by_key(User, "key")

Rows = Sequence[TypedReference]


async def _revisions(ctx: Context, rows: Rows) -> list[Revision | None]:
    """The revision that the target of each reference is in; None where that may not be read.

    What stands in a revision means things of that one; of other spaces it means primary content.
    """
    own = {reference.origin.revision_id for reference in rows if _is_of_its_revision(reference)}
    spaces = {reference.space_key for reference in rows if not _is_of_its_revision(reference)}
    by_id = await revisions_by_id(ctx, (id for id in own if id is not None))
    active = await readable_revisions(ctx, (id for id in spaces if id is not None))
    return [
        by_id.get(reference.origin.revision_id or "")
        if _is_of_its_revision(reference)
        else active.get(reference.space_key or "")
        for reference in rows
    ]


def _is_of_its_revision(reference: TypedReference) -> bool:
    return (
        reference.origin.revision_id is not None
        and reference.space_key == reference.origin.space_id
    )


async def _each(ctx: Context, rows: Rows, find: Any) -> list[Any]:
    """The object that each reference names; those of its own revision as that was asked for."""
    pairs = zip(await _revisions(ctx, rows), (reference.key for reference in rows), strict=True)
    objects = await each_object(ctx, find, pairs)
    return [
        asked_for(row, None, reference.origin.asked_in)
        if row is not None and _is_of_its_revision(reference)
        else row
        for reference, row in zip(rows, objects, strict=True)
    ]


@needs(TokenScope.SPACE_READ)
async def reference_pages(ctx: Context, rows: Rows, arguments: Any) -> list[Page | None]:
    """The pages that references name, with their paths."""
    return await _each(ctx, rows, find_pages)


@needs(TokenScope.SPACE_READ)
async def reference_files(ctx: Context, rows: Rows, arguments: Any) -> list[File | None]:
    """The files that references name."""
    return await _each(ctx, rows, FILES.find)


@needs(TokenScope.SPACE_READ)
async def reference_contents(
    ctx: Context, rows: Rows, arguments: Any
) -> list[ReusableContent | None]:
    """The reusable contents that references name."""
    return await _each(ctx, rows, CONTENTS.find)
