"""The audit log in /v1."""

from rest_compat.shape import named_shape, nested
from schema.types import audit

AUDIT_ENTRY = named_shape(
    "AuditEntry",
    audit.AuditEntry,
    "id at action door address? requestId? affectedCount",
    {"object": "audit-entry"},
    actor=named_shape("AuditActor", audit.AuditActor, "kind userId? name? tokenId? sessionId?"),
    target=nested(
        named_shape("AuditTarget", audit.AuditObject, "type objectId? name? spaceId? siteId?"),
        of="object",
    ),
    person=nested(named_shape("AuditPerson", audit.AuditPerson, "userId name?"), optional=True),
    affected=named_shape(
        "AuditAffected", audit.AuditAffected, "kind type objectId name? personId?"
    ),
    changes=named_shape(
        "AuditChange",
        audit.AuditChange,
        "kind objectType objectId? personId? field before? after?",
    ),
)
