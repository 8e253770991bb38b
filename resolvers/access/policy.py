"""Who may do what, as SQL: one rule serves one row and a list (docs/roles.md).

Each model has a rule that joins what decides about a row to a statement and gives the actor's
*rank* on the row: 0 none, 1 read, 2 comment, 3 edit, 4 review, 5 create, 6 admin. `visible`
keeps the rows that may be read; `must` finds one and also demands a role. A model without a
rule cannot be selected: it fails closed.
"""

from collections.abc import Callable, Iterable, Sequence
from functools import cache, lru_cache
from typing import Any, TypeVar

from sqlalchemy import (
    ColumnElement,
    Select,
    bindparam,
    case,
    false,
    literal,
    or_,
    select,
)

from db.base import Base
from db.enums import Role
from db.models.audit import AuditEntry
from db.models.change_requests import ChangeRequest, Contributor
from db.models.comments import Comment
from db.models.content import FileUpload, Revision
from db.models.content_index import ContentLink, ContentLinkUse
from db.models.events import Event
from db.models.git import GitEntry
from db.models.integrations import (
    Installation,
    Integration,
    IntegrationEvent,
    SiteInstallation,
    SpaceInstallation,
)
from db.models.invitations import Invitation
from db.models.jobs import Job
from db.models.merging import MergeConflict, recorded
from db.models.notifications import FeedToken, Notification, SpaceNotificationLevel
from db.models.organizations import (
    Member,
    Organization,
    ServiceAccount,
    Team,
    TeamMember,
    Token,
    User,
)
from db.models.reviews import RequestedReviewer, Review
from db.models.sign_in import UserSession
from db.models.sign_on import SamlProvider
from db.models.site_settings import (
    AdaptiveSchema,
    CustomHostname,
    ShareLink,
    SiteMcpServer,
    SiteRedirect,
)
from db.models.sites import Site, SiteSection, SiteSectionGroup, SiteSpace
from db.models.spaces import Collection, Space
from db.models.specifications import Specification, SpecificationVersion
from db.models.storage import CustomFont
from db.models.translations import GlossaryEntry, Translation
from db.models.webhooks import Webhook, WebhookDelivery
from db.prepared import ACTOR_RANK, KEY, among
from db.rows import values_of
from db.sharing import KEYS, SHARED_KEY
from resolvers.access import (
    audit_policy,
    event_policy,
    integration_policy,
    job_policy,
    notification_policy,
    people_policy,
    site_policy,
    specification_policy,
    translation_policy,
    webhook_policy,
)
from resolvers.access.model_names import NAMES
from resolvers.access.published_rows import published_rows
from resolvers.access.ranks import (
    CREATE,
    READ,
    Rank,
    collection_rank,
    organization_rank,
    space_rank,
)
from resolvers.core.actors import Actor
from resolvers.core.batch_functions import ALL, Projection
from resolvers.core.context import Context
from resolvers.core.errors import ApiError, Forbidden, NotFound, Unauthenticated
from resolvers.core.nesting import Nest, OuterRow, nested_columns, nesting_for, store_prefetched
from resolvers.core.policy_asked import policy_was_asked
from resolvers.core.statements import Viewer, ViewerKind, Written, statement

Model = TypeVar("Model", bound=Base)
Rule = Callable[[Select[Any], Actor], tuple[Select[Any], Rank]]

# ------------------------------------------------------------------ rules


def _organizations(statement: Select[Any], actor: Actor) -> tuple[Select[Any], Rank]:
    return organization_rank(statement, actor, Organization.id)


def _collections(statement: Select[Any], actor: Actor) -> tuple[Select[Any], Rank]:
    statement, rank = collection_rank(statement, actor)
    return statement.where(rank >= READ), rank


def _spaces(statement: Select[Any], actor: Actor) -> tuple[Select[Any], Rank]:
    statement, rank = space_rank(statement, actor)
    return statement.where(rank >= READ, Space.deleted_at.is_(None)), rank


def spaces_with_bin(statement: Select[Any], actor: Actor) -> tuple[Select[Any], Rank]:
    """Spaces, and those in the bin for whoever could restore them."""
    statement, rank = space_rank(statement, actor)
    return statement.where(rank >= READ, or_(Space.deleted_at.is_(None), rank >= CREATE)), rank


def _in_space(space_id: Any) -> Rule:
    """Rows of a space follow it."""

    def rule(statement: Select[Any], actor: Actor) -> tuple[Select[Any], Rank]:
        return in_space(statement.join(Space, Space.id == space_id), actor)

    return rule


def _conflicts(statement: Select[Any], actor: Actor) -> tuple[Select[Any], Rank]:
    """Conflicts follow their space, from when their merge is written."""
    return _in_space(MergeConflict.space_id)(statement.where(recorded()), actor)


def in_space(statement: Select[Any], actor: Actor) -> tuple[Select[Any], Rank]:
    """Rows in the joined `Space`: of the bin only those read them who could restore it."""
    statement, rank = space_rank(statement, actor)
    alive = Space.deleted_at.is_(None)
    statement = statement.where(rank >= READ, or_(alive, rank >= CREATE))
    return statement, case((alive, rank), else_=READ)


def visible_in_space(ctx: Viewer, statement: Written) -> Written:
    """`statement` with the rule of change requests and comments, for the joined `Space`."""
    policy_was_asked()
    if ctx.actor.nobody or ctx.actor.visitor is not None:
        return statement.where(false())
    return in_space(statement, ctx.actor)[0]


def _content(space_id: Any) -> Rule:
    """Content follows its space; nobody reads the content of a space in the bin."""

    def rule(statement: Select[Any], actor: Actor) -> tuple[Select[Any], Rank]:
        statement, rank = space_rank(statement.join(Space, Space.id == space_id), actor)
        return statement.where(rank >= READ, Space.deleted_at.is_(None)), rank

    return rule


def _uploads(statement: Select[Any], actor: Actor) -> tuple[Select[Any], Rank]:
    """Uploads are for whoever asked for them, while the space may be read."""
    statement, rank = _content(FileUpload.space_id)(statement, actor)
    return statement.where(FileUpload.user_id == actor.user_id), rank


RULES: dict[type[Base], Rule] = {
    AuditEntry: audit_policy.entries,
    Event: event_policy.events,
    Organization: _organizations,
    Member: people_policy.members,
    User: people_policy.users,
    UserSession: people_policy.sessions,
    Team: people_policy.teams,
    TeamMember: people_policy.team_members,
    ServiceAccount: people_policy.service_accounts,
    Token: people_policy.tokens,
    SamlProvider: people_policy.saml_providers,
    Invitation: people_policy.invitations,
    Job: job_policy.jobs,
    GitEntry: job_policy.git_entries,
    Notification: notification_policy.notifications,
    SpaceNotificationLevel: notification_policy.levels,
    FeedToken: notification_policy.feed_tokens,
    Specification: specification_policy.specifications,
    SpecificationVersion: specification_policy.versions,
    Webhook: webhook_policy.webhooks,
    WebhookDelivery: webhook_policy.deliveries,
    Integration: integration_policy.integrations,
    Installation: integration_policy.installations,
    SpaceInstallation: integration_policy.space_entries,
    SiteInstallation: integration_policy.site_entries,
    IntegrationEvent: integration_policy.events,
    Translation: translation_policy.translations,
    GlossaryEntry: translation_policy.glossary_entries,
    CustomFont: translation_policy.custom_fonts,
    Collection: _collections,
    Space: _spaces,
    ChangeRequest: _in_space(ChangeRequest.space_id),
    Contributor: _in_space(Contributor.space_id),
    MergeConflict: _conflicts,
    Review: _in_space(Review.space_id),
    RequestedReviewer: _in_space(RequestedReviewer.space_id),
    Comment: _in_space(Comment.space_id),
    Revision: _content(Revision.space_id),
    FileUpload: _uploads,
    ContentLink: _content(ContentLink.space_id),
    ContentLinkUse: _content(ContentLinkUse.space_id),
    Site: site_policy.sites,
    SiteSection: site_policy.sections,
    SiteSectionGroup: site_policy.section_groups,
    SiteSpace: site_policy.site_spaces,
    ShareLink: site_policy.settings_of_site(ShareLink.site_id),
    AdaptiveSchema: site_policy.settings_of_site(AdaptiveSchema.site_id),
    SiteRedirect: site_policy.settings_of_site(SiteRedirect.site_id),
    SiteMcpServer: site_policy.settings_of_site(SiteMcpServer.site_id),
    CustomHostname: site_policy.settings_of_site(CustomHostname.site_id),
}


def ranked(ctx: Viewer, model: type[Model], rule: Rule | None = None) -> tuple[Select[Any], Rank]:
    """Rows of `model` that the actor may read, and the actor's rank on each.

    `rule` stands in for the model's own, such as `spaces_with_bin`. `ctx` is the context of a
    request, or what a prepared statement is written for.
    """
    policy_was_asked()
    if ctx.actor.visitor is not None:
        return published_rows(model, ctx.actor.visitor)
    return _ranked(model, rule or RULES[model], ctx.actor)


# Building such a statement costs more than executing it, and one request needs several. Statements
# are immutable: adding a condition gives a new one.
@lru_cache(maxsize=128)
def _ranked(model: type[Model], rule: Rule, actor: Actor) -> tuple[Select[Any], Rank]:
    statement = select(model)
    if actor.nobody:
        return statement.where(false()), literal(0)
    return rule(statement, actor)


def visible(ctx: Viewer, model: type[Model]) -> Select[Any]:
    """A statement for the rows of `model` that the actor may read."""
    return ranked(ctx, model)[0]


@statement
def _ranks(viewer: Viewer, model: Any, rule: Rule | None) -> Written:
    rows, rank = ranked(viewer, model, rule)
    return rows.with_only_columns(model.id, rank.label("rank")).where(among(model.id, "ids"))


async def ranks(
    ctx: Context, model: type[Model], ids: Iterable[str], rule: Rule | None = None
) -> dict[str, int]:
    """The actor's rank on rows, by id; rows that may not be seen are left out."""
    return dict(await _ranks.rows(ctx, model, rule, ids=set(ids)))


async def ranks_of(
    ctx: Context, model: type[Model], rows: Sequence[Any], rule: Rule | None = None
) -> list[int]:
    """The actor's rank on each row, 0 where it may not be seen.

    Rows of a statement with the policy may hold it already.
    """
    return [rank or 0 for rank in await _ranks_if_seen(ctx, model, rows, rule)]


async def _ranks_if_seen(
    ctx: Context, model: type[Model], rows: Sequence[Any], rule: Rule | None = None
) -> Sequence[int | None]:
    """As `ranks_of`, but None where a row may not be seen."""
    if all(hasattr(kind, ACTOR_RANK) for kind in set(map(type, rows))):
        cached: list[int] = values_of(rows, ACTOR_RANK)
        if None not in cached:
            return cached
    rank_by_id = await ranks(ctx, model, (row.id for row in rows), rule)
    return [rank_by_id.get(row.id) for row in rows]


@statement
def _one(
    viewer: ViewerKind,
    model: Any,
    by_id: bool,
    where: ColumnElement[bool] | None,
    rule: Rule | None,
    nests: tuple[Nest, ...],
) -> Written:
    rows, rank = ranked(viewer, model, rule)
    if by_id:
        rows = rows.where(model.id == bindparam("id", type_=KEY))
    if where is not None:
        rows = rows.where(where)
    return rows.add_columns(rank.label(ACTOR_RANK), *_nested(viewer, model, nests))


@statement
def _shared(
    viewer: ViewerKind,
    model: Any,
    where: ColumnElement[bool] | None,
    rule: Rule | None,
    nests: tuple[Nest, ...],
) -> Written:
    rows, rank = ranked(viewer, model, rule)
    rows = rows.where(among(model.id, KEYS))
    if where is not None:
        rows = rows.where(where)
    shared = (rank.label(ACTOR_RANK), model.id.label(SHARED_KEY))
    return rows.add_columns(*shared, *_nested(viewer, model, nests))


def _nested(viewer: ViewerKind, model: Any, nests: tuple[Nest, ...]) -> list[ColumnElement[Any]]:
    return nested_columns(viewer, OuterRow(model, model.__table__, model), nests)


async def must(
    ctx: Context,
    model: type[Model],
    id: str | None,
    role: Role | None = None,
    *,
    where: ColumnElement[bool] | None = None,
    lock: bool = False,
    rule: Rule | None = None,
    projection: Projection = ALL,
    lasting: bool = False,
    **values: Any,
) -> Model:
    """The row with this id; the actor must have `role` on it.

    NotFound when it does not exist, does not satisfy `where` (the parent in the path, for
    instance) or may not be seen; Forbidden when it may be seen but the role is missing.
    A write gets the object of its session. A read gets a row of the columns in `projection`; there,
    `where` has to be one and the same expression each time, with `values` for its parameters.
    `lock` makes other writers of the row wait until the end of the transaction, and reads the
    row again when the session holds it already. `rule` is that of `ranked`. With `lasting` the
    caller notes in `ctx.dependencies` what the row follows from, but for what is prefetched with
    it. A write counts for the space of the row, RateLimited when there were too many.
    """
    if ctx.writing or lock:
        # A condition may be another one each time, with values in it.
        statement, viewer = _one.for_session(ctx, model, id is not None, None, rule, ())
        if where is not None:
            statement = statement.where(where)
        if lock:
            # Rows that merely refer to this one (key_share) may still be added.
            statement = statement.with_for_update(of=model, key_share=True)
            statement = statement.execution_options(populate_existing=True)
        result = await ctx.session.execute(statement, {"id": id, **viewer, **values})
        row, actual = result.first() or (None, 0)
    else:
        row = await _read(ctx, model, id, where, rule, projection, values, lasting)
        actual = 0 if row is None else row.actor_rank
    if row is None or (role is not None and actual < role.rank):
        raise _refusal(model, id, None if row is None else role)
    if ctx.writing and ctx.quota is not None:
        space_id = row.id if model is Space else getattr(row, "space_id", None)
        if space_id is not None:
            ctx.quota.write_in(space_id)
    visible_row: Model = row
    return visible_row


async def refusals(
    ctx: Context, model: type[Model], rows: Sequence[Any], role: Role
) -> list[ApiError | None]:
    """The error that `must` would raise for each row; None where the actor has `role` on it."""
    actual = await _ranks_if_seen(ctx, model, rows)
    return [
        None
        if rank is not None and rank >= role.rank
        else _refusal(model, row.id, None if rank is None else role)
        for row, rank in zip(rows, actual, strict=True)
    ]


@cache
def _in_organization(model: type[Any]) -> ColumnElement[bool]:
    """The condition of `must_in`, one and the same expression each time."""
    condition: ColumnElement[bool] = model.organization_id == bindparam(
        "organization_id", type_=KEY
    )
    return condition


async def must_in(
    ctx: Context,
    model: type[Model],
    id: str,
    organization_id: str | None,
    role: Role | None = None,
    *,
    lock: bool = False,
    projection: Projection = ALL,
) -> Model:
    """The row with this id, as `must` finds it, in the organization that the path may name."""
    where = None if organization_id is None else _in_organization(model)
    return await must(
        ctx,
        model,
        id,
        role,
        where=where,
        lock=lock,
        projection=projection,
        organization_id=organization_id,
    )


def _refusal(model: type[Any], id: str | None, role: Role | None) -> ApiError:
    """The error where the actor has not `role` on a row, or (None) sees no such row."""
    if role is not None:
        return Forbidden(f"this needs the role {role.value!r} on the {NAMES[model]}")
    subject = NAMES[model] if id is None else f"{NAMES[model]} {id!r}"
    return NotFound(f"{subject} does not exist or is not visible to you")


async def _read(
    ctx: Context,
    model: Any,
    id: str | None,
    where: ColumnElement[bool] | None,
    rule: Rule | None,
    projection: Projection,
    values: dict[str, Any],
    lasting: bool,
) -> Any:
    """The row or None; stores what is prefetched with it in the context."""
    plan = nesting_for(ctx, model, projection)
    columns, cache = projection.columns, plan.statements
    values = {**values, **plan.values}
    person = ctx.actor.visitor is None
    if ctx.alone and ctx.points is not None and id is not None and ctx.spent is None and person:
        row = await _shared.shared_row(
            ctx, ctx.points, id, model, where, rule, plan.nests, columns=columns, cache=cache,
            **values,
        )  # fmt: skip
        rows = [] if row is None else [row]
    else:
        rows = await _one.rows(
            ctx, model, id is not None, where, rule, plan.nests, columns=columns, cache=cache,
            lasting=lasting and not plan.nests, id=id, **values,
        )  # fmt: skip
    store_prefetched(ctx, plan, rows)
    return rows[0] if rows else None


def must_be_person(ctx: Context) -> None:
    """Only people with a token may do this, whoever they are, and the operator of the server."""
    policy_was_asked()
    if ctx.actor.visitor is not None:
        raise Forbidden("a content token only reads content")
    if not ctx.actor.operator and ctx.actor.user_id is None:
        raise Unauthenticated("this operation needs the token of a person")


def must_not_be_service(ctx: Context) -> None:
    """Service accounts may not do this: it is about an account, or joins it to an organization."""
    if ctx.actor.service:
        raise Forbidden("this is for people; the token is that of a service account")


def must_be_operator(ctx: Context) -> None:
    """Only the operator of the server (the command line) may do this."""
    policy_was_asked()
    if not ctx.actor.operator:
        raise Forbidden("only the operator of the server may do this")
