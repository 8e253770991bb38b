"""What imports of content answer with."""

import strawberry

from db.models import content
from resolvers.batches import visible_by_key
from schema.types.content import Revision
from schema.types.content_changes import RedirectChanges
from schema.wiring import batch, column


@strawberry.type(description="What an import of content did.")
class ImportContentResult:
    revision: Revision | None = batch(
        visible_by_key(content.Revision, "revision_id"), "The new revision.", key="revision_id"
    )
    imported_resources: int = column("Pages and files that were imported.")
    total_resources: int = column(
        "Pages and files that were found; those beyond the limits of one import, and those that "
        "could not be fetched, are not imported."
    )
    warnings: list[str] = column("What was left out or changed on the way, and why.")
    redirects: RedirectChanges | None = column(
        "What it changed of redirects; null when nothing. At most 1,000 are told without `first`."
    )
