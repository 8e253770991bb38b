"""What changed between two revisions."""

from typing import Any

import strawberry

from db.content_enums import ContentChangeType, RedirectChangeType
from db.models.change_requests import ChangeRequest as ChangeRequestRow
from resolvers.content import (
    changes as content_changes,
    changes_within,
    redirects as content_redirects,
)
from resolvers.content.changes import ChangeRow
from resolvers.core.pagination import PageArguments
from resolvers.core.scalars import JsonObject, Url
from schema.types.change_requests import ChangeRequest
from schema.types.content.pages import Dimensions, File, Page, ReusableContent
from schema.types.references import ContentReference
from schema.types.values import ComputedSource, PageCover, PageLayout, VariableChange
from schema.wiring import Connection, batch, column, visible_related


@strawberry.type(description="A text before and after; null where there was none.")
class TextChange:
    before: str | None = column("What it was.")
    after: str | None = column("What it is now.")


@strawberry.type(description="A number before and after.")
class NumberChange:
    before: int | None = column("What it was.")
    after: int | None = column("What it is now.")


@strawberry.type(description="Something that is or is not so, before and after.")
class FlagChange:
    before: bool | None = column("What it was.")
    after: bool | None = column("What it is now.")


@strawberry.type(description="An object before and after; null where there was none.")
class ObjectChange:
    before: JsonObject | None = column("What it was.")
    after: JsonObject | None = column("What it is now.")


@strawberry.type(description="An address before and after.")
class UrlChange:
    before: Url | None = column("What it was.")
    after: Url | None = column("What it is now.")


@strawberry.type(description="A cover before and after; null where there was none.")
class PageCoverChange:
    before: PageCover | None = column("What it was.")
    after: PageCover | None = column("What it is now.")


@strawberry.type(description="A layout before and after.")
class PageLayoutChange:
    before: PageLayout = column("What it was, with all of its options.")
    after: PageLayout = column("What it is now, with all of its options.")


@strawberry.type(description="A content reference before and after; null where there was none.")
class ReferenceChange:
    before: ContentReference | None = column("What it was, in the revision before.")
    after: ContentReference | None = column("What it is now.")


@strawberry.type(description="A source before and after; null where there was none.")
class ComputedSourceChange:
    before: ComputedSource | None = column("What it was.")
    after: ComputedSource | None = column("What it is now.")


@strawberry.type(description="The size of an image before and after; null where it is not known.")
class DimensionsChange:
    before: Dimensions | None = column("What it was.")
    after: Dimensions | None = column("What it is now.")


@strawberry.type(description="What changed of a page; null for what stayed as it was.")
class PageChangeAttributes:
    title: TextChange | None = column("Its title.")
    description: TextChange | None = column("Its description.")
    slug: TextChange | None = column("Its part of the path.")
    emoji: TextChange | None = column("Its emoji.")
    icon: TextChange | None = column("Its icon.")
    document: TextChange | None = column("Id of its body.")
    cover: ObjectChange | None = column("Its cover.")
    typed_cover: PageCoverChange | None = batch(
        changes_within.cover_changes, "Its cover with its type."
    )
    layout: ObjectChange | None = column("Its layout.")
    typed_layout: PageLayoutChange | None = batch(
        changes_within.layout_changes, "Its layout with its type."
    )
    variables: ObjectChange | None = column("Its variables.")
    typed_variables: list[VariableChange] | None = batch(
        changes_within.page_variable_changes, "Those of its variables that changed, by name."
    )
    target: ObjectChange | None = column("Where a link page leads.")
    typed_target: ReferenceChange | None = batch(
        changes_within.target_changes, "Where a link page leads, with its type."
    )
    computed: ObjectChange | None = column("The source of a computed page.")
    typed_computed: ComputedSourceChange | None = batch(
        changes_within.source_changes, "The source of a computed page with its type."
    )
    condition: TextChange | None = column("The condition under which it is shown.")
    hidden: FlagChange | None = column("Whether it is left out of the navigation.")
    no_index: FlagChange | None = column("Whether it is left out of search.")
    no_robots_index: FlagChange | None = column("Whether it is closed to crawlers.")


@strawberry.type(description="What changed of a file; null for what stayed as it was.")
class FileChangeAttributes:
    name: TextChange | None = column("Its name.")
    download_url: UrlChange | None = batch(
        content_changes.file_url_changes, "The address of its bytes.", name="downloadURL"
    )
    size: NumberChange | None = column("Its size in bytes.")
    content_type: TextChange | None = column("Its media type.")
    dimensions: ObjectChange | None = column("The size of an image: `width` and `height`.")
    typed_dimensions: DimensionsChange | None = batch(
        changes_within.dimension_changes, "The size of an image with its type."
    )


@strawberry.type(description="What changed of a reusable content; null for what stayed.")
class ReusableContentChangeAttributes:
    title: TextChange | None = column("Its name.")
    document: TextChange | None = column("Id of its body.")


@strawberry.type(description="The page above a page before and after; null for the top level.")
class PageParentChange:
    before: Page | None = column("Where it was.")
    after: Page | None = column("Where it is now.")


@strawberry.interface(description="One thing that changed.")
class ContentChange:
    type: ContentChangeType = column("What happened.")


def _about(attribute: str) -> Any:
    def is_type_of(value: Any, info: Any) -> bool:
        return isinstance(value, ChangeRow) and getattr(value, attribute) is not None

    return is_type_of


@strawberry.type(description="A page was created, edited, moved or deleted.")
class PageChange(ContentChange):
    is_type_of = _about("page")
    page: Page = column("The page as it is now, or as it was before it was deleted.")
    attributes: PageChangeAttributes | None = column("What changed, when it was edited.")
    parent: PageParentChange | None = column("The page above it, when it was moved.")


@strawberry.type(description="A file was created, edited or deleted.")
class FileChange(ContentChange):
    is_type_of = _about("file")
    file: File = column("The file as it is now, or as it was before it was deleted.")
    attributes: FileChangeAttributes | None = column("What changed, when it was edited.")


@strawberry.type(description="Variables of the space were set, changed or removed.")
class VariablesChange(ContentChange):
    is_type_of = _about("variables")
    variables: JsonObject = column("By name: `before` and `after`, absent where it was not set.")
    typed_variables: list[VariableChange] = batch(
        changes_within.space_variable_changes, "The same as a list, by name."
    )


@strawberry.type(description="A reusable content was created, edited or deleted.")
class ReusableContentChange(ContentChange):
    is_type_of = _about("reusable_content")
    reusable_content: ReusableContent = column(
        "The reusable content as it is now, or as it was before it was deleted."
    )
    attributes: ReusableContentChangeAttributes | None = column("What changed, when it was edited.")


@strawberry.type(description="Where a redirect leads.")
class RedirectEnd:
    page: Page | None = batch(
        content_redirects.pages_of_ends,
        "The page; null when it is gone, and then it leads nowhere.",
    )
    anchor: str | None = column("The heading that it leads to on the page.")


@strawberry.type(description="A redirect of the content was set, changed or removed.")
class RedirectChange:
    type: RedirectChangeType = column("What happened.")
    path: str = column("The old path, as paths are compared: in small letters.")
    before: RedirectEnd | None = column("Where it led; null when it was not there.")
    after: RedirectEnd | None = column("Where it leads now; null when it was removed.")


@strawberry.type(description="What changed of the redirects of content.")
class RedirectChanges:
    total: int = column("How many redirects were set, changed or removed.")
    changes: Connection[RedirectChange] = batch(
        content_redirects.changes_of_redirects,
        "The changes, by old path; without `first` as many as the list of other changes may have.",
        arguments=PageArguments,
    )
    more: int | None = column("How many there are beyond those without `first`; null for no more.")


@strawberry.type(description="What changed between two revisions of a space.")
class ContentChanges:
    changes: list[ContentChange] = column("The first changes: pages, variables, files, contents.")
    more: int | None = column("How many changes there are behind these; null when these are all.")
    end_cursor: str | None = column(
        "The cursor to read on behind these, as `after`; null when these are all."
    )
    merged_from: ChangeRequest | None = visible_related(
        ChangeRequestRow, "merged_from_id", "The change request whose merge this was."
    )
    redirects: RedirectChanges | None = column(
        "What changed of redirects; null when nothing did. They are not among `changes`."
    )
