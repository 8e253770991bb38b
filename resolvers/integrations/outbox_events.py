"""Which events of the outbox integrations get, and what these say."""

from collections.abc import Collection, Mapping
from typing import Any

from db.event_enums import EventType as Type
from db.integration_enums import IntegrationScope as Scope
from resolvers.core.scalars import write_time

# Events of the outbox that installations get, and the scope that they need.
_OF_SPACES: Mapping[str, Scope] = {
    Type.SPACE_CONTENT_UPDATED.value: Scope.SPACE_CONTENT_READ,
    Type.SPACE_GITSYNC_STARTED.value: Scope.SPACE_GIT_SYNC,
    Type.SPACE_GITSYNC_COMPLETED.value: Scope.SPACE_GIT_SYNC,
    Type.SPACE_VISIBILITY_UPDATED.value: Scope.SPACE_METADATA_READ,
}
# Those that the published contract does not have; they say more of themselves.
_OF_CHANGE_REQUESTS = frozenset(
    type.value
    for type in (
        Type.CHANGE_REQUEST_CREATED, Type.CHANGE_REQUEST_UPDATED, Type.CHANGE_REQUEST_OPENED,
        Type.CHANGE_REQUEST_ARCHIVED, Type.CHANGE_REQUEST_MERGED, Type.CHANGE_REQUEST_CONFLICTED,
    )
)  # fmt: skip
OF_SITES: Mapping[str, Scope] = {
    "site_view": Scope.SITE_VIEWS_READ,
    "page_feedback": Scope.PAGE_FEEDBACK_READ,
}


def is_for(type: str, scopes: Collection[str]) -> bool:
    """Whether an integration with these scopes hears of a type of events."""
    scope = _OF_SPACES.get(type) or OF_SITES.get(type)
    if type in _OF_CHANGE_REQUESTS:
        scope = Scope.SPACE_CONTENT_READ
    return scope is not None and scope.value in scopes


def members(event: Any) -> dict[str, Any]:
    """What the published contract says of an event of a space."""
    facts = event.data or {}
    said = {"spaceId": event.space_id}
    said["revisionId"] = event.revision_id or facts.get("revisionId")
    for name in ("commitId", "state", "previousVisibility", "visibility"):
        said[name] = facts.get(name)
    if event.type.value in _OF_CHANGE_REQUESTS:
        said["changeRequestId"] = event.change_request_id
        said |= {"organizationId": event.organization_id, "occurredAt": write_time(event.at)}
    return {name: value for name, value in said.items() if value is not None}


def members_of_site(event: Any) -> dict[str, Any]:
    """What it says of an event of a site: its facts are what visitors have sent."""
    said = {"siteId": event.site_id, "spaceId": event.space_id, "pageId": event.page_id}
    facts = dict(event.data or {})
    if "feedback" not in facts and "rating" in facts:
        # As the published contract says it.
        facts["feedback"] = {"rating": facts.pop("rating")}
    return facts | {name: value for name, value in said.items() if value is not None}
