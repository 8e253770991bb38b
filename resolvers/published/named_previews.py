"""Which change request or revision the path of a published site names: the segments behind `~`."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from sqlalchemy import ColumnElement, and_, bindparam, func, select
from sqlalchemy.orm import InstrumentedAttribute, aliased

from db.models.change_requests import ChangeRequest
from db.models.content import Revision
from db.prepared import KEY
from resolvers.access.drafts import OPEN
from resolvers.change_requests.operations import addressing, naming_of
from resolvers.core.actors import Visitor
from resolvers.core.context import Context
from resolvers.core.errors import NotFound
from resolvers.core.statements import Viewer, Written, statement

PREVIEWS = "~"
CHANGES, REVISIONS = "changes", "revisions"
# Segments of a path that name a preview.
MARKED = 3


@dataclass(frozen=True, slots=True)
class NamedPreview:
    """Which content of the space is asked for, when it is not its own."""

    change_request_id: str | None
    # The named revision, or the newest one of the change request.
    revision_id: str
    named: bool
    # The one that shows it with the pages of its sources, or itself.
    shown_id: str

    def is_open(self, visitor: Visitor, space_id: str) -> bool:
        """Whether the visitor may read it by the rule of previews."""
        if space_id in visitor.preview_space_ids:
            return True
        if self.change_request_id is not None:
            return self.change_request_id == visitor.change_request_id
        return self.revision_id == visitor.revision_id


async def named_preview(
    ctx: Context, site: Any, space_id: str, rest: Sequence[str]
) -> NamedPreview | None:
    """The preview that the rest of a path begins with, whoever may read it; None without one.

    NotFound where the space has nothing of this name, or the site has no previews.
    """
    folded = tuple(segment.lower() for segment in rest[:2])
    if len(rest) < MARKED or folded not in ((PREVIEWS, CHANGES), (PREVIEWS, REVISIONS)):
        return None
    if site.visibility not in OPEN:
        raise NotFound("previews exist for public and unlisted sites only")
    if folded[1] == CHANGES:
        naming, named = naming_of(rest[2])
        rows = await _change_request.rows(ctx, naming, space_id=space_id, named=named)
    else:
        rows = await _revision.rows(ctx, space_id=space_id, revision_id=rest[2])
    if not rows:
        raise no_preview(rest)
    (row,) = rows
    if folded[1] == CHANGES:
        return NamedPreview(row.id, row.revision_id, False, row.shown_id or row.revision_id)
    return NamedPreview(None, row.id, True, row.shown_id or row.id)


def no_preview(rest: Sequence[str]) -> NotFound:
    """The one answer where there is nothing, and where it is not for the visitor."""
    return NotFound(f"there is no preview {'/'.join(rest[:MARKED])!r} of this space")


@statement
def _change_request(viewer: Viewer, naming: ColumnElement[bool]) -> Written:
    return select(
        ChangeRequest.id, ChangeRequest.revision_id, _shows(ChangeRequest.revision_id)
    ).where(addressing(naming))


@statement
def _revision(viewer: Viewer) -> Written:
    return select(Revision.id, _shows(Revision.id)).where(
        and_(
            Revision.space_id == bindparam("space_id", type_=KEY),
            Revision.id == bindparam("revision_id", type_=KEY),
        )
    )


def _shows(written: InstrumentedAttribute[str]) -> ColumnElement[str | None]:
    """The newest revision that shows a written one with the pages of its sources."""
    shown = aliased(Revision)
    newest = select(func.max(shown.id)).where(
        shown.expands_id == written, shown.space_id == bindparam("space_id", type_=KEY)
    )
    return newest.scalar_subquery().label("shown_id")
