"""Embedded URLs in content that a visitor may read: only those are fetched for it.

The index of links names the pages and reusable contents of the primary content that hold an
address; what a preview changes is read beside it. Each is then looked at as the visitor sees it:
a hidden page, or a block whose condition is not met, does not count.
"""

from collections.abc import Collection

from sqlalchemy import select

from content.links.references import Reference, references_of
from db.content_enums import Evaluated
from db.models.content import Revision
from db.models.content_index import ContentLink, ContentLinkUse
from db.prepared import among
from resolvers.content.documents import document_of
from resolvers.core.context import Context
from resolvers.core.statements import Viewer, Written, statement
from resolvers.links.index import Use, overlay_of
from resolvers.lists.batches import visible_in
from resolvers.revisions.objects import CONTENTS, active_revisions, find_pages
from resolvers.revisions.read_targets import ROOTS
from resolvers.revisions.rows import Page, ReusableContent

# Pages that are looked at; an address that stands on more is on one of the first.
PLACES = 20


@statement
def _uses(viewer: Viewer) -> Written:
    return (
        select(ContentLinkUse.space_id, ContentLinkUse.source_id, ContentLinkUse.reusable)
        .join(ContentLink, ContentLink.id == ContentLinkUse.link_id)
        .where(among(ContentLink.space_id, "spaces"), among(ContentLink.digest, "digests"))
        .order_by(ContentLinkUse.space_id, ContentLinkUse.source_id)
        .distinct()
        .limit(PLACES)
    )


_previewed = visible_in(Revision.id, "ids", among(Revision.space_id, "spaces"))


async def stands_in_content(ctx: Context, spaces: Collection[str], url: str) -> bool:
    """Whether a visitor reads this address in one of the spaces, which it may read."""
    reference = Reference({"kind": "url", "url": url}, "reference", "")
    digest = reference.digest
    primary = await active_revisions(ctx, spaces)
    uses: dict[str, set[Use]] = {id: set() for id in primary}
    for row in await _uses.rows(ctx, spaces=set(primary), digests=[digest]):
        uses[row.space_id].add(Use(row.source_id, "", bool(row.reusable)))
    places = [(primary[id], occurrences) for id, occurrences in uses.items()]
    visitor = ctx.actor.visitor
    if visitor is not None and visitor.revision_id is not None:
        ids = [visitor.revision_id]
        for revision in await _previewed.rows(ctx, columns=ROOTS, ids=ids, spaces=set(primary)):
            overlay = await overlay_of(ctx, primary[revision.space_id], revision)
            changed = {
                Use(change.source_id, "", change.reusable)
                for change in overlay.uses.get(digest, [])
            }
            places.append((revision, changed))
    for revision, occurrences in places:
        if occurrences and await _is_read(ctx, revision, occurrences, digest):
            return True
    return False


async def _is_read(ctx: Context, revision: Revision, uses: set[Use], digest: str) -> bool:
    """Whether the address is in one of these pages and contents, as the visitor sees them."""
    pages = {use.source_id for use in uses if not use.reusable}
    contents = {use.source_id for use in uses if use.reusable}
    rows: list[Page | ReusableContent] = []
    if pages:
        (pages_found,) = await find_pages(ctx, [(revision, sorted(pages)[:PLACES])])
        rows.extend(pages_found.values())
    if contents:
        (listed,) = await CONTENTS.all(ctx, [revision])
        rows.extend([row for row in listed if row.id in contents][:PLACES])
    for row in rows:
        document = (await document_of(ctx, row, Evaluated.FALSE)).document
        if any(reference.digest == digest for reference in references_of(document, None)):
            return True
    return False
