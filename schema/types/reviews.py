"""Reviews of change requests, requests for them, and contributors."""

import datetime as dt

import strawberry

from db.content_enums import ContributionAction, ReviewStatus
from db.models import change_requests, comments, content, organizations, reviews
from resolvers.change_requests import reviews as review_operations
from resolvers.lists.batches import by_key
from schema.node import Node
from schema.types.change_requests import ChangeRequest
from schema.types.comments import Comment
from schema.types.content.pages import Revision
from schema.types.organizations import User
from schema.wiring import batch, column, related, source_rows, visible_related


@strawberry.type(description="What somebody thinks of a change request, as it was then.")
class Review(Node):
    is_type_of = source_rows(reviews.Review)
    status: ReviewStatus = column("What the reviewer thinks of it.")
    outdated: bool = batch(
        review_operations.reviews_outdated,
        "Whether it no longer counts: the content has changed since, or the reviewer was asked "
        "again or has submitted another one.",
    )
    created_at: dt.datetime = column("When it was submitted.")
    updated_at: dt.datetime = column("When it was submitted or replaced.")
    reviewer: User = related(organizations.User, "reviewer_id", "Whose it is.")
    requested_by: User | None = related(
        organizations.User, "requested_by_id", "Who had asked for it; null when nobody had."
    )
    change_request: ChangeRequest = related(
        change_requests.ChangeRequest, "change_request_id", "The change request."
    )
    revision: Revision | None = visible_related(
        content.Revision, "revision_id", "The content that was reviewed."
    )
    comment: Comment | None = batch(
        by_key(comments.Comment, "comment_id"),
        "What it says, as a comment; null when it says nothing.",
    )


@strawberry.type(description="Somebody who was asked for a review and has not submitted it.")
class RequestedReviewer:
    user: User = related(organizations.User, "user_id", "Who was asked.")
    requested_by: User = related(organizations.User, "requested_by_id", "Who asked.")
    created_at: dt.datetime = column("When.")
    revision: Revision | None = visible_related(
        content.Revision, "revision_id", "The content of the change request at that time."
    )


@strawberry.type(description="Who is asked for a review now.")
class ReviewRequests:
    change_request: ChangeRequest = column("The change request; it is open now.")
    users: list[RequestedReviewer] = column("The people that were named, in that order.")


@strawberry.type(description="Somebody who edited, or who commented in, a change request.")
class Contributor:
    user: User = related(organizations.User, "user_id", "Who.")
    action: ContributionAction = column("What they did; who did both is listed twice.")
    count: int = column("How often.")
    updated_at: dt.datetime = column("When last.")
