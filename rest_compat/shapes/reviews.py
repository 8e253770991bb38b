"""Reviews, requested reviewers and contributors in /v1."""

from collections.abc import Mapping
from functools import cache
from typing import Any

from db.content_enums import ContentFormat
from rest_compat.shape import Reference, Renamed, Shape, nested, shape
from rest_compat.shapes.comments import comment_shape
from rest_compat.shapes.organizations import USER
from schema.types import reviews


@cache
def review_shape(format: ContentFormat) -> Shape:
    """A review."""
    suffix = "" if format is ContentFormat.MARKDOWN else format.value.capitalize()
    return shape(
        f"ChangeRequestReview{suffix}",
        reviews.Review,
        "id status outdated createdAt updatedAt",
        {"object": "change-request-review"},
        revision=Reference(),
        reviewer=nested(USER),
        requestedBy=nested(USER, optional=True),
        comment=nested(comment_shape(format), optional=True),
    )


def review_answer(choices: Mapping[str, Any]) -> Shape:
    return review_shape(choices.get("format") or ContentFormat.MARKDOWN)


# Teams are not asked for reviews here, so all of them are people.
REQUESTED_REVIEWER = shape(
    "ChangeRequestRequestedReviewer",
    reviews.RequestedReviewer,
    "createdAt",
    {"object": "change-request-requested-reviewer", "kind": "user"},
    user=nested(USER),
    revision=Reference(),
    requestedBy=nested(USER),
)

REVIEW_REQUESTS = shape(
    "ChangeRequestReviewRequests", reviews.ReviewRequests, "", users=nested(REQUESTED_REVIEWER)
)

CONTRIBUTOR = shape(
    "UserContributor",
    reviews.Contributor,
    "count updatedAt",
    user=nested(USER),
    actionType=Renamed("action"),
)
