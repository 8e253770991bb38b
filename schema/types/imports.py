"""What imports of content answer with."""

import strawberry

from db.content_enums import ImportLeftOutKind
from db.models import content
from schema.types.content.changes import RedirectChanges
from schema.types.content.pages import Revision
from schema.wiring import column, visible_related


@strawberry.type(description="A page or a file that an import has left out.")
class ImportLeftOutItem:
    kind: ImportLeftOutKind = column("Whether it is a page or a file.")
    title: str = column("Its title or name; empty when none is known.")
    path: str = column("Its path in the source, or its address.")
    reason: str = column("Why it is left out.")


@strawberry.type(description="What an import has found and left out.")
class ImportLeftOut:
    pages: int = column("Pages that are left out.")
    files: int = column("Files that are left out.")
    items: list[ImportLeftOutItem] = column("The first of them, at most 100.")


@strawberry.type(description="What became of the pages of an import.")
class ImportedPages:
    created: int = column("New pages.")
    updated: int = column("Pages of an earlier import whose text or settings have changed.")
    unchanged: int = column("Pages of an earlier import that the source has not changed.")
    removed: int = column("Pages of an earlier import that the source has no longer.")


@strawberry.type(description="What an import of content did.")
class ImportContentResult:
    revision: Revision | None = visible_related(
        content.Revision, "revision_id", "The new revision."
    )
    imported_resources: int = column("Pages and files that were imported.")
    total_resources: int = column(
        "Pages and files that were found; those beyond the limits of one import, and those that "
        "could not be fetched, are not imported."
    )
    warnings: list[str] = column(
        "What was left out or changed on the way, and why: at most 200, and how many more."
    )
    left_out: ImportLeftOut = column("What was found and not imported.")
    pages: ImportedPages = column("What became of the pages of the source.")
    redirects: RedirectChanges | None = column(
        "What it changed of redirects; null when nothing. At most 1,000 are listed without `first`."
    )
