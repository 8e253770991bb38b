"""Reads the audit log: of an organization for its administrators, of an account for its person."""

import datetime as dt
from collections.abc import Sequence
from dataclasses import dataclass, field, fields, replace
from typing import Annotated, Any

import strawberry
from sqlalchemy import (
    ColumnElement,
    String,
    bindparam,
    literal,
    select,
    union_all,
)
from sqlalchemy.orm import aliased

from db.audit_enums import AuditChangeKind, AuditDoor, AuditObjectType
from db.base import Timestamp
from db.enums import Role, TokenScope
from db.models.audit import ACTION_LENGTH, AuditEntry, AuditMention
from db.models.organizations import Organization
from db.order_enums import AuditOrderField
from db.prepared import KEY, among
from resolvers.access.policy import visible
from resolvers.core import inputs
from resolvers.core.batch_functions import ALL, Projection
from resolvers.core.context import Context
from resolvers.core.errors import ApiError
from resolvers.core.filters import Filter, Filters
from resolvers.core.nodes import SEPARATOR
from resolvers.core.orders import AuditOrder, Orders, by
from resolvers.core.pagination import PageArguments, Slice
from resolvers.core.statements import Viewer, ViewerKind, Written, statement
from resolvers.lists.batches import computed_from, for_role, reads
from resolvers.lists.bounded_counts import BoundedCount
from resolvers.lists.listing_statements import PARENTS
from resolvers.lists.listings import Listing

OBJECT_ID_LENGTH = 512


@dataclass(frozen=True)
class AuditArguments(PageArguments):
    """Filters and order of the audit log; all filters have to hold."""

    order_by: Annotated[
        AuditOrder | None, strawberry.argument(description="Order; newest first when absent.")
    ] = None
    actor: Annotated[
        strawberry.ID | None, strawberry.argument(description="Id of the person who acted.")
    ] = None
    action: Annotated[
        str | None,
        strawberry.argument(description="Name of the mutation or the act, such as `updateMember`."),
    ] = field(default=None, metadata={inputs.BOUNDS: inputs.Bounds(maximum=ACTION_LENGTH)})
    object_type: Annotated[
        AuditObjectType | None, strawberry.argument(description="Kind of the object.")
    ] = None
    object_id: Annotated[
        str | None,
        strawberry.argument(
            description="Id of the object, or of a page, a file or a reusable content that was "
            "changed."
        ),
    ] = field(default=None, metadata={inputs.BOUNDS: inputs.Bounds(maximum=OBJECT_ID_LENGTH)})
    door: Annotated[
        AuditDoor | None, strawberry.argument(description="Interface that was used.")
    ] = None
    since: Annotated[
        dt.datetime | None, strawberry.argument(description="Not what was done before this time.")
    ] = None
    until: Annotated[
        dt.datetime | None,
        strawberry.argument(description="Only what was done before this time."),
    ] = None


def _equal(name: str, column: Any, value: Any) -> Filter:
    type_ = KEY if column.type.__class__ is String else column.type
    return Filter(name, value, column == bindparam(name, type_=type_))


_FILTERS: Filters = (
    _equal("actor", AuditEntry.actor_id, lambda arguments: arguments.actor),
    _equal("action", AuditEntry.action, lambda arguments: arguments.action),
    _equal("object_type", AuditEntry.object_type, lambda arguments: arguments.object_type),
    _equal("object_id", AuditEntry.object_id, lambda arguments: arguments.object_id),
    _equal("door", AuditEntry.door, lambda arguments: arguments.door),
    Filter(
        "since",
        lambda arguments: arguments.since,
        AuditEntry.at >= bindparam("since", type_=Timestamp()),
    ),
    Filter(
        "until",
        lambda arguments: arguments.until,
        AuditEntry.at < bindparam("until", type_=Timestamp()),
    ),
)


@dataclass(frozen=True)
class _Chosen(AuditArguments):
    """The same with the id of a page, a file or a reusable content."""

    content_id: str | None = None


def _mentioning(viewer: ViewerKind) -> ColumnElement[bool]:
    """Entries that name some content. A walk by time would look at all others, too."""
    content_id = bindparam("content_id", type_=KEY)
    same = aliased(AuditEntry)
    mentions = select(AuditMention.entry_id).where(AuditMention.object_id == content_id)
    # Whoever chooses the id of a page hides nothing that is about an object with the same id.
    objects = select(same.id).where(
        among(same.organization_id, PARENTS), same.object_id == content_id
    )
    return AuditEntry.id.in_(union_all(mentions, objects))


@statement
def _mention(viewer: Viewer) -> Written:
    content_id = bindparam("content_id", type_=KEY)
    return select(AuditMention.entry_id).where(AuditMention.object_id == content_id).limit(1)


async def _choose(ctx: Context, arguments: AuditArguments) -> AuditArguments:
    """The arguments with what their id is one of: an object, or content inside of objects.

    Objects are found by the index of entries in their order, and have many more entries.
    """
    if arguments.object_id is None:
        return arguments
    # What is in a change request or a revision has an id of its own in GraphQL (decision 49).
    id = arguments.object_id.split(SEPARATOR)[-1]
    if not await _mention.rows(ctx, content_id=id):
        return arguments
    plain_arguments = {item.name: getattr(arguments, item.name) for item in fields(arguments)}
    return _Chosen(**plain_arguments | {"object_id": None, "content_id": id})


_OF_ORGANIZATIONS: Filters = (
    *_FILTERS,
    Filter("content_id", lambda arguments: getattr(arguments, "content_id", None), _mentioning),
)
_ORDERS = Orders(by(AuditEntry.id), {AuditOrderField.AT: by(AuditEntry.at)})
_NEWEST_FIRST = _ORDERS.by(AuditOrderField.AT).reversed
_entries = Listing(
    "audit_log_of_organizations",
    AuditEntry,
    AuditEntry.organization_id,
    _ORDERS.or_else(_NEWEST_FIRST),
    about="Entries that concern organizations, newest first.",
    filters=_OF_ORGANIZATIONS,
)


_counts = BoundedCount(
    Organization.id,
    lambda viewer: select(AuditEntry.id).where(AuditEntry.organization_id == Organization.id),
)


@reads("id", scope=TokenScope.ORGANIZATION_MEMBERS_READ)
async def audit_log_of_organizations(
    ctx: Context,
    rows: Sequence[Organization],
    arguments: AuditArguments,
    projection: Projection = ALL,
) -> list[Slice[AuditEntry] | ApiError]:
    """The audit log: who did what in an organization, newest first; needs its role `admin`.

    More than 10,000 entries are counted as 10,000.
    """
    arguments = await _choose(ctx, arguments)
    counter = _counts.counter(_OF_ORGANIZATIONS, arguments)

    async def counted(allowed: Sequence[Organization]) -> list[Slice[AuditEntry]]:
        parts = await _entries(ctx, allowed, arguments, projection)
        return [replace(part, counter=counter) for part in parts]

    return await for_role(ctx, Organization, rows, Role.ADMIN, counted)


@dataclass(frozen=True, slots=True)
class Server:
    """What entries are below that concern no organization."""

    id: str = "server"


audit_log_of_server = Listing(
    "audit_log_of_server",
    AuditEntry,
    literal(Server().id, type_=KEY),
    _ORDERS.or_else(_NEWEST_FIRST),
    AuditEntry.organization_id.is_(None),
    about="Entries that concern no organization, such as sign-ins; for the operator.",
    filters=_FILTERS,
)
audit_log_of_accounts = Listing(
    "audit_log_of_accounts",
    AuditEntry,
    AuditEntry.person_id,
    _ORDERS.or_else(_NEWEST_FIRST),
    about="What was done with your account: sign-ins, tokens, your profile; newest first, and "
    "empty for other people.",
    filters=_FILTERS,
    rows=lambda viewer: visible(viewer, AuditEntry).where(AuditEntry.organization_id.is_(None)),
)


# ------------------------------------------------------------------ fields


@dataclass(frozen=True, slots=True)
class AuditChange:
    """A value that was changed, as text; null where it was not set."""

    kind: AuditChangeKind
    object_type: AuditObjectType
    object_id: str | None
    person_id: str | None
    field: str
    before: str | None
    after: str | None


@dataclass(frozen=True, slots=True)
class AuditAffected:
    """Something that was changed beside the object of an entry."""

    kind: AuditChangeKind
    type: AuditObjectType
    object_id: str
    name: str | None
    person_id: str | None


@computed_from("affected")
async def affected_objects(
    ctx: Context, rows: Sequence[AuditEntry], arguments: Any
) -> list[list[AuditAffected]]:
    """What acts have changed beside their objects, at most 50 of each."""
    return [
        [
            AuditAffected(
                AuditChangeKind(item["kind"]),
                AuditObjectType(item["type"]),
                item["objectId"],
                item["name"],
                item["personId"],
            )
            for item in row.affected
        ]
        for row in rows
    ]


@computed_from("changes")
async def audit_changes(
    ctx: Context, rows: Sequence[AuditEntry], arguments: Any
) -> list[list[AuditChange]]:
    """The values that acts have changed, at most 100 of each."""
    return [
        [
            AuditChange(
                AuditChangeKind(change["kind"]),
                AuditObjectType(change["objectType"]),
                change["objectId"],
                change["personId"],
                change["field"],
                change["before"],
                change["after"],
            )
            for change in row.changes
        ]
        for row in rows
    ]


@dataclass(frozen=True, slots=True)
class AuditPerson:
    """The person whom an entry is about, by the name of that time."""

    user_id: str
    name: str | None


@computed_from("person_id", "person_name")
async def audited_people(
    ctx: Context, rows: Sequence[AuditEntry], arguments: Any
) -> list[AuditPerson | None]:
    """Whom entries are about."""
    return [
        None if row.person_id is None else AuditPerson(row.person_id, row.person_name)
        for row in rows
    ]
