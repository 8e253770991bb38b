"""What is sent: an event as /v1 shows it, so that receivers know one form."""

from typing import Any

import orjson

from db.models.events import Event
from db.models.webhooks import Webhook
from resolvers.core.naming import camel
from resolvers.core.scalars import write_time

PING = "ping"
_IDS = (
    "organization_id", "space_id", "change_request_id", "revision_id", "page_id", "comment_id",
    "collection_id", "site_id", "team_id", "user_id",
)  # fmt: skip


def event_body(event: Event) -> str:
    """An event as JSON."""
    ids = {camel(name): getattr(event, name) for name in _IDS}
    return _json(
        {
            "object": "event",
            "eventId": event.id,
            "type": event.type.value,
            "position": event.position,
            "occurredAt": write_time(event.at),
            "action": event.action,
            "changed": event.changed,
            **_present(ids),
            "actor": _present({"kind": event.actor_kind.value, "userId": event.actor_id}),
            "target": _present({"type": event.object_type.value, "objectId": event.object_id}),
            "facts": _present(event.data),
        }
    )


def ping_body(webhook: Webhook, id: str, now: Any) -> str:
    """What a test sends."""
    ids = {
        camel(name): getattr(webhook, name) for name in ("organization_id", "space_id", "site_id")
    }
    return _json(
        {"object": "event", "eventId": id, "type": PING, "occurredAt": write_time(now)}
        | _present(ids)
    )


def _present(values: dict[str, Any]) -> dict[str, Any]:
    return {name: value for name, value in values.items() if value is not None}


def _json(value: dict[str, Any]) -> str:
    return orjson.dumps(value).decode()
