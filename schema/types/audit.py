"""The audit log."""

import datetime as dt

import strawberry

from db.audit_enums import AuditActorKind, AuditChangeKind, AuditDoor, AuditObjectType
from db.models import audit as models
from resolvers.audit import entries
from schema.node import Node
from schema.wiring import batch, column, itself, source_rows


@strawberry.type(description="Who acted.")
class AuditActor:
    kind: AuditActorKind = column("Who it was.", attribute="actor_kind")
    user_id: strawberry.ID | None = column("Id of the account.", attribute="actor_id")
    name: str | None = column("The person's name at that time.", attribute="actor_name")
    token_id: strawberry.ID | None = column("Id of the token that was used.")
    session_id: strawberry.ID | None = column("Id of the browser's session that was used.")


@strawberry.type(description="What something was done to. It may be gone by now.")
class AuditObject:
    type: AuditObjectType = column("Kind of the object.", attribute="object_type")
    object_id: str | None = column("Its id.")
    name: str | None = column("Its name at that time.", attribute="object_name")
    space_id: strawberry.ID | None = column("Id of the space that it belongs to.")
    site_id: strawberry.ID | None = column("Id of the site that it belongs to.")


@strawberry.type(description="The person whom an act was about.")
class AuditPerson:
    user_id: strawberry.ID = column("Id of the person.")
    name: str | None = column("The person's name at that time.")


@strawberry.type(description="A value that an act has changed, as text.")
class AuditChange:
    kind: AuditChangeKind = column("What happened to it.")
    object_type: AuditObjectType = column("Kind of the object that has it.")
    object_id: str | None = column("Id of that object.")
    person_id: strawberry.ID | None = column("Id of the person whom that object is about.")
    field: str = column("Name of the value.")
    before: str | None = column("What it was; null when it was not set.")
    after: str | None = column("What it is since; null when it is not set.")


@strawberry.type(description="Something that was changed beside the object of an entry.")
class AuditAffected:
    kind: AuditChangeKind = column("What happened to it.")
    type: AuditObjectType = column("Kind of the object.")
    object_id: str = column(
        "Its id. A page, a file or a reusable content has the same one in every revision."
    )
    name: str | None = column("Its name at that time; null for a part of the entry's object.")
    person_id: strawberry.ID | None = column("Id of the person whom it is about.")


@strawberry.type(description="Something that was done: a write, a sign-in, a change of rights.")
class AuditEntry(Node):
    is_type_of = source_rows(models.AuditEntry)
    at: dt.datetime = column("When it was done.")
    action: str = column("What was done: the name of the mutation, such as `updateMember`.")
    door: AuditDoor = column("Interface that was used.")
    address: str | None = column("Address of the client; of IPv6 its network.")
    request_id: str | None = column("Id of the request, as in the header X-Request-Id.")
    actor: AuditActor = itself("Who did it.")
    object: AuditObject = itself("What it was done to.")
    person: AuditPerson | None = batch(
        entries.audited_people, "The person whom it was about, where it was about one."
    )
    affected: list[AuditAffected] = batch(
        entries.affected_objects,
        "What else it has changed: the pages of a write of content, what goes with a member; at "
        "most 50.",
    )
    affected_count: int = column("How many there are of `affected`.")
    changes: list[AuditChange] = batch(
        entries.audit_changes, "Values that it has changed, at most 100; none of them is secret."
    )
