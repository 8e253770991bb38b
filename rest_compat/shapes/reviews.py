"""Reviews, requested reviewers and contributors in /v1."""

from collections.abc import Mapping
from functools import cache
from typing import Any

from db.content_enums import ContentFormat
from rest_compat.shape import Shape, named_shape, nested, reference, renamed
from rest_compat.shapes.comments import comment_shape
from rest_compat.shapes.organizations import USER
from schema.types import reviews


@cache
def review_shape(format: ContentFormat) -> Shape:
    """A review."""
    suffix = "" if format is ContentFormat.MARKDOWN else format.value.capitalize()
    return named_shape(
        f"ChangeRequestReview{suffix}",
        reviews.Review,
        "id status outdated createdAt updatedAt",
        {"object": "change-request-review"},
        revision=reference(),
        reviewer=USER,
        requestedBy=nested(USER, optional=True),
        comment=nested(comment_shape(format), optional=True),
    )


def review_answer(choices: Mapping[str, Any]) -> Shape:
    return review_shape(choices.get("format") or ContentFormat.MARKDOWN)


# Teams are not asked for reviews here, so all of them are people.
REQUESTED_REVIEWER = named_shape(
    "ChangeRequestRequestedReviewer",
    reviews.RequestedReviewer,
    "createdAt",
    {"object": "change-request-requested-reviewer", "kind": "user"},
    user=USER,
    revision=reference(),
    requestedBy=USER,
)

REVIEW_REQUESTS = named_shape(
    "ChangeRequestReviewRequests", reviews.ReviewRequests, "", users=REQUESTED_REVIEWER
)

CONTRIBUTOR = named_shape(
    "UserContributor",
    reviews.Contributor,
    "count updatedAt",
    user=USER,
    actionType=renamed("action"),
)
