"""The root of subscriptions: one line per operation, which finds what is followed.

Root fields may be null, as those of queries are; an event that is delivered is never null.
"""

import strawberry

from resolvers.events import follow
from resolvers.jobs.follow import follow_job, follow_jobs
from schema.types.events import Event
from schema.types.jobs import Job
from schema.wiring import subscription


@strawberry.type(description="Everything that can be followed; each field is a stream of events.")
class Subscription:
    events: Event | None = subscription(follow.follow_events)
    space: Event | None = subscription(follow.follow_space)
    content: Event | None = subscription(follow.follow_content)
    page: Event | None = subscription(follow.follow_page)
    change_request: Event | None = subscription(follow.follow_change_request)
    change_requests: Event | None = subscription(follow.follow_change_requests)
    comments: Event | None = subscription(follow.follow_comments)
    reviews: Event | None = subscription(follow.follow_reviews)
    site: Event | None = subscription(follow.follow_site)
    site_structure: Event | None = subscription(follow.follow_site_structure)
    members: Event | None = subscription(follow.follow_members)
    notifications: Event | None = subscription(follow.follow_notifications)
    account: Event | None = subscription(follow.follow_account)
    jobs: Job | None = subscription(follow_jobs)
    job: Job | None = subscription(follow_job)
