"""Events in /v1: flat, as receivers of the published contract know them."""

from rest_compat.shape import named_shape, nested, shape
from schema.types import events

EVENT = named_shape(
    "Event",
    events.Event,
    "eventId:id type position occurredAt action changed organizationId? spaceId? "
    "changeRequestId? revisionId? pageId? commentId? collectionId? siteId? teamId? userId?",
    {"object": "event"},
    actor=named_shape("EventActor", events.EventActor, "kind userId?"),
    target=nested(named_shape("EventTarget", events.EventObject, "type objectId?"), of="object"),
    facts=named_shape(
        "EventFacts",
        events.EventFacts,
        "visibility? previousVisibility? status? rating? conflicts? parentId? reviewId? "
        "siteSpaceId? newOrganizationId? memberOf? state? commitId? views?",
        pages=nested(shape(events.ViewedPage, "pageId views"), optional=True),
    ),
)
