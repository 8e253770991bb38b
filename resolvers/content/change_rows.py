"""What changed between two revisions, as both interfaces show it."""

from dataclasses import dataclass
from typing import Any

from db.content_enums import ContentChangeType
from resolvers.content.redirect_changes import RedirectChanges
from resolvers.revisions.rows import File, Page, ReusableContent

Json = dict[str, Any]


@dataclass(frozen=True, slots=True)
class BeforeAfter:
    """A value before and after; None where there was none."""

    before: Any
    after: Any


Attributes = dict[str, BeforeAfter]


@dataclass(slots=True)
class AttributeRow:
    """What changed of a page, a file or a reusable content: by attribute, None = it did not."""

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
    """The first changes, and how many more there are; None = no more."""

    changes: list[ChangeRow]
    more: int | None
    revision_id: str
    merged_from_id: str | None = None
    redirects: RedirectChanges | None = None
