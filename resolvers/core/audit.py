"""Writes the audit log: each write of the product leaves an entry, in its own transaction.

`run` (resolvers/core/runners.py) notes what the session changes while an operation runs
(resolvers/core/audit_notes.py), and then writes one entry: nothing of it is left when the write
fails, and there is none where nothing was changed. The object is the row that the operation
returns; where it returns none, what it has changed. Acts that are no writes of the product, such
as a sign-in, call `record`.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import cache
from typing import Any

from sqlalchemy import JSON, Integer, String, bindparam, func, insert, literal, select, union_all

from db.audit_enums import AuditActorKind, AuditChangeKind, AuditDoor, AuditObjectType
from db.base import Base
from db.ids import new_id
from db.models.audit import ACTION_LENGTH, AuditEntry, AuditMention
from db.models.change_requests import ChangeRequest
from db.models.organizations import Organization, Team, User
from db.models.sites import Site, SiteSpace
from db.models.spaces import Collection, Space
from db.prepared import DIALECTS, listed
from resolvers.core.actors import Actor, Origin
from resolvers.core.audit_notes import MOST_NAMED, Notes, notes_of
from resolvers.core.audit_objects import OBJECTS, VALUE_LENGTH, AuditObject, object_of, shown
from resolvers.core.context import Context
from resolvers.core.deletions import Deletion
from resolvers.core.naming import camel

# Changes that one entry shows.
MOST_CHANGES = 100


async def record_write(ctx: Context, notes: Notes, action: str, result: Any) -> None:
    """Write the entry of an operation that has ended with `result`; none if it changed nothing."""
    if notes.recorded or not notes.anything:
        return
    await _write(ctx, action, _subject(notes, result), notes)


async def record(
    ctx: Context,
    action: str,
    subject: Base | AuditObject,
    *,
    actor_id: str | None = None,
    organization_id: str | None = None,
    session_id: str | None = None,
) -> None:
    """Write an entry for an act in the transaction of the session, in place of that of `run`.

    `actor_id` is the person who acts where the context does not know it yet, as at a sign-in;
    `organization_id` the organization whose administrators see it, if the subject has none.
    """
    notes = notes_of(ctx.session) or Notes()
    notes.recorded = True
    await ctx.session.flush()
    named = object_of(subject) if isinstance(subject, Base) else subject
    await _write(
        ctx, action, named, notes, actor_id=actor_id, organization_id=organization_id,
        session_id=session_id,
    )  # fmt: skip


def _subject(notes: Notes, result: Any) -> AuditObject:
    """What an operation was about."""
    rows = [change.row for change in notes.changes]
    if isinstance(result, tuple | list) and result:
        result = result[0]
    row = getattr(result, "audited", result)
    if isinstance(row, Base):
        return object_of(row)
    if isinstance(result, Deletion):
        # The object itself comes before its parts, which went with it.
        named = sorted(map(object_of, rows), key=lambda changed: changed.part)
        for attribute in ("id", "person_id"):
            for changed in named:
                if result.deleted_id == getattr(changed, attribute):
                    return changed
    for row in rows:
        if type(row) in OBJECTS:
            return object_of(row)
    return AuditObject(type=AuditObjectType.OTHER, id=None)


# ------------------------------------------------------------------ the statement


def _parameter(name: str) -> Any:
    return bindparam(f"p_{name}", type_=String())


def _found(column: Any, model: Any, parameter: str) -> Any:
    """A value of the row whose id a parameter holds."""
    return select(column).where(model.id == _parameter(parameter)).scalar_subquery()


_PERSON = User.display_name
# Names and organizations are looked up by the statement itself, so that an entry costs one.
_SITE = func.coalesce(_parameter("site_id"), _found(SiteSpace.site_id, SiteSpace, "site_space_id"))
_INSERT = insert(AuditEntry).values(
    id=bindparam("p_id"),
    at=bindparam("p_at", type_=AuditEntry.at.type),
    organization_id=func.coalesce(
        _parameter("organization_id"),
        select(Site.organization_id).where(Site.id == _SITE).scalar_subquery(),
        _found(Space.organization_id, Space, "space_id"),
        _found(Collection.organization_id, Collection, "collection_id"),
        _found(Team.organization_id, Team, "team_id"),
    ),
    action=bindparam("p_action"),
    actor_kind=bindparam("p_actor_kind", type_=AuditEntry.actor_kind.type),
    actor_id=_parameter("actor_id"),
    actor_name=_found(_PERSON, User, "actor_id"),
    door=bindparam("p_door", type_=AuditEntry.door.type),
    token_id=_parameter("token_id"),
    session_id=_parameter("session_id"),
    address=_parameter("address"),
    request_id=_parameter("request_id"),
    object_type=bindparam("p_object_type", type_=AuditEntry.object_type.type),
    object_id=_parameter("object_id"),
    object_name=func.coalesce(
        _parameter("object_name"),
        *(
            _found(column, model, "named_elsewhere")
            for column, model in (
                (Space.title, Space), (Site.title, Site), (Team.title, Team), (_PERSON, User),
                (Collection.title, Collection), (Organization.title, Organization),
                (SiteSpace.path, SiteSpace),
            )
        ),
    ),
    person_id=_parameter("person_id"),
    person_name=_found(_PERSON, User, "person_id"),
    space_id=_parameter("space_id"),
    site_id=_SITE,
    changes=bindparam("p_changes", type_=JSON()),
    affected=bindparam("p_affected", type_=JSON()),
    affected_count=bindparam("p_affected_count", type_=Integer()),
)  # fmt: skip


Written = tuple[str, Callable[[Mapping[str, Any]], list[Any]]]


@cache
def _insert(dialect: str) -> tuple[Written, Written]:
    """The statements of an entry and of what it mentions.

    Compiled once: even to look them up among compiled statements costs as much as to run them.
    """
    names = listed("mentioned", dialect)
    rows = select(_parameter("id"), names.c.value)
    mentions = insert(AuditMention).from_select(["entry_id", "object_id"], rows)
    return _written(_INSERT, dialect), _written(mentions, dialect)


def _written(statement: Any, dialect: str) -> Written:
    """The text of a statement, and what makes its parameters of values."""
    compiled: Any = statement.compile(dialect=DIALECTS[dialect])
    processors = compiled._bind_processors
    places = [(name.removeprefix("p_"), processors.get(name)) for name in compiled.positiontup]

    def parameters(values: Mapping[str, Any]) -> list[Any]:
        return [
            values[name] if process is None else process(values[name]) for name, process in places
        ]

    return compiled.string, parameters


async def _write(
    ctx: Context,
    action: str,
    named: AuditObject,
    notes: Notes,
    *,
    actor_id: str | None = None,
    organization_id: str | None = None,
    session_id: str | None = None,
) -> None:
    actor, origin = ctx.actor, ctx.origin()
    person = actor_id or actor.user_id
    values: dict[str, Any] = {
        "at": ctx.now(),
        "organization_id": named.organization_id or organization_id,
        "action": camel(action.strip("_"))[:ACTION_LENGTH],
        "actor_kind": actor_kind(actor, origin, person),
        "actor_id": person,
        "door": origin.door,
        "token_id": actor.token_id,
        "session_id": session_id or actor.session_id,
        "address": origin.address or None,
        "request_id": origin.request_id,
        "object_type": named.type,
        "object_id": named.id,
        "object_name": named.name,
        "named_elsewhere": named.id if named.named_elsewhere else None,
        "person_id": named.person_id,
        "space_id": named.space_id,
        "site_id": named.site_id,
        "site_space_id": named.site_space_id,
        "collection_id": named.collection_id,
        "team_id": named.team_id,
        "changes": _shown_changes(notes),
    }
    values["affected"], values["affected_count"] = await _affected(ctx, named, notes)
    values["mentioned"] = list(dict.fromkeys(content.id for content in notes.contents))
    organizations = [values["organization_id"], *_left(notes)]
    for organization in dict.fromkeys(organizations):
        values |= {"id": new_id(), "organization_id": organization}
        entry, mentions = _insert(ctx.session.get_bind().dialect.name)
        for text, parameters in (entry, mentions) if values["mentioned"] else (entry,):
            await ctx.session.run_text(text, parameters(values))


def actor_kind(actor: Actor, origin: Origin, person: str | None) -> AuditActorKind:
    """What kind of actor has done something; `person` is the account that has, if any."""
    if person is not None:
        return AuditActorKind.PERSON
    if actor.operator:
        by_hand = origin.door is AuditDoor.COMMAND
        return AuditActorKind.OPERATOR if by_hand else AuditActorKind.SYSTEM
    return AuditActorKind.ANONYMOUS


def _left(notes: Notes) -> list[str]:
    """The organizations that something was taken out of: their administrators see it, too."""
    return [change.left for change in notes.changes if change.left is not None]


# Where objects have their names that the rows of their parts do not have.
_TITLES: Mapping[AuditObjectType, Any] = {
    AuditObjectType.SPACE: Space.title,
    AuditObjectType.COLLECTION: Collection.title,
    AuditObjectType.SITE: Site.title,
    AuditObjectType.TEAM: Team.title,
    AuditObjectType.CHANGE_REQUEST: ChangeRequest.subject,
    AuditObjectType.MEMBER: User.display_name,
    AuditObjectType.SERVICE_ACCOUNT: User.display_name,
}


def _others(subject: AuditObject, notes: Notes) -> Iterator[tuple[AuditChangeKind, AuditObject]]:
    """What was changed beside the object of the entry, each object and person once."""
    seen = {(subject.type, subject.id, subject.person_id), (subject.type, subject.id, None)}
    for content in notes.contents:
        named = AuditObject(type=content.type, id=content.id, name=content.name)
        yield content.kind, named
    for change in notes.changes:
        object_kind = OBJECTS.get(type(change.row))
        if object_kind is None or object_kind.stored_form:
            continue
        named = object_of(change.row)
        key = named.type, named.id, named.person_id
        if key not in seen:
            seen.add(key)
            yield AuditChangeKind.CHANGED if named.part else change.kind, named


async def _affected(
    ctx: Context, subject: AuditObject, notes: Notes
) -> tuple[list[dict[str, Any]], int]:
    """The first objects that were changed beside the one of the entry, and how many there are."""
    others = list(_others(subject, notes))
    first = others[:MOST_NAMED]
    names = await _names(
        ctx,
        (
            named
            for _, named in first
            if named.name is None and (named.type, named.id) != (subject.type, subject.id)
        ),
    )
    listed = [
        {
            "kind": kind.value,
            "type": named.type.value,
            "objectId": named.id,
            "name": named.name or names.get((named.type, named.id)),
            "personId": named.person_id,
        }
        for kind, named in first
    ]
    return listed, len(others) + notes.more


async def _names(
    ctx: Context, objects: Iterable[AuditObject]
) -> dict[tuple[AuditObjectType, str | None], str]:
    """The names of objects that are there, in one statement; none where nothing is asked for."""
    ids_by_type: dict[AuditObjectType, set[str]] = {}
    for named in objects:
        if named.type in _TITLES and named.id is not None:
            ids_by_type.setdefault(named.type, set()).add(named.id)
    if not ids_by_type:
        return {}
    selects = [
        select(literal(type.value), title.class_.id, title).where(title.class_.id.in_(ids))
        for type, ids in ids_by_type.items()
        for title in (_TITLES[type],)
    ]
    rows = await ctx.session.execute(union_all(*selects))
    return {(AuditObjectType(type), id): (name or "")[:VALUE_LENGTH] for type, id, name in rows}


def _shown_changes(notes: Notes) -> list[dict[str, Any]]:
    """Values before and after, as they are stored; the first of many."""
    listed: list[dict[str, Any]] = []
    for change in notes.changes:
        if len(listed) >= MOST_CHANGES:
            break
        if not change.values:
            continue
        named = object_of(change.row)
        listed += [
            {
                "kind": change.kind.value,
                "objectType": named.type.value,
                "objectId": named.id,
                "personId": named.person_id,
                "field": camel(name),
                "before": shown(before),
                "after": shown(after),
            }
            for name, (before, after) in change.values.items()
        ]
    return listed[:MOST_CHANGES]
