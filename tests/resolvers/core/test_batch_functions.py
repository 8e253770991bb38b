"""Batch functions read what they say, and find the same rows however few columns are wanted."""

from collections.abc import Sequence
from types import SimpleNamespace
from typing import Any

import pytest
from sqlalchemy import select

from db.blobs import BlobStore
from db.models.change_requests import ChangeRequest, Contributor
from db.models.comments import Comment
from db.models.content import Revision
from db.models.merging import MergeConflict
from db.models.organizations import Member, Organization, User
from db.models.reviews import RequestedReviewer, Review
from db.models.sign_on import SamlProvider
from db.models.site_settings import SiteMcpServer
from db.models.sites import Site, SiteSection, SiteSectionGroup, SiteSpace
from db.models.spaces import Collection, Space
from db.prepared import ACTOR_RANK
from db.session import Session
from db.site_enums import InsightsColumn, InsightsRangePreset
from resolvers.change_requests.fields import ChangeRequestKey
from resolvers.content.pages_within import PageKey, PathKey
from resolvers.core.actors import Actor
from resolvers.core.batch_functions import declared, only
from resolvers.core.context import Context
from resolvers.core.errors import Forbidden
from resolvers.core.installation import FileAccess
from resolvers.core.pagination import PageArguments, Slice
from resolvers.insights.aggregates import InsightsArguments
from resolvers.insights.questions import InsightsColumnInput, InsightsQueryInput, InsightsRangeInput
from resolvers.search.operations import SearchArguments
from resolvers.sites.search import SiteSearchArguments
from schema.types import change_requests, comments, merging, organizations, reviews, sign_on, spaces
from schema.types.content import pages
from schema.types.sites import mcp_servers as mcp_types, sites, structure as site_structure
from schema.wiring import Source, source_of
from tests.conftest import Queries, Sown, World, context
from tests.seeds import sow

TYPES: dict[Any, Any] = {
    organizations.User: User,
    organizations.Member: Member,
    organizations.Organization: Organization,
    sign_on.SamlProvider: SamlProvider,
    spaces.Collection: Collection,
    spaces.Space: Space,
    pages.Revision: Revision,
    change_requests.ChangeRequest: ChangeRequest,
    merging.MergeConflict: MergeConflict,
    reviews.Review: Review,
    reviews.RequestedReviewer: RequestedReviewer,
    reviews.Contributor: Contributor,
    comments.Comment: Comment,
    comments.CommentReply: Comment,
    comments.CommentBody: Comment,
    comments.CommentTarget: Comment,
    sites.Site: Site,
    sites.SiteSpace: SiteSpace,
    site_structure.SiteSection: SiteSection,
    site_structure.SiteSectionGroup: SiteSectionGroup,
    mcp_types.SiteMcpServer: SiteMcpServer,
}
ARGUMENTS = {
    ChangeRequestKey: ChangeRequestKey("1"),
    PageKey: PageKey("home"),
    PathKey: PathKey("home"),
    SearchArguments: SearchArguments(query="hello"),
    SiteSearchArguments: SiteSearchArguments(query="hello"),
    InsightsArguments: InsightsArguments(
        InsightsQueryInput(
            range=InsightsRangeInput(preset=InsightsRangePreset.LAST_YEAR),
            select=[InsightsColumnInput(column=InsightsColumn.EVENTS_COUNT)],
        )
    ),
}
FIELDS = [
    pytest.param(model, source_of(field), id=f"{type_.__name__}.{field.python_name}")
    for type_, model in TYPES.items()
    for field in type_.__strawberry_definition__.fields
    if source_of(field).batch is not None
]
NARROW = [one for one in FIELDS if declared(one.values[1].batch).takes_projection]  # type: ignore[union-attr]


def ids(value: Any) -> Any:
    """What tells values apart, without the columns that were left out."""
    if isinstance(value, Exception):
        return str(value)
    if isinstance(value, Slice):
        return [ids(row) for row in value.rows], value.has_next
    if isinstance(value, list):
        return [ids(one) for one in value]
    found = getattr(value, "id", None) or getattr(value, "user_id", None)
    return value if found is None else found


async def asked(
    function: Any, ctx: Context, rows: Sequence[Any], arguments: Any, *columns: Any
) -> list[Any]:
    """What a batch function answers; a refusal is an answer, too."""
    try:
        return list(await function(ctx, rows, arguments, *columns))
    except Forbidden as refusal:
        return [refusal.message]


async def rows_of(session: Session, model: Any, source: Source) -> list[Any]:
    """All rows that the field may be asked of."""
    rows = list((await session.execute(select(model))).scalars())
    if model is Comment and source.batch is not None and "parent_id" in source.batch.reads:  # type: ignore[attr-defined]
        return [row for row in rows if row.parent_id is not None]
    return rows


@pytest.mark.parametrize(("model", "source"), FIELDS)
async def test_declared_attributes_are_enough(
    sown: Sown, session: Session, tmp_path: Any, model: Any, source: Source
) -> None:
    function, made = source.batch, source.arguments
    assert function is not None
    reads = declared(function).reads
    assert reads is not None, "the function does not say what it reads"
    arguments = None if made is None else ARGUMENTS.get(made) or made()
    files = FileAccess(BlobStore.in_folder(tmp_path), b"key")
    rows = await rows_of(session, model, source)
    few = [
        SimpleNamespace(**{name: getattr(row, name) for name in reads - {ACTOR_RANK}})
        for row in rows
    ]
    for person in (sown.world.admin, sown.world.commenter, sown.world.guest):
        actor: Actor = context(session, person).actor
        ctx = Context(actor, session, files=files, token_key=b"key")
        whole = await asked(function, ctx, rows, arguments)
        narrow = await asked(function, ctx, few, arguments)
        assert [ids(one) for one in narrow] == [ids(one) for one in whole]


@pytest.mark.parametrize(("model", "source"), NARROW)
async def test_columns_may_be_left_out(
    sown: Sown, session: Session, model: Any, source: Source
) -> None:
    function: Any = source.batch
    made = source.arguments
    arguments = None if made is None else ARGUMENTS.get(made) or made()
    rows = await rows_of(session, model, source)
    ctx = context(session, sown.world.admin)
    whole = list(await function(ctx, rows, arguments))
    light = list(await function(ctx, rows, arguments, only()))
    of_members = function.__name__.startswith(("commenters", "members", "teams_of_members"))
    key = only("user_id" if of_members else "id")
    narrow = list(await function(ctx, rows, arguments, key))
    assert [ids(one) for one in narrow] == [ids(one) for one in whole]
    assert len(light) == len(whole)


@pytest.mark.parametrize("person", ["admin", "commenter", "guest", "outsider"])
async def test_many_parents_have_the_pages_of_each(
    sown: Sown, session: Session, person: str
) -> None:
    ctx = context(session, sown.world.people()[person])
    checked = 0
    for parameters in FIELDS:
        model, source = parameters.values
        if source.arguments is None:  # type: ignore[union-attr]
            continue
        if source.arguments is ChangeRequestKey:  # type: ignore[union-attr]
            continue
        function: Any = source.batch  # type: ignore[union-attr]
        made: Any = source.arguments  # type: ignore[union-attr]
        if not issubclass(made, PageArguments):
            continue
        needed = {"query": "hello"} if made in (SearchArguments, SiteSearchArguments) else {}
        for arguments in (made(**needed), made(first=1, **needed)):
            rows = await rows_of(session, model, source)  # type: ignore[arg-type]
            together = await asked(function, ctx, rows, arguments)
            alone = [(await asked(function, ctx, [row], arguments))[0] for row in rows]
            if any(isinstance(one, str) for one in together):
                assert set(alone) == set(together)
                continue
            assert [ids(one) for one in together] == [ids(one) for one in alone], function.__name__
            checked += 1
    assert checked > 20


# Those that run statements, but not for what is sown here.
RUN_ELSEWHERE = {
    "ChangeRequest.revision_merged", "ChangeRequest.revision_merged_ancestor",
    "Comment.resolved_by", "CommentTarget.page", "MergeConflict.typed_theirs",
    "Organization.default_content", "Review.comment", "Review.requested_by",
    "Revision.all_pages", "Revision.author", "Revision.files", "Revision.landing_page",
    "Revision.page", "Revision.redirects", "Revision.reusable_contents",
}  # fmt: skip


async def test_those_that_run_no_statement_say_so(
    session: Session, world: World, tmp_path: Any, queries: Queries
) -> None:
    """Or a query with them would not count as one statement."""
    # Of its own, of which no test before has left anything in memory.
    await sow(session, world)
    files = FileAccess(BlobStore.in_folder(tmp_path), b"key")
    actor: Actor = context(session, world.admin).actor
    quiet, computed = set(), set()
    for parameters in FIELDS:
        model: Any = parameters.values[0]
        source: Any = parameters.values[1]
        rows = await rows_of(session, model, source)
        arguments = source.arguments and (ARGUMENTS.get(source.arguments) or source.arguments())
        ctx = Context(actor, session, files=files, token_key=b"key")
        queries.statements.clear()
        await asked(source.batch, ctx, rows, arguments)
        if rows and not queries.statements:
            quiet.add(str(parameters.id))
        if rows and declared(source.batch).computes:
            computed.add(str(parameters.id))
    assert quiet - RUN_ELSEWHERE == computed
