"""Events."""

from resolvers.events import fields as events
from resolvers.events.fields import EventArguments
from resolvers.organizations import operations as organizations, users
from rest_compat.shapes.events import EVENT
from rest_compat.table import page

TAG = "events"

ROUTES = (
    page("/orgs/{organizationId}/events", "listEvents", TAG, organizations.get_organization,
         events.events_of_organizations, EventArguments, EVENT, streams=True),
    page("/user/events", "listEventsOfAuthenticatedUser", TAG, users.get_viewer,
         events.events_of_accounts, EventArguments, EVENT, streams=True),
)  # fmt: skip
