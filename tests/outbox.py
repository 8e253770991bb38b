"""Events as the outbox takes them."""

from typing import Any

from db.base import utc_now
from db.ids import new_id


def event_row(stream: str, space_id: str | None) -> dict[str, Any]:
    """An event of a space as the statement that adds events takes it."""
    return {
        "id": new_id(), "type": "space_updated", "at": utc_now().isoformat(sep=" "),
        "actor_kind": "system", "actor_id": None, "action": "late", "audience": "space",
        "object_type": "space", "object_id": space_id, "organization_id": stream,
        "account_id": None, "space_id": space_id, "change_request_id": None, "revision_id": None,
        "page_id": None, "comment_id": None, "collection_id": None, "site_id": None,
        "site_space_id": None, "team_id": None, "user_id": None, "changed": ["title"], "data": {},
    }  # fmt: skip
