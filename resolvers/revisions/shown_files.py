"""Files that published pages show to every reader, and their lasting addresses.

Which pages show a file is part of the index of primary content, written with it: pages that no
condition and no flag hides, outside of `if` blocks. Whether the space is on a site for everybody is
looked at when an address is given out and when it is asked for. So an address is one read by key,
and ends at once when the last page or site that showed the file is gone (decision 0040).
"""

from collections.abc import Iterable, Mapping, Sequence
from urllib.parse import quote

from sqlalchemy import ColumnElement, delete, exists, or_, select

from content.hashing import content_id
from content.merkle.node import canonical
from db.inserts import insert_missing, parts
from db.models.content import Revision
from db.models.content_index import ContentIndex, ShownFile, ShownFileUse
from db.models.sites import Site, SiteSection, SiteSpace
from db.models.spaces import Space
from db.prepared import among
from db.sharing import KEYS, SHARED_KEY, PointReads
from resolvers.access.drafts import OPEN
from resolvers.core.context import Context
from resolvers.core.statements import Viewer, Written, statement
from resolvers.revisions.objects import FILES
from resolvers.revisions.rows import File

AT_ONCE = 500


def address_key(space_id: str, sha256: str, name: str) -> str:
    """The key of the lasting address of a file, whatever pages show it."""
    return content_id(canonical([space_id, sha256, name]))


def lasting_path(file: File) -> str:
    """The path of a file's bytes while every reader may have them; it changes with the bytes."""
    return f"/files/{file.space_id}/{file.sha256}/{quote(file.name, safe='')}"


def _is_open() -> ColumnElement[bool]:
    """Whether a file is shown now: its space is there, on a site that is published for everybody
    and in a part of it without a condition, and the index is that of the present content."""
    on_site = (
        exists()
        .where(
            SiteSpace.space_id == ShownFile.space_id,
            SiteSpace.condition.is_(None),
            Site.id == SiteSpace.site_id,
            Site.published.is_(True),
            or_(*(Site.visibility == visibility for visibility in OPEN)),
            SiteSpace.section_id.is_(None)
            | exists().where(
                SiteSection.id == SiteSpace.section_id, SiteSection.condition.is_(None)
            ),
        )
        .correlate(ShownFile)
    )
    present = (
        exists()
        .where(
            Space.id == ShownFile.space_id,
            Space.deleted_at.is_(None),
            ContentIndex.space_id == Space.id,
            ContentIndex.revision_id == Space.revision_id,
        )
        .correlate(ShownFile)
    )
    return on_site & present


@statement
def _one(viewer: Viewer) -> Written:
    return select(ShownFile.content_type, ShownFile.address.label(SHARED_KEY)).where(
        among(ShownFile.address, KEYS), _is_open()
    )


@statement
def _several(viewer: Viewer) -> Written:
    return select(ShownFile.address).where(among(ShownFile.address, "addresses"), _is_open())


async def shown_type(points: PointReads, space_id: str, sha256: str, name: str) -> str | None:
    """The media type of a file that every reader may have; None for every other file."""
    row = await _one.read(points, address_key(space_id, sha256, name))
    return None if row is None else str(row.content_type)


async def shown_to_all(ctx: Context, files: Sequence[File]) -> set[str]:
    """The keys of the files that every reader may have: one statement."""
    keys = {address_key(file.space_id, file.sha256, file.name) for file in files}
    if not keys:
        return set()
    return {row.address for row in await _several.rows(ctx, addresses=keys)}


class ShownFiles:
    """Writes which files the pages of one revision show to every reader."""

    def __init__(self, ctx: Context, revision: Revision) -> None:
        self._ctx, self._revision = ctx, revision
        # Files that lost a page, and may have none left.
        self._touched: set[str] = set()

    async def put(self, shown: Mapping[str, Iterable[str]]) -> None:
        """Replace the files that pages show; `shown` has their ids by page."""
        await self.forget(list(shown))
        space_id = self._revision.space_id
        file_ids = {id for ids in shown.values() for id in ids}
        if not file_ids:
            return
        (files,) = await FILES.find(self._ctx, [(self._revision, file_ids)])
        keys = {id: address_key(space_id, file.sha256, file.name) for id, file in files.items()}
        rows = {
            keys[id]: {"address": keys[id], "space_id": space_id, "content_type": file.content_type}
            for id, file in files.items()
        }
        uses = {
            (keys[id], page): {"address": keys[id], "page_id": page, "space_id": space_id}
            for page, ids in shown.items()
            for id in ids
            if id in keys
        }
        await insert_missing(self._ctx.session, ShownFile, list(rows.values()))
        await insert_missing(self._ctx.session, ShownFileUse, list(uses.values()))

    async def forget(self, page_ids: Sequence[str]) -> None:
        """Take away what these pages show."""
        for some in parts(page_ids, AT_ONCE):
            statement = (
                delete(ShownFileUse)
                .where(
                    ShownFileUse.space_id == self._revision.space_id,
                    ShownFileUse.page_id.in_(some),
                )
                .returning(ShownFileUse.address)
            )
            self._touched.update(await self._ctx.session.scalars(statement))

    async def drop_unused(self) -> None:
        """Close the addresses of files that no page shows any more."""
        used = exists().where(ShownFileUse.address == ShownFile.address)
        for some in parts(sorted(self._touched), AT_ONCE):
            gone = delete(ShownFile).where(ShownFile.address.in_(some), ~used)
            await self._ctx.session.execute(gone)
        self._touched.clear()
