"""The changes of the primary content of a space, revision by revision, the newest first."""

import datetime as dt
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from db.content_enums import ContentChangeType, RevisionType
from db.models.content import Revision
from db.models.spaces import Space, written_revision
from db.prepared import among
from resolvers.access.policy import must, visible
from resolvers.content.changes import COLUMNS, ChangeRow, Compared, compare
from resolvers.core.context import Context
from resolvers.core.errors import NotFound
from resolvers.core.statements import Viewer, Written, statement
from resolvers.core.urls import app_path
from resolvers.notifications.names import names_of_people, subjects_of_requests
from resolvers.revisions.history import lines

# Revisions of one part of the feed, and changed pages of one that are named.
PART = 20
MOST_PAGES = 10


@dataclass(frozen=True, slots=True)
class FeedSpace:
    """A space whose feed is asked for: what the whole feed follows from."""

    id: str
    title: str
    language: str | None
    revision_id: str
    created_at: dt.datetime
    updated_at: dt.datetime


@dataclass(frozen=True, slots=True)
class ChangedPage:
    """What a revision did with a page."""

    type: ContentChangeType
    title: str


@dataclass(frozen=True, slots=True)
class FeedRevision:
    """One entry: a revision, who has made it, and the first pages that it has changed."""

    id: str
    type: RevisionType
    created_at: dt.datetime
    author: str | None
    # Number and subject of the change request that was merged.
    change_request: tuple[int, str] | None
    pages: Sequence[ChangedPage]
    # Whether it has changed more than these.
    more: bool


@dataclass(frozen=True, slots=True)
class FeedPart:
    """A part of the feed; `following` is the revision behind which the next one begins."""

    revisions: Sequence[FeedRevision]
    following: str | None


def app_url(base: str, space: FeedSpace, revision: FeedRevision | None) -> str:
    """Where people find a space, or the change request whose merge made a revision of it."""
    request = None if revision is None else revision.change_request
    return base + app_path(space.id, None if request is None else request[0])


async def get_feed_space(ctx: Context, space_id: str) -> FeedSpace:
    """The space of a feed, for those who may read it."""
    space = await must(ctx, Space, space_id)
    revision = await must(ctx, Revision, written_revision(space))
    language = None if space.language is None else space.language.value
    return FeedSpace(
        space.id, space.title, language, revision.id, space.created_at, revision.created_at
    )


@statement
def _revisions(viewer: Viewer) -> Written:
    return visible(viewer, Revision).where(among(Revision.id, "ids"))


async def get_feed_part(ctx: Context, space: FeedSpace, after: str | None) -> FeedPart:
    """The newest changes of a space, or those behind a revision; NotFound where that is none."""
    start = space.revision_id if after is None else after
    # The parents of the last one are read with it; behind `after` that one itself is left out.
    line = await lines.rows(ctx, starts=[start], spaces=[space.id], most=PART + (after is not None))
    if after is not None:
        if not line:
            raise NotFound("there are no changes behind that revision in this space")
        line = line[1:]
    shown = [row.id for row in line[:PART]]
    parents = {row.id: row.parent for row in line}
    ids = {*shown, *(parent for parent in parents.values() if parent is not None)}
    rows = await _revisions.rows(ctx, columns=_COLUMNS, ids=sorted(ids))
    by_id = {row.id: row for row in rows}
    revisions = [by_id[id] for id in shown if id in by_id]
    people = dict(await names_of_people.rows(ctx, ids=_given(revisions, "author_id")))
    requests = {
        row.id: (row.number, row.subject)
        for row in await subjects_of_requests.rows(ctx, ids=_given(revisions, "merged_from_id"))
    }
    pairs = [Compared(by_id.get(parents[row.id]), row) for row in revisions]
    compared = await compare(ctx, pairs, MOST_PAGES) if pairs else []
    entries = [
        FeedRevision(
            row.id,
            row.type,
            row.created_at,
            people.get(row.author_id),
            requests.get(row.merged_from_id),
            _pages(changes.changes),
            changes.more is not None,
        )
        for row, changes in zip(revisions, compared, strict=True)
    ]
    more = bool(shown) and parents[shown[-1]] is not None
    return FeedPart(entries, shown[-1] if more else None)


_COLUMNS = frozenset({*COLUMNS, "type", "author_id", "created_at"})


def _given(rows: Sequence[Any], name: str) -> list[str]:
    values = (getattr(row, name) for row in rows)
    return sorted({value for value in values if value is not None})


def _pages(changes: Sequence[ChangeRow]) -> list[ChangedPage]:
    return [
        ChangedPage(change.type, change.page.title) for change in changes if change.page is not None
    ]
